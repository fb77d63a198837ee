"""A dishonest hunter at Pyramid: moves, dice and missions that nobody else can see are refused by every honest peer, who can prove it."""

import pytest
from adversaries.cheat import CHEAT, flip
from adversaries.hunter import (
    MUMMY,
    ONE,
    assert_caught,
    assert_caught_in_some_match,
    at_hide,
    forge,
    hidden_move,
    other_squares,
    pretended,
    pyramid,
    through_a_wall,
    trial_secret,
)
from mastaba.core.errors import PeerError
from mastaba.core.fair import hidden, team
from mastaba.core.fair.chain import Trial
from mastaba.core.fair.group import Scalar
from mastaba.core.fair.team_rounds import DieOpening
from mastaba.core.games.pyramid import Pyramid
from mastaba.core.rules import Choose, Statement


def test_a_move_where_nothing_is_allowed_is_its_seats_fault(monkeypatch):
    """A die that cannot be played may be announced all the same; no honest program ends by it."""
    found = []

    def forger(table, body):
        if at_hide(table, body) is not None:
            found.append(body)
        return None

    net = pyramid()
    forge(net, forger)
    net.connect()
    net.run(lambda: bool(found) and net.sessions[1].now.place == net.sessions[MUMMY].now.place == net.sessions[CHEAT].book.rounds[-1].place)
    nothing = Statement(all_of=((("old", "new"), frozenset()),))
    monkeypatch.setattr(Pyramid, "allowed", lambda rules, request: nothing)
    with pytest.raises(PeerError) as error:
        net.sessions[1].table.judge(CHEAT, found[0])
    assert (error.value.seat, error.value.claim) == (CHEAT, "bad-hidden-move")


def wrong_distance(rules, statement, values):
    if rules.face > 4:
        return None
    board = rules.data.board
    reached = {s for steps in range(1, 5) for s in board.maze.ends(values["old"], steps, rules.mummy)}
    found = sorted(reached & set(other_squares(rules, values)))
    return found[0] if found else None


def over_the_mummy(rules, statement, values):
    board = rules.data.board
    found = set(board.maze.ends(values["old"], rules.face)) - set(board.maze.ends(values["old"], rules.face, rules.mummy)) - {rules.mummy}
    return min(found) if rules.face < 5 and found else None


def onto_a_hunter(rules, statement, values):
    """Where the other hunter stands, a legal walk away."""
    other = values.get("h2") if statement.apart else None
    return other if other in rules.data.board.maze.ends(values["old"], rules.face, rules.mummy) else None


def beyond_the_stop(rules, statement, values):
    return other_squares(rules, values)[0] if rules.face == 5 else None


def back_to_the_start(rules, statement, values):
    return rules.data.board.start


def onto_the_mummy(rules, statement, values):
    return rules.mummy if rules.mummy != rules.data.board.dungeon else None


def nowhere(rules, statement, values):
    """Standing still, which 1, 3 and the arrow do not allow."""
    return values["old"] if rules.face in (1, 3, 5) else None


HOW = [through_a_wall, wrong_distance, over_the_mummy, onto_the_mummy, onto_a_hunter, beyond_the_stop, back_to_the_start, nowhere]


@pytest.mark.parametrize("how", HOW)
def test_an_illegal_hidden_move_is_refused_when_it_is_made(how):
    assert_caught_in_some_match(hidden_move(how), "bad-hidden-move")


def test_a_hidden_move_whose_only_flaw_is_the_hunter_on_its_square_is_refused(monkeypatch):
    """Every other part of the proof holds; that the difference is not zero cannot be shown."""
    honest = hidden._prove_difference

    def forger(table, body):
        trial = at_hide(table, body)
        statement = trial.stage.statement if trial else None
        if trial is None or not statement.apart:
            return None
        rules, name = trial.twin.rules, trial.stage.request.name
        known = {**rules.mine, **rules.public}
        values = {**known, "old": known[name], "new": known["h2"]}
        if not all(tuple(values[n] for n in names) in table_ for names, table_ in statement.all_of):
            return None
        monkeypatch.setattr(hidden, "_prove_difference", lambda t, T, Delta, d, s, rng: honest(t, T, Delta, ONE, s, rng))
        C = hidden.hide(trial.stage.team.T, values["new"], ONE)
        proof = pretended(trial, statement, C, values)
        monkeypatch.setattr(hidden, "_prove_difference", honest)
        return (*body[:2], (hidden.encode_cipher(C), proof), *body[3:])

    assert_caught_in_some_match(forger, "bad-hidden-move")


