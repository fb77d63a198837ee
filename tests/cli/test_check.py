"""What `verify` and `replay` say of the people in a file: names are what their owners chose, keys tell who they are to this profile."""

import contextlib
import io
import json
import os
import threading
from dataclasses import replace

import pytest
from fakenet import match_for
from fuzzing import evidence, thinned
from jsondocs import follows
from mastaba.cli.__main__ import main
from mastaba.cli.text import use
from mastaba.core.claims import Refusal
from mastaba.core.plain import encode
from mastaba.net.identity import words
from mastaba.net.log import EVIDENCE, MAX_FILE, TRANSCRIPT, VOID, Contribution, pack_file, sign, transcript, unpack_file
from mastaba.net.store import Store
from matches import DATA, match_files

LOOT = ("--data", str(DATA / "loot-small.toml"))


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    path, _table, net = match_files(tmp_path_factory.mktemp("check"), "loot")
    return path, net


def meet(*people):
    """This profile's own identity, after it has met these people."""
    with Store().take_profile() as profile:
        profile.name = "Ana"
        for name, identity in people:
            profile.meet(name, identity)
        return profile.identity


def named(net, seat):
    return f"P{seat} ({words(net.identities[seat].public)}"


def said(*argv):
    return main(["--plain", *map(str, argv)])


@pytest.fixture(autouse=True)
def _nothing_typed(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO())


def test_every_seat_is_named_with_its_key_and_what_this_profile_knows_of_it(played, capfd):
    path, net = played
    meet(("P0", net.identities[0].public), ("p1", bytes(32)), ("Somebody", net.identities[2].public))
    for command in ("verify", "replay"):
        assert said(command, path, *LOOT) == 0
        out = " ".join(capfd.readouterr().out.split())
        assert f"{named(net, 0)}): known to you" in out
        assert f"{named(net, 1)}): not the P1 that you know" in out
        assert f"{named(net, 2)}): known to you as Somebody" in out
        assert main([command, str(path), *LOOT, "--json"]) == 0
        seats = follows(command, capfd.readouterr().out)["seats"]
        assert [seat["known"] for seat in seats] == ["known", "another-key", "other-name"]
        assert [seat["identity"] for seat in seats] == [identity.public.hex() for identity in net.identities]
        assert [seat["words"] for seat in seats] == [words(identity.public) for identity in net.identities]


def test_a_profile_knows_itself_and_whoever_uses_its_name(tmp_path, capfd):
    mine = meet()
    match, identities, _keys = match_for(3)
    chairs = tuple(
        replace(seat, identity=identity, name=name)
        for seat, identity, name in zip(
            match.roster.seats, (mine.public, *(i.public for i in identities[1:])), ("Beto", "ANA", "Carla"), strict=True
        )
    )
    roster = replace(match.roster, seats=chairs, signatures=())
    roster = roster.with_signatures(tuple(roster.sign(one) for one in (mine, *identities[1:])))
    path = tmp_path / "begun.mastaba"
    path.write_bytes(transcript(roster, ()))
    assert main(["verify", str(path), *LOOT, "--json"]) == 0
    assert [seat["known"] for seat in follows("verify", capfd.readouterr().out)["seats"]] == ["you", "another-key", "new"]
    assert said("verify", path, *LOOT) == 0
    out = " ".join(capfd.readouterr().out.split())
    assert f"Beto ({words(mine.public)}): you" in out
    assert f"ANA ({words(identities[1].public)}): not the ANA that you know" in out
    assert f"Carla ({words(identities[2].public)}): not known to you" in out


@pytest.mark.parametrize(("language", "stranger"), [("en", "not the P0 that you know"), ("es", "no es quien conoces como P0")])
def test_who_signs_twice_under_the_name_of_a_friend_is_told_from_that_friend(language, stranger, tmp_path, capfd):
    meet(("P0", bytes(32)))
    net, (two_bodies, *_rest) = evidence()
    path = tmp_path / "match.evidence"
    path.write_bytes(two_bodies)
    use(language)
    assert said("--lang", language, "verify", path, *LOOT) == 0
    out = " ".join(capfd.readouterr().out.split())
    assert f"{named(net, 0)}, {stranger})" in out
    assert f"{named(net, 0)}): {stranger}" in out
    assert main(["verify", str(path), *LOOT, "--json"]) == 0
    told = follows("verify", capfd.readouterr().out)
    assert told["seats"][told["fault"]["seat"]]["known"] == "another-key"


