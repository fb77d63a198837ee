"""Golden playthroughs: one whole seeded game per game and seat count, as a text a person can read.

A change of the rules shows up as a difference in tests/playthroughs/.  To write them anew after a meant change:

    MASTABA_WRITE_PLAYTHROUGHS=1 .venv/bin/pytest tests/core/test_playthroughs.py
"""

import os
from pathlib import Path

import pytest
from mastaba.core import bots
from mastaba.core.dealer import Dealer
from mastaba.core.games import GAMES, data_hash
from mastaba.core.rules import ALL, Ask, Choose, ChooseAll, Hide, Over, Reveal, Roll, Shuffle, Team

FOLDER = Path(__file__).parents[1] / "playthroughs"
TABLES = [(name, seats) for name, game in GAMES.items() for seats in game.rules.SEATS]
HEADER = """\
{name}, {seats} seats, sensible players, the shipped cards.  Made by tests/core/test_playthroughs.py, which says how to make it anew.
After a request: its answer, then what happened (>), then the first 8 bytes of the public state's digest (=).
data {data}
"""


def written(dealer):
    """The game from here to its end, step by step."""
    while not isinstance(dealer.spectator.pending, Over):
        request, answers = dealer.spectator.pending, dealer.answers()
        yield shown(dealer.spectator, request, answers)
        for event in dealer.apply(answers):
            yield "  > " + " ".join([event.id, *([] if event.seat is None else [f"seat {event.seat + 1}"]), *map(plain, event.args)])
        yield "  = " + dealer.spectator.digest()[:8].hex()
    over = dealer.spectator.pending
    yield f"Over: scores {over.scores}, winners {tuple(seat + 1 for seat in over.winners)}, {over.reason}"


def shown(game, request, answers):
    """A request and its answer on one line; what some seats see is shown as the best informed sees it."""
    kind = type(request).__name__
    if isinstance(request, Choose):
        return f"{kind} seat {request.seat + 1}: {game.show_move(answers[0].value)}"
    if isinstance(request, ChooseAll):
        return f"{kind}: " + ", ".join(f"seat {seat + 1} {game.show_move(move)}" for seat, move in answers[0].value.items())
    if isinstance(request, Reveal):
        faces = max((answer.faces for answer in answers), key=len)
        to = "all" if request.to == ALL else "seats " + " ".join(str(seat + 1) for seat in request.to)
        by = "" if request.by is None else f" by seat {request.by + 1}"
        return f"{kind} {request.part} to {to}{by}: " + ", ".join(f"{card} {plain(faces[card])}" for card in request.cards)
    if isinstance(request, Roll) and request.to != ALL:
        faces = max((answer.faces for answer in answers), key=len) | answers[0].value
        return f"{kind} {request.n} of {request.sides} to {request.to}: {plain(tuple(faces[i] for i in range(request.n)))}"
    if isinstance(request, Roll):
        return f"{kind} {request.n} of {request.sides}: {plain(answers[0].value)}"
    if isinstance(request, Team):
        return f"{kind} {request.name}: seats " + " ".join(str(seat + 1) for seat in request.seats)
    if isinstance(request, Hide):
        return f"{kind} {request.name} to {request.to} by seat {request.seat + 1}: {game.show_move(answers[request.seat].value)}"
    if isinstance(request, Ask):
        said = " ".join(f"{name} {'yes' if yes else 'no'}" for name, yes in answers[0].value.items())
        return f"{kind} {plain(request.inside)}: {said}"
    return f"{kind} {len(request.cards)} cards" if isinstance(request, Shuffle) else kind


def plain(value):
    if isinstance(value, tuple):
        return "(" + " ".join(plain(item) for item in value) + ")"
    return str(value) or "-"


@pytest.mark.parametrize(("name", "seats"), TABLES, ids=[f"{name}-{seats}" for name, seats in TABLES])
def test_a_golden_playthrough_is_played_again_word_for_word(shipped, rng_of, name, seats):
    data, path = shipped[name], FOLDER / f"{name}-{seats}.txt"
    players = [lambda view, rng: bots.decide("sensible", view, rng)] * seats
    dealer = Dealer(lambda: GAMES[name].rules(seats, data), players, rng_of("playthrough", name, seats))
    text = HEADER.format(name=name, seats=seats, data=data_hash(data).hex()) + "\n".join(written(dealer)) + "\n"
    if os.environ.get("MASTABA_WRITE_PLAYTHROUGHS"):
        path.write_text(text)
    assert path.read_text().splitlines() == text.splitlines()


def test_every_game_has_its_playthroughs_and_there_are_no_others():
    assert sorted(path.name for path in FOLDER.glob("*.txt")) == sorted(f"{name}-{seats}.txt" for name, seats in TABLES)
