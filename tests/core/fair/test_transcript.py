"""Challenges depend on every item, its kind, its label, its bounds and its place (attacks F1-F4)."""

import dataclasses

import pytest
from fairtable import MATCH, seeded
from hypothesis import given, strategies as st
from mastaba.core.fair.group import BASE, IDENTITY, Scalar
from mastaba.core.fair.transcript import Context, Transcript
from plain_shuffle import Items

APPENDS = {"append": st.binary(max_size=200), "append_int": st.integers(0, 2**64 - 1)}
items = st.sampled_from(sorted(APPENDS)).flatmap(lambda name: st.tuples(st.just(name), st.sampled_from(["a", "b", "ab"]), APPENDS[name]))


def after(listed, label="test"):
    t = Transcript(label)
    for name, item_label, value in listed:
        getattr(t, name)(item_label, value)
    return t


@given(st.lists(items, max_size=5), st.lists(items, max_size=5))
def test_different_items_give_different_challenges(a, b):
    assert (after(a).challenge("c") == after(b).challenge("c")) == (a == b)


@given(st.lists(items, max_size=5), st.sampled_from([0, 1, 16, 63, 64, 65, 1000]))
def test_the_specification_in_the_docstring_is_exact(listed, n):
    plain = Items("test")
    for name, label, value in listed:
        kind, data = (b"b", value) if name == "append" else (b"i", value.to_bytes(8, "big"))
        plain.add(kind, label, data)
    ours = after(listed)
    assert ours.challenge_bytes("c", n) == plain.draw("c", n)
    assert ours.challenge("d") == Scalar.reduce(plain.draw("d", 64))


def test_points_and_scalars_are_items_as_specified():
    plain, ours = Items("test"), Transcript("test")
    ours.append_point("P", BASE)
    ours.append_points("Ps", [BASE, IDENTITY])
    ours.append_scalar("s", Scalar.of(7))
    plain.add(b"p", "P", BASE.encode())
    plain.add(b"p", "Ps", BASE.encode() + bytes(32))
    plain.add(b"s", "s", bytes([7]) + bytes(31))
    assert ours.challenge_bytes("c", 64) == plain.draw("c", 64)


def test_moving_bytes_between_items_changes_the_challenge():
    splits = [[("append", "a", b"xy"[:i]), ("append", "b", b"xy"[i:])] for i in range(3)]
    splits += [[("append", "a", b"xy")], [("append", "ab", b"y")], [("append", "a", b""), ("append", "a", b"xy")]]
    assert len({after(split).challenge_bytes("c", 32) for split in splits}) == len(splits)


def test_the_kind_of_an_item_counts():
    draws = set()
    for append in ("append_point", "append", "append_scalar"):
        t = Transcript("test")
        value = {"append_point": IDENTITY, "append": bytes(32), "append_scalar": Scalar.of(0)}[append]
        getattr(t, append)("x", value)
        draws.add(t.challenge_bytes("c", 32))
    assert len(draws) == 3


def test_draws_differ_by_label_length_and_order():
    t = Transcript("test")
    first, second = t.challenge("c"), t.challenge("c")
    assert first != second
    assert Transcript("test").challenge("d") != first
    assert Transcript("other").challenge("c") != first
    assert Transcript("test").challenge_bytes("c", 65)[:64] != Transcript("test").challenge_bytes("c", 64)


def test_a_clone_goes_on_by_itself():
    t = after([("append", "a", b"1")])
    other = t.clone()
    other.append("b", b"2")
    assert t.clone().challenge("c") == after([("append", "a", b"1")]).challenge("c") != other.challenge("c")


def test_labels_are_ascii_and_integers_are_not_negative():
    with pytest.raises(UnicodeEncodeError):
        Transcript("ñ")
    with pytest.raises(OverflowError):
        Transcript("test").append_int("n", -1)
    with pytest.raises(OverflowError):
        Transcript("test").append_int("n", 2**64)


def test_every_field_of_a_context_is_bound_f11():
    context = Context(MATCH, 3, 1, 2)
    others = [{"match": bytes(32)}, {"step": 4}, {"round": 0}, {"seat": 0}, {"step": 1, "round": 3}]
    drawn = {dataclasses.replace(context, **change).transcript("t").challenge_bytes("c", 32) for change in others}
    drawn |= {context.transcript("t").challenge_bytes("c", 32), context.transcript("u").challenge_bytes("c", 32)}
    assert len(drawn) == len(others) + 2


def test_nonces_need_the_transcript_the_secret_and_fresh_randomness():
    def nonce(data=b"1", secret=5, seed=0):
        return after([("append", "a", data)]).nonce_source([Scalar.of(secret)], seeded(seed)).scalar()

    assert nonce() == nonce()
    assert all(nonce() != other for other in (nonce(data=b"2"), nonce(secret=6), nonce(seed=1)))


def test_nonces_differ_among_themselves_and_leave_the_transcript_alone(rng):
    t = Transcript("test")
    source = t.nonce_source([Scalar.of(5)], rng)
    drawn = source.scalars(20)
    assert len({s.encode() for s in drawn}) == 20
    assert t.challenge("nonce") == Transcript("test").challenge("nonce")
    assert all(s != Transcript("test").challenge("nonce") for s in drawn)
