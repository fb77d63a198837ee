"""What every test of the client needs: catalogues made from the .po files, English to begin with, and a home of its own."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import catalogue
import pyte
import pytest
from mastaba.cli import text
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output


@pytest.fixture(scope="session", autouse=True)
def _compiled() -> None:
    catalogue.compile_all()


@pytest.fixture(autouse=True)
def _home_and_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("MASTABA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LANGUAGE", "en")
    text.use("en")
    yield
    text.use("en")


class Wall:
    """A terminal of a fixed size: what prompt-toolkit writes goes into pyte, and `rows` is what a person sees."""

    def __init__(self, keys: PipeInput) -> None:
        self.keys = keys
        self.size = Size(rows=24, columns=80)
        self.screen = pyte.Screen(80, 24)
        self.stream = pyte.Stream(self.screen)
        self.written = ""
        self.output = Vt100_Output(self, lambda: self.size, term="xterm-256color")

    def resize(self, columns: int, rows: int) -> None:
        self.size = Size(rows=rows, columns=columns)
        self.screen.resize(rows, columns)

    def write(self, data: str) -> int:
        self.written += data
        self.stream.feed(data)
        return len(data)

    def flush(self) -> None: ...

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return os.open(os.devnull, os.O_RDONLY)

    encoding = "utf-8"

    @property
    def rows(self) -> list[str]:
        return [row.rstrip() for row in self.screen.display]

    @property
    def text(self) -> str:
        return "\n".join(self.rows)


@pytest.fixture
def wall() -> Iterator[Wall]:
    with create_pipe_input() as keys:
        wall = Wall(keys)
        with create_app_session(input=keys, output=wall.output):
            yield wall


Speak = Callable[[str], None]
