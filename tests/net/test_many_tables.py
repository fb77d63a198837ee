"""An evening of many tables: people sit down, stand up, crash and come back as chance will have it, and every count is right."""

from dataclasses import dataclass, field
from typing import Any

from hypothesis import settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test
from lobbynet import Room
from mastaba.net.guest import Guest
from mastaba.net.identity import Identity

PEOPLE = [f"P{number}" for number in range(6)]
TABLES = 4  # open at the same time


@dataclass
class Table:
    """A room, and who should sit there: the opener, and guests in the order of their seats."""

    room: Room
    size: int
    guests: list[tuple[str, Guest]] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        return ["Ana", *(name for name, _ in self.guests)]


class Evening(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.tables: list[Table] = []
        self.opened = 0
        self.identities = {name: Identity.generate() for name in PEOPLE}

    def free(self) -> list[str]:
        seated = {name for table in self.tables for name, _ in table.guests}
        return [name for name in PEOPLE if name not in seated]

    @precondition(lambda self: len(self.tables) < TABLES)
    @rule(size=st.integers(2, 4))
    def opens(self, size: int) -> None:
        self.opened += 1
        self.tables.append(Table(Room(size, seed=self.opened), size))

    @precondition(lambda self: self.tables and self.free())
    @rule(data=st.data())
    def sits_down(self, data: Any) -> None:
        table, name = data.draw(st.sampled_from(self.tables)), data.draw(st.sampled_from(self.free()))
        table.guests.append((name, table.room.guest(name, self.identities[name])))
        table.room.run()
        if len(table.names) == table.size:
            self.plays(table)

    def plays(self, table: Table) -> None:
        """A full table agrees on exactly those who sit there; they are free again for another."""
        agreed = [lobby.agreed for lobby in (table.room.opener, *(guest for _, guest in table.guests)) if lobby.agreed]
        assert [one.seat for one in agreed] == list(range(table.size))
        (roster,) = {one.roster for one in agreed}
        assert [seat.name for seat in roster.seats] == table.names
        self.tables.remove(table)

    @precondition(lambda self: any(table.guests for table in self.tables))
    @rule(data=st.data(), politely=st.booleans())
    def goes(self, data: Any, politely: bool) -> None:
        table = data.draw(st.sampled_from([table for table in self.tables if table.guests]))
        name, guest = data.draw(st.sampled_from(table.guests))
        number = table.room.lobbies.index(guest)
        if politely:
            guest.close()
        else:
            table.room.cut(0, number)
        table.guests.remove((name, guest))
        table.room.run()
        assert guest.state.phase == "ended"

    @precondition(lambda self: self.tables)
    @rule(data=st.data())
    def closes(self, data: Any) -> None:
        table = data.draw(st.sampled_from(self.tables))
        table.room.opener.close()
        table.room.run()
        assert all(guest.state.phase == "ended" for _, guest in table.guests)
        self.tables.remove(table)

    @invariant()
    def everybody_sees_who_sits_there_and_nobody_else(self) -> None:
        for table in self.tables:
            for place, lobby in enumerate((table.room.opener, *(guest for _, guest in table.guests))):
                look = lobby.state
                assert [seat.name for seat in look.seats] == table.names
                assert [seat.me for seat in look.seats].index(True) == place
                assert (look.size, look.phase) == (table.size, "open")


def test_whoever_comes_and_goes_at_many_tables_every_count_is_right() -> None:
    run_state_machine_as_test(Evening, settings=settings(max_examples=12, stateful_step_count=50, deadline=None))
