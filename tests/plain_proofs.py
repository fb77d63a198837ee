"""A verifier of linear proofs written from the specification, on libsodium: the oracle for transcripts and proofs of shares and keys."""

from plain_shuffle import ORDER, Items, Sodium


def place(label, match, step, round_, seat):
    """The transcript that a context begins."""
    t = Items(label)
    t.number("version", 1)
    t.add(b"b", "match", match)
    for name, n in (("step", step), ("round", round_), ("seat", seat)):
        t.number(name, n)
    return t


def verify(t, rows, proof):
    """True if `proof` proves rows of (image, ((base, index), ..)), points as 32 bytes, after the items of `t`."""
    group = Sodium()
    c, *s = (int.from_bytes(proof[i : i + 32], "little") for i in range(0, len(proof), 32))
    if any(x >= ORDER for x in (c, *s)):
        return False  # not canonical
    t.number("rows", len(rows))
    for image, terms in rows:
        t.add(b"p", "image", image)
        t.number("terms", len(terms))
        for base, index in terms:
            t.add(b"p", "base", base)
            t.number("index", index)
    for image, terms in rows:
        T = group.identity
        for base, index in terms:
            T = group.add(T, group.mul(base, s[index]))
        t.add(b"p", "T", group.sub(T, group.mul(image, c)))
    return int.from_bytes(t.draw("c", 64), "little") % ORDER == c
