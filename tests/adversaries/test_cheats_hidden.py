"""A dishonest seat at Pyramid: what it says of what nobody else can see is refused by every honest peer, who can prove it.

The cheat's own session stays honest and makes honest bodies; a forger is given each before it leaves, with the table as it was then.
"""

from pathlib import Path

import pytest
from adversaries.cheat import CHEAT, dishonest, expect_named, flip, run, with_body
from fakenet import Net
from mastaba.core.errors import PeerError
from mastaba.core.fair import deck, hidden, team
from mastaba.core.fair.chain import Trial
from mastaba.core.fair.group import Scalar
from mastaba.core.fair.hidden_rounds import Asking, Hiding
from mastaba.core.fair.proofs import prove
from mastaba.core.fair.team_rounds import DieOpening, TeamAcceptance, TeamSecret
from mastaba.core.games.pyramid import Pyramid
from mastaba.core.rules import Choose, Hide, Over, Reveal, Roll, Statement

PYRAMID = Path(__file__).parents[2] / "src" / "core" / "games" / "data" / "pyramid.toml"


MUMMY = 2  # the cheat is the hunters' first seat: it makes their secret, answers questions and leads the first piece
ONE = Scalar.of(1)


def pyramid(seed=1, mummy=MUMMY, seats=3, level="random"):
    return Net(seats, seed=seed, game="pyramid", path=PYRAMID, first=mummy, level=level)


def forge(net, forger):
    """Let forger(table, body), asked before each of the cheat's bodies, return another to send instead, once."""
    table, forged = net.sessions[CHEAT].table, {}
    honest = table.make

    def make(rng):
        body, private = honest(rng)
        if not forged and (other := forger(table, body)) is not None:
            forged[table.step, table.round] = other
        return body, private

    table.make = make
    dishonest(net, lambda said, receiver: with_body(said, forged[said.step, said.round]) if (said.step, said.round) in forged else said)
    return forged


def caught(net, forger, claim):
    forged = forge(net, forger)
    run(net)
    assert forged, "the test never met the case"
    expect_named(net, claim)


def caught_in_some_match(forger, claim):
    """What depends on where the bots go may need a second match."""
    for seed in range(1, 7):
        net = pyramid(seed, level="sensible")
        forged = forge(net, forger)
        run(net)
        if forged:
            expect_named(net, claim)
            return
    pytest.fail("the test never met the case")


def at_hide(table, body):
    """A trial of the cheat's contribution that waits for its hidden move; None if it has none."""
    request = table.rules.pending
    if not isinstance(request, Choose) or len(body) == 1 or not isinstance(body[0], tuple) or body[0][0] != "die":
        return None
    trial = Trial(table, table.stage.first)
    trial.check(CHEAT, body[:1])
    trial.check(CHEAT, body[1])
    assert isinstance(trial.stage, Hiding)
    return trial


def hidden_move(choose):
    """A forger of hidden moves: choose(rules, statement, values) gives the square to stand on, or None to wait for another chance."""

    def forger(table, body):
        trial = at_hide(table, body)
        if trial is None:
            return None
        stage, rules = trial.stage, trial.twin.rules
        statement, name = stage.statement, stage.request.name
        known = {**rules.mine, **rules.public}
        legal = {**known, "old": known[name], "new": rules.own_values(stage.request, CHEAT)._moves[0]}
        square = choose(rules, statement, legal)
        if square is None:
            return None
        T = stage.team.T
        C = hidden.hide(T, square, Scalar.reduce(bytes(64)) + ONE)
        proof = pretended(trial, statement, C, legal)
        return (*body[:2], (hidden.encode_cipher(C), proof), *body[3:])

    return forger


def pretended(trial, statement, C, values):
    """A proof about C made as if these were the values."""
    t, stage = trial.twin, trial.stage
    T, ciphers = stage.team.T, stage._ciphers(statement, C)
    rng = bytes  # nothing about a forgery needs to be hidden
    return hidden.prove(t.context(CHEAT), stage.request.name, T, statement, ciphers, values, t.hidden.secrets[T], rng)


def other_squares(rules, values):
    """Squares where the move may not end."""
    board = rules.data.board
    return [s for s in board.ordinary if s not in (rules.mummy, *rules.targets(rules.turn, rules.face))]


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


