"""Pyramid in words: pieces, symbols, events, moves and reasons in the language in use; knows no layout."""

from collections.abc import Callable, Iterable

from ...core.games.pyramid import Pyramid
from ...core.games.pyramid_data import ARROW
from ...core.rules import Event, Move
from ...core.view import Snapshot
from ..cells import clean
from ..text import _, ngettext, pgettext
from .status import absent, player, players


def pyramid(snapshot: Snapshot) -> Pyramid:
    """The snapshot's rules, as what they are."""
    rules = snapshot.view.rules
    assert isinstance(rules, Pyramid)
    return rules


def number(piece: str) -> str:
    """A piece's number, in the order of play: on the map it is @1, @2, ..."""
    return piece[1:]


def piece_word(snapshot: Snapshot, piece: str) -> str:
    """Whose piece it is; with its number where one player leads two."""
    rules = pyramid(snapshot)
    seat = rules.owner[piece]
    name = player(snapshot, seat)
    return f"{name} @{number(piece)}" if list(rules.owner.values()).count(seat) > 1 else name


def colour_word(colour: str) -> str:
    """The colour's name; those of a table of one's own are called as the table calls them."""
    words = {"white": _("white"), "red": _("red"), "blue": _("blue"), "green": _("green"), "yellow": _("yellow")}
    return words.get(colour) or clean(colour)


def symbol_word(snapshot: Snapshot, symbol: str) -> str:
    """A symbol by its name."""
    name = dict(pyramid(snapshot).data.names)[symbol]
    return _SYMBOLS().get(name) or clean(name)


def mission_words(snapshot: Snapshot, symbol: str) -> str:
    """A mission: colour, symbol, and where it is on the map."""
    rules = pyramid(snapshot)
    colour = colour_word(dict(rules.data.colours)[symbol[0]])
    text = _("{symbol}, {colour}, on {square}")
    return text.format(
        symbol=symbol_word(snapshot, symbol), colour=colour, square=square_word(snapshot, rules.data.board.square_of[symbol])
    )


def square_word(snapshot: Snapshot, square: int | None) -> str:
    """A square as players write it, start and dungeon by their names; "hidden" for what is not known."""
    board = pyramid(snapshot).data.board
    if square is None:
        return _("hidden")
    return {board.start: _("the start"), board.dungeon: _("the dungeon")}.get(square) or board.name(square)


def squares_words(snapshot: Snapshot, squares: Iterable[int]) -> str:
    return " ".join(pyramid(snapshot).data.board.name(square) for square in squares) or _("none")


def face_word(face: int) -> str:
    """A hunter die's face."""
    return _("arrow") if face == ARROW else str(face)


def dice_words(snapshot: Snapshot) -> str:
    """The dice on the table as this seat sees them: M a mummy, > the arrow, ? what others know."""
    rules = pyramid(snapshot)
    faces = [snapshot.view.knows(die) for die in rules.dice]
    letters = [pgettext("die", "M")] * rules.up + [">" if face == ARROW else str(face) if face else "?" for face in faces]
    return " ".join(letters) or "-"


def choices(snapshot: Snapshot) -> tuple[Move, ...]:
    """The moves to choose among: of equal dice the first, since the program picks one of them at random."""
    rules, out = pyramid(snapshot), dict[Move, Move]()
    for move in snapshot.view.moves():
        die = isinstance(move, tuple) and move[0] == "die"
        out.setdefault(("face", snapshot.view.knows(rules.dice[move[1]])) if die else move, move)
    return tuple(out.values())


def move_phrase(snapshot: Snapshot, move: Move) -> str:
    """The move as it is typed in the language in use: dice by what they show and missions by their symbol, as far as this seat knows."""
    rules, view = pyramid(snapshot), snapshot.view
    if isinstance(move, int):
        return rules.data.board.name(move)
    verb, *rest = move
    if verb == "step":
        return _("step {square}").format(square=rules.data.board.name(rest[0]))
    if verb == "die":
        face = view.knows(rules.dice[rest[0]])
        return face_word(face) if face == ARROW else _("move {n}").format(n=face) if face else _("die {n}").format(n=rest[0] + 1)
    if verb == "play":
        symbol = view.knows(rules.missions[view.seat or 0][rest[0]])
        return _("play {symbol}").format(symbol=symbol_word(snapshot, symbol)) if symbol else _("play {n}").format(n=rest[0] + 1)
    words = {"keep": _("keep"), "reset": _("reset"), "again": _("again"), "pass": _("pass"), "stop": _("stop")}
    return words[verb]


def event_words(snapshot: Snapshot, event: Event) -> str:
    """What has happened, as one sentence that every seat reads alike; empty for what needs no words."""
    words = _EVENTS.get(event.id)
    if words is None:
        return ""
    return words(snapshot, "" if event.seat is None else player(snapshot, event.seat), *event.args)


def _turn(s: Snapshot, who: str, piece: str) -> str:
    if piece == "mummy":
        return _("The mummy's turn.")
    return _("The turn of {who}.").format(who=piece_word(s, piece))


