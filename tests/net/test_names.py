"""Names and addresses as strangers send them or people type them."""

import unicodedata
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given, strategies as st
from mastaba.core.errors import LocalError
from mastaba.net import addresses
from mastaba.net.addresses import DEFAULT_PORT, MAX_TRIED, good_place, own_hosts, parse_target, plain_host, show_address, to_try
from mastaba.net.identity import word
from mastaba.net.names import clean, looks, plain_name, unique


@given(st.text(), st.integers(0, 70))
def test_a_cleaned_text_cannot_move_a_cursor_reorder_or_hide_and_fits(text: str, size: int) -> None:
    name = clean(text, size)
    assert len(name.encode()) <= size
    assert all(c == " " or unicodedata.category(c)[0] not in "CZ" for c in name)
    assert clean(name, size) == name


@pytest.mark.parametrize(
    ("text", "size", "name"),
    [
        ("  Ana\t\n Bea ", 48, "Ana Bea"),
        ("A\x1b[31mna", 48, "A[31mna"),
        ("\u202eevil\u2066\u200b\ufeff", 48, "evil"),
        ("ñ" * 32, 63, "ñ" * 31),
        ("n\u0303", 48, "ñ"),
        ("😀" * 16, 63, "😀" * 15),
        ("\ud800x", 48, "x"),
        ("\x00", 48, ""),
    ],
)
def test_names_are_cut_at_a_character_and_lose_what_is_not_seen(text: str, size: int, name: str) -> None:
    assert clean(text, size) == name


KEY = st.lists(st.integers(0, 65535).map(word), min_size=2, max_size=4)


@given(st.text(max_size=12), KEY, st.sampled_from(["-", "‐", "–", " - ", "_", ".", "·", "/"]), st.text(max_size=12))
def test_no_name_holds_key_words(before: str, key: list[str], hyphen: str, after: str) -> None:
    name = plain_name(f"{before} {hyphen.join(key)} {after}", 200)
    assert not any(f"{a}{hyphen}{b}" in name for a, b in pairwise(key))
    assert plain_name(name, 200) == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Bea - vigij-jitit-kabab-tomus", "Bea"),
        ("Bea - vigij-jitit-...", "Bea - -..."),
        ("Bea VIGIJ_JITIT", "Bea"),
        ("Bea vígij\u2010jítit", "Bea"),
        ("Bea v\u0456g\u0456\u0458-j\u0456t\u0456t", "Bea"),
        ("Bea \uff56igij-jitit", "Bea"),
        ("Bea v1g1j-j1t1t", "Bea"),
        ("Bea vigij jitit kabab", "Bea"),
        ("vigij-jitit-kabab-tomus", ""),
        ("David Tomas", "David Tomas"),
        ("Marie-Agnes", "Marie-Agnes"),
        ("Lotus", "Lotus"),
        ("vigijjitit", "vigijjitit"),
        ("Ana 2", "Ana 2"),
    ],
)
def test_what_looks_like_key_words_is_dropped_from_a_name_and_real_names_stay(text: str, name: str) -> None:
    assert plain_name(text, 48) == name


@given(st.text(max_size=60), st.integers(1, 48))
def test_a_plain_name_stays_as_it_is_and_fits(text: str, size: int) -> None:
    name = plain_name(text, size)
    assert len(name.encode()) <= size
    assert plain_name(name, size) == name
    assert clean(name, size) == name


def test_names_that_people_take_for_the_same_look_the_same() -> None:
    assert len({looks(name) for name in ("Ana", "ANA", "\u0410na", "Án\u0430", "\uff21na")}) == 1
    assert looks("Ana") != looks("Anna")


@given(st.lists(st.text("aAñ 2", min_size=1, max_size=30).map(lambda t: clean(t, 30) or "x"), max_size=8))
def test_unique_names_differ_and_fit(names: list[str]) -> None:
    taken: list[str] = []
    for name in names:
        taken.append(unique(name, taken, 30))
    assert len({name.casefold() for name in taken}) == len(names)
    assert all(len(name.encode()) <= 30 for name in taken)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("host", ("host", DEFAULT_PORT)),
        ("10.0.0.1:99", ("10.0.0.1", 99)),
        ("::1", ("::1", DEFAULT_PORT)),
        ("[fe80::1%eth0]:5", ("fe80::1%eth0", 5)),
        ("[::1]", ("::1", DEFAULT_PORT)),
        (" host:65535 ", ("host", 65535)),
    ],
)
def test_addresses_are_read_and_shown(text: str, address: tuple[str, int]) -> None:
    assert parse_target(text) == address
    assert parse_target(show_address(address)) == address


