"""What the program leaves on disk is its owner's alone."""

import os
import stat
from pathlib import Path

from mastaba.cli.__main__ import main


def test_data_folder_and_log_are_for_the_owner_alone_whatever_the_umask(tmp_path, monkeypatch, capfd):
    before = os.umask(0o022)
    monkeypatch.setenv("MASTABA_HOME", str(tmp_path / "deep" / "home"))
    try:
        assert main(["verify", str(tmp_path / "nothing")]) == 1
    finally:
        os.umask(before)
    home = Path(tmp_path / "deep" / "home")
    modes = {str(p.relative_to(home)): stat.S_IMODE(p.stat().st_mode) for p in (home, *home.rglob("*"))}
    assert modes == {".": 0o700, "log": 0o700, "log/mastaba.log": 0o600}
