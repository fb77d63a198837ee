"""What holds after every answer of every game at a trusted table; each check raises AssertionError."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from mastaba.core.dealer import Dealer
from mastaba.core.plain import decode, encode
from mastaba.core.rules import PRIVATE, Answer, Choose, ChooseAll, Event, Rules, Shuffle


class Secret(dict[Any, Any]):
    """A book that nobody may open."""

    def _refuse(self, *_: Any) -> Any:
        raise AssertionError("a rule read a secret")

    __getitem__ = __contains__ = __iter__ = __len__ = get = items = keys = values = _refuse  # type: ignore[assignment]


def blindfold(game: Rules) -> Rules:
    """From now on the game's rules cannot read what only its seat knows; the engine goes on booking it."""
    books = [game.peeked, game.mine]

    class Blind(type(game)):  # type: ignore[misc]
        def _learn(self, request: Any, answer: Answer) -> Any:
            self.peeked, self.mine = books
            value = super()._learn(request, answer)
            self.peeked, self.mine = Secret(), Secret()
            return value

    game.__class__ = Blind
    game.peeked, game.mine = Secret(), Secret()
    return game


def live(game: Rules) -> Sequence[int]:
    """Every handle that is a card now, wherever it lies; nothing in a game without cards."""
    return game.cards_in_play() if game.printed() else ()


def one_digest(dealer: Dealer) -> bytes:
    """The digest of the public state, the same for a spectator and a seat; that all states are equal the dealer itself asserts."""
    (digest,) = {dealer.games[-1].digest(), dealer.games[0].digest()}
    return digest


def state_is_plain(dealer: Dealer) -> None:
    state = dealer.spectator.public_state()
    assert decode(encode(state)) == state
    assert not {key for key, _ in state} & {*PRIVATE, "_events", "data"}


def events_are_plain(events: Sequence[Event], seats: int, told: dict[str, int]) -> None:
    """Events are plain data; `told` has how many arguments each has had until now."""
    for event in events:
        assert decode(encode(event.args)) == event.args
        assert event.seat is None or 0 <= event.seat < seats
        told.setdefault(event.id, len(event.args))
        assert told[event.id] == len(event.args)


def cards_are_conserved(dealer: Dealer, printed: Counter[Any]) -> None:
    faces = {card: face for (card, part), face in dealer.truth.items() if part == "face"}
    assert Counter((dealer.truth[card, "back"], face) for card, face in faces.items()) == printed
    if dealer.spectator.handles > len(dealer.spectator.dealt):
        assert sorted(live(dealer.spectator)) == sorted(faces)


def a_shuffle_is_forgotten(dealer: Dealer, request: Shuffle) -> None:
    """No seat knows anything of the handles that a shuffle took, and none of them is in play."""
    for game in dealer.games:
        known = {card for card, _ in (*game.shown, *game.peeked)}
        assert not known & set(request.cards)
        assert not set(live(game)) & set(request.cards)


def same_moves(blind: Rules, game: Rules) -> None:
    """Whoever is asked may make the same moves whether or not the rules could read a secret."""
    request = game.pending
    if isinstance(request, (Choose, ChooseAll)):
        for seat in [request.seat] if isinstance(request, Choose) else request.seats:
            assert list(blind.moves_of(request, seat)) == list(game.moves_of(request, seat))
            assert blind.absent(request, seat) == game.absent(request, seat)


def play_checked(dealer: Dealer, limit: int = 20_000) -> int:
    """Play to the end with every check after every answer; returns how many answers there were."""
    printed, told, last = Counter(dealer.spectator.printed()), dict[str, int](), b""
    blind = [blindfold(dealer.games[which].copy()) for which in (0, -1)]
    for count in range(limit):
        if dealer.spectator.over:
            return count
        request, answers = dealer.spectator.pending, dealer.answers()
        same_moves(blind[0], dealer.spectator)
        events = dealer.apply(answers)
        for game, which in zip(blind, (0, -1), strict=True):
            game.apply(answers[which])
            assert game.public_state() == dealer.spectator.public_state()
        digest = one_digest(dealer)
        assert digest != last  # every answer changes it, though in a game without a deck it may come back later
        last = digest
        state_is_plain(dealer)
        events_are_plain(events, len(dealer.players), told)
        cards_are_conserved(dealer, printed)
        game = dealer.games[count % len(dealer.games)]
        assert game.copy() == game
        if isinstance(request, Shuffle):
            a_shuffle_is_forgotten(dealer, request)
    raise AssertionError(f"no end after {limit} answers")
