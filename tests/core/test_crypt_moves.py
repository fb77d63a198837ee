"""The Crypt: claims as a lazy collection, notation, and refusals with their reasons."""

import pytest
from crypttable import CryptTable
from hypothesis import given, strategies as st
from mastaba.core.games.crypt_claims import Claims
from mastaba.core.games.crypt_notation import parse, show
from mastaba.core.rules import Choose

SIX = ("idol 3", "jewelry 2", "manuscript 4", "tapestry 2", "pottery 3", "remains 4")

claims = st.builds(
    Claims,
    beat=st.dictionaries(st.integers(0, 5), st.integers(0, 18), max_size=4),
    refused=st.just({}),
    dice=st.integers(0, 3),
    one=st.booleans(),
)
parts = st.tuples(st.integers(-1, 6), st.integers(0, 7), st.integers(0, 4))


def plain_rule(claims, move):
    """The rule as the book has it, for one claim with parts of any numbers."""
    places = [place for place, _, _ in move[1:]]
    return (
        bool(places)
        and places == sorted(set(places))
        and set(places) <= set(claims.beat)
        and all(1 <= effort <= 6 and dice >= 1 and effort * dice > claims.beat[place] for place, effort, dice in move[1:])
        and sum(dice for _, _, dice in move[1:]) <= claims.dice
        and (len(places) == 1 or not claims.one)
    )


@given(claims, st.lists(parts, max_size=4))
def test_a_claim_is_legal_exactly_when_the_rule_says_so(claims, chosen):
    move = ("claim", *chosen)
    assert (move in claims) == plain_rule(claims, move)
    assert (claims.fault(move) is None) == (move in claims)


@given(claims)
def test_exactly_the_legal_claims_are_listed_each_once(claims):
    listed = list(claims)
    assert len(set(listed)) == len(listed)
    assert all(plain_rule(claims, move) for move in listed)
    singles = [("claim", (place, effort, dice)) for place in range(6) for effort in range(1, 7) for dice in range(1, 4)]
    assert [move for move in singles if plain_rule(claims, move)] == sorted(move for move in listed if len(move) == 2)


@given(claims, st.data())
def test_a_listed_claim_with_another_type_inside_is_refused(claims, data):
    listed = list(claims)
    if listed:
        verb, *chosen = data.draw(st.sampled_from(listed))
        for wrong in (("claim", *map(list, chosen)), ("claim", *[(p, e, True) for p, e, _ in chosen]), ["claim", *chosen], (verb,)):
            assert wrong not in claims


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("recover", ("recover",)),
        ("done", ("done",)),
        ("claim 1:3", ("claim", (0, 3, 1))),
        ("claim 2:6x3", ("claim", (1, 6, 3))),
        ("claim 1:3 4:2x2", ("claim", (0, 3, 1), (3, 2, 2))),
        ("look 2", ("look", 1)),
        ("heal 1 3", ("heal", 0, 2)),
        ("take 1 2 5", ("take", 0, 1, 4)),
        ("reroll 1 5", ("reroll", 0, 5)),
    ],
)
def test_notation_goes_both_ways(text, move):
    assert parse(text) == move
    assert show(move) == text


@pytest.mark.parametrize(("text", "same"), [("claim 4:2x2 1:3", "claim 1:3 4:2x2"), ("CLAIM 1:3x1", "claim 1:3"), ("heal 3 1", "heal 1 3")])
def test_order_and_case_do_not_matter(text, same):
    assert parse(text) == parse(same)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "claim",
        "claim 1",
        "claim 1:",
        "claim 0:1",
        "claim 1:3x",
        "claim 1:3x0",
        "claim 1:1 " * 9,
        "heal 1",
        "look 0",
        "look ١",
        "take 1 2",
        "recover 1",
        "dance",
        "reroll 1",
        "look 100",
        "claim 1:10",
        "claim １:3",
    ],
)
def test_what_denotes_no_move_is_refused(text):
    with pytest.raises(ValueError, match="no move of The Crypt"):
        parse(text)


@given(st.text(max_size=30))
def test_any_text_is_a_move_or_refused(text):
    try:
        move = parse(text)
    except ValueError:
        return
    assert parse(show(move)) == move


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        (None, "no-such-move"),
        ((), "no-such-move"),
        (("fly",), "no-such-move"),
        (("recover", 1), "no-such-move"),
        (("claim", 1, 2), "no-such-move"),
        (("claim", (0, True, 1)), "no-such-move"),
        (("done",), "not-now"),
        (("take", 0, 1, 4), "not-now"),
        (("claim", (9, 1, 1)), "no-such-place"),
        (("claim", (-1, 1, 1)), "no-such-place"),
        (("claim", (0, 7, 1)), "no-such-effort"),
        (("claim", (0, 1, 0)), "no-dice"),
        (("claim", (0, 1, 4)), "not-enough-dice"),
        (("claim", (1, 1, 1), (0, 1, 1)), "not-in-order"),
        (("look", 0), "not-in-play"),
        (("heal", 1, 0), "not-in-order"),
        (("heal", 0, 9), "no-such-treasure"),
        (("heal", 0, 1), "already-flipped"),
    ],
)
def test_a_refusal_says_why(move, reason):
    game = CryptTable(4, SIX, kept=[["remains 1!", "remains 2", "remains 3"]], spent=[1, 0, 0, 0])
    if reason == "not-enough-dice":
        move = ("claim", (0, 1, 3))
    assert move not in game.now.moves_of(game.asked, 0)
    assert game.now.why_not(game.asked, move) == reason


def test_a_huge_number_is_only_a_number():
    game = CryptTable(4, SIX)
    for move in (("claim", (1 << 62, 1, 1)), ("look", 1 << 62), ("heal", -1, 1 << 62), ("claim", (0, 1, 1 << 62))):
        assert move not in game.now.moves_of(game.asked, 0)
        assert game.now.why_not(game.asked, move) != ""


def test_no_other_question_takes_a_claim():
    game = CryptTable(4, SIX)
    for question in ("befores", "rerolls", "afters"):
        request = Choose(0, question, then="", about=None)
        assert ("claim", (0, 1, 1)) not in game.now.moves_of(request, 0)
        assert game.now.why_not(request, ("claim", (0, 1, 1))) == "not-now"
