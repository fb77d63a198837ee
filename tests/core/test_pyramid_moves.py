"""Statements about hidden moves against the rule itself, read off the board square by square."""

import random

import pytest
from mastaba.core.games.pyramid_moves import clear, ends, statement, stopped
from pyramidtable import BOARD

FACES = range(1, 6)
NAMES = ("a", "b", "c")


def by_the_rule(face, mummy, origin, others):
    """Where a move may end, in the words of the rulebook: stepping, or sliding until something is in the way."""
    if face < 5:
        here = {origin}
        for _ in range(face):
            here = {new for old in here for new in BOARD.maze.ends(old, 1) if new != mummy}
        return here - set(others)
    found = set()
    for direction in range(4):
        square = origin
        for new in BOARD.maze.slide(origin, direction):
            if new == mummy or new in others:
                break
            square = new
        found.add(square)
    return found - {origin}


def positions(n, count, seed):
    """Random mummies, origins and other hunters, all apart."""
    rng = random.Random(seed)
    for _ in range(count):
        mummy = rng.choice((*BOARD.ordinary, BOARD.dungeon))
        origin, *others = rng.sample([s for s in BOARD.ordinary if s != mummy], n + 1)
        if n and rng.random() < 0.6:  # near: where it matters
            near = [s for s in BOARD.maze.within(origin, 3) if s != mummy]
            others[0] = rng.choice(near)
            others[1:] = [s for s in others[1:] if s != others[0]]
        yield mummy, origin, others


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("n", range(4))
def test_a_statement_holds_exactly_for_the_moves_of_the_rule(face, n):
    for mummy, origin, others in positions(n, 25 if face == 5 and n > 0 else 150, f"{face} {n}"):
        values = dict(zip(NAMES, others, strict=False))
        legal = by_the_rule(face, mummy, origin, others)
        assert set(ends(BOARD, face, mummy, origin, others)) == legal
        for known in (None, origin):
            rule = statement(BOARD, face, mummy, known, tuple(values))
            found = {new for new in BOARD.squares if rule.holds({**values, "old": origin, "new": new})}
            assert found == legal


@pytest.mark.parametrize("place", [BOARD.start, BOARD.dungeon])
@pytest.mark.parametrize("face", FACES)
def test_from_start_and_dungeon_too(place, face):
    mummies = [m for m in (*BOARD.ordinary, BOARD.dungeon) if m != place]
    for mummy in mummies:
        rule = statement(BOARD, face, mummy, place, ())
        found = {new for new in BOARD.squares if rule.holds({"old": place, "new": new})}
        assert found == by_the_rule(face, mummy, place, ())


def test_a_false_origin_start_square_or_dungeon_is_in_no_table():
    for face in FACES:
        rule = statement(BOARD, face, BOARD.dungeon, None, ())
        for origin in (BOARD.start, BOARD.dungeon, 200):
            assert not any(rule.holds({"old": origin, "new": new}) for new in BOARD.squares)


def test_the_arrow_has_one_row_a_hunter_and_a_bit_for_each():
    """What the proof is built from: the rows of `one_of` are those of `all_of`, with the tables that make the bit one."""
    rule = statement(BOARD, 5, BOARD.dungeon, None, NAMES)
    assert [names for names, _ in rule.all_of] == [names for names, _ in rule.one_of] == [("old", "new", n) for n in NAMES]
    assert all(yes <= every for (_, yes), (_, every) in zip(rule.one_of, rule.all_of, strict=True))
    assert rule.apart == ()


def test_the_lists_have_the_sizes_that_the_proofs_are_planned_for():
    assert len(clear(BOARD, BOARD.dungeon, None)) == 21_458
    assert len(stopped(BOARD, BOARD.dungeon, None, True)) == 11_900
    assert len(stopped(BOARD, BOARD.dungeon, None, False)) == 140


def test_a_number_needs_no_row_for_others_only_a_difference():
    rule = statement(BOARD, 3, BOARD.dungeon, None, NAMES)
    assert [names for names, _ in rule.all_of] == [("old", "new")]
    assert (rule.one_of, rule.apart) == ((), NAMES)


def test_tables_of_a_public_origin_hold_it_alone():
    for face in FACES:
        rule = statement(BOARD, face, BOARD.dungeon, BOARD.start, NAMES)
        assert {row[0] for _, table in rule.all_of for row in table} == {BOARD.start}
