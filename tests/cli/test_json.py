"""What `--json` prints is what docs/json.md promises, for every command that has it."""

import io

import pytest
from jsondocs import SCHEMAS, follows
from jsonschema import Draft202012Validator
from mastaba.cli.__main__ import main, parser
from mastaba.cli.show import GAMES
from mastaba.net.log import TRANSCRIPT, pack_file, unpack_file
from matches import match_files


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("json")
    return {game: match_files(folder, game) for game in GAMES}


def test_every_command_with_json_has_a_valid_schema_and_every_schema_a_command():
    (commands,) = [action.choices for action in parser()._actions if action.dest == "command"]
    assert {name for name, command in commands.items() if "--json" in command._option_string_actions} == set(SCHEMAS)
    for schema in SCHEMAS.values():
        Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("game", GAMES)
def test_verify_and_replay(files, game, capfd):
    path, table, _net = files[game]
    for command in ("verify", "replay"):
        assert main([command, str(path), "--data", str(table), "--json"]) == 0
        assert follows(command, capfd.readouterr().out)["complete"] is True
    assert main(["replay", str(path), "--data", str(table), "--as", "2", "--json"]) == 0
    assert follows("replay", capfd.readouterr().out)["as"] == 1


def test_verify_and_replay_of_what_does_not_hold_or_is_not_whole(files, tmp_path, capfd):
    path, table, _net = files["loot"]
    items = unpack_file(TRANSCRIPT, path.read_bytes())
    half = items[: len(items) // 2]
    for name, data, code in (
        ("half", pack_file(TRANSCRIPT, half), 0),
        ("changed", pack_file(TRANSCRIPT, [*half[:-1], half[-1][:-1] + bytes([half[-1][-1] ^ 1])]), 5),
        ("junk", b"junk", 5),
    ):
        (tmp_path / name).write_bytes(data)
        for command in ("verify", "replay"):
            assert main([command, str(tmp_path / name), "--data", str(table), "--json"]) == code
            assert follows(command, capfd.readouterr().out)["ok"] is (code == 0)


def test_evidence(files, tmp_path, capfd):
    from mastaba.net.log import evidence

    net = files["loot"][2]
    book = net.sessions[0].book
    one = book.rounds[3].in_order()[0]
    (tmp_path / "empty").write_bytes(evidence(book.roster, [r.in_order() for r in book.rounds[:4]], [one]))
    assert main(["verify", str(tmp_path / "empty"), "--data", str(files["loot"][1]), "--json"]) == 5
    data = follows("verify", capfd.readouterr().out)
    assert (data["kind"], data["ok"]) == ("evidence", False)


def test_stats(files, monkeypatch, capfd):
    assert main(["stats", "--json"]) == 0
    assert follows("stats", capfd.readouterr().out)["games"] == []
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n" * 3000))
    assert main(["--plain", "--name", "Ana", "play", "loot", "--bots", "1", "--data", str(files["loot"][1])]) == 0
    capfd.readouterr()
    assert main(["stats", "--json"]) == 0
    assert follows("stats", capfd.readouterr().out)["games"][0]["played"] == 1
