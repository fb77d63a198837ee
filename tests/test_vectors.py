"""The files of vectors/v1 come from their seeds, and the program and the verifiers from the page say of each what its index says."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import plain_state
import pytest
from mastaba.cli.__main__ import main
from mastaba.core.games import GAMES
from mastaba.net.log import EVIDENCE, TRANSCRIPT, VOID_HEAD, pack_file, unpack_file
from mastaba.net.match import match_of
from mastaba.net.verify import verify
from plain_claims import UNREADABLE
from plain_verifier import Verifier
from shares import LONG
from vectormaker import by_page, by_program
from vectormaker.files import GROUPS, HERE, INDEX, README, made
from vectormaker.tables import SHIPPED, SMALL, copies, path_of

ROWS = json.loads((HERE / INDEX).read_bytes())
KINDS = {kind: [row for row in ROWS if row["kind"] == kind] for kind in ("transcript", "evidence", "proof", "roster", "table")}
FILES = KINDS["transcript"] + KINDS["evidence"]
MOST, LARGEST = 6_000_000, 2_000_000  # bytes of all files, and of one
PAGE = Path(__file__).parents[1] / "docs" / "protocol.md"

# claims that no file here has; README.md says why of each
NO_VECTOR = {"not-read", "bad-audit", "desync"}

# what the verifier from the page leaves to the program: votes, void items, a next match before there are keys, variants of other games
BEYOND = ("bad-certificate", "bad-void", "out-of-order-behind-void", "vote-before-the-keys", "refused-bad-table-variant")


def named(rows):
    return pytest.mark.parametrize("row", rows, ids=[row["file"] for row in rows])


def content(row):
    return (HERE / row["file"]).read_bytes()


@pytest.mark.parametrize("group", [group for group in GROUPS if LONG or group != "games as shipped"])
def test_the_files_are_made_anew_from_their_seeds_byte_by_byte(group, monkeypatch):
    """Nothing of them is the system's randomness."""

    def refuse(*args):
        raise AssertionError("randomness that is no seed's")

    monkeypatch.setattr(os, "urandom", refuse)
    monkeypatch.setattr(random, "_urandom", refuse)  # what `secrets` and SystemRandom use
    rows = made(group)
    assert rows
    for row in rows:
        assert row.as_json() in ROWS
        assert (HERE / row.file).read_bytes() == row.content, row.file


def test_the_index_names_each_file_once_and_there_are_no_others():
    listed = [row["file"] for row in ROWS]
    there = {path.relative_to(HERE).as_posix() for path in HERE.rglob("*") if path.is_file()}
    assert len(listed) == len(set(listed)) == sum(map(len, KINDS.values()))
    assert there == {*listed, *copies(), INDEX, README}
    assert all(row["data"] in (None, *copies()) for row in ROWS)
    for row in ROWS:
        assert set(row) == {"file", "kind", "data", "about", "expect"}
        assert set(row["expect"]) == {"exit", "ok", "complete", "claim", "step", "round", "seat"}
        assert row["about"]
    for name, toml in copies().items():
        assert (HERE / name).read_bytes() == toml


def test_the_files_are_small():
    sizes = [path.stat().st_size for path in HERE.rglob("*") if path.is_file()]
    assert sum(sizes) <= MOST
    assert max(sizes) <= LARGEST


def test_every_claim_that_a_file_can_have_is_that_of_some_file():
    lines = [[cell.strip().strip("`") for cell in line.split("|")[1:3]] for line in PAGE.read_text().splitlines() if line.startswith("| `")]
    of = {claim: whose for claim, whose in lines if whose in ("seat", "file", "match", "file, match")}
    proven = {row["expect"]["claim"] for row in KINDS["evidence"] if row["expect"]["ok"]}
    refused = {row["expect"]["claim"] for row in (*FILES, *KINDS["roster"]) if not row["expect"]["ok"]}
    assert {claim for claim, whose in of.items() if whose == "seat"} - proven == NO_VECTOR - {"desync"}
    assert {claim for claim, whose in of.items() if whose in ("file", "file, match")} - refused == {"desync"}
    words = (HERE / README).read_text()
    assert all(f"`{claim}`" in words for claim in NO_VECTOR)


# -- the program ----------------------------------------------------------------------------------------------------------


@named(FILES)
def test_verify_says_of_a_file_what_the_index_expects(row, capfd, monkeypatch, tmp_path):
    monkeypatch.setenv("MASTABA_HOME", str(tmp_path))
    code = main(["verify", str(HERE / row["file"]), "--data", str(HERE / row["data"]), "--json"])
    told = json.loads(capfd.readouterr().out)
    fault = told.get("fault") or dict.fromkeys(("claim", "step", "round", "seat"))
    assert {"exit": code, "ok": told["ok"], "complete": told.get("complete"), **fault} == row["expect"]
    assert told["kind"] == row["kind"]
    assert ("refused" in told) == (code == 1)


def loop():
    """The program that README.md shows."""
    return (HERE / README).read_text().split("```python\n")[1].split("```")[0]


