"""Shares, seals and openings: right ones open the card, everything else is refused by anybody."""

import dataclasses

import pytest
from fairtable import DATA, MATCH, Table
from hypothesis import given, settings, strategies as st
from mastaba.core.errors import LocalError
from mastaba.core.fair import deck
from mastaba.core.fair.group import BASE, IDENTITY, Point
from mastaba.core.fair.proofs import BadProof
from mastaba.core.fair.transcript import Context
from plain_proofs import place, verify as plain_verify
from plain_shuffle import Items, Sodium

CARD = 17
OTHER_PLACES = [Context(bytes(32), 5, 0, 1), Context(MATCH, 6, 0, 1), Context(MATCH, 5, 1, 1), Context(MATCH, 5, 0, 2)]


@pytest.fixture
def row(table):
    return table.rows([(b"cup", b"green")])[0]


def share(table, row, seat=1, card=CARD, part="face"):
    secret, public = getattr(table.secrets[seat], part), getattr(table.public[seat], part)
    return deck.make_share(table.context(seat), card, part, row, secret, public, table.rng)


def seal(table, row, seat=1, reader=0, card=CARD, part="face"):
    secret, public = getattr(table.secrets[seat], part), getattr(table.public[seat], part)
    return deck.make_seal(table.context(seat), card, part, reader, row, secret, public, table.public[reader].seal, table.rng)


def check_seal(table, row, data, seat=1, reader=0, card=CARD, part="face", context=None):
    public, key = getattr(table.public[seat], part), table.public[reader].seal
    return deck.check_seal(context or table.context(seat), card, part, reader, row, public, key, data)


def seals_for(table, row, reader=0, part="face"):
    others = [seat for seat in range(len(table.public)) if seat != reader]
    return [check_seal(table, row, seal(table, row, s, reader, part=part), s, reader, part=part) for s in others]


def opening(table, row, printed, seals, reader=0, shares=(), secrets=None):
    own, public = table.secrets[reader], table.public[reader]
    secrets = secrets or (own.face, own.seal)
    args = (table.context(reader), CARD, "face", row, printed, secrets, (public.face, public.seal), seals, shares, table.rng)
    return deck.make_opening(*args)


def check_opening(table, row, printed, seals, proof, reader=0, shares=(), card=CARD, context=None):
    public = table.public[reader]
    args = (context or table.context(reader), card, "face", row, printed, (public.face, public.seal), seals, shares, proof)
    deck.check_opening(*args)


