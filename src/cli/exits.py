"""What the program's exit code says; scripts rely on these numbers.  It knows no command."""

from enum import IntEnum


class Exit(IntEnum):
    OK = 0
    FAILURE = 1  # our own side: disk, terminal, a refused address
    USAGE = 2  # what was typed makes no sense, or a person is needed and there is none
    NOTHING = 3  # no table, nothing to resume
    VERSION = 4  # the other side speaks another version
    CHEAT = 5  # somebody was caught cheating, or a transcript does not verify
    PEERS = 6  # the others ended it
    INTERRUPTED = 130
