"""What the program leaves on disk is its owner's alone."""

import logging
import os
import stat
import sys
from pathlib import Path

import pytest
from mastaba.cli.__main__ import main
from mastaba.cli.log import Discreet


def test_data_folder_and_log_are_for_the_owner_alone_whatever_the_umask(tmp_path, monkeypatch, capfd):
    before = os.umask(0o022)
    monkeypatch.setenv("MASTABA_HOME", str(tmp_path / "deep" / "home"))
    try:
        assert main(["resume"]) == 3
    finally:
        os.umask(before)
    home = Path(tmp_path / "deep" / "home")
    modes = {str(p.relative_to(home)): stat.S_IMODE(p.stat().st_mode) for p in (home, *home.rglob("*"))}
    assert modes == {".": 0o700, "log": 0o700, "log/mastaba.log": 0o600}


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("10.0.0.1:24642: refused", "ADDRESS: refused"),
        ("[fe80::1%eth0]:24642: gone", "[ADDRESS]:24642: gone"),
        ("('2001:db8::7', 24642, 0, 3)", "('ADDRESS', 24642, 0, 3)"),
        ("Nobody answers at 192.168.1.20.", "Nobody answers at ADDRESS."),
        ("at 01:07:06, version 1.2.3, file.py:33: done", "at 01:07:06, version 1.2.3, file.py:33: done"),
    ],
)
def test_no_address_stays_in_the_log(text, kept):
    record = logging.LogRecord("net", logging.INFO, "file", 1, "%s", (text,), None)
    assert Discreet("%(message)s").format(record) == kept
    try:
        raise OSError(text)
    except OSError:
        failed = logging.LogRecord("net", logging.ERROR, "file", 1, "it failed", (), sys.exc_info())
    assert f"OSError: {kept}" in Discreet("%(message)s").format(failed)


def test_a_table_that_is_not_there_leaves_no_address_in_the_log(capfd):
    assert main(["join", "127.0.0.1:9", "--loopback", "--name", "Ana"]) == 1
    assert "127.0.0.1" in capfd.readouterr().err
    log = (Path(os.environ["MASTABA_HOME"]) / "log" / "mastaba.log").read_text()
    assert "Nobody answers" in log
    assert "127.0.0.1" not in log