def flip(data, bit):
    edited = bytearray(data)
    edited[bit // 8] ^= 1 << bit % 8
    return bytes(edited)


def test_equal_cards_have_equal_points_and_different_ones_do_not(table):
    assert table.printed("face", b"cup") == table.printed("face", b"cup")
    others = [
        table.printed("back", b"cup"),
        table.printed("face", b"cups"),
        deck.printed_point(DATA, "crypt", "face", b"cup"),
        deck.printed_point(bytes(32), "loot", "face", b"cup"),
        deck.printed_point(DATA, "lootf", "ace", b"cup"),
    ]
    assert len({table.printed("face", b"cup"), *others}) == 6


@pytest.mark.parametrize("part", ["face", "back"])
def test_the_shares_of_all_seats_open_a_part(part, table, row):
    shares = [
        deck.check_share(table.context(s), CARD, part, row, getattr(table.public[s], part), share(table, row, s, part=part))
        for s in range(3)
    ]
    assert deck.open_row(part, row, shares) == table.printed(part, {"face": b"cup", "back": b"green"}[part])
    assert deck.open_row(part, row, shares[:2]) != table.printed(part, {"face": b"cup", "back": b"green"}[part])


def test_opening_the_back_leaves_the_face_closed(table, row):
    shares = [row[0] * s.back for s in table.secrets]
    assert deck.open_row("back", row, shares) == table.printed("back", b"green")
    assert deck.open_row("face", row, shares) != table.printed("face", b"cup")


def test_first_rows_are_what_is_printed(table):
    face, back = table.printed("face", b"cup"), table.printed("back", b"green")
    assert deck.first_row(face, back) == (IDENTITY, face, back)
    assert deck.first_row(face, None) == (IDENTITY, face)


def test_a_part_that_a_card_lacks_is_our_own_mistake(table, row):
    with pytest.raises(LocalError):
        deck.open_row("back", row[:2], [])


def test_rows_survive_the_wire(row):
    assert deck.decode_row(deck.encode_row(row), 3) == row
    assert len(deck.encode_row(row)) == 96


@pytest.mark.parametrize(
    "edit",
    [
        lambda d: d[:-1],
        lambda d: d + b"\0",
        lambda d: d[:64],
        lambda d: b"",
        lambda d: bytes(32) + d[32:],
        lambda d: d[:32] + bytes([1]) + bytes(31) + d[64:],
        lambda d: d[:31] + bytes([d[31] | 0x80]) + d[32:],
    ],
)
def test_rows_of_another_length_with_bad_points_or_an_open_c1_are_refused(edit, row):
    with pytest.raises(BadProof, match="bad-row"):
        deck.decode_row(edit(deck.encode_row(row)), 3)


def check_share(table, row, data, card=CARD, part="face", context=None, public=None):
    return deck.check_share(context or table.context(1), card, part, row, public or table.public[1].face, data)


def test_a_share_of_another_key_is_refused_f23(table, row):
    data = deck.make_share(table.context(1), CARD, "face", row, table.secrets[2].face, table.public[1].face, table.rng)
    with pytest.raises(BadProof):
        check_share(table, row, data)
    with pytest.raises(BadProof):
        check_share(table, row, share(table, row), public=table.public[2].face)


def test_a_share_for_another_card_part_row_or_place_is_refused_f25_f26(table, row):
    data = share(table, row)
    assert check_share(table, row, data) == row[0] * table.secrets[1].face
    other = table.rows([(b"cup", b"green")])[0]
    wrong = [{"card": CARD + 1}, {"part": "back"}, *({"context": place} for place in OTHER_PLACES)]
    for change in wrong:
        with pytest.raises(BadProof):
            check_share(table, row, data, **change)
    for edit in (other, (row[0], row[1] + BASE, row[2]), (row[0], row[1], row[2] + BASE), row[:2]):
        with pytest.raises(BadProof):
            check_share(table, edit, data)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 96 * 8 - 1))
def test_no_bit_of_a_share_can_be_flipped(bit):
    table = Table(2)
    row = table.rows([(b"cup", b"green")])[0]
    with pytest.raises(BadProof):
        check_share(table, row, flip(share(table, row), bit))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 160 * 8 - 1))
def test_no_bit_of_a_seal_can_be_flipped(bit):
    table = Table(2)
    row = table.rows([(b"cup", b"green")])[0]
    with pytest.raises(BadProof):
        check_seal(table, row, flip(seal(table, row), bit))


@given(st.binary(max_size=170))
def test_garbage_is_refused_and_nothing_else_is_raised_f21(data):
    row = (BASE, BASE + BASE)
    with pytest.raises(BadProof):
        deck.check_share(Context(MATCH, 1, 0, 0), 1, "face", row, BASE, data)
    with pytest.raises(BadProof):
        deck.check_seal(Context(MATCH, 1, 0, 0), 1, "face", 1, row, BASE, BASE, data)
    with pytest.raises(BadProof):
        deck.check_opening(Context(MATCH, 1, 0, 0), 1, "face", row, BASE, (BASE, BASE), (), (), data)
    with pytest.raises(BadProof):
        deck.decode_row(data + b"\0" * (len(data) == 64), 2)


@pytest.mark.parametrize("edit", [lambda d: d[:-1], lambda d: d + b"\0", lambda d: b""])
def test_other_lengths_are_refused(edit, table, row):
    with pytest.raises(BadProof, match="length"):
        check_share(table, row, edit(share(table, row)))
    with pytest.raises(BadProof, match="length"):
        check_seal(table, row, edit(seal(table, row)))


def test_a_reader_reads_what_all_others_sealed_to_him(table, row):
    seals = seals_for(table, row)
    own = table.secrets[0]
    assert deck.unseal("face", row, (), own.face, own.seal, seals) == table.printed("face", b"cup")
    assert deck.unseal("face", row, (), own.face, table.secrets[1].seal, seals) != table.printed("face", b"cup")
    assert deck.unseal("face", row, (), own.face, own.seal, seals[:1]) != table.printed("face", b"cup")


def test_a_reader_reads_with_a_public_share_of_a_seat_that_has_left(table, row):
    seals, own = seals_for(table, row)[:1], table.secrets[0]
    public = row[0] * table.secrets[2].face
    assert deck.unseal("face", row, [public], own.face, own.seal, seals) == table.printed("face", b"cup")


