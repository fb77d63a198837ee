"""The handshake against those who want to be somebody else: reflection, relaying, replays, weak keys, wrong versions."""

from dataclasses import replace

import pytest
from mastaba.net.channel import Handshake, Refused, refusal
from mastaba.net.identity import CHANNEL, CLIENT, SERVER, Identity, channel_bytes
from mastaba.net.runs import state
from mastaba.net.wire import PREFIX, BadFrame, Hello, Message, Note, Proof, Refuse, pack, unpack

ANA, BEA, EVE = (Identity.from_secret(bytes([i]) * 32) for i in (1, 2, 3))
CERTIFICATE, OTHER = b"c" * 32, b"d" * 32


def sides(client: Identity = ANA, server: Identity = BEA, seen: bytes = CERTIFICATE) -> tuple[Handshake, Handshake]:
    return Handshake(CLIENT, client, seen, b"1" * 32, "1.0"), Handshake(SERVER, server, CERTIFICATE, b"2" * 32, "1.0")


def shake(client: Handshake, server: Handshake) -> None:
    """Run both to the end, over real frames."""

    def sent(message: Message | None) -> Message:
        assert message
        return unpack(pack(message)[PREFIX:])

    proof = client.receive(sent(server.hello()))
    answer = server.receive(sent(client.hello()))
    server.receive(sent(proof))
    client.receive(sent(answer))


def test_both_sides_learn_who_the_other_is() -> None:
    client, server = sides()
    shake(client, server)
    assert (client.done, client.peer) == (True, BEA.public)
    assert (server.done, server.peer) == (True, ANA.public)


def test_a_man_in_the_middle_with_a_certificate_of_his_own_is_refused() -> None:
    client, server = sides(seen=OTHER)
    with pytest.raises(Refused) as caught:
        shake(client, server)
    assert caught.value.reason == "proof"
    assert not client.done
    assert not server.done


def test_a_proof_reflected_to_its_maker_is_refused() -> None:
    """Attack G1: M dials A twice and returns what A's server signed in one call as its own proof in the other."""
    one = Handshake(SERVER, ANA, CERTIFICATE, b"1" * 32, "")
    two = Handshake(SERVER, ANA, CERTIFICATE, b"2" * 32, "")
    with pytest.raises(Refused) as caught:
        two.receive(one.hello())  # M says that it is A
    assert caught.value.reason == "self"
    proof = one.receive(Hello(1, 1, "", EVE.public, two.hello().nonce))
    two.receive(Hello(1, 1, "", EVE.public, one.hello().nonce))
    assert proof
    with pytest.raises(Refused) as caught:
        two.receive(proof)
    assert caught.value.reason == "proof"


def test_a_server_s_proof_is_no_client_s_proof() -> None:
    """B's server signs for M; M cannot use it to be B at A, not even under the same certificate and nonces."""
    at_ana = Handshake(SERVER, ANA, CERTIFICATE, b"1" * 32, "")
    bea = Handshake(SERVER, BEA, CERTIFICATE, b"2" * 32, "")
    proof = bea.receive(Hello(1, 1, "", ANA.public, b"1" * 32))
    assert proof
    at_ana.receive(Hello(1, 1, "", BEA.public, b"2" * 32))
    with pytest.raises(Refused):
        at_ana.receive(proof)


def test_a_proof_of_another_channel_is_refused() -> None:
    old_client, old_server = sides()
    old_proof = old_client.receive(old_server.hello())
    assert old_proof
    fresh = Handshake(SERVER, BEA, CERTIFICATE, b"3" * 32, "")
    fresh.receive(old_client.hello())
    with pytest.raises(Refused) as caught:
        fresh.receive(old_proof)
    assert caught.value.reason == "proof"


def test_a_signature_for_another_purpose_is_no_proof() -> None:
    _, server = sides()
    server.receive(Hello(1, 1, "", ANA.public, b"1" * 32))
    run = state(ANA, b"r" * 16)
    signed = channel_bytes(CLIENT, ANA.public, BEA.public, b"1" * 32, b"2" * 32, CERTIFICATE)
    with pytest.raises(Refused):
        server.receive(Proof(ANA.sign(b"mastaba roster 1", signed), run.run, run.statement))
    with pytest.raises(Refused):
        server.receive(Proof(ANA.sign(CHANNEL, signed), run.run, ANA.sign(CHANNEL, run.run)))
    with pytest.raises(Refused):
        server.receive(Proof(ANA.sign(CHANNEL, signed), run.run, state(EVE, run.run).statement))
    server.receive(Proof(ANA.sign(CHANNEL, signed), run.run, run.statement))
    assert server.done
    assert server.peer_run == run


@pytest.mark.parametrize("key", [bytes(32), b"\x01" + bytes(31), b"\xec" + b"\xff" * 30 + b"\x7f", b"\xff" * 32, b"short"])
def test_keys_of_small_order_or_not_canonical_are_refused(key: bytes) -> None:
    client, _ = sides()
    with pytest.raises(Refused) as caught:
        client.receive(Hello(1, 1, "", key, bytes(32)))
    assert caught.value.reason == "key"


def test_a_short_nonce_is_refused() -> None:
    client, _ = sides()
    with pytest.raises(Refused):
        client.receive(Hello(1, 1, "", BEA.public, b"1"))


@pytest.mark.parametrize(("low", "high"), [(2, 2), (2, 9), (0, 0), (5, 1)])
def test_another_version_is_refused_with_the_versions_of_both(low: int, high: int) -> None:
    client, _ = sides()
    with pytest.raises(Refused) as caught:
        client.receive(Hello(low, high, "9.9", BEA.public, bytes(32)))
    assert f"{low}-{high}" in str(caught.value)
    assert "1-1" in str(caught.value)
    assert refusal(caught.value) == Refuse("version", "1-1")


def test_a_wider_range_of_versions_that_holds_ours_is_welcome() -> None:
    client, _ = sides()
    assert client.receive(Hello(0, 7, "9.9", BEA.public, bytes(32)))


def test_what_has_no_place_in_a_handshake_ends_it() -> None:
    client, server = sides()
    with pytest.raises(BadFrame):
        client.receive(Note("hello"))
    with pytest.raises(BadFrame):
        client.receive(Proof(bytes(64), bytes(16), bytes(64)))
    client.receive(server.hello())
    with pytest.raises(BadFrame):
        client.receive(replace(server.hello(), nonce=b"9" * 32))


def test_a_refusal_of_the_other_side_is_told_and_made_harmless() -> None:
    client, _ = sides()
    with pytest.raises(Refused) as caught:
        client.receive(Refuse("full\x1b[2J", "x\u202e\x07"))
    assert str(caught.value).isprintable()
    with pytest.raises(Refused) as caught:
        client.receive(Refuse("{0.__class__}", "{1}"))
    assert str(caught.value)
