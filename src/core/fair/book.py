"""What a table keeps of teams, their dice and the values they hide, and the audit when a team's secret is published at the end.

It knows no rounds and no seats' keys.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ..errors import LocalError, PeerError
from ..rules import Ask, Hide, Rules
from . import hidden
from .group import BASE_TABLE, Point, Scalar
from .member import Cipher
from .team import Die


@dataclass(frozen=True)
class Team:
    """A team as it was made: its name, its seats and T = t G."""

    name: str
    seats: tuple[int, ...]
    T: Point


@dataclass(frozen=True)
class Hidden:
    """A value was hidden by `seat`; `rules` are as they were, and `statement` is still to be had from them."""

    step: int
    seat: int
    request: Hide
    team: Team
    C: Cipher
    rules: Rules


@dataclass(frozen=True)
class Asked:
    """What `seat` proved of hidden values."""

    step: int
    seat: int
    request: Ask
    answers: dict[str, bool]


@dataclass
class HiddenBook:
    """One table's teams, values and dice.  `secrets` holds what this seat knows, by T; `uncovered` is for all, after the audit."""

    teams: dict[str, Team] = field(default_factory=dict)
    made: tuple[Team, ...] = ()  # all that ever were, in order
    secrets: dict[Point, Scalar] = field(default_factory=dict, repr=False)
    ciphers: dict[str, tuple[Team, Cipher]] = field(default_factory=dict)
    dice: dict[int, Die] = field(default_factory=dict)
    trail: tuple[Hidden | Asked, ...] = ()
    published: dict[Point, Scalar] = field(default_factory=dict)
    uncovered: tuple[tuple[int, str, int], ...] = ()  # (step, name, value), in order

    def copy(self) -> "HiddenBook":
        """One that changes by itself."""
        return HiddenBook(
            dict(self.teams),
            self.made,
            dict(self.secrets),
            dict(self.ciphers),
            dict(self.dice),
            self.trail,
            dict(self.published),
            self.uncovered,
        )

    def add(self, team: Team, t: Scalar | None) -> None:
        """A team was made, or made anew; `t` if this seat has it."""
        self.teams[team.name] = team
        self.made += (team,)
        if t is not None:
            self.secrets[team.T] = t

    def team(self, name: str) -> Team:
        """LocalError if the rules use a team that they have not asked for."""
        if name not in self.teams:
            raise LocalError(f"the rules use the team {name} before it is made")
        return self.teams[name]

    def team_of(self, T: Point) -> Team:
        """The team that had this key."""
        return next(team for team in self.made if team.T == T)

    def cipher(self, rules: Rules, name: str) -> Cipher:
        """The ciphertext of a value as it is now; what everybody knows needs no randomness."""
        if name in rules.public:
            return hidden.known(rules.public[name])
        if name not in self.ciphers:
            raise LocalError(f"the rules use the hidden value {name} before it has one")
        return self.ciphers[name][1]

    def under(self, rules: Rules, team: Team) -> tuple[str, ...]:
        """The names whose values are hidden under this key now, ascending."""
        return tuple(sorted(name for name, (by, _) in self.ciphers.items() if by == team and name not in rules.public))

    # -- the audit ------------------------------------------------------------------------------------------------

    def due(self, rules: Rules, seat: int) -> tuple[Team, ...]:
        """The keys whose secret this seat publishes at the end: all of which it is a member, whoever else may say the same.

        So nobody who leaves instead of signing the result keeps a secret that another member has.
        """
        return tuple(team for team in self.made if seat in team.seats) if rules.options.audit else ()

    @property
    def audited(self) -> int:
        """How many values and answers the audit has read and checked; 0 before all secrets are published."""
        return len(self.trail) if self._open(self.published) else 0

    def publish(self, secrets: Iterable[tuple[Team, Scalar]]) -> None:
        """Teams' secrets as a member says them at the end.  With the last that was missing, every value is read, and every statement and
        answer checked again by the rules alone.

        ValueError if one is not its team's; PeerError(seat, "bad-audit") names who hid or answered what was not true, although its proof
        had held.  Either way nothing has changed.
        """
        published = dict(self.published)
        for team, t in secrets:
            if BASE_TABLE.mul(t) != team.T:
                raise ValueError("not the team's secret")
            published[team.T] = t
        if self._open(published) and not self._open(self.published):
            self.uncovered = self._audit(published)
        self.published = published

    def _open(self, published: Mapping[Point, Scalar]) -> bool:
        """Do these secrets open all that was ever hidden?  Keys may be equal: a maker may take the same secret again."""
        return all(team.T in published for team in self.made)

    def _audit(self, published: Mapping[Point, Scalar]) -> tuple[tuple[int, str, int], ...]:
        """What was hidden, in order."""
        values: dict[str, int] = {}
        found = []
        for entry in self.trail:
            if isinstance(entry, Asked):
                if any((values.get(name) in entry.request.inside) != yes for name, yes in entry.answers.items()):
                    raise PeerError(entry.seat, "bad-audit", f"step {entry.step}")
                continue
            name = entry.request.name
            statement = getattr(entry.rules, entry.request.rule)(entry.request)
            before = {**values, **entry.rules.public}
            old = {"old": before[name]} if name in before else {}
            value = _read(published[entry.team.T], entry.C, hidden.values_of(statement))
            if value is None or not statement.holds({**before, **old, "new": value}):
                raise PeerError(entry.seat, "bad-audit", f"step {entry.step}")
            values[name] = value
            found.append((entry.step, name, value))
        return tuple(found)


def _read(t: Scalar, C: Cipher, among: Iterable[int]) -> int | None:
    try:
        return hidden.uncover(t, C, among)
    except LocalError:
        return None