def test_a_square_computed_from_a_rho_that_was_known_before_it_is_refused(monkeypatch):
    """With rho known, v = v_i + (u_i - u) / rho passes for the pair (u_i, v_i) from any square u.

    The cheat draws rho as everybody does, over another new ciphertext, and computes its own from that: now rho is another.
    """
    forged = []

    def forger(table, body):
        trial = at_hide(table, body)
        statement = trial.stage.statement if trial else None
        if trial is None or statement.apart or statement.one_of or len(statement.all_of[0][0]) != 2:
            return None
        rules, stage = trial.twin.rules, trial.stage
        name, T, r = stage.request.name, stage.team.T, Scalar.of(5)
        u = {**rules.mine, **rules.public}[name]
        pairs = sorted(pair for pair in statement.all_of[0][1] if pair[0] != u)
        if not pairs:
            return None
        u_i, v_i = pairs[0]
        before = stage._ciphers(statement, hidden.hide(T, v_i, r))
        rho = hidden._rho(hidden._statement(trial.twin.context(CHEAT), name, T, hidden.claim_of(statement), before), [])
        point = hidden.multiple(v_i) + hidden.BASE * ((Scalar.of(u_i) - Scalar.of(u)) * rho.inverse())
        C, values = (hidden.BASE * r, point + T * r), {"old": u_i, "new": v_i}
        with monkeypatch.context() as fixed:
            fixed.setattr(hidden, "_rho", lambda transcript, bits: rho)
            stage.check(CHEAT, (hidden.encode_cipher(C), pretended(trial, statement, C, values)))  # so it passes where rho is the same
        forged.append((hidden.encode_cipher(C), pretended(trial, statement, C, values)))
        return (*body[:2], forged[-1], *body[3:])

    assert_caught_in_some_match(forger, "bad-hidden-move")
    assert forged


@pytest.mark.parametrize("at", [0, 1], ids=["ciphertext", "proof"])
def test_a_flipped_bit_in_a_hidden_move_is_refused(at):
    def forger(table, body):
        if at_hide(table, body) is None:
            return None
        part = [flip(one, 5) if k == at else one for k, one in enumerate(body[2])]
        return (*body[:2], tuple(part), *body[3:])

    assert_caught(pyramid(), forger, "bad-hidden-move")


def test_the_proof_of_an_earlier_move_is_refused():
    kept = []

    def forger(table, body):
        if at_hide(table, body) is None:
            return None
        kept.append(body[2])
        same_form = [said for said in kept[:-1] if len(said[1]) == len(body[2][1])]
        return (*body[:2], same_form[0], *body[3:]) if same_form else None

    assert_caught(pyramid(), forger, "bad-hidden-move")


WRONG_CHAINS = {
    "no move": lambda body: body[:2],
    "nothing but the die": lambda body: body[:1],
    "no word about a mission": lambda body: body[:3],
    "one part too many": lambda body: (*body, (("pass",),)),
    "parts in another order": lambda body: (body[0], body[2], body[1], *body[3:]),
    "a part that is no list": lambda body: (*body[:2], body[2][0], *body[3:]),
    "no list at all": lambda body: body[0][0],
}


@pytest.mark.parametrize("what", WRONG_CHAINS)
def test_die_move_and_mission_come_together_or_not_at_all(what):
    def forger(table, body):
        return None if at_hide(table, body) is None else WRONG_CHAINS[what](body)

    assert_caught(pyramid(), forger, "bad-body")


# what is proven in a move, as which joined part: the claim
PARTS = {
    "the die": (1, "bad-die"),
    "the square": (2, "bad-hidden-move"),
    "the mission": (4, "bad-opening"),
    "its symbol": (5, "bad-answer"),
}


ELSEWHERE = {"the first request's": lambda k: 0, "the part's before": lambda k: k - 1, "the next part's": lambda k: k + 1}


