"""Scarabya: one class that reads like the rulebook.  Nothing is hidden in it but what all decide at the same time.

Moves: ("lay", board, side, turns) puts a board in the next place of the site and ("lot",) leaves that to chance; a
placement is ("place", square, ...): its squares in ascending order, each 10 * row + column.
Rows of the rules' checklist are cited as S28, rulings as SR4.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from ..rules import Choose, ChooseAll, IllegalMove, Move, Options, Over, Request, Roll, Rules, best
from .grid import beside, closed, mask_of, placements, squares_of
from .moves import Listed
from .scarabya_data import CENTRE, PLACES, PLAYERS, SIDE, SIDES, SITE, TURNS, Piece, ScarabyaData, load, pieces_left

__all__ = ["Areas", "Placements", "Scarabya", "load", "points_of"]

USUAL = Options()
LOT: Move = ("lot",)
Areas = tuple[tuple[tuple[int, ...], int], ...]  # (squares, open scarabs) of each


class Scarabya(Rules):
    """One to four archaeologists lay the same tile on equal sites, and score the scarabs that they enclose in small areas.

    Events (seat, then arguments): first; lot; laid (place, board, side, turns); site (squares of rocks, of scarabs); mission
    (-, round, tile); placed (tile, squares, scarabs covered); discarded (tile); scored (points, ((squares, scarabs), ...));
    over (-, scores, winners); left.
    """

    NAME: ClassVar[str] = "scarabya"
    VERSION: ClassVar[int] = 1
    SEATS: ClassVar[range] = PLAYERS
    data: ScarabyaData

    def __init__(self, seats: int, data: ScarabyaData, options: Options = USUAL) -> None:
        self.explorer = 0  # the Great Explorer, who lays the site
        self.laid: list[Piece] = []  # top left, top right, bottom left, bottom right
        self.missions = [name for name, _ in data.tiles]  # not opened yet, in the order of the table
        self.round = 0
        self.tile: str | None = None  # the mission of the round
        self.placed: list[list[tuple[str, tuple[int, ...]]]] = [[] for _ in range(seats)]
        self.points = [0] * seats
        super().__init__(seats, data, options)

    # -- the site -------------------------------------------------------------------------------------------------

    def set_up(self) -> None:
        self.explorer = self.first
        self._skip_the_gone()

    def pieces(self, request: Choose) -> Listed:
        """Any board in hand, either side up, turned at will, unless rocks alone would close a space; or by lot (S07-S09, SR3, SR4)."""
        return Listed([("lay", *piece) for piece in self._pieces()] + [LOT])

    def lay(self, request: Choose, move: Move) -> None:
        if move == LOT:
            self.emit("lot", request.seat)
            self.push(self._lot())
        else:
            self._lay(move[1:])

    def lay_by_lot(self, request: Roll, dice: tuple[int, ...]) -> None:
        """One way to lay the next board, each equally likely; so on until the site is complete."""
        self._lay(self._pieces()[dice[0] - 1])
        if len(self.laid) < len(PLACES):
            self.push(self._lot())

    def _lot(self) -> Roll:
        return Roll(1, len(self._pieces()), then="lay_by_lot")

    def _pieces(self) -> list[Piece]:
        return [piece for piece in pieces_left(self.laid) if self.data.may_lay((*self.laid, piece))]

    def _lay(self, piece: Piece) -> None:
        self.laid.append(piece)
        self.emit("laid", self.explorer, len(self.laid) - 1, *piece)
        if len(self.laid) == len(PLACES):
            self.emit("site", None, squares_of(self.rocks), squares_of(self.scarabs))

    @property
    def rocks(self) -> int:
        """The rock squares, as a mask."""
        return self.data.rocks(self.laid)

    @property
    def scarabs(self) -> int:
        """The squares with a scarab, covered or not, as a mask."""
        return self.data.scarabs(self.laid)

    # -- a round --------------------------------------------------------------------------------------------------

    def next_request(self) -> Request:
        """The site, then a mission a round (S13, S14); the last tile left needs no coin."""
        if len(self.laid) < len(PLACES):
            return Choose(self.explorer, "pieces", then="lay")
        while self.round < self.data.rounds:
            if len(self.missions) > 1:
                return Roll(1, len(self.missions), then="open")
            self._open(self.missions[0])
            if self.agenda:
                return self.agenda.pop()
        return self._end()

    def open(self, request: Roll, dice: tuple[int, ...]) -> None:
        self._open(self.missions[dice[0] - 1])

    def _open(self, tile: str) -> None:
        """All who can place the tile must, at the same time; the others discard it unasked (S14-S16, S32, S33, SR5)."""
        self.missions.remove(tile)
        self.round += 1
        self.tile = tile
        self.emit("mission", None, self.round, tile)
        here = [seat for seat in range(self.seats) if seat not in self.gone]
        able = tuple(seat for seat in here if any(True for _ in self.fits(seat)))
        for seat in here:
            if seat not in able:
                self.emit("discarded", seat, tile)
        if able:
            self.push(ChooseAll(able, "placements", then="place"))
        else:
            self.tile = None

    def placements(self, request: ChooseAll, seat: int) -> "Placements":
        return self.fits(seat)

    def fits(self, seat: int) -> "Placements":
        """Where the tile of the round may lie on the seat's site."""
        assert self.tile is not None
        return Placements(self.free(seat), self.data.shapes(self.tile), self.reach(seat))

    def place(self, request: ChooseAll, moves: dict[int, Move]) -> None:
        """All tiles are laid, then everybody scores (S16, S18, S50, SR5)."""
        assert self.tile is not None
        scarabs = self.scarabs
        for seat in request.seats:
            squares = moves[seat][1:]
            self.placed[seat].append((self.tile, squares))
            self.emit("placed", seat, self.tile, squares, (mask_of(squares) & scarabs).bit_count())
        for seat in request.seats:
            areas = self.would_close(seat, moves[seat][1:])
            if areas:
                points = points_of(areas)
                self.points[seat] += points
                self.emit("scored", seat, points, areas)
        self.tile = None

    def absent(self, request: Choose | ChooseAll, seat: int) -> Move:
        """Who leaves while all decide has the tile laid where it scores least; then the site stops (SR9)."""
        moves = self.moves_of(request, seat)
        if isinstance(request, Choose):
            return next(iter(moves))
        return min(moves, key=lambda move: points_of(self.would_close(seat, move[1:])))

    def would_close(self, seat: int, squares: tuple[int, ...]) -> Areas:
        """(squares, scarabs) of each area that a tile on these squares closes or has closed; worth the product each (S35-S44)."""
        tile = mask_of(squares)
        areas = closed(self.free(seat) & ~tile, tile, self.data.largest)
        return tuple((squares_of(area), (area & self.scarabs).bit_count()) for area in areas)

    # -- a site as it stands --------------------------------------------------------------------------------------

    def tiles(self, seat: int) -> int:
        """The squares that the seat's tiles cover, as a mask."""
        return mask_of(square for _, squares in self.placed[seat] for square in squares)

    def free(self, seat: int) -> int:
        """The squares without rock or tile, as a mask (S25-S27)."""
        return SITE & ~(self.rocks | self.tiles(seat))

    def reach(self, seat: int) -> int:
        """The squares of which a new tile covers one: at the centre for the first, beside an earlier tile for others (S19-S24, SR2)."""
        tiles = self.tiles(seat)
        return beside(tiles) if tiles else CENTRE

    def areas(self, seat: int) -> Areas:
        """(squares, open scarabs) of every excavation area of the seat: they have all scored (S43, S46)."""
        tiles = self.tiles(seat)
        spaces = closed(self.free(seat), tiles | self.rocks, self.data.largest)
        return tuple((squares_of(space), (space & self.scarabs).bit_count()) for space in spaces)

    # -- the end --------------------------------------------------------------------------------------------------

    def _end(self) -> Over:
        """Most points wins, ties share (S51-S53); alone there is nothing to win (SR1)."""
        winners: tuple[int, ...] = ()
        if self.seats > 1:
            here = [points if seat not in self.gone else -1 for seat, points in enumerate(self.points)]
            winners = best(here)
        self.emit("over", None, self.scores(), winners)
        return Over(self.scores(), winners, "rounds")

    def leave(self, seat: int) -> None:
        """The site of the seat stops.  A Great Explorer who leaves before the site is laid is replaced by the next seat (SR9)."""
        if self.agenda and isinstance(self.pending, ChooseAll):
            request = self.agenda.pop()
            assert isinstance(request, ChooseAll)
            here = tuple(s for s in request.seats if s != seat)
            if here:
                self.push(replace(request, seats=here))
            else:
                self.tile = None
        if seat != self.explorer or len(self.laid) == len(PLACES) or len(self.gone) == self.seats:
            return
        self._skip_the_gone()
        if self.agenda and isinstance(self.pending, Choose):  # a lot once asked for is drawn to its end
            self.laid, self.agenda = [], []

    def _skip_the_gone(self) -> None:
        while self.explorer in self.gone:
            self.explorer = (self.explorer + 1) % self.seats

    def scores(self) -> tuple[int, ...]:
        return tuple(self.points)

    # -- notation and reasons -------------------------------------------------------------------------------------

    def show_move(self, move: Move) -> str:
        if move[0] == "lay":
            return f"lay {move[1] + 1}{SIDES[move[2]]} {move[3]}"
        return " ".join((move[0], *(f"{square:02}" for square in move[1:])))

    def parse_move(self, text: str) -> Move:
        """lay BOARD SIDE TURNS as in "lay 3b 2" (clockwise quarters), lot, or place and squares, row before column, in any order:
        "place 33 43 52 53 54"; raises ValueError for anything else."""
        match text.lower().split():
            case ["lot"]:
                return LOT
            case ["lay", piece, turns] if len(piece) == 2 and piece[0] in "1234" and piece[1] in SIDES and turns in ("0", "1", "2", "3"):
                return ("lay", int(piece[0]) - 1, SIDES.index(piece[1]), int(turns))
            case ["place", *squares] if squares and all(len(s) == 2 and s.isascii() and s.isdigit() for s in squares):
                return ("place", *sorted(map(int, squares)))
        raise ValueError("no move of Scarabya")

    def legal(self, request: Choose | ChooseAll, seat: int, move: Move) -> None:
        if move not in self.moves_of(request, seat):
            raise IllegalMove(self.why_not(request, move) if isinstance(request, Choose) else self.why_no_placement(seat, move))

    def why_not(self, request: Request, move: Move) -> str:
        if type(move) is not tuple or not move or type(move[0]) is not str or not all(type(x) is int for x in move[1:]):
            return "no-such-move"
        if move[0] not in ("lay", "lot") or not isinstance(request, Choose):
            return "not-now" if move[0] in ("lay", "lot", "place") else "no-such-move"
        if len(move) != 4 or move[2] not in (0, 1) or move[3] not in TURNS:
            return "no-such-move"
        if not 0 <= move[1] < len(PLACES):
            return "no-such-board"
        return "board-laid" if move[1] in [piece[0] for piece in self.laid] else "closed-by-rocks"

    def why_no_placement(self, seat: int, move: Move) -> str:
        """A reason id for an illegal placement on the seat's site; `move` is any plain data."""
        if type(move) is not tuple or not move or move[0] != "place" or type(move[0]) is not str:
            return self.why_not(self.pending, move)
        squares = move[1:]
        if not all(type(square) is int for square in squares) or list(squares) != sorted(set(squares)):
            return "no-such-move"
        if not all(0 <= square < SIDE * SIDE for square in squares):
            return "outside"
        assert self.tile is not None
        mask = mask_of(squares)
        if not self._is_tile(squares):
            return "not-this-tile"
        if mask & self.rocks:
            return "on-rock"
        if mask & self.tiles(seat):
            return "on-tile"
        return "not-beside" if self.placed[seat] else "not-at-centre"

    def _is_tile(self, squares: tuple[int, ...]) -> bool:
        """Are these squares of the site the tile of the round in some orientation?"""
        assert self.tile is not None
        return bool(squares) and ("place", *squares) in Placements(mask_of(squares), self.data.shapes(self.tile), SITE)


def points_of(areas: Areas) -> int:
    """Each open scarab scores as many points as its area has squares (S38, S40)."""
    return sum(len(squares) * found for squares, found in areas)


class Placements:
    """Where a tile fits on free ground so that it covers a square of `among`; found only when somebody asks."""

    def __init__(self, free: int, shapes: tuple[int, ...], among: int) -> None:
        self._place = free, shapes, among

    def __iter__(self) -> Iterator[Move]:
        return iter([("place", *squares) for squares in placements(*self._place)])

    def __contains__(self, move: object, /) -> bool:
        """Takes anything that a peer may send: True is no square."""
        if type(move) is not tuple or not move or type(move[0]) is not str or move[0] != "place":
            return False
        return all(type(square) is int for square in move[1:]) and move[1:] in placements(*self._place)

    def __len__(self) -> int:
        return len(placements(*self._place))
