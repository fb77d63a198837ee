"""docs/state.md and the pages of the games state numbers and names that follow from the program: each is computed here anew."""

import dataclasses
import re
import tomllib
from pathlib import Path

import plain_state
import pytest
from fakenet import MemoryJournal, Net
from mastaba.core import requests
from mastaba.core.games import GAMES, data_hash
from mastaba.core.games.pyramid_moves import clear, full_slides, stopped, walks
from mastaba.core.plain import decode, encode
from mastaba.core.rules import Options
from mastaba.net import ballot, book, log, renewal, roster, seen, votes
from mastaba.net.match import start
from mastaba.net.seen import Seen
from pyramidtable import BOARD

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "state.md").read_text()
PROTOCOL = (ROOT / "docs" / "protocol.md").read_text()
SHIPPED = {name: (ROOT / "src" / "core" / "games" / "data" / f"{name}.toml").read_text() for name in GAMES}
OWN = {name: (ROOT / "docs" / "rules" / f"{name}.md").read_text().split("## For verifiers")[1] for name in GAMES}
SHARED = {"agenda", "dealt", "first", "gone", "handles", "public", "seats", "shown"}


def data_of(name):
    return GAMES[name].load(tomllib.loads(SHIPPED[name]))


def rows(text, start):
    """The cells of the table whose head begins so."""
    lines = text[text.index(start) :].split("\n")[2:]
    end = next(i for i, line in enumerate(lines) if not line.startswith("|"))
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines[:end]]


def test_every_shipped_table_has_the_hash_of_the_page():
    stated = {game.strip("`"): value.strip("`") for game, value in rows(PAGE, "| shipped table |")}
    assert stated == {name: data_hash(data_of(name)).hex() for name in GAMES}


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("small", [False, True])
def test_a_component_table_becomes_plain_data_as_the_page_says(name, small):
    text = (ROOT / "tests" / "data" / f"{name}-small.toml").read_text() if small else SHIPPED[name]
    plain = plain_state.table_of(name, text)
    data = GAMES[name].load(tomllib.loads(text))
    assert plain_state.encode(plain) == encode(data.plain)
    for seats in GAMES[name].rules.SEATS:
        rules = GAMES[name].rules(seats, data)
        assert plain_state.encode(plain_state.printed_of(plain, seats)) == encode(rules.printed())


def test_requests_have_the_fields_of_the_page_in_this_order():
    stated = {kind.strip("`"): fields.split(", ") for kind, fields in rows(PAGE, "| kind | fields |")}
    kinds = requests.Request.__args__
    assert stated == {kind.__name__: [field.name for field in dataclasses.fields(kind)] for kind in kinds}
    assert {kind: list(fields) for kind, fields in plain_state.FIELDS.items()} == stated


def test_public_states_have_version_and_attributes_of_the_page_in_this_order():
    stated = {
        game.strip("`"): (int(version), re.findall(r"`(\w+)`", names)) for game, version, names in rows(PAGE, "| game | rules version |")
    }
    assert stated.keys() == GAMES.keys()
    for name, game in GAMES.items():
        for first in (None, 1):
            state = game.rules(2, data_of(name), Options(first=first)).public_state()
            assert stated[name] == (game.rules.VERSION, [attribute for attribute, _ in state])


def test_shared_attributes_are_those_of_the_page():
    assert {name.strip("`") for name, _ in rows(PAGE, "| attribute | value |")} == SHARED


@pytest.mark.parametrize("name", GAMES)
def test_the_page_of_a_game_explains_each_attribute_of_its_own_and_how_it_begins(name):
    explained = [attribute.strip("`") for attribute, _, _ in rows(OWN[name], "| attribute | value | at first |")]
    state = GAMES[name].rules(2, data_of(name)).public_state()
    assert explained == sorted(attribute for attribute, _ in state if attribute not in SHARED)


