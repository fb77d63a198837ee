"""A headless Chromium that tests type into: a client of its driver's few commands (W3C WebDriver), over the loopback interface."""

import json
import os
import re
import shutil
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

WAIT = 60
KEYS = {"Right": "\ue014", "Left": "\ue012", "Home": "\ue011", "End": "\ue010", "PageDown": "\ue00f"}
FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking"]


class Browser:
    """One window; `errors` is what the page's scripts and policies have complained of."""

    def __init__(self, port: int) -> None:
        self._base = f"http://127.0.0.1:{port}/session"
        wanted = {
            "browserName": "chrome",
            "goog:chromeOptions": {"args": FLAGS},
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        }
        answer = self._call("POST", "", {"capabilities": {"alwaysMatch": wanted}})
        self._base += "/" + answer["sessionId"]

    def _call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._base + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=WAIT) as answer:
            return json.load(answer)["value"]

    def open(self, page: Path) -> None:
        self._call("POST", "/url", {"url": page.as_uri()})

    def run(self, script: str) -> Any:
        """What the script returns."""
        return self._call("POST", "/execute/sync", {"script": script, "args": []})

    def text(self, id: str) -> str:
        return str(self.run(f"return document.getElementById({id!r}).textContent"))

    def press(self, key: str) -> None:
        strokes = [{"type": kind, "value": KEYS.get(key, key)} for kind in ("keyDown", "keyUp")]
        self._call("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": strokes}]})

    def click(self, id: str) -> None:
        found = self._call("POST", "/element", {"using": "css selector", "value": f"#{id}"})
        self._call("POST", f"/element/{next(iter(found.values()))}/click", {})

    def errors(self) -> list[str]:
        return [entry["message"] for entry in self._call("POST", "/se/log", {"type": "browser"})]

    def asked_for(self) -> list[str]:
        """Every address that the page has asked for."""
        entries = [json.loads(entry["message"])["message"] for entry in self._call("POST", "/se/log", {"type": "performance"})]
        return [entry["params"]["request"]["url"] for entry in entries if entry["method"] == "Network.requestWillBeSent"]

    def close(self) -> None:
        self._call("DELETE", "")


@contextmanager
def browser() -> Iterator[Browser]:
    """Skips the test where Chromium is not installed; where everything must run (CI) its absence is a failure."""
    driver = shutil.which("chromedriver")
    if driver is None or shutil.which("chromium") is None:
        assert not os.environ.get("CI"), "chromium and chromium-driver are needed"
        pytest.skip("chromium and chromium-driver are not installed")
    with subprocess.Popen([driver, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            assert process.stdout is not None
            port = next(int(found[1]) for line in process.stdout if (found := re.search(r"successfully on port (\d+)", line)))
            window = Browser(port)
            try:
                yield window
            finally:
                window.close()
        finally:
            process.terminate()
