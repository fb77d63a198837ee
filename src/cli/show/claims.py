"""What went wrong, or what a file proves, in words: claim ids of the core and of the net layer; it knows no layout."""

from ..text import _


def claim_words(claim: str) -> str:
    """What a seat did that an honest program never does, why a file does not hold, or why a match ends: a sentence for each Claim."""
    claims = {
        "bad-body": _("sent an answer of the wrong form"),
        "bad-coin": _("gave a false share of a coin"),
        "bad-commitment": _("opened another choice than the one it had committed to"),
        "bad-keys": _("published keys without a valid proof"),
        "bad-opening": _("opened a card falsely"),
        "bad-outcome": _("signed another result than the one the game has"),
        "bad-share": _("gave a false share of a card"),
        "bad-shuffle": _("shuffled without a valid proof"),
        "illegal-move": _("made an illegal move"),
        "nothing-owed": _("spoke where it had nothing to say"),
        "not-read": _("cannot open a card that it has read"),
        "two-bodies": _("signed two different answers to one question"),
        "two-votes": _("signed two different votes in one round of votes"),
        "two-parts": _("signed two different keys for the next match"),
        "two-matches": _("played on in two matches that go on from the same one"),
        "said-after-leaving": _("went on answering after its good-bye"),
        "bad-leave": _("said good-bye with false keys, or out of its turn"),
        "bad-team": _("made the team's secret without a valid proof"),
        "bad-team-secret": _("gave a member of the team a false secret"),
        "false-complaint": _("complained of a secret that was right"),
        "bad-renewal": _("changed a hidden value when the team's secret was renewed"),
        "bad-die": _("announced a hidden die falsely"),
        "bad-hidden-move": _("moved in secret without a valid proof"),
        "bad-answer": _("answered a question about hidden values without a valid proof"),
        "bad-audit": _("hid what was not true, as the audit at the end shows"),
        "unknown-file": _("it is neither a transcript nor evidence, or of another version"),
        "empty": _("the file is empty"),
        "cut-off": _("the file ends in the middle of something"),
        "bad-item": _("something in it is no answer of a player"),
        "bad-roster": _("the list of the players cannot be read"),
        "bad-key": _("a player's key is not valid"),
        "same-key-twice": _("two seats have the same key"),
        "same-name-twice": _("two seats have the same name"),
        "bad-signature": _("a signature is not valid"),
        "another-match": _("an answer belongs to another match"),
        "out-of-order": _("an answer is not in its place"),
        "bad-digest": _("an answer belongs to another course of the game"),
        "bad-state": _("an answer was given for another state of the table"),
        "bad-certificate": _("the votes do not decide that the match goes on in this way"),
        "bad-origin": _("the match does not go on from where the one before it ended"),
        "bad-void": _("what is said to be void at its end was signed by nobody, or counts, or is too much"),
        "not-evidence": _("this is no file of evidence"),
        "proves-nothing": _("nothing in it breaks a rule"),
        "desync": _("all signatures and proofs hold, and still the game does not add up: a program is at fault"),
        "old-journal": _("the saved match lacks what is needed to go on"),
        "disk": _("the match could not be saved"),
        "voted-out": _("the others have voted to go on without this seat"),
    }
    return claims.get(claim, "")


def going_on(game: str) -> str:
    """What can be typed when somebody is silent for too long, and what becomes of the game without him."""
    kinds = {
        "pyramid": _("Type go on, or wait. Nothing hidden is shown; without the mummy the match ends."),
        "scarabya": _("Type go on, or wait. Points stay; nothing more is laid on that site."),
    }
    return kinds.get(game) or _("Type go on, or wait. Points stay; dealt cards are shown, and the rest is shuffled.")


def trouble_words(id: str) -> str:
    """Why a match cannot go on though nobody is proven to have cheated; the sentence may hold {detail}."""
    troubles = {
        "desync": _("The programs disagree about the table ({detail}); nobody is blamed, and the match is saved."),
        "old-journal": _("The saved match lacks what is needed to go on."),
        "disk": _("The match cannot be saved: {detail}."),
        "silent": _("{who} has not answered for too long."),
        "left": _("{who} has left."),
        "voted-out": _("The match has ended for you: the others have voted to go on without your seat."),
    }
    return troubles.get(id) or _("The match cannot go on: {claim}.")