@pytest.mark.parametrize(
    "text", ["", ":5", "host:0", "host:65536", "host:x", "host:٣", "[::1", "[::1]5x", "a b", "host:-1", "[]:5", "host:9999999999"]
)
def test_what_is_no_address_is_said_in_words(text: str) -> None:
    with pytest.raises(LocalError, match="no address"):
        parse_target(text)


def test_the_scope_of_a_link_stays_at_home() -> None:
    assert plain_host("fe80::1%eth0") == "fe80::1"
    assert plain_host("::ffff:10.0.0.1") == "10.0.0.1"
    assert plain_host("host") == "host"


def test_what_a_seat_may_make_us_dial() -> None:
    assert good_place("10.0.0.1", 80, False)
    assert good_place("fe80::1", 80, False)
    assert good_place("127.0.0.1", 80, True)
    for host in ("127.0.0.1", "::1", "224.0.0.251", "0.0.0.0", "::", "ff02::fb", "240.0.0.1", "example.org", "fe80::1%1", "", "1"):
        assert not good_place(host, 80, False), host
    assert not good_place("10.0.0.1", 0, True)
    assert not good_place("10.0.0.1", 65536, True)


def test_link_local_addresses_are_tried_last_and_on_every_interface(monkeypatch: pytest.MonkeyPatch) -> None:
    cards = (("lo", 1, ("127.0.0.1",)), ("a", 2, ("10.0.0.1", "fe80::a")), ("b", 3, ("fe80::b",)))
    monkeypatch.setattr(addresses, "interfaces", lambda: cards)
    tried = to_try([("fe80::9", 5), ("fe80::8%4", 5), ("2001:db8::1", 5), ("10.0.0.9", 5), ("10.0.0.9", 5)])
    assert tried == (("10.0.0.9", 5), ("2001:db8::1", 5), ("fe80::9%2", 5), ("fe80::9%3", 5), ("fe80::8%4", 5))
    assert len(to_try([(f"10.0.0.{i}", 5) for i in range(200)])) == MAX_TRIED


def test_loopback_is_ours_only_when_there_is_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "interfaces", lambda: (("lo", 1, ("127.0.0.1", "::1")), ("a", 2, ("fe80::a", "10.0.0.1"))))
    assert own_hosts() == ("10.0.0.1", "fe80::a")
    assert own_hosts(loopback=True) == ("127.0.0.1",)
    monkeypatch.setattr(addresses, "interfaces", lambda: (("lo", 1, ("127.0.0.1", "::1")),))
    assert own_hosts() == ("127.0.0.1",)


CARDS = (
    ("lo", 1, ("127.0.0.1", "::1")),
    ("eth0", 2, ("10.0.0.1", "fe80::a")),
    ("docker0", 3, ("172.17.0.1",)),
    ("br-0123456789ab", 4, ("172.18.0.1", "fe80::d")),
    ("wg0", 5, ("10.7.0.2",)),
)


@pytest.fixture
def cards(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(addresses, "_present", lambda: CARDS)
    monkeypatch.setattr(addresses.socket, "if_nameindex", lambda: [(index, name) for name, index, _ in CARDS])
    yield
    addresses.choose_interfaces(())


def test_interfaces_to_containers_are_left_out_and_those_of_a_vpn_are_not(cards: None) -> None:
    assert own_hosts() == ("10.0.0.1", "10.7.0.2", "fe80::a")
    assert addresses.places() == ["127.0.0.1", "10.0.0.1", "10.7.0.2", 1, 2]


def test_where_there_are_no_others_those_to_containers_are_used(cards: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "_present", lambda: (CARDS[0], CARDS[2]))
    assert own_hosts() == ("172.17.0.1",)
    assert addresses.places() is None, "all"


def test_one_interface_can_be_chosen_and_must_be_there(cards: None) -> None:
    addresses.choose_interfaces(["docker0"])
    assert own_hosts() == ("172.17.0.1",)
    assert addresses.places() == ["127.0.0.1", "172.17.0.1", 1]
    with pytest.raises(LocalError, match="no network interface eth7; there is: lo, eth0, "):
        addresses.choose_interfaces(["eth7"])
    assert own_hosts() == ("172.17.0.1",)


def test_a_name_of_very_many_accents_is_cut_before_it_is_composed():
    """Composing takes the square of the length: what is looked at is bounded first."""
    long = "a" + "\u0301" * 30_000 + "\u0316" * 30_000
    assert clean(long, 48) == clean(long[:192], 48)
    assert len(clean(long, 48).encode()) <= 48


@pytest.mark.parametrize(
    "false", ["sıbus-logop-nısıj-jınıb", "sibus\ua7f7logop\ua7f7nisij", "sibus\u30fclogop\u30fcnisij", "sibus\u1428logop"]
)
def test_words_of_a_key_in_letters_and_strokes_that_only_look_so_are_dropped(false: str) -> None:
    assert plain_name(f"Bea {false}", 48) == "Bea"
