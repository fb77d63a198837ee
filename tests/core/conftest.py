"""Tables for the tests of the rules: the trusted dealer with cards laid out on purpose, and seeded randomness."""

import hashlib
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import mastaba
import pytest
from mastaba.core.dealer import Dealer
from mastaba.core.games import GAMES
from mastaba.core.games.loot import Loot, load
from mastaba.core.games.loot_data import LootData
from mastaba.core.rules import Answer, Choose, Event, IllegalMove, Options, Over, Shuffle

PACKAGE = Path(mastaba.__file__).parent
KINDS = ["cup", "chest", "necklace", "crown", "ring", "scarab"]
PLAIN = ("green - ring", "green - scarab", "green - crown")  # cards that do nothing in particular


def stream(*seed: object) -> Callable[[int], bytes]:
    """Bytes that depend on the seed alone, on every machine."""
    count = 0

    def rng(n: int) -> bytes:
        nonlocal count
        count += 1
        return hashlib.shake_256(repr((seed, count)).encode()).digest(n)

    return rng


def card(text: str) -> dict[str, Any]:
    """A card of a data file from "back top treasure ...", with "-" for an empty top."""
    back, top, *treasures = text.split()
    return {"back": back, "top": "" if top == "-" else top, "treasures": treasures}


def data_of(cards: Sequence[str], goal: int = 35, six: int = 30) -> LootData:
    goals = {"2": goal, "3": goal, "4": goal, "5": goal, "6": six}
    table = {
        "players": [2, 6],
        "goal": goals,
        "treasures": KINDS,
        "guardians": ["mummy", "werewolf", "frank"],
        "cards": [card(c) for c in cards],
    }
    return load(table)


class LootTable(Dealer):
    """A game in a given position: cards are named as in `card`, hands in seat order, decks from the bottom to the top.

    The layout follows a real first shuffle; afterwards only legal moves in text notation happen.  Shuffles keep the order.
    """

    def __init__(
        self,
        hands: Sequence[Sequence[str]],
        decks: tuple[Sequence[str], Sequence[str]] = (PLAIN, PLAIN),
        discards: Sequence[str] = (),
        points: Sequence[int] = (),
        turn: int = 0,
        goal: int = 35,
        six: int = 30,
    ) -> None:
        piles = [*decks, *hands, discards]
        data = data_of([c for pile in piles for c in pile], goal, six)
        super().__init__(lambda: Loot(len(hands), data, Options(first=turn)), [no_player] * len(hands), stream("unused"))
        self.log: list[Event] = list(self.settle())
        handles = iter(sorted(c for deck in self.now.decks for c in deck))
        places = [[next(handles) for _ in pile] for pile in piles]
        for seat, game in enumerate(self.games):
            self._lay_out(game, places, seat, points)

    def _lay_out(self, game: Any, places: list[list[int]], seat: int, points: Sequence[int]) -> None:
        decks, hands, discards = places[:2], places[2:-1], places[-1]
        game.decks, game.hands, game.discards = [list(d) for d in decks], [list(h) for h in hands], list(discards)
        game.points = list(points) or [0] * game.seats
        game.shown, game.peeked = {}, {}
        for handle in [*(d[-1] for d in decks if d), *(c for h in hands for c in h), *discards]:
            game.shown[handle, "back"] = self.truth[handle, "back"]
        for handle in discards:
            game.shown[handle, "face"] = self.truth[handle, "face"]
        if seat < game.seats:
            game.peeked.update({(c, "face"): self.truth[c, "face"] for c in hands[seat]})

    def order(self, cards: tuple[int, ...]) -> tuple[int, ...]:
        return cards

    @property
    def now(self) -> Any:
        """The public state, as a spectator has it."""
        return self.spectator

    @property
    def asked(self) -> Choose:
        assert isinstance(self.now.pending, Choose), self.now.pending
        return self.now.pending

    @property
    def moves(self) -> list[str]:
        """The legal moves of whoever is asked, in text."""
        return [self.now.show_move(move) for move in self.now.moves_of(self.asked, self.asked.seat)]

    def settle(self) -> tuple[Event, ...]:
        """Answer everything that needs no decision."""
        events: tuple[Event, ...] = ()
        while not isinstance(self.now.pending, (Choose, Over)):
            events += self.step()
        return events

    def play(self, *texts: str) -> tuple[Event, ...]:
        """Whoever is asked makes these moves one after another; returns what happened."""
        events: tuple[Event, ...] = ()
        for text in texts:
            assert isinstance(self.now.pending, Choose), self.now.pending
            events += self.apply([Answer(self.now.parse_move(text))] * len(self.games))
            events += self.settle()
        self.log += events
        return events

    def play_until_shuffle(self, text: str) -> Shuffle:
        """Make the move and answer up to the next shuffle, which stays pending."""
        self.apply([Answer(self.now.parse_move(text))] * len(self.games))
        while not isinstance(self.now.pending, Shuffle):
            assert not isinstance(self.now.pending, (Choose, Over)), "no shuffle came"
            self.step()
        return self.now.pending

    def refusal(self, text: str) -> str:
        """The reason why this move is illegal now; the state does not change."""
        before = self.now.digest()
        with pytest.raises(IllegalMove) as refused:
            self.play(text)
        assert self.now.digest() == before
        return str(refused.value)

    def face(self, handle: int) -> str:
        """What is printed on a card, as `card` reads it."""
        top, treasures = self.truth[handle, "face"]
        return " ".join((self.truth[handle, "back"], top or "-", *treasures))

    def hand(self, seat: int) -> list[str]:
        return [self.face(c) for c in self.now.hands[seat]]


def no_player(view: Any, rng: Any) -> Any:
    raise AssertionError("these tables are played by the test")


def parsed(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        return tomllib.load(file)


@pytest.fixture(scope="session")
def table() -> type[LootTable]:
    return LootTable


@pytest.fixture(scope="session")
def rng_of() -> Callable[..., Callable[[int], bytes]]:
    return stream


@pytest.fixture(scope="session")
def loot_of() -> Callable[..., LootData]:
    return data_of


@pytest.fixture(scope="session")
def shipped() -> dict[str, Any]:
    """Every game's own data, checked, by the game's name."""
    return {name: game.load(parsed(PACKAGE / "core/games/data" / f"{name}.toml")) for name, game in GAMES.items()}


@pytest.fixture(scope="session")
def loot_table() -> dict[str, Any]:
    """The shipped table of Loot N Run, parsed and not yet checked."""
    return parsed(PACKAGE / "core/games/data/loot.toml")


@pytest.fixture(scope="session")
def crypt_table() -> dict[str, Any]:
    """The shipped table of The Crypt, parsed and not yet checked."""
    return parsed(PACKAGE / "core/games/data/crypt.toml")


@pytest.fixture(scope="session")
def smalls(shipped: dict[str, Any]) -> dict[str, Any]:
    """The data of short games, by the game's name; a game without such a file is played as it is."""
    paths = {name: Path(__file__).parents[1] / "data" / f"{name}-small.toml" for name in GAMES}
    return {name: GAMES[name].load(parsed(path)) if path.exists() else shipped[name] for name, path in paths.items()}


@pytest.fixture(scope="session")
def small() -> LootData:
    """The deck of 12 cards for short games."""
    return load(parsed(Path(__file__).parents[1] / "data/loot-small.toml"))