@pytest.mark.timeout(900)
def test_the_loop_that_the_readme_shows_runs(tmp_path):
    """Over every kind of row here, over all of them where there is time; and it fails where a row expects something else."""
    rows = FILES if LONG else [*KINDS["transcript"][:2], *KINDS["transcript"][-2:], *KINDS["evidence"][:2], *KINDS["evidence"][-2:]]
    for row in rows:
        for name in (row["file"], row["data"]):
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_bytes((HERE / name).read_bytes())
    environ = {
        **os.environ,
        "MASTABA_HOME": str(tmp_path / "home"),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }

    def run(rows):
        (tmp_path / INDEX).write_text(json.dumps(rows))
        return subprocess.run([sys.executable, "-c", loop()], cwd=tmp_path, env=environ, capture_output=True, text=True, timeout=800)

    done = run([*rows, KINDS["proof"][0]])
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    other = {**rows[0], "expect": {**rows[0]["expect"], "complete": False}}
    done = run([other])
    assert done.returncode == 1
    assert rows[0]["file"] in done.stdout


@named(KINDS["roster"])
def test_the_program_says_of_a_roster_what_the_index_expects(row):
    """By itself, and as the first item of a transcript."""
    assert by_program.roster_fault(content(row)) == row["expect"]["claim"]
    report = verify(pack_file(TRANSCRIPT, [content(row)]), lambda roster: match_of(roster, HERE / row["data"]).table())
    assert report.ok == row["expect"]["ok"]
    assert (report.fault and report.fault.claim) == row["expect"]["claim"]


@named(KINDS["proof"])
def test_program_and_page_say_of_a_proof_what_the_index_expects(row):
    inputs = json.loads(content(row))
    assert by_program.PROOFS[inputs["proof"]](inputs) == row["expect"]["ok"]
    assert by_page.PROOFS[inputs["proof"]](inputs) == row["expect"]["ok"]


def test_each_kind_of_proof_has_a_good_one_and_a_bad_one():
    found = {(json.loads(content(row))["proof"], row["expect"]["ok"]) for row in KINDS["proof"]}
    assert found == {(kind, good) for kind in by_program.PROOFS for good in (True, False)}
    assert set(by_program.PROOFS) == set(by_page.PROOFS)


@named(KINDS["table"])
def test_program_and_page_have_the_plain_data_and_hash_of_a_component_table(row):
    told = json.loads(content(row))
    toml = (HERE / row["data"]).read_text()
    want = bytes.fromhex(told["plain"]), bytes.fromhex(told["hash"])
    assert by_program.table_hash(told["game"], toml) == want
    table = plain_state.table_of(told["game"], toml)
    assert (plain_state.encode(table), plain_state.data_hash(table)) == want


def test_the_tables_beside_the_files_are_those_of_the_games():
    assert {path_of(game, shipped) for game in GAMES for shipped in (False, True)} == {*SMALL.values(), *SHIPPED.values()}
    assert {(json.loads(content(row))["game"], row["data"]) for row in KINDS["table"]} >= {(game, f"data/{game}.toml") for game in GAMES}


# -- the page -------------------------------------------------------------------------------------------------------------

SLOW = () if LONG else ("transcript/pyramid-2-shipped-table.mastaba",)  # 240 rounds on a large board: half a minute of a plain verifier
REACHED = [row for row in KINDS["transcript"] if not Path(row["file"]).stem.startswith(BEYOND) and row["file"] not in SLOW]
ACCUSED = [row for row in KINDS["evidence"] if row["expect"]["ok"] and not row["expect"]["claim"].startswith(("two-", "said-"))]

# a good-bye stands in evidence for itself, and in a file where its first slot is; who is at fault for a complaint, the program alone says
OTHERWISE = ("bad-leave", "bad-team-secret")


def by_the_page(row, items):
    return Verifier(pack_file(TRANSCRIPT, items), (HERE / row["data"]).read_text())


@named(REACHED)
def test_the_verifier_from_the_page_says_of_a_transcript_what_the_index_expects(row):
    if row["expect"]["ok"]:
        items = [item for item in unpack_file(TRANSCRIPT, content(row)) if not item.startswith(VOID_HEAD)]
        assert by_the_page(row, items).complete == row["expect"]["complete"]
        return
    with pytest.raises(UNREADABLE) as refusal:
        Verifier(content(row), (HERE / row["data"]).read_text())
    if row["expect"]["seat"] is not None:
        assert refusal.value.claim == row["expect"]["claim"]


@named(ACCUSED)
def test_the_verifier_from_the_page_takes_what_evidence_stands_on_and_not_what_it_accuses(row):
    _, *items = unpack_file(EVIDENCE, content(row))
    assert not by_the_page(row, items[:-1]).complete
    with pytest.raises(UNREADABLE) as refusal:
        by_the_page(row, items)
    claim = row["expect"]["claim"]
    if claim not in OTHERWISE:
        assert refusal.value.claim == claim
