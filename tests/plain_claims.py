"""Why something is refused, by the claims of docs/protocol.md."""

UNREADABLE = (AssertionError, ValueError, TypeError, KeyError, IndexError, RuntimeError)  # what is no point, no number, no such card


class Refused(AssertionError):
    """The claim, such as "bad-body"."""

    def __init__(self, claim):
        super().__init__(claim)
        self.claim = claim


def need(good, claim="bad-body"):
    if not good:
        raise Refused(claim)


def blobs(body, *sizes):
    """The body if it is byte strings of these lengths."""
    need(isinstance(body, tuple) and all(isinstance(one, bytes) for one in body) and tuple(map(len, body)) == sizes)
    return body


def pairs(body, n, kind):
    """The body if it is n arrays of something of that kind and a byte string."""
    need(isinstance(body, tuple) and len(body) == n)
    need(all(isinstance(one, tuple) and len(one) == 2 and type(one[0]) is kind and isinstance(one[1], bytes) for one in body))
    return body


def judged(claim, check, *args):
    """What a good body says; whatever is wrong with one beside its shape is refused with this claim."""
    try:
        said = check(*args)
    except Refused:
        raise
    except UNREADABLE as error:
        raise Refused(claim) from error
    need(said is not None, claim)
    return said
