"""A dishonest seat at Pyramid: false answers, secrets, steps and rolls are refused by every honest peer, who can prove it."""

import pytest
from adversaries.cheat import CHEAT, assert_named, flip, run
from adversaries.hunter import (
    MUMMY,
    ONE,
    SMALL,
    assert_caught,
    assert_caught_in_some_match,
    at_hide,
    forge,
    hidden_move,
    pyramid,
    through_a_wall,
)
from mastaba.core.errors import PeerError
from mastaba.core.fair import deck, hidden, team
from mastaba.core.fair.group import Scalar
from mastaba.core.fair.hidden_rounds import Asking
from mastaba.core.fair.proofs import prove
from mastaba.core.fair.team_rounds import TeamAcceptance, TeamSecret
from mastaba.core.rules import Ask, Choose, Hide, Over, Reveal, Roll
from mastaba.net.log import Contribution, sign
from mastaba.net.wire import Say


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
    assert_caught_in_some_match(answer(True, "felt"), "bad-answer")


def test_a_false_capture_is_refused():
    assert_caught(pyramid(), answer(False, "felt"), "bad-answer")


def test_a_blocked_hunter_cannot_keep_quiet():
    net = pyramid(seed=5)
    net.players = {MUMMY: lurking, CHEAT: cornered}
    assert_caught(net, answer(True, "answered"), "bad-answer")


def test_a_hunter_who_is_not_blocked_cannot_say_so():
    net = pyramid(seed=5)
    net.players = {MUMMY: lurking}
    assert_caught(net, answer(False, "answered"), "bad-answer")


def test_an_answer_given_before_is_refused():
    kept = {}

    def forger(table, body):
        if isinstance(table.stage, Asking) and table.stage.request.then == "felt":
            before = kept.setdefault(table.stage.request.names, body)
            return before if before is not body and not any(yes for yes, _ in body) else None
        return None

    assert_caught(pyramid(), forger, "bad-answer")


@pytest.mark.parametrize("wrong", [lambda body: body[:-1], lambda body: (*body, body[0]), lambda body: ((1, body[0][1]), *body[1:])])
def test_an_answer_of_another_shape_is_refused(wrong):
    assert_caught(pyramid(), lambda table, body: wrong(body) if isinstance(table.stage, Asking) else None, "bad-body")


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

    assert_caught(pyramid(), forger, "bad-team-secret")


def test_a_team_without_a_proof_is_refused():
    assert_caught(pyramid(), lambda table, body: (flip(body[0]),) if isinstance(table.stage, TeamSecret) else None, "bad-team")


def test_a_false_complaint_names_who_complains():
    """It shows what was sealed to the complainer, and all see that it is right; by another key than his own it shows nothing."""
    net = pyramid()
    net.connect()
    net.run(lambda: isinstance(net.sessions[CHEAT].table.stage, TeamAcceptance))
    t, liar = net.sessions[CHEAT].table, 1
    complaint, by_another_key = (
        team.make_complaint(t.context(liar), t.stage.seals[liar], t.keys[liar].seal, secret, bytes) for secret in (net.owns[liar].seal, ONE)
    )
    for body in ((complaint,), (complaint[:-1],), (flip(complaint),), (by_another_key,)):
        with pytest.raises(PeerError) as error:
            t.judge(liar, body)
        assert (error.value.seat, error.value.claim) == (liar, "false-complaint" if len(body[0]) == len(complaint) else "bad-body")
    t.judge(liar, (b"",))
    assert not t.missing


@pytest.mark.parametrize("square", [lambda rules: rules.data.board.dungeon, lambda rules: rules.data.board.start, lambda rules: 0])
def test_the_mummy_enters_neither_start_nor_dungeon_nor_far_squares(square):
    def forger(table, body):
        request = table.rules.pending
        return (("step", square(table.rules)),) if isinstance(request, Choose) and request.moves == "paces" else None

    assert_caught(pyramid(mummy=CHEAT), forger, "illegal-move")


def after(event):
    """The cheat, as the mummy, takes one step more at the first moment after such an event at which all stand alike."""

    def ready(net):
        tables = [s.table for s in net.sessions]
        now = {s.now.place for s in net.sessions} if all(s.now.said == {} for s in net.sessions) else set()
        request = tables[CHEAT].rules.pending
        turn = [e.id for e in tables[CHEAT].events if e.id in ("hunt", event)]
        return len(now) == 1 and turn[-1:] == [event] and CHEAT not in tables[CHEAT].owed and isinstance(request, (Choose, Ask))

    for seed in range(1, 9):
        net = pyramid(seed, mummy=CHEAT, path=SMALL)
        net.connect()
        net.run(lambda net=net: ready(net) or net.sessions[CHEAT].table.done)
        if not net.sessions[CHEAT].table.done:
            cheat = net.sessions[CHEAT]
            board, square = cheat.table.rules.data.board, cheat.table.rules.mummy
            step = ("step", next(s for s in board.maze.ends(square, 1) if s not in (board.start, board.dungeon)))
            here = cheat.now
            said = Contribution(net.match.roster.match, here.step, here.round, CHEAT, here.prev, cheat.book.state, (step,))
            signed = sign(said, net.signers[CHEAT])
            for seat in range(1, 3):
                net.send(CHEAT, seat, Say(signed.data, signed.signature))
            net.run(lambda net=net: all(s.fault for s in net.sessions[1:]), idle=12)
            assert_named(net, "nothing-owed")
            return
    pytest.fail("the test never met the case")


