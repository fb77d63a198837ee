"""Loot N Run: moves in text, why a move is illegal, and moves that a hostile peer could send."""

import pytest
from hypothesis import given, settings, strategies as st
from mastaba.core.games.loot import KEEPS, Loot
from mastaba.core.games.moves import Listed, same
from mastaba.core.plain import decode, encode
from mastaba.core.rules import Answer, IllegalMove

ONE = ("green - cup",)
ACTIONS = [("loot", 0), ("loot", 1), ("run",), *[("wake", seat) for seat in range(6)], *KEEPS.values()]


@pytest.mark.parametrize("move", ACTIONS)
def test_show_and_parse_are_a_pair(table, move):
    game = table([ONE, ONE]).now
    assert game.parse_move(game.show_move(move)) == move


def test_the_notation_counts_from_one(table):
    game = table([ONE, ONE]).now
    texts = "loot 1/loot 2/run/wake 1/wake 2/wake 3/wake 4/wake 5/wake 6/keep none/keep first/keep second/keep both"
    assert [game.show_move(move) for move in ACTIONS] == texts.split("/")
    assert game.parse_move("  Wake   3 ") == ("wake", 2)


@pytest.mark.parametrize(
    "text", ["", "loot", "loot 0", "loot 7", "loot one", "run 1", "wake", "wake 0", "wake ٣", "keep", "keep all", "pass", "loot 1 2"]
)
def test_other_texts_are_no_moves(table, text):
    with pytest.raises(ValueError, match="no move"):
        table([ONE, ONE]).now.parse_move(text)


REASONS = [
    (("loot", 1), "empty-deck"),
    (("loot", 2), "no-such-deck"),
    (("loot", -1), "no-such-deck"),
    (("loot", True), "no-such-move"),
    (("loot",), "no-such-move"),
    (("loot", 0, 0), "no-such-move"),
    (("run",), "no-cards"),
    (("run", 0), "no-such-move"),
    (("wake", 0), "not-yourself"),
    (("wake", 1), "no-cards"),
    (("wake", 2), "target-no-cards"),
    (("wake", 3), "no-such-seat"),
    (("wake", 1 << 62), "no-such-seat"),
    (("wake", -1), "no-such-seat"),
    (("wake", True), "no-such-move"),
    (("wake", "1"), "no-such-move"),
    (("keep",), "not-now"),
    (("pass",), "not-now"),
    (("loot ", 0), "not-now"),
    ((), "no-such-move"),
    (None, "no-such-move"),
    (1, "no-such-move"),
    ("run", "no-such-move"),
    (b"run", "no-such-move"),
    (((("loot", 0),),), "no-such-move"),
]


@pytest.mark.parametrize(("move", "reason"), REASONS)
def test_an_illegal_move_says_why_and_changes_nothing(table, move, reason):
    game = table([(), ONE, ()], decks=(("green - cup",) * 3, ()))
    before = game.now.digest()
    for seat in game.games:
        with pytest.raises(IllegalMove) as refused:
            seat.apply(Answer(move))
        assert str(refused.value) == reason
    assert game.now.digest() == before


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        (("keep", 1, 0), "not-drawn"),
        (("keep", 0, 0), "not-drawn"),
        (("keep", False), "not-drawn"),
        (("keep", 2), "not-drawn"),
        (("run",), "not-now"),
    ],
)
def test_an_illegal_keep_says_why(table, move, reason):
    game = table([ONE, ("red werewolf ring",), ONE])
    game.play("wake 2")
    with pytest.raises(IllegalMove, match=reason):
        game.now.apply(Answer(move))


plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.text(max_size=8)
    | st.binary(max_size=8)
    | st.sampled_from(["loot", "run", "wake", "keep"]),
    lambda inner: st.lists(inner, max_size=4).map(tuple),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(move=plain | st.tuples(st.sampled_from(["loot", "run", "wake", "keep"]), plain))
def test_whatever_a_peer_sends_is_a_legal_move_or_refused(table, move):
    game = TABLES.setdefault("turn", table([ONE, ONE, ("red werewolf ring",)]))
    move = decode(encode(move))
    legal = [encode(m) for m in game.now.moves_of(game.asked, 0)]
    state, before = game.now.copy(), game.now.digest()
    try:
        state.apply(Answer(move))
        reason = None
    except IllegalMove as refused:
        reason = str(refused)
    assert (reason is None) == (encode(move) in legal)
    assert (reason is None) == (state.digest() != before)
    assert reason != ""


TABLES: dict[str, object] = {}


def test_true_is_not_one_and_a_list_is_no_tuple():
    moves = Listed([("wake", 1), ("loot", 0)])
    assert ("wake", 1) in moves
    for other in (("wake", True), ("loot", False), ["wake", 1], ("wake", 1.0), ("wake",), "wake"):
        assert other not in moves
    assert list(moves) == [("wake", 1), ("loot", 0)]
    assert len(moves) == 2


@given(plain, plain)
def test_same_means_the_same_bytes(a, b):
    assert same(a, b) == (encode(a) == encode(b))


def test_the_move_of_an_absent_seat_is_the_mildest(table):
    game = table([ONE, ("red werewolf ring",), ONE])
    assert isinstance(game.now, Loot)
    assert game.now.absent(game.asked, 0) == ("loot", 0)
    game.play("wake 2")
    assert game.now.absent(game.asked, 0) == ("keep",)