def test_a_name_that_holds_the_words_of_a_key_is_shown_without_them(tmp_path, capfd):
    match, identities, _keys = match_for(3)
    bait = f"Ana {words(bytes(32))}"
    chairs = tuple(replace(seat, name=name) for seat, name in zip(match.roster.seats, (bait, "Beto", words(bytes(32))), strict=True))
    roster = replace(match.roster, seats=chairs, signatures=())
    path = tmp_path / "bait.mastaba"
    path.write_bytes(transcript(roster.with_signatures(tuple(roster.sign(one) for one in identities)), ()))
    assert said("verify", path, *LOOT) == 0
    out = " ".join(capfd.readouterr().out.split())
    assert words(bytes(32)) not in out
    assert f"Ana ({words(identities[0].public)})" in out
    assert f"? ({words(identities[2].public)})" in out


def test_who_won_is_named_by_key_and_the_game_by_its_title(played, capfd):
    path, net = played
    assert said("verify", path, *LOOT) == 0
    out = " ".join(capfd.readouterr().out.split())
    (winner, *_) = net.sessions[0].table.rules.pending.winners
    assert "A whole game of Loot N Run: P0 " in out
    assert f"Won by {named(net, winner)})" in out


@pytest.mark.parametrize(("language", "unsigned"), [("en", "Not confirmed by P0 ("), ("es", "Sin confirmar por P0 (")])
def test_a_result_that_not_all_have_signed_is_told_with_who_has_not(played, language, unsigned, tmp_path, capfd):
    _path, net = played
    rounds = [r.in_order() for r in net.sessions[0].book.rounds]
    path = tmp_path / "unsigned.mastaba"
    path.write_bytes(transcript(net.match.roster, [*rounds[:-1], rounds[-1][1:]]))
    assert said("--lang", language, "verify", path, *LOOT) == 0
    out = " ".join(capfd.readouterr().out.split())
    assert unsigned in out
    assert any(won in out for won in ("Won by P", "Gana P"))
    assert main(["verify", str(path), *LOOT, "--json"]) == 0
    told = follows("verify", capfd.readouterr().out)
    assert (told["complete"], told["unsigned"]) == (False, [0])
    assert told["winners"]


def with_void():
    net, _ = thinned("loot")
    session = net.sessions[0]
    cut = session.roster.come_from.step
    late = [sign(Contribution(net.match.roster.match, cut + n, 0, 1, bytes(32), bytes(8), n), net.signers[1]) for n in (2, 3)]
    items = unpack_file(TRANSCRIPT, session.transcript())
    return cut, pack_file(TRANSCRIPT, [*items, *(encode((VOID, one.data, one.signature)) for one in late)])


@pytest.mark.parametrize(
    ("language", "verified", "shown"),
    [
        ("en", "2 contributions at its end are void", "Void: 2 contributions that P1 had signed, for step {} and later."),
        ("es", "2 aportaciones al final son nulas", "Nulas: 2 aportaciones que P1 había firmado, para el paso {} y siguientes."),
    ],
)
def test_what_is_void_is_counted_and_shown_behind_the_point_from_which_the_others_went_on(language, verified, shown, tmp_path, capfd):
    cut, data = with_void()
    path = tmp_path / "void.mastaba"
    path.write_bytes(data)
    assert said("--lang", language, "verify", path, *LOOT) == 0
    assert verified in " ".join(capfd.readouterr().out.split())
    assert main(["--lang", language, "replay", str(path), *LOOT, "--json"]) == 0
    frames = follows("replay", capfd.readouterr().out)["frames"]
    (at,) = [i for i, frame in enumerate(frames) if any(event["id"] == "void" for event in frame["events"])]
    assert {"id": "void", "seat": 1, "args": [cut + 2, 2]} in frames[at]["events"]
    assert shown.format(cut + 2) in frames[at]["words"]
    assert any(event["id"] == "lost" for frame in frames[at:] for event in frame["events"])
    assert not any(event["id"] == "lost" for frame in frames[:at] for event in frame["events"])