def _hunt(s: Snapshot, who: str, kind: str, steps: int) -> str:
    if kind == "interrupt":
        return ngettext("Interrupt: the mummy may go {n} step.", "Interrupt: the mummy may go {n} steps.", steps).format(n=steps)
    return ngettext("The mummy may go {n} step.", "The mummy may go {n} steps.", steps).format(n=steps)


def _captured(s: Snapshot, who: str, piece: str, square: int, lives: int) -> str:
    text = ngettext(
        "{who} is caught on {square} and goes to the dungeon; {n} life token is left.",
        "{who} is caught on {square} and goes to the dungeon; {n} life tokens are left.",
        lives,
    )
    return text.format(who=piece_word(s, piece), square=square_word(s, square), n=lives)


def _roll(s: Snapshot, who: str, piece: str, dice: int, mummies: int) -> str:
    rolled = ngettext("{who} rolls {n} die: ", "{who} rolls {n} dice: ", dice).format(who=piece_word(s, piece), n=dice)
    return rolled + ngettext("{n} mummy.", "{n} mummies.", mummies).format(n=mummies)


def _mission(s: Snapshot, who: str, piece: str, card: int, symbol: str, square: int) -> str:
    return _("{who} plays a mission: {mission}.").format(who=piece_word(s, piece), mission=mission_words(s, symbol))


def _over(s: Snapshot, who: str, scores: tuple[int, ...], winners: tuple[int, ...], reason: str) -> str:
    if reason == "tokens":
        return _("The mummy has enough life tokens: {who} wins.").format(who=players(s, winners))
    if reason == "missions":
        return _("The last mission is played: {who} wins.").format(who=players(s, winners))
    return _("The game ends without a winner.")


_EVENTS: dict[str, Callable[..., str]] = {
    "first": lambda s, who: _("{who} is the mummy.").format(who=who),
    "dealt": lambda s, who: _("The missions are dealt."),
    "turn": _turn,
    "blocked": lambda s, who, piece: _("{who} is blocked and is skipped.").format(who=piece_word(s, piece)),
    "free": lambda s, who, piece: _("{who} is not blocked.").format(who=piece_word(s, piece)),
    "reset": lambda s, who, piece, forced: (_("{who} must reset the dice.") if forced else _("{who} resets the dice.")).format(
        who=piece_word(s, piece)
    ),
    "hunt": _hunt,
    "step": lambda s, who, square, steps: _("The mummy enters {square}.").format(square=square_word(s, square)),
    "unseen": lambda s, who, square, pieces: _("Nobody is on {square}.").format(square=square_word(s, square)),
    "stop": lambda s, who, square: _("The mummy stays on {square}.").format(square=square_word(s, square)),
    "captured": _captured,
    "out": lambda s, who, piece: _("{who} is out of the game.").format(who=piece_word(s, piece)),
    "roll": _roll,
    "again": lambda s, who, piece: _("{who} rolls again.").format(who=piece_word(s, piece)),
    "lost-turn": lambda s, who, piece: _("Five mummies: {who} loses the turn.").format(who=piece_word(s, piece)),
    "announce": lambda s, who, piece, face: _("{who} moves with: {face}.").format(who=piece_word(s, piece), face=face_word(face)),
    "mission": _mission,
    "over": _over,
    "left": lambda s, who, moved=False: _("{who} has left.").format(who=who) + absent(who, moved),
    "lost": lambda s, who: _("{who} does not answer any more: the others go on.").format(who=who),
}


def why(reason: str) -> str:
    """Why a move is not legal, by the rules' reason id."""
    reasons = {
        "not-playable": _("That die cannot be moved in full from where you are: choose another, or roll again."),
        "no-such-die": _("There is no such die on the table."),
        "not-there": _("You are not on that mission's symbol."),
        "no-such-mission": _("You have no such mission."),
        "no-such-square": _("There is no such square in this pyramid."),
        "not-adjacent": _("The mummy goes one square at a time, up, down, left or right."),
        "never-entered": _("Nobody may enter the start or the dungeon."),
        "wall": _("There is a wall in between."),
        "mummy-there": _("The mummy stands there."),
        "taken": _("Another hunter stands there."),
        "out-of-reach": _("That square cannot be reached with this die."),
        "not-now": _("That cannot be done now."),
        "no-such-move": _("That is no move of this game."),
    }
    return reasons.get(reason) or _("That is not allowed now ({reason}).").format(reason=clean(reason))


def _SYMBOLS() -> dict[str, str]:
    """The shipped symbols by name, in the language in use."""
    return {
        "lotus": _("lotus"),
        "ibis": _("ibis"),
        "moon": _("moon"),
        "feather": _("feather"),
        "jar": _("jar"),
        "scarab": _("scarab"),
        "ankh": _("ankh"),
        "sun": _("sun"),
        "snake": _("snake"),
        "crook": _("crook"),
        "eye": _("eye"),
        "boat": _("boat"),
        "fish": _("fish"),
        "star": _("star"),
        "cat": _("cat"),
        "palm": _("palm"),
        "frog": _("frog"),
        "crocodile": _("crocodile"),
        "papyrus": _("papyrus"),
        "mask": _("mask"),
        "ring": _("ring"),
        "lion": _("lion"),
        "bee": _("bee"),
    }