@pytest.mark.parametrize("elsewhere", ELSEWHERE)
@pytest.mark.parametrize("what", PARTS)
def test_a_part_proven_for_the_place_of_another_part_is_refused(what, elsewhere):
    """Part k stands in round + k: so no proof of one part is one of another, or of the request that they are joined to."""
    k, claim = PARTS[what]

    def forger(table, body):
        if at_hide(table, body) is None or len(body) <= k:
            return None
        trial = Trial(table, table.stage.first)
        trial.check(CHEAT, body[:1])
        for part in body[1:k]:
            trial.check(CHEAT, part)
        stage, twin = trial.stage, trial.twin
        square = None
        if k == 2:
            square = hidden.uncover(trial_secret(twin), hidden.decode_cipher(body[2][0]), hidden.values_of(stage.statement))
        twin.round = table.round + ELSEWHERE[elsewhere](k)
        made, _ = stage.make(CHEAT, square, lambda n: b"\1" * n)
        stage.check(CHEAT, made)  # it holds where it was made
        return (*body[:k], made, *body[k + 1 :])

    assert_caught_in_some_match(forger, claim)


def a_mission_of_another_square(yes):
    """A forger that lays a mission whose symbol is elsewhere, with an honest no, or with a yes made for another square."""

    def forger(table, body):
        trial = at_hide(table, body)
        if trial is None:
            return None
        trial.check(CHEAT, body[2])
        rules = trial.twin.rules
        elsewhere = [n for n in range(len(rules.missions[CHEAT])) if n not in rules.playable(rules.turn)]
        if not elsewhere:
            return None
        play = (("play", elsewhere[0]),)
        trial.check(CHEAT, play)
        laid, _ = trial.stage.make(CHEAT, None, bytes)
        trial.check(CHEAT, laid)
        t, request, name = trial.twin, trial.twin.rules.pending, rules.turn
        T, C, secret = trial.stage._team(name).T, t.hidden.ciphers[name][1], trial_secret(t)
        v = request.inside[0] if yes else t.rules.mine[name]
        found = hidden.prove_answer(t.context(CHEAT), name, T, C, request.inside, v, secret, bytes)
        assert found[0] is yes
        return (*body[:3], play, laid, (found,))

    return forger


@pytest.mark.parametrize("yes", [True, False], ids=["a false yes", "a true no"])
def test_a_mission_that_does_not_fit_the_square_is_refused(yes):
    assert_caught(pyramid(), a_mission_of_another_square(yes), "bad-answer")


def test_an_illegal_mission_refuses_the_whole_move_and_changes_nothing():
    def forger(table, body):
        return None if at_hide(table, body) is None else (*body[:3], (("play", 77),))

    net = pyramid()
    assert_caught(net, forger, "illegal-move")
    request = net.sessions[1].table.rules.pending
    assert isinstance(request, Choose)
    assert request.moves == "picks"


def die_part(make):
    """A forger of announced dice: make(trial, the honest part) gives another part, or None to wait."""

    def forger(table, body):
        if at_hide(table, body) is None:
            return None
        trial = Trial(table, table.stage.first)
        trial.check(CHEAT, body[:1])
        assert isinstance(trial.stage, DieOpening)
        part = make(trial, body[1])
        return None if part is None else (body[0], part, *body[2:])

    return forger


def a_die_of_an_earlier_roll(trial, part):
    t = trial.twin
    handle = t.rules.pending.cards[0]
    earlier = [h for h in t.hidden.dice if h not in t.rules.rolled]
    return (team.make_die(t.context(CHEAT), handle, t.hidden.dice[earlier[0]], trial_secret(t), bytes),) if earlier else None


def another_die_of_this_roll(trial, part):
    t = trial.twin
    handle = t.rules.pending.cards[0]
    others = [h for h in t.rules.dice if h != handle]
    return (team.make_die(t.context(CHEAT), handle, t.hidden.dice[others[0]], trial_secret(t), bytes),) if others else None


def a_die_that_was_not_rolled(trial, part):
    t = trial.twin
    handle = t.rules.pending.cards[0]
    return (team.make_die(t.context(CHEAT), handle, t.hidden.dice[handle], trial_secret(t) + ONE, bytes),)


@pytest.mark.parametrize(
    "make", [a_die_of_an_earlier_roll, another_die_of_this_roll, a_die_that_was_not_rolled, lambda trial, part: (flip(part[0]),)]
)
def test_an_announced_die_must_have_been_rolled(make):
    assert_caught(pyramid(), die_part(make), "bad-die")