def test_a_page_for_others_has_the_keys_and_nothing_that_this_profile_knows(played, tmp_path, capfd):
    path, net = played
    meet(("P0", net.identities[0].public), ("P1", bytes(32)))
    out = tmp_path / "page.html"
    assert said("replay", path, *LOOT, "--html", out) == 0
    text = out.read_text()
    assert f"{named(net, 0)})" in text
    assert "known to you" not in text
    assert "that you know" not in text


# -- what is not checked here -----------------------------------------------------------------------------------------


def unchecked(tmp_path):
    """By reason: words that name a file which nobody can check or show here."""
    match, identities, _keys = match_for(3)

    def written(name, **changed):
        roster = replace(match.roster, **changed, signatures=())
        (tmp_path / name).write_bytes(transcript(roster.with_signatures(tuple(roster.sign(one) for one in identities)), ()))
        return tmp_path / name

    def plain(name, content):
        (tmp_path / name).write_bytes(content)
        return tmp_path / name

    large = plain("large", TRANSCRIPT)
    os.truncate(large, MAX_FILE + 1)
    good = written("good")
    return {
        "unreadable": [(tmp_path, *LOOT), (tmp_path / "missing", *LOOT)],
        "too-large": [(large, *LOOT)],
        "unknown-game": [(written("chess", game="chess"), *LOOT), (written("chess"[:4], game="\x1b[31m"),)],
        "other-rules": [(written("rules", rules=99), *LOOT)],
        "other-data": [(good,)],
        "bad-table": [(written("variant", options=replace(match.roster.options, variant="aaaaaa")), *LOOT)],
        "bad-data": [(good, "--data", plain("junk.toml", b"\0junk")), (good, "--data", tmp_path)],
    }


def test_json_is_one_object_with_a_reason_whatever_keeps_a_file_from_being_checked(tmp_path, capfd):
    for reason, cases in unchecked(tmp_path).items():
        for case in cases:
            for command in ("verify", "replay"):
                assert main([command, "--json", *map(str, case)]) == 1
                out, err = capfd.readouterr()
                told = follows(command, out)
                assert (told["ok"], told["refused"]) == (False, reason)
                assert bool(told["seats"]) == (reason not in ("unreadable", "too-large"))
                assert err.count("mastaba: ") == 1
                assert "Traceback" not in err


def test_what_keeps_a_file_from_being_replayed_is_a_reason_too(played, tmp_path, monkeypatch, capfd):
    path, _net = played
    proof, alone = tmp_path / "proof", tmp_path / "alone"
    proof.write_bytes(EVIDENCE)
    alone.write_bytes(path.read_bytes())
    cases = {"is-evidence": (proof,), "no-such-seat": (path, "--as", "nobody"), "no-sight": (alone, "--as", "2"), "too-long": (path,)}
    for reason, case in cases.items():
        if reason == "too-long":
            monkeypatch.setattr("mastaba.net.playback.MAX_FRAMES", 3)
        assert main(["replay", "--json", *map(str, case), *LOOT]) == 1
        assert follows("replay", capfd.readouterr().out)["refused"] == reason
    assert set(cases) | set(unchecked(tmp_path)) == set(Refusal)


def test_a_file_comes_through_a_pipe(played, tmp_path, capfd):
    path, _net = played
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for content, key, value in ((path.read_bytes(), "complete", True), (bytes(MAX_FILE + 1), "refused", "too-large")):
        writer = threading.Thread(target=write_all, args=(pipe, content))
        writer.start()
        main(["verify", "--json", str(pipe), *LOOT])
        writer.join()
        assert follows("verify", capfd.readouterr().out)[key] == value


def write_all(pipe, content):
    with contextlib.suppress(BrokenPipeError):  # the reader may have had enough
        pipe.write_bytes(content)


def test_a_cheat_in_a_transcript_is_named_by_key_where_it_is_replayed(played, tmp_path, capfd):
    path, net = played
    items = unpack_file(TRANSCRIPT, path.read_bytes())
    items[9] = items[9][:-1] + bytes([items[9][-1] ^ 1])
    bad = tmp_path / "bad"
    bad.write_bytes(pack_file(TRANSCRIPT, items))
    assert main(["replay", "--json", str(bad), *LOOT]) == 5
    seat = json.loads(capfd.readouterr().out)["fault"]["seat"]
    assert said("replay", bad, *LOOT, "--html", tmp_path / "page.html") == 5
    assert f"does not hold: {named(net, seat)}): a signature is not valid" in " ".join(capfd.readouterr().err.split())
