"""The engine that all games share: the agenda, what an answer teaches, and the public digest."""

import pytest
from hypothesis import given, strategies as st
from mastaba.core.games.loot import Loot
from mastaba.core.rules import ALL, Answer, Choose, Do, IllegalMove, Options, Reveal, Roll, Rules, Shuffle, Statement, best, plain_request


class Trail(Rules):
    """Writes down the order in which its steps are done."""

    NAME, VERSION, SEATS = "trail", 1, range(2, 4)

    def printed(self):
        return (("blue", 0), ("blue", 1))

    def set_up(self):
        self.done = []
        self.push(Do("note", 1), Do("more", 2), Do("note", 5))

    def note(self, step, _):
        self.done.append(step.about)

    def more(self, step, _):
        self.push(Do("note", 3), Do("note", 4))
        self.done.append(step.about)

    def any(self, request):
        return ((), ("one",))

    def next_request(self):
        return Choose(0, "any", then="note", about="chosen")


def test_pushed_steps_are_done_in_order_before_the_rest():
    assert Trail(2, None, Options(first=0)).done == [1, 2, 3, 4, 5]


def test_when_the_agenda_runs_dry_the_game_says_what_is_next():
    game = Trail(2, None, Options(first=0))
    assert game.pending == Choose(0, "any", then="note", about="chosen")
    game.apply(Answer(("one",)))
    assert game.done[-1] == "chosen"
    assert isinstance(game.pending, Choose)


@pytest.mark.parametrize("dice", [None, (), (0,), (3,), (1, 1), [1], "1", 1, (None,)])
def test_dice_that_cannot_fall_are_refused(dice):
    game = Trail(2, None)
    assert game.pending == Roll(1, 2, then="start")
    with pytest.raises(IllegalMove, match="dice"):
        game.apply(Answer(dice))
    assert game.pending == Roll(1, 2, then="start")


def test_handles_are_never_used_again():
    game = Trail(2, None)
    assert game.dealt == (0, 1)
    assert game.fresh(2) == (2, 3)
    assert game.fresh(0) == ()
    assert game.fresh(1) == (4,)


def test_a_shuffle_ends_all_knowledge_of_its_cards_and_no_other():
    game = Trail(2, None, Options(first=0))
    game.shown = {(0, "back"): "blue", (1, "face"): 1, (7, "face"): 7}
    game.peeked = {(0, "face"): 0, (8, "face"): 8}
    game.push(Shuffle((0, 1), then=""))
    game.apply(Answer())
    assert game.shown == {(7, "face"): 7}
    assert game.peeked == {(8, "face"): 8}


def test_a_reveal_to_all_is_public_and_to_seats_is_not():
    game = Trail(2, None, Options(first=0))
    game.push(Reveal((0,), "face", ALL), Reveal((1,), "face", to=(0,)))
    game.apply(Answer(faces={0: "a"}))
    game.apply(Answer(faces={1: "b"}))
    assert (game.shown, game.peeked) == ({(0, "face"): "a"}, {(1, "face"): "b"})
    assert (game.seen(0), game.seen(1), game.seen(2)) == ("a", "b", None)


def test_the_digest_covers_what_is_public_and_not_what_a_seat_knows(shipped):
    game = Loot(2, shipped["loot"])
    name = game.digest()
    for change in ({"peeked": {(0, "face"): 1}}, {"mine": {"h": 1}}):
        twin = game.copy()
        twin.__dict__.update(change)
        assert twin.digest() == name
    for change in ({"points": [1, 0]}, {"agenda": []}, {"shown": {(0, "back"): "red"}}, {"turn": 1}, {"gone": (1,)}, {"first": 1}):
        twin = game.copy()
        twin.__dict__.update(change)
        assert twin.digest() != name


def test_a_digest_names_the_game_and_its_version(shipped):
    game = Loot(2, shipped["loot"])
    name = game.digest()
    for attribute, value in (("NAME", "other"), ("VERSION", Loot.VERSION + 1)):
        twin = game.copy()
        twin.__class__ = type("Other", (Loot,), {attribute: value})
        assert twin.digest() != name


def test_a_copy_shares_nothing_that_changes():
    game = Trail(2, None, Options(first=0))
    twin = game.copy()
    twin.done.append(9)
    twin.shown[0, "face"] = 1
    assert game.done == [1, 2, 3, 4, 5]
    assert game.shown == {}
    assert twin != game


def test_a_request_as_plain_data_names_its_kind_and_fields():
    assert plain_request(Choose(1, "any", then="note")) == ("Choose", 1, "any", "note", None, False)
    assert plain_request(Do("note", (1,))) != plain_request(Do("note", (2,)))


def test_a_statement_wants_all_rows_exactly_one_choice_and_distance():
    pairs = frozenset({(1, 2), (2, 3)})
    assert Statement(all_of=((("old", "new"), pairs),)).holds({"old": 1, "new": 2})
    assert not Statement(all_of=((("old", "new"), pairs),)).holds({"old": 2, "new": 2})
    one_of = ((("new",), frozenset({(2,), (3,)})), (("new",), frozenset({(3,), (4,)})))
    assert [Statement(one_of=one_of).holds({"new": i}) for i in (1, 2, 3, 4)] == [False, True, False, True]
    assert [Statement(apart=("h2",)).holds({"new": i, "h2": 2}) for i in (1, 2)] == [True, False]


@given(st.lists(st.integers(0, 50), min_size=1, max_size=6))
def test_best_are_all_who_share_the_top(scores):
    assert best(scores) == tuple(i for i, score in enumerate(scores) if all(score >= other for other in scores))
