"""The program's log file: for its owner alone, of bounded size, and without addresses.  Nothing is logged to the terminal."""

import contextlib
import ipaddress
import logging
import logging.handlers
import os
import re
from pathlib import Path
from typing import Any

from ..net.store import Store, make_folder


class PrivateLog(logging.handlers.RotatingFileHandler):
    """A log that only its owner can read."""

    def _open(self) -> Any:
        os.close(os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600))
        return super()._open()


class Discreet(logging.Formatter):
    """Where the others were reached is nobody's business once they have played: no address stays in the log, in a traceback neither."""

    def format(self, record: logging.LogRecord) -> str:
        return re.sub(r"[0-9A-Fa-f:.]*[:.][0-9A-Fa-f:.]*(?:%\w+)?", self._hide, super().format(record))

    @staticmethod
    def _hide(found: re.Match[str]) -> str:
        text = found[0].partition("%")[0].rstrip(".:")
        for host in (text, text.rpartition(":")[0]):  # also with a port behind it
            with contextlib.suppress(ValueError):
                ipaddress.ip_address(host)
                return "ADDRESS" + found[0][len(text) :].partition("%")[0]
        return found[0]


def log_path() -> Path:
    return Store().root / "log" / "mastaba.log"


def briefly(record: logging.LogRecord) -> bool:
    """What the network or the disk refuses is a line of the log: a traceback stands for a fault of the program."""
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, OSError):
        what = record.getMessage().partition("\n")[0]
        record.msg, record.args, record.exc_info = f"{what}: {error or type(error).__name__}", (), None
    return True


def log_to_file() -> None:
    """Nothing is logged to the terminal, which belongs to the game."""
    path = log_path()
    try:
        make_folder(path.parent)
        handler = PrivateLog(path, maxBytes=1 << 20, backupCount=1, delay=True, encoding="utf-8", errors="replace")
    except OSError:
        return  # a full or read-only disk is reported by whoever needs it for more than a log
    logging.raiseExceptions = False
    handler.addFilter(briefly)
    handler.setFormatter(Discreet("%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    logging.getLogger("zeroconf").setLevel(logging.WARNING)
    logging.getLogger("asyncio").setLevel(logging.WARNING)