def through_a_wall(rules, statement, values):
    """A square that would be near enough if there were no walls."""
    columns, u = rules.data.board.columns, values["old"]
    near = [s for s in other_squares(rules, values) if abs(s // columns - u // columns) + abs(s % columns - u % columns) == rules.face]
    return near[0] if near and rules.face < 5 else None


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


@pytest.mark.parametrize("how", [through_a_wall, wrong_distance, over_the_mummy, onto_a_hunter, beyond_the_stop])
def test_an_illegal_hidden_move_is_refused_when_it_is_made(how):
    caught_in_some_match(hidden_move(how), "bad-hidden-move")


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

    caught_in_some_match(forger, "bad-hidden-move")


@pytest.mark.parametrize("at", [0, 1], ids=["ciphertext", "proof"])
def test_a_flipped_bit_in_a_hidden_move_is_refused(at):
    def forger(table, body):
        if at_hide(table, body) is None:
            return None
        part = [flip(one, 5) if k == at else one for k, one in enumerate(body[2])]
        return (*body[:2], tuple(part), *body[3:])

    caught(pyramid(), forger, "bad-hidden-move")


def test_the_proof_of_an_earlier_move_is_refused():
    kept = []

    def forger(table, body):
        if at_hide(table, body) is None:
            return None
        kept.append(body[2])
        return (*body[:2], kept[0], *body[3:]) if len(kept) == 2 else None

    caught(pyramid(), forger, "bad-hidden-move")


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

    caught(pyramid(), forger, "bad-body")


def test_an_illegal_mission_refuses_the_whole_move_and_changes_nothing():
    def forger(table, body):
        return None if at_hide(table, body) is None else (*body[:3], (("play", 77),))

    net = pyramid()
    caught(net, forger, "illegal-move")
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


def trial_secret(t):
    return t.hidden.secrets[t.hidden.team("hunters").T]


@pytest.mark.parametrize(
    "make", [a_die_of_an_earlier_roll, another_die_of_this_roll, a_die_that_was_not_rolled, lambda trial, part: (flip(part[0]),)]
)
def test_an_announced_die_must_have_been_rolled(make):
    caught(pyramid(), die_part(make), "bad-die")


def answer(wanted, to):
    """A forger of answers: to the first question `then` whose true answer is `wanted`, the contrary."""

    def forger(table, body):
        stage, rules = table.stage, table.rules
        if not isinstance(stage, Asking) or stage.request.then != to:
            return None
        for place, (name, item) in enumerate(zip(stage.names[CHEAT], body, strict=True)):
            if item[0] is wanted:
                inside = stage.request.inside
                lie = inside[0] if not wanted else next(s for s in rules.data.board.ordinary if s not in inside)
                T, C = stage._team(name).T, table.hidden.ciphers[name][1]
                forged = hidden.prove_answer(table.context(CHEAT), name, T, C, inside, lie, table.hidden.secrets[T], bytes)
                assert forged[0] is not wanted
                return (*body[:place], forged, *body[place + 1 :])
        return None

    return forger


def lurking(session):
    """A mummy that waits where it shuts two squares in."""
    rules = session.table.sight
    board, request = rules.data.board, rules.pending
    spot = next(s for s in board.ordinary if len(board.maze.shut((o for o in board.ordinary if o != s), s)) == 2)
    if request.moves != "paces":
        return None
    far = board.maze.distances(spot)
    steps = [move for move in rules.moves_of(request, request.seat) if move != ("stop",) and far[move[1]] < far[rules.mummy]]
    return steps[0] if steps else ("stop",)


def cornered(session):
    """A hunter that goes where the lurking mummy shuts him in, and stays if he can."""
    rules = session.table.sight
    board, request = rules.data.board, rules.pending
    spot = next(s for s in board.ordinary if len(board.maze.shut((o for o in board.ordinary if o != s), s)) == 2)
    shut = board.maze.shut((o for o in board.ordinary if o != spot), spot)
    if isinstance(request, Hide):
        there = [s for s in rules.own_values(request, CHEAT) if s in shut]
        return there[0] if there else next(iter(rules.own_values(request, CHEAT)))
    moves = list(rules.own_moves(request, CHEAT))
    if request.moves == "picks":
        able = [m for m in moves if m[0] == "die" and set(rules.targets(request.about, rules.seen(rules.dice[m[1]]))) & set(shut)]
        return able[0] if able else ("again",)
    return moves[-1] if request.moves == "cards" else moves[0]


def test_a_denied_capture_is_refused():
    caught_in_some_match(answer(True, "felt"), "bad-answer")


def test_a_false_capture_is_refused():
    caught(pyramid(), answer(False, "felt"), "bad-answer")


def test_a_blocked_hunter_cannot_keep_quiet():
    net = pyramid(seed=5)
    net.players = {MUMMY: lurking, CHEAT: cornered}
    caught(net, answer(True, "answered"), "bad-answer")


def test_a_hunter_who_is_not_blocked_cannot_say_so():
    net = pyramid(seed=5)
    net.players = {MUMMY: lurking}
    caught(net, answer(False, "answered"), "bad-answer")


def test_an_answer_given_before_is_refused():
    kept = {}

    def forger(table, body):
        if isinstance(table.stage, Asking) and table.stage.request.then == "felt":
            before = kept.setdefault(table.stage.request.names, body)
            return before if before is not body and not any(yes for yes, _ in body) else None
        return None

    caught(pyramid(), forger, "bad-answer")


@pytest.mark.parametrize("wrong", [lambda body: body[:-1], lambda body: (*body, body[0]), lambda body: ((1, body[0][1]), *body[1:])])
def test_an_answer_of_another_shape_is_refused(wrong):
    caught(pyramid(), lambda table, body: wrong(body) if isinstance(table.stage, Asking) else None, "bad-body")


def test_a_wrong_team_secret_names_its_maker_to_everybody():
    def forger(table, body):
        if not isinstance(table.stage, TeamSecret):
            return None
        context, readers = table.context(CHEAT), table.stage.readers
        t, e = Scalar.of(7), Scalar.of(11)
        T, E = hidden.multiple(7), hidden.multiple(11)
        (reader,) = readers
        u = t + team._mask(context, "hunters", T, reader, E, readers[reader] * e) + ONE
        seals = [team.Seal(E, u)]
        proof = prove(team._making(context, "hunters", readers, T, seals), team._secret(T, seals), [t, e], bytes)
        return (T.encode() + E.encode() + u.encode() + proof,)

    caught(pyramid(), forger, "bad-team-secret")


def test_a_team_without_a_proof_is_refused():
    caught(pyramid(), lambda table, body: (flip(body[0]),) if isinstance(table.stage, TeamSecret) else None, "bad-team")


def test_a_false_complaint_names_who_complains():
    """It shows what was sealed to the complainer, and all see that it is right."""
    net = pyramid()
    net.connect()
    net.run(lambda: isinstance(net.sessions[CHEAT].table.stage, TeamAcceptance))
    t, liar = net.sessions[CHEAT].table, 1
    complaint = team.make_complaint(t.context(liar), t.stage.seals[liar], t.keys[liar].seal, net.owns[liar].seal, bytes)
    for body in ((complaint,), (complaint[:-1],), (flip(complaint),)):
        with pytest.raises(PeerError) as error:
            t.judge(liar, body)
        assert (error.value.seat, error.value.claim) == (liar, "false-complaint")
    t.judge(liar, (b"",))
    assert not t.missing


@pytest.mark.parametrize("square", [lambda rules: rules.data.board.dungeon, lambda rules: rules.data.board.start, lambda rules: 0])
def test_the_mummy_enters_neither_start_nor_dungeon_nor_far_squares(square):
    def forger(table, body):
        request = table.rules.pending
        return (("step", square(table.rules)),) if isinstance(request, Choose) and request.moves == "paces" else None

    caught(pyramid(mummy=CHEAT), forger, "illegal-move")


def test_a_reset_without_mummy_faces_is_refused():
    caught(
        pyramid(),
        lambda table, body: (("reset",),) if getattr(table.rules.pending, "moves", "") == "picks" else None,
        "illegal-move",
    )


def test_a_bad_share_of_the_hunters_coin_is_refused():
    def forger(table, body):
        request = table.rules.pending
        return (flip(body[0]),) if isinstance(request, Roll) and request.to == "hunters" else None

    caught(pyramid(), forger, "bad-coin")


def test_a_mission_sealed_to_another_seat_is_refused():
    """The cheat seals its share of the other hunter's missions to the mummy."""

    def forger(table, body):
        request = table.rules.pending
        if not isinstance(request, Reveal) or request.to != (1,):
            return None
        card, t = request.cards[0], table
        public, reader = t.keys[CHEAT].face, t.keys[MUMMY].seal
        seal = deck.make_seal(t.context(CHEAT), card, "face", 1, t.rows[card], t.own.face, public, reader, bytes)
        return (seal, *body[1:])

    caught(pyramid(), forger, "bad-share")


def test_a_move_that_was_never_legal_is_found_by_the_audit_even_if_no_proof_were_checked(monkeypatch):
    def among_those_that_others_reach(rules, statement, values):
        square = through_a_wall(rules, statement, values)
        return square if square in hidden.values_of(statement) else None

    net = pyramid(seed=1, level="sensible")
    monkeypatch.setattr(hidden, "check", lambda *statement: None)
    table, forger, forged = net.sessions[CHEAT].table, hidden_move(among_those_that_others_reach), []
    honest = table.make

    def make(rng):
        body, private = honest(rng)
        if not forged and (other := forger(table, body)) is not None:
            forged.append(table.step)
            return other, private
        return body, private

    table.make = make
    run(net)
    assert forged
    expect_named(net, "bad-audit")
    assert net.sessions[1].table.rules.over


@pytest.mark.parametrize("change", [lambda secret: flip(secret), lambda secret: secret + b"\0", lambda secret: b"\xff" * 32])
def test_another_secret_at_the_end_is_refused(change):
    def forger(table, body):
        return (*body[:-1], change(body[-1])) if isinstance(table.rules.pending, Over) else None

    net = pyramid(seed=1, level="sensible")
    forged = forge(net, forger)
    net.connect()
    net.run(lambda: all(s.fault for s in net.sessions[1:]), idle=20)
    assert forged
    for session in net.sessions[1:]:
        assert session.fault is not None
        assert session.fault.seat == CHEAT
        assert session.fault.claim in ("bad-outcome", "bad-body")


def test_a_seat_that_has_nothing_to_hide_is_not_believed_without_a_proof():
    """A hidden move is refused whatever its length: the sizes follow from what is public."""

    def forger(table, body):
        return None if at_hide(table, body) is None else (*body[:2], (body[2][0], b""), *body[3:])

    caught(pyramid(), forger, "bad-hidden-move")
