"""What is sent on a link once is sent again only if it was read and is still lacking, and then within a budget."""

from mastaba.net.log import Contribution, Signed
from mastaba.net.sent import AGAIN, AGAIN_SPECTATOR, LOST, MAX_UNDER_WAY, Sent

SIZE = 1000


def one(step, size=SIZE):
    key = step.to_bytes(8, "big") * 8
    return Signed(bytes(size - 64), key, Contribution(bytes(32), step, 0, 0, bytes(32), bytes(8), ()))


def at(step):
    return 0, step, 0


def take(sent, step, now=0.0):
    return sent.take(one(step), at(step), now)


def test_what_may_be_under_way_is_not_sent_again():
    sent = Sent(AGAIN)
    assert take(sent, 1)
    for now in range(5):
        sent.heard(at(0), 0, float(now))
        assert not take(sent, 1, float(now))


def test_what_was_read_and_is_still_lacking_is_sent_again():
    sent = Sent(AGAIN)
    assert take(sent, 1)
    assert take(sent, 2)
    sent.heard(at(0), 1, 1.0)
    assert take(sent, 1)
    assert not take(sent, 2), "that one may be under way"
    sent.heard(at(0), 2, 2.0)
    assert not take(sent, 1), "and the first is, for the second time"
    assert take(sent, 2)


def test_where_nothing_is_read_for_long_what_was_sent_counts_as_lost():
    sent = Sent(AGAIN)
    sent.heard(at(0), 0, 100.0)
    assert take(sent, 1, 100.0)
    sent.heard(at(0), 0, 100.0 + LOST / 2)
    assert not take(sent, 1, 100.0 + LOST / 2)
    sent.heard(at(0), 0, 100.0 + LOST)
    assert take(sent, 1, 100.0 + LOST)
    sent.heard(at(0), 1, 101.0 + LOST)  # of two; the other was lost
    assert take(sent, 1, 101.0 + LOST)


def test_a_slow_line_that_goes_on_reading_gets_nothing_twice():
    sent = Sent(AGAIN)
    for step in range(20):
        assert take(sent, step)
    for read in range(20):
        now = read * (LOST - 1)
        sent.heard(at(0), read, now)
        assert not take(sent, 19, now)


def test_who_says_that_it_has_read_more_than_was_sent_gains_nothing():
    sent = Sent(AGAIN)
    sent.heard(at(0), 1 << 31, 0.0)
    assert take(sent, 1)
    assert not take(sent, 1)


def test_only_so_much_is_under_way_and_more_as_the_other_side_gets_on():
    sent = Sent(AGAIN)
    first = sum(take(sent, step) for step in range(1000))
    assert first == -(-MAX_UNDER_WAY // SIZE)
    assert sent.full
    sent.heard(at(100), 100, 1.0)
    assert not sent.full
    assert sum(take(sent, step, 1.0) for step in range(first, 1000)) == 100


def test_one_that_is_larger_than_that_still_goes():
    sent = Sent(AGAIN)
    assert sent.take(one(1, 2 * MAX_UNDER_WAY), at(1), 0.0)


def test_who_says_again_and_again_that_it_has_read_all_and_has_nothing_gets_no_more_than_the_budget():
    sent, got = Sent(AGAIN_SPECTATOR), 0
    for now in range(100):
        sent.heard(at(0), 1 << 31, float(now))
        got += sum(take(sent, step, float(now)) for step in range(1000)) * SIZE
    assert got <= MAX_UNDER_WAY + SIZE + AGAIN_SPECTATOR.most + AGAIN_SPECTATOR.rate * 100


def test_who_goes_to_and_fro_gets_no_more_either():
    sent, got = Sent(AGAIN_SPECTATOR), 0
    for now in range(100):
        sent.heard(at(0 if now % 2 else 500), 1 << 31, float(now))
        got += sum(take(sent, step, float(now)) for step in range(1000)) * SIZE
    assert got <= 1000 * SIZE + AGAIN_SPECTATOR.most + AGAIN_SPECTATOR.rate * 100


def test_what_is_kept_ends_with_what_is_under_way():
    sent = Sent(AGAIN)
    for step in range(20_000):
        take(sent, step)
        sent.heard(at(step - step % 50), step, step / 100)
    assert len(sent._kept) <= 51
    for step in range(100):
        take(sent, step, 1000.0)
    assert len(sent._kept) <= 51, "what lies behind is not remembered: the budget is"
