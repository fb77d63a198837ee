"""Every id of what a seat is accused of, what is wrong with a file, and why a match ends; it knows no words.

docs/protocol.md, section 8.1, says what each means.  PeerError, Fault and Wrong hold one of these and nothing else.
"""

from enum import StrEnum


class Claim(StrEnum):
    """A StrEnum: equal to its id, and written as such."""

    # a seat has signed what an honest program never signs
    BAD_BODY = "bad-body"
    BAD_KEYS = "bad-keys"
    BAD_SHUFFLE = "bad-shuffle"
    BAD_SHARE = "bad-share"
    BAD_OPENING = "bad-opening"
    BAD_COIN = "bad-coin"
    BAD_COMMITMENT = "bad-commitment"
    ILLEGAL_MOVE = "illegal-move"
    NOTHING_OWED = "nothing-owed"
    NOT_READ = "not-read"
    BAD_OUTCOME = "bad-outcome"
    BAD_AUDIT = "bad-audit"
    BAD_TEAM = "bad-team"
    BAD_TEAM_SECRET = "bad-team-secret"
    FALSE_COMPLAINT = "false-complaint"
    BAD_RENEWAL = "bad-renewal"
    BAD_DIE = "bad-die"
    BAD_HIDDEN_MOVE = "bad-hidden-move"
    BAD_ANSWER = "bad-answer"
    BAD_LEAVE = "bad-leave"
    SAID_AFTER_LEAVING = "said-after-leaving"
    TWO_BODIES = "two-bodies"
    TWO_VOTES = "two-votes"
    TWO_PARTS = "two-parts"
    TWO_MATCHES = "two-matches"

    # a file does not hold, and that is nobody's doing that could be proven
    UNKNOWN_FILE = "unknown-file"
    EMPTY = "empty"
    CUT_OFF = "cut-off"
    BAD_ITEM = "bad-item"
    BAD_ROSTER = "bad-roster"
    BAD_KEY = "bad-key"
    SAME_KEY_TWICE = "same-key-twice"
    SAME_NAME_TWICE = "same-name-twice"
    BAD_SIGNATURE = "bad-signature"
    ANOTHER_MATCH = "another-match"
    OUT_OF_ORDER = "out-of-order"
    BAD_DIGEST = "bad-digest"
    BAD_STATE = "bad-state"
    BAD_CERTIFICATE = "bad-certificate"
    BAD_ORIGIN = "bad-origin"
    BAD_VOID = "bad-void"
    NOT_EVIDENCE = "not-evidence"
    PROVES_NOTHING = "proves-nothing"

    # a match cannot go on, and nobody is accused
    DESYNC = "desync"
    OLD_JOURNAL = "old-journal"
    DISK = "disk"
    VOTED_OUT = "voted-out"


class Refusal(StrEnum):
    """Why a file is neither checked nor shown here, whatever is in it."""

    UNREADABLE = "unreadable"
    TOO_LARGE = "too-large"
    UNKNOWN_GAME = "unknown-game"
    OTHER_RULES = "other-rules"
    OTHER_DATA = "other-data"
    BAD_TABLE = "bad-table"
    BAD_DATA = "bad-data"
    IS_EVIDENCE = "is-evidence"
    NO_SUCH_SEAT = "no-such-seat"
    NO_SIGHT = "no-sight"
    TOO_LONG = "too-long"
