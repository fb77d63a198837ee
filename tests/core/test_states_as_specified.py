"""The public state of each game is as docs/state.md and docs/rules say: machines written from these pages alone have equal digests after
every answer of whole games, with seats that leave and seats that are lost.
"""

import random
import tomllib
from pathlib import Path

import plain_state
import pytest
from mastaba.core.bots import decide
from mastaba.core.dealer import Dealer
from mastaba.core.games import GAMES, data_hash
from mastaba.core.rules import Ask, Choose, ChooseAll, Hide, Options, Over, Reveal, Roll
from plain_games import GAMES as PLAIN

SHIPPED = Path(__file__).parents[2] / "src" / "core" / "games" / "data"
SMALL = Path(__file__).parents[1] / "data"
TABLES = [(name, seats) for name, game in GAMES.items() for seats in game.rules.SEATS]
SIDES = ("", "aaaaaa", "bbbbbb", "ababab", "babbaa")


def pair(name, seats, rng, path, first, variant, level="random"):
    """A dealer of the product's rules, and the machine from the page on the same component table."""
    text = path.read_text()
    data = GAMES[name].load(tomllib.loads(text))
    table = plain_state.table_of(name, text)
    assert plain_state.data_hash(table) == data_hash(data)

    def player(view, draw):
        return decide(level, view, draw)

    dealer = Dealer(lambda: GAMES[name].rules(seats, data, Options(first=first, variant=variant)), [player] * seats, rng.randbytes)
    return dealer, PLAIN[name](table, seats, [first, 60, variant, True, True])


def follow(machine, request, answers):
    """Tell the machine what everybody has heard."""
    faces = max((answer.faces for answer in answers), key=len)
    if isinstance(request, Reveal):
        machine.apply(faces=faces)
    elif isinstance(request, Roll) and request.to != "all":
        machine.apply(faces=answers[0].value)
    elif isinstance(request, (Choose, Roll, Ask)):
        if isinstance(request, Choose):
            assert machine.legal(request.seat, answers[0].value)
        machine.apply(answers[0].value)
    elif isinstance(request, ChooseAll):
        assert all(machine.legal(seat, move) for seat, move in answers[0].value.items())
        machine.apply(answers[0].value)
    else:
        assert type(request).__name__ in ("Shuffle", "Team", "Hide")
        machine.apply()


def same_statement(page, product):
    all_of, one_of, apart = page
    assert [(names, {*table}) for names, table in all_of] == [(names, {*table}) for names, table in product.all_of]
    assert [(names, {*table}) for names, table in one_of] == [(names, {*table}) for names, table in product.one_of]
    assert apart == list(product.apart)


def alike(dealer, machine):
    rules = dealer.spectator
    state = plain_state.plain(dict(rules.public_state()))
    assert [k for k, _ in machine.public_state()] == [k for k, _ in rules.public_state()]
    assert dict(machine.public_state()) == dict(map(list, state))
    assert machine.digest() == rules.digest()


def play(dealer, machine, rng, goes, is_lost, most=400):
    """To the end, or as far as that; at each step in `goes`, or before each answer to a rule in it, a seat leaves, or is lost."""
    alike(dealer, machine)
    for step in range(most):
        rules = dealer.spectator
        if isinstance(rules.pending, Over):
            break
        if (step in goes or getattr(rules.pending, "then", "") in goes) and len(rules.gone) < rules.seats - 1:
            seat = rng.choice([seat for seat in range(rules.seats) if seat not in rules.gone])
            if is_lost:
                for game in dealer.games:
                    game.lost(seat)
                machine.lose([seat])
            else:
                if isinstance(rules.pending, Choose) and rules.pending.seat == seat:
                    machine.apply(machine.absent(machine.pending, seat))
                dealer.leave(seat)
                machine.left(seat)
            alike(dealer, machine)
            continue
        request, answers = rules.pending, dealer.answers()
        if isinstance(request, Hide):
            same_statement(machine.allowed(machine.pending), getattr(rules, request.rule)(request))
        dealer.apply(answers)
        follow(machine, request, answers)
        alike(dealer, machine)
    return dealer.spectator


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_whole_games_have_the_state_of_the_page(name, seats):
    for seed in range(2):
        rng = random.Random(f"{name} {seats} {seed}")
        variant = rng.choice(SIDES) if name == "crypt" else ""
        dealer, machine = pair(name, seats, rng, SHIPPED / f"{name}.toml", rng.choice([None, *range(seats)]), variant)
        rules = play(dealer, machine, rng, (), False)
        assert isinstance(rules.pending, Over) or (name == "pyramid" and rules.turn is not None)  # hunters at random may go on for ever


@pytest.mark.parametrize("is_lost", [False, True], ids=["leaves", "is lost"])
@pytest.mark.parametrize(("name", "seats"), [table for table in TABLES if table[1] > 1])
def test_a_seat_that_goes_means_what_the_page_says(name, seats, is_lost):
    for seed in range(12):
        rng = random.Random(f"{name} {seats} {seed} {is_lost}")
        variant = rng.choice(SIDES) if name == "crypt" else ""
        path = rng.choice([SHIPPED, SMALL]) / f"{name}.toml"
        path = path if path.exists() else path.with_name(f"{name}-small.toml")
        dealer, machine = pair(name, seats, rng, path, rng.choice([None, *range(seats)]), variant)
        goes = {rng.randrange(40) for _ in range(rng.randint(1, seats - 1))} | {rng.randrange(8)}
        play(dealer, machine, rng, goes, is_lost)


@pytest.mark.parametrize("is_lost", [False, True], ids=["leaves", "is lost"])
@pytest.mark.parametrize(
    ("name", "then"),
    [
        ("loot", "last_reveal"),
        ("loot", "keep"),
        ("crypt", "roll"),
        ("pyramid", "felt"),
        ("pyramid", "pace"),
        ("scarabya", "place"),
    ],
)
def test_a_seat_that_goes_at_a_certain_moment_means_what_the_page_says(name, then, is_lost):
    met = 0
    for seed in range(60):
        rng = random.Random(f"{name} {then} {seed} {is_lost}")
        dealer, machine = pair(name, 4, rng, SMALL / f"{name}-small.toml", None, "aaaaaa" if name == "crypt" else "", "sensible")
        rules = play(dealer, machine, rng, {then}, is_lost)
        met += bool(rules.gone)
        if met >= 5:
            return
    assert met, "the test never met the case"


def test_hunters_who_play_their_last_mission_have_won_as_the_page_says():
    reasons = set()
    for seed in range(12):
        rng = random.Random(seed)
        dealer, machine = pair("pyramid", 2 + seed % 4, rng, SMALL / "pyramid-small.toml", None, "", "sensible")
        reasons.add(play(dealer, machine, rng, (), False).pending.reason)
    assert {"missions", "tokens"} <= reasons


def test_ties_for_the_first_place_are_rolled_as_the_page_says():
    rolled = 0
    for seed in range(200):
        rng = random.Random(seed)
        dealer, machine = pair("crypt", 2, rng, SMALL / "crypt-small.toml", None, "aaaaaa")
        while not isinstance(dealer.spectator.pending, Over):
            rolled += dealer.spectator.pending.then == "broken"
            request, answers = dealer.spectator.pending, dealer.answers()
            dealer.apply(answers)
            follow(machine, request, answers)
            alike(dealer, machine)
        if rolled > 1:
            return
    assert rolled, "the test never met the case"
