"""Whose fault it is: our caller's (`LocalError`) or a seat's (`PeerError`, with what proves it).

`IllegalMove` (rules.py) is the third: a move that is not legal now.  Receiving code raises nothing else.
"""

from .claims import Claim, Refusal


class LocalError(Exception):
    """Our own side misused an interface or lacks something: one clear sentence, and what stands in its {0}, {1}, ...

    The sentence is kept apart from the details so that the client can translate it.  `reason`: an id, where a program may want to know why.
    """

    reason: str = ""

    def __init__(self, sentence: str, *details: object) -> None:
        super().__init__(sentence.format(*details) if details else sentence)
        self.sentence, self.details = sentence, details


class Unfit(LocalError):
    """A file or a match that this program can neither check nor show."""

    def __init__(self, reason: str, sentence: str, *details: object) -> None:
        super().__init__(sentence, *details)
        self.reason = Refusal(reason)


class PeerError(Exception):
    """A seat did what an honest program never does.  `claim` is an id of claims.py; the evidence is what it signed."""

    def __init__(self, seat: int, claim: str, detail: str = "") -> None:
        super().__init__(f"seat {seat}: {claim}" + (f" ({detail})" if detail else ""))
        self.seat, self.claim, self.detail = seat, Claim(claim), detail
