"""What a program finds by itself in what is hidden leaves after a fixed delay, however long it took."""

from pathlib import Path

from fakenet import Net
from mastaba.core.rules import Ask

SMALL = Path(__file__).parents[1] / "data" / "pyramid-small.toml"
MUMMY, HUNTER, HOLD = 0, 1, 0.3


def at_the_mummys_question() -> Net:
    """Both have come to a request that asks whether a hunter is on the mummy's square; the hunter has not answered yet."""
    for seed in range(1, 20):  # until a match is not over before the mummy meets anybody
        net = Net(2, seed=seed, game="pyramid", path=SMALL, first=MUMMY)
        hunter = net.sessions[HUNTER]
        hunter.hold = HOLD
        net.connect()
        net.run(lambda hunter=hunter: hunter.table.done or (isinstance(hunter.table.rules.pending, Ask) and HUNTER in hunter.table.missing))
        if not hunter.table.done:
            return net
    raise AssertionError("the mummy met nobody")


def test_an_answer_out_of_what_is_hidden_waits_and_then_comes_by_itself():
    net = at_the_mummys_question()
    hunter = net.sessions[HUNTER]
    place, start = hunter.now.place, hunter.clock
    for later in (0.0, HOLD / 2, HOLD * 0.99):
        hunter.tick(start + later)
        assert hunter.now.place == place
        assert HUNTER in hunter.table.missing
    hunter.tick(start + 1.01 * HOLD)
    assert hunter.now.place != place or HUNTER not in hunter.table.missing


def test_messages_that_arrive_meanwhile_do_not_hasten_it():
    net = at_the_mummys_question()
    hunter, place = net.sessions[HUNTER], net.sessions[HUNTER].now.place
    for _ in range(5):
        net.step()
        hunter.begin()
    assert hunter.now.place == place


def test_a_whole_game_with_the_delay_ends_like_one_without():
    net = Net(3, seed=5, game="pyramid", path=SMALL, first=MUMMY)
    for session in net.sessions:
        session.hold = HOLD
    net.connect()
    net.run()
    assert [session.fault for session in net.sessions] == [None] * 3
    assert all(session.table.done for session in net.sessions)