@pytest.mark.parametrize("event", ["captured", "stop"])
def test_the_mummy_takes_no_step_more_once_its_turn_is_over(event):
    """A capture ends it, whatever steps are left (P71)."""
    after(event)


def test_a_step_in_place_of_the_mummys_share_of_the_next_dice_is_refused():
    """Right after a capture all toss the next coin: a step there is no share of it."""

    def forger(table, body):
        ids = [event.id for event in table.events if event.id in ("hunt", "captured")]
        tossing = isinstance(table.rules.pending, Roll) and ids[-1:] == ["captured"]
        return (("step", table.rules.mummy),) if tossing else None

    for seed in range(1, 9):
        net = pyramid(seed, mummy=CHEAT, path=SMALL)
        forged = forge(net, forger)
        run(net)
        if forged:
            assert_named(net, "bad-body")
            return
    pytest.fail("the test never met the case")


@pytest.mark.parametrize("move", [("again", 0), ("again", (0, 1)), ("again", 3), ("die", 99), ("die", -1), ("die",), ("keep",)])
def test_a_roll_that_leaves_dice_out_is_refused(move):
    """Which dice are rolled again is not for the hunter to say: all that show no mummy (P29)."""
    assert_caught(
        pyramid(),
        lambda table, body: (move,) if getattr(table.rules.pending, "moves", "") == "picks" else None,
        "illegal-move",
    )


def test_a_reset_without_mummy_faces_is_refused():
    assert_caught(
        pyramid(),
        lambda table, body: (("reset",),) if getattr(table.rules.pending, "moves", "") == "picks" else None,
        "illegal-move",
    )


def test_a_bad_share_of_the_hunters_coin_is_refused():
    def forger(table, body):
        request = table.rules.pending
        return (flip(body[0]),) if isinstance(request, Roll) and request.to == "hunters" else None

    assert_caught(pyramid(), forger, "bad-coin")


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

    assert_caught(pyramid(), forger, "bad-share")


def believes_itself(net, forger):
    """As `forge`, but the cheat's own session says and books the forgery, too; the steps in which it did."""
    table, forged = net.sessions[CHEAT].table, []
    honest = table.make

    def make(rng):
        body, private = honest(rng)
        if not forged and (other := forger(table, body)) is not None:
            forged.append(table.step)
            return other, private
        return body, private

    table.make = make
    return forged


def test_a_move_that_was_never_legal_is_found_by_the_audit_even_if_no_proof_were_checked(monkeypatch):
    def among_those_that_others_reach(rules, statement, values):
        square = through_a_wall(rules, statement, values)
        return square if square in hidden.values_of(statement) else None

    net = pyramid(seed=3, level="sensible")
    monkeypatch.setattr(hidden, "check", lambda *statement: None)
    forged = believes_itself(net, hidden_move(among_those_that_others_reach))
    run(net)
    assert forged
    assert_named(net, "bad-audit")
    assert net.sessions[1].table.rules.over


def test_a_false_answer_is_found_by_the_audit_even_if_no_proof_were_checked(monkeypatch):
    monkeypatch.setattr(hidden, "check_answer", lambda *question: None)
    net = pyramid(path=SMALL)
    forged = believes_itself(net, answer(False, "felt"))
    run(net)
    assert forged
    assert_named(net, "bad-audit")
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


def leaving_at_the_result(net, leaver):
    """Play on until all but the leaver have stopped; it says good-bye instead of signing the result, and the others sign after that."""
    for session in net.sessions:
        session._too_early = lambda session=session: session.table.rules.over and leaver not in session.book.left
    last = net.sessions[leaver]

    def until():
        if last.table.rules.over and leaver not in last.book.left:
            last.leave()
        return all(s.fault for s in net.sessions)

    net.connect()
    net.run(until, idle=12)
    assert all(leaver in s.book.left for s in net.sessions)


@pytest.mark.parametrize("wrong", [lambda t: flip(t, 0), lambda t: bytes(32), lambda t: b"\xff" * 32])
def test_a_false_secret_from_who_remains_when_the_first_hunter_has_left_at_the_end_is_refused(wrong):
    """Whoever is left of a team gives its secret: that the first of it does not is of no use to the others."""

    def forger(table, body):
        return (*body[:-1], wrong(body[-1])) if isinstance(table.rules.pending, Over) else None

    net, liar = pyramid(seed=3, path=SMALL), 1
    forged = forge(net, forger, liar)
    leaving_at_the_result(net, CHEAT)
    assert forged
    assert_named(net, "bad-outcome", liar)


def test_who_has_hidden_what_was_not_true_and_leaves_instead_of_signing_is_found_by_the_others_audit(monkeypatch):
    """Its good-bye publishes no secret of the team, but another hunter does: that contribution proves what the leaver did."""
    monkeypatch.setattr(hidden, "check_answer", lambda *question: None)
    net = pyramid(seed=3, path=SMALL)
    forged = believes_itself(net, answer(False, "felt"))
    leaving_at_the_result(net, CHEAT)
    assert forged
    assert_named(net, "bad-audit")


def test_a_seat_that_has_nothing_to_hide_is_not_believed_without_a_proof():
    """A hidden move is refused whatever its length: the sizes follow from what is public."""

    def forger(table, body):
        return None if at_hide(table, body) is None else (*body[:2], (body[2][0], b""), *body[3:])

    assert_caught(pyramid(), forger, "bad-body")