@pytest.mark.parametrize("name", GAMES)
def test_the_page_of_a_game_names_each_rule_that_an_answer_goes_to(name):
    """`then` stands in the digest, so a name that is missing here cannot be guessed."""
    code = "".join(path.read_text() for path in (ROOT / "src" / "core" / "games").glob(f"{name}*.py"))
    thens = {*re.findall(r'then="(\w+)"', code), *re.findall(r'Do\("(\w+)"', code)}
    assert len(thens) >= 4
    assert {then for then in thens if not re.search(rf"\b{then}\b", OWN[name])} == set()


def test_the_lists_of_pyramid_are_as_long_as_the_page_says():
    lengths = [len(walks(BOARD, n, BOARD.dungeon, None)) for n in range(1, 5)]
    arrow = [len(table) for table in (full_slides(BOARD, BOARD.dungeon, None), stopped(BOARD, BOARD.dungeon, None, True))]
    arrow.append(len(clear(BOARD, BOARD.dungeon, None)))
    numbers = "have {}, {}, {} and {} lines for 1 to 4; for the arrow {:,} without another piece, {:,} with one, {:,} with more."
    assert numbers.format(*lengths, *arrow) in " ".join(OWN["pyramid"].split())


def test_limits_and_kinds_of_records_are_those_of_the_page():
    text = " ".join(PROTOCOL.split())
    assert f"A file is at most {log.MAX_FILE >> 20} MiB, a contribution {log.MAX_BODY:,} bytes," in text
    assert f"a record of a journal {log.MAX_RECORD >> 10} KiB." in text
    assert f"at most {log.MAX_BODY:,} bytes. `prev` is D_k" in text
    assert f"grace is an integer from 0 to {roster.MAX_GRACE:,}; a variant is text of at most {roster.MAX_VARIANT} bytes" in text
    assert f"for each thing learned, at most {seen.MAX_ENTRY:,} bytes" in text
    assert f"a name is 1 to {roster.MAX_NAME} bytes of UTF-8" in text
    assert f"Of each seat at most {book.AHEAD} contributions ahead" in text
    assert f"The latest {ballot.MAX_KEPT} votes of a seat are kept" in text
    assert tuple(range(7)) == (log.ROSTER, log.SECRETS, log.OWN, log.THEIRS, log.PLACES, log.VOTE, log.NEXT)
    assert Seen(bytes(32), 1, ()).encode().startswith(b"mastaba seen 1\n")
    for label in (log.LABEL, roster.LABEL, votes.LABEL, renewal.LABEL):
        assert f"`{label.decode()}`" in PROTOCOL


def test_the_records_of_a_journal_are_as_the_page_says():
    """0, 4, 1 at the beginning; then own contributions with what a later round needs, and those of others."""
    net = Net(2, seed=4, game="scarabya", path=ROOT / "tests" / "data" / "scarabya-small.toml", level="random")
    journal = MemoryJournal()
    start(dataclasses.replace(net.match, fresh=(1,)), 1, net.signers[1], journal, net.rng.randbytes, ((("::1", 7),), ()), net.identities[1])
    (places, toml, secrets) = (journal.records[1], journal.records[0], journal.records[2])
    assert [kind for kind, _ in journal.records] == [0, 4, 1]
    assert decode(toml[1]) == (net.match.roster.encode(), net.match.toml)
    assert decode(places[1]) == ((("::1", 7),), ())
    seat, seed, own, mine, fresh = decode(secrets[1])
    assert (seat, seed, len(own), mine, fresh) == (1, net.signers[1].secret, 128, net.identities[1].secret, (1,))
    known = MemoryJournal()
    start(net.match, 1, net.signers[1], known, net.rng.randbytes, (), net.identities[1])
    assert decode(known.records[2][1])[3:] == (b"", ())
    net.connect()
    net.run()
    said = [(kind, decode(payload)) for kind, payload in net.journals[1].records]
    assert {kind for kind, _ in said} == {2, 3}
    private = [record[2] for kind, record in said if kind == 2]
    assert {type(one) for one in private} == {bytes, tuple, type(None)}
    assert all(len(one) == 2 and len(one[1]) == 32 for one in private if isinstance(one, tuple))
    assert all(len(record) == 2 for kind, record in said if kind == 3)
