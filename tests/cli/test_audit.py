"""Pyramid's audit at the end as a choice of the table: from the command line over the lobby to what a file proves."""

import pytest
from lobbynet import Room
from mastaba.cli.__main__ import main
from mastaba.cli.finder import Seen
from mastaba.cli.menu import Menu, items
from mastaba.cli.show import lobby
from mastaba.cli.show.frame import Ui
from mastaba.net.discovery import Found, TableAd


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


def test_the_lobby_says_which_tables_have_no_audit():
    found = Found("F.local.", TableAd("00" * 8, "Friday", "pyramid", 1, 4, "open"), "1-1", True, "0.1.0", "", (("127.0.0.1", 5),))
    for audit in (True, False):
        (row,) = [item for item in items(Menu("Ana", tables=(Seen(found, True, ("Ana",), audit=audit),))) if item.key.startswith("table")]
        assert ("no audit" in row.label) is not audit
        assert row.words == ("join", "Friday")