def test_a_seal_for_another_card_part_reader_row_or_place_is_refused(table, row):
    data = seal(table, row)
    check_seal(table, row, data)
    wrong = [{"card": CARD + 1}, {"part": "back"}, {"reader": 2}, {"seat": 2}, *({"context": place} for place in OTHER_PLACES)]
    for change in wrong:
        with pytest.raises(BadProof):
            check_seal(table, row, data, **change)
    with pytest.raises(BadProof):
        check_seal(table, table.rows([(b"cup", b"green")])[0], data)


def test_the_number_of_the_reader_is_bound_beside_his_key(table, row):
    data = seal(table, row, reader=0)
    with pytest.raises(BadProof):
        deck.check_seal(table.context(1), CARD, "face", 2, row, table.public[1].face, table.public[0].seal, data)


def test_a_seal_of_garbage_is_refused_by_anybody(table, row):
    data = seal(table, row)
    V = Point.decode(data[32:64]) + BASE
    with pytest.raises(BadProof):
        check_seal(table, row, data[:32] + V.encode() + data[64:])


def test_a_seal_of_another_secret_is_refused_with_the_best_proof(table, row):
    key = table.public[0].seal
    data = deck.make_seal(table.context(1), CARD, "face", 0, row, table.scalar(), table.public[1].face, key, table.rng)
    with pytest.raises(BadProof):
        check_seal(table, row, data)


def test_a_copied_seal_is_refused(table, row):
    """M takes over the seal of H, whole or in part: no complaint of the reader ever opens what H sealed."""
    honest, own = seal(table, row, seat=2), seal(table, row, seat=1)
    for copied in (honest, honest[:32] + own[32:], honest[:64] + own[64:], own[:64] + honest[64:]):
        with pytest.raises(BadProof):
            check_seal(table, row, copied, seat=1)


def test_a_copied_e_shifted_by_a_known_amount_is_refused(table, row):
    """E' = E + dG and V' = x_M c1 + d S + (V - ...): the proof of e is what stops it."""
    honest, own = seal(table, row, seat=2), seal(table, row, seat=1)
    d, S = table.scalar(), table.public[0].seal
    E = Point.decode(honest[:32]) + BASE * d
    V = Point.decode(honest[32:64]) + S * d
    for proof in (own[64:], honest[64:]):
        with pytest.raises(BadProof):
            check_seal(table, row, E.encode() + V.encode() + proof, seat=1)
    statement = deck._seal(row, table.public[1].face, S, deck.Seal(E, V))
    t = deck._seal_transcript(table.context(1), CARD, "face", 0, row, S)
    forged = deck.prove(t, statement, [table.secrets[1].face, d], table.rng)
    with pytest.raises(BadProof):
        check_seal(table, row, E.encode() + V.encode() + forged, seat=1)


def test_a_seal_to_everybody_is_refused(table, row):
    V = row[0] * table.secrets[1].face
    with pytest.raises(BadProof, match="everybody"):
        check_seal(table, row, bytes(32) + V.encode() + seal(table, row)[64:])


def test_two_seals_of_one_share_look_unrelated(table, row):
    a, b = seal(table, row), seal(table, row)
    assert a[:32] != b[:32]
    assert a[32:64] != b[32:64]


def test_with_broken_randomness_no_two_seats_or_secrets_share_an_e(table, row):
    key, E = table.public[0].seal, set()
    for seat, secret in ((1, table.secrets[1].face), (2, table.secrets[2].face), (1, table.secrets[2].face)):
        args = (row, secret, table.public[seat].face, key, lambda n: bytes(n))
        E.add(deck.make_seal(table.context(seat), CARD, "face", 0, *args)[:32])
    assert len(E) == 3


def test_a_reader_opens_alone_and_only_the_truth(table, row):
    seals, cup = seals_for(table, row), table.printed("face", b"cup")
    proof = opening(table, row, cup, seals)
    assert len(proof) == 96
    check_opening(table, row, cup, seals, proof)
    lie = table.printed("face", b"crown")
    for wrong in (opening(table, row, lie, seals), proof):
        with pytest.raises(BadProof):
            check_opening(table, row, lie, seals, wrong)


