"""Pyramid's audit at the end as a choice of the table: from the command line over the lobby to what a file proves."""

import pytest
from lobbynet import Room
from mastaba.cli.__main__ import main
from mastaba.cli.show import lobby
from mastaba.cli.show.frame import Ui


def test_only_pyramid_has_an_audit_to_do_without(capsys):
    assert main(["open", "loot", "--no-audit"]) == 2
    assert "Only Pyramid has an audit" in capsys.readouterr().err


@pytest.mark.parametrize("audit", [True, False])
def test_who_sits_down_sees_whether_there_is_an_audit_and_signs_it(audit):
    room = Room(2, audit=audit)
    guest = room.guest("Beto")
    room.run()
    assert [seat.agreed.roster.options.audit for seat in (room.opener, guest)] == [audit, audit]
    for seat in (room.opener, guest):
        said = " ".join(lobby.lines(seat.look(), ()))
        drawn = " ".join("".join(text for _, text in line) for line in lobby.compose(seat.look(), (), Ui(), 120, 40))
        for text in (said, drawn):
            assert ("no audit at the end" in text) is not audit