def test_an_opening_with_other_secrets_is_refused(table, row):
    seals, cup, own = seals_for(table, row), table.printed("face", b"cup"), table.secrets[0]
    for secrets in ((own.face, table.secrets[1].seal), (table.secrets[1].face, own.seal), (own.seal, own.face)):
        with pytest.raises(BadProof):
            check_opening(table, row, cup, seals, opening(table, row, cup, seals, secrets=secrets))


def test_an_opening_is_of_no_use_elsewhere(table, row):
    seals, cup = seals_for(table, row), table.printed("face", b"cup")
    proof = opening(table, row, cup, seals)
    wrong = [{"card": CARD + 1}, {"reader": 1}]
    wrong += [{"context": dataclasses.replace(table.context(0), **{field: 9})} for field in ("step", "round", "seat")]
    for change in wrong:
        with pytest.raises(BadProof):
            check_opening(table, row, cup, seals, proof, **change)
    for edit in (seals[:1], seals[::-1], [*seals, seals[0]], [deck.Seal(seals[0].E, seals[0].V + BASE), seals[1]]):
        with pytest.raises(BadProof):
            check_opening(table, row, cup, edit, proof)
    with pytest.raises(BadProof):
        check_opening(table, table.rows([(b"cup", b"green")])[0], cup, seals, proof)


def test_an_opening_works_after_a_seat_has_left(table, row):
    seals, cup = seals_for(table, row)[:1], table.printed("face", b"cup")
    shares = [row[0] * table.secrets[2].face]
    check_opening(table, row, cup, seals, opening(table, row, cup, seals, shares=shares), shares=shares)
    with pytest.raises(BadProof):
        check_opening(table, row, cup, seals, opening(table, row, cup, seals, shares=shares))


def test_an_opening_when_all_others_have_left(table, row):
    cup, shares = table.printed("face", b"cup"), [row[0] * table.secrets[seat].face for seat in (1, 2)]
    check_opening(table, row, cup, (), opening(table, row, cup, (), shares=shares), shares=shares)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 96 * 8 - 1))
def test_no_bit_of_an_opening_can_be_flipped(bit):
    table = Table(2)
    row = table.rows([(b"cup", b"green")])[0]
    seals, cup = seals_for(table, row), table.printed("face", b"cup")
    with pytest.raises(BadProof):
        check_opening(table, row, cup, seals, flip(opening(table, row, cup, seals), bit))


def card_items(label, row, seat):
    t = place(label, MATCH, 5, 0, seat)
    t.number("card", CARD)
    t.add(b"b", "part", b"face")
    t.add(b"p", "row", deck.encode_row(row))
    return t


def test_printed_points_are_as_specified(table):
    plain = Items("printed")
    for label, data in (("data", DATA), ("game", b"loot"), ("part", b"face"), ("value", b"cup")):
        plain.add(b"b", label, data)
    assert Point.hash(plain.draw("point", 64)) == table.printed("face", b"cup")


def test_shares_seals_and_openings_are_as_specified(table, row):
    G, c1, f, _ = BASE.encode(), *(P.encode() for P in row)
    X, S = table.public[1].face.encode(), table.public[0].seal.encode()
    data = share(table, row)
    assert plain_verify(card_items("share", row, 1), [(X, [(G, 0)]), (data[:32], [(c1, 0)])], data[32:])

    data = seal(table, row)
    E, V, proof = data[:32], data[32:64], data[64:]
    t = card_items("seal", row, 1)
    t.number("reader", 0)
    t.add(b"p", "S", S)
    assert plain_verify(t, [(X, [(G, 0)]), (E, [(G, 1)]), (V, [(c1, 0), (S, 1)])], proof)

    seals, shares, F = [check_seal(table, row, data)], [row[0] * table.secrets[2].face], table.printed("face", b"cup")
    proof = opening(table, row, F, seals, shares=shares)
    D = shares[0].encode()
    t = card_items("opening", row, 0)
    for label, points in (("F", F.encode()), ("E", E), ("V", V), ("D", D)):
        t.add(b"p", label, points)
    group = Sodium()
    image = group.sub(group.sub(group.sub(f, F.encode()), V), D)
    minus_E = group.sub(group.identity, E)
    X = table.public[0].face.encode()
    assert plain_verify(t, [(X, [(G, 0)]), (S, [(G, 1)]), (image, [(c1, 0), (minus_E, 1)])], proof)
