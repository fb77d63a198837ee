"""Frames: one encoding per message, everything else is refused; a value or BadFrame, whole and byte by byte."""

import dataclasses
from typing import Any, get_args

import msgpack
import pytest
from hypothesis import given, strategies as st
from mastaba.core import plain
from mastaba.core.plain import encode
from mastaba.net import wire
from mastaba.net.wire import LIMITS, MAX_FRAME, MAX_LIST, MAX_WITHIN, PREFIX, BadFrame, Frames, Message, Note, Ping, Say, pack, unpack

INTS = st.integers(0, (1 << 32) - 1)


def of_type(name: str, hint: Any) -> st.SearchStrategy[Any]:
    limit = min(LIMITS.get(name, 200), 200)
    if hint in (int, bool, str, bytes):
        text = st.text(st.characters(exclude_categories=["Cs"]), max_size=limit // 4)
        return {int: INTS, bool: st.booleans(), str: text, bytes: st.binary(max_size=limit)}[hint]
    args = get_args(hint)
    if args[-1] is Ellipsis:
        return st.lists(of_type("", args[0]), max_size=4).map(tuple)
    if getattr(hint, "__origin__", None) is tuple:
        return st.tuples(*(of_type("", a) for a in args))
    return st.one_of(*(st.none() if a is type(None) else of_type(name, a) for a in args))


MESSAGES: st.SearchStrategy[Message] = st.one_of(
    *(
        st.builds(kind, *(of_type(f.name, hint) for f, hint in zip(dataclasses.fields(kind), wire._HINTS[kind], strict=True)))
        for kind in wire.KINDS.values()
    )
)


@given(MESSAGES)
def test_each_message_comes_back_equal_and_from_its_only_encoding(message: Message) -> None:
    frame = pack(message)
    again = unpack(frame[PREFIX:])
    assert again == message
    assert pack(again) == frame


@given(st.lists(MESSAGES, max_size=4), st.integers(1, 50))
def test_a_stream_is_cut_into_its_messages_however_it_arrives(messages: list[Message], step: int) -> None:
    stream = b"".join(map(pack, messages))
    for size in (1, step, len(stream) or 1):
        frames = Frames()
        bodies = [b for i in range(0, len(stream), size) for b in frames.feed(stream[i : i + size])]
        assert [unpack(b) for b in bodies] == messages
        assert not frames.held


def outcome(stream: bytes, size: int) -> list[Any]:
    """What comes out of a stream that arrives in pieces: messages, and perhaps BadFrame at the end."""
    frames, found = Frames(), []
    try:
        for i in range(0, len(stream), size):
            for body in frames.feed(stream[i : i + size]):
                found.append(unpack(body))
    except BadFrame:
        found.append(BadFrame)
    return found


@given(st.one_of(st.binary(max_size=200), st.binary(max_size=60).map(lambda b: len(b).to_bytes(4, "big") + b)))
def test_garbage_gives_a_message_or_bad_frame_whole_and_byte_by_byte(stream: bytes) -> None:
    assert outcome(stream, 1) == outcome(stream, max(1, len(stream)))


@given(MESSAGES, st.data())
def test_a_changed_byte_gives_another_message_or_bad_frame(message: Message, data: st.DataObject) -> None:
    body = bytearray(pack(message)[PREFIX:])
    where = data.draw(st.integers(0, len(body) - 1))
    body[where] ^= data.draw(st.integers(1, 255))
    try:
        other = unpack(bytes(body))
    except BadFrame:
        return
    assert other != message
    assert pack(other)[PREFIX:] == bytes(body)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\xc0",
        b"\x90",
        encode(("hello",)),
        encode(("nothing", 1)),
        encode((b"note", "x")),
        encode(("note", b"x")),
        encode(("note", "x", 1)),
        encode(("note", "x" * 401)),
        encode(("ping", b"1" * 33)),
        encode(("sit", "Ana", (("10.0.0.1", -1),))),
        encode(("sit", "Ana", (("10.0.0.1", 1 << 32),))),
        encode(("sit", "Ana", (("10.0.0.1", True),))),
        encode(("sit", "Ana", (("10.0.0.1", 1),) * (MAX_LIST + 1))),
        encode(("sit", "Ana", (("10.0.0.1",),))),
        encode(("at", bytes(32), 1, 1, bytes(32), 3, ())),
        msgpack.packb(["note", "x"]) + b"\xc0",
        msgpack.packb(["note", {"x": 1}]),
        msgpack.packb(["at", bytes(32), 1.0, 1, bytes(32), [], []]),
        b"\x92\xd9\x04note\xa1x",  # a long form of the same message
        b"\x92\xa4note\xa2\xff\xfe",
        b"\xdd\xff\xff\xff\xff",
        b"\xdb\xff\xff\xff\xff",
        b"\x91" * 5000,
    ],
)
def test_what_is_no_message_is_refused(body: bytes) -> None:
    with pytest.raises(BadFrame):
        unpack(body)


@pytest.mark.parametrize("length", [MAX_FRAME + 1, 1 << 31, (1 << 32) - 1])
def test_a_frame_over_the_limit_is_refused_as_soon_as_its_length_is_known(length: int) -> None:
    with pytest.raises(BadFrame):
        Frames().feed(length.to_bytes(4, "big"))


def test_a_stream_that_never_completes_a_frame_holds_no_more_than_one() -> None:
    frames = Frames()
    stream = MAX_FRAME.to_bytes(4, "big") + bytes(MAX_FRAME - 1)
    assert frames.feed(stream) == []
    assert len(frames.held) <= MAX_FRAME + PREFIX


def test_a_message_over_the_limit_is_not_sent() -> None:
    with pytest.raises(ValueError, match="bytes"):
        pack(Say(bytes(MAX_FRAME), b""))


@pytest.mark.parametrize("message", [Note("x" * 400), Ping(b"1" * 32), Say(bytes(100_000), bytes(64))])
def test_limits_are_inclusive(message: Message) -> None:
    assert unpack(pack(message)[PREFIX:]) == message


@pytest.mark.parametrize(
    "body",
    [
        b"\xdd" + (MAX_FRAME - 5).to_bytes(4, "big") + bytes(MAX_FRAME - 5),
        b"\x92\xa7nothing" + bytes(MAX_FRAME - 9),
        b"\x93\xa4note" + bytes(MAX_FRAME - 6),
        b"\xa4" * MAX_FRAME,
    ],
    ids=["a list", "no kind", "too many fields", "a text"],
)
def test_rubbish_is_refused_by_its_kind_before_it_is_read(body: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire, "decode", None)
    with pytest.raises(BadFrame):
        unpack(body)


@pytest.mark.parametrize(
    "body",
    [
        b"\x91\xa5probe" + bytes(MAX_FRAME - 7),
        b"\x92\xa4note\xdd" + (100_000).to_bytes(4, "big") + bytes(100_000),
        b"\x93\xa3say\xdd" + (100_000).to_bytes(4, "big") + bytes(100_000) + b"\xc4\0",
        b"\x93\xa3say\xdd" + (30_000).to_bytes(4, "big") + b"\x91\x91\xa1x" * 30_000 + b"\xc4\0",
    ],
    ids=["a long question", "a long note", "a list for bytes", "a nested list for bytes"],
)
def test_rubbish_under_a_known_kind_is_refused_before_it_is_encoded_again(body: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain, "encode", None)
    with pytest.raises(BadFrame):
        unpack(body)


@pytest.mark.parametrize("size", [MAX_WITHIN, MAX_WITHIN + 1])
def test_a_text_within_a_list_is_as_short_as_a_name(size: int) -> None:
    body = encode(("watchers", ((bytes(32), "a" * size),)))
    if size > MAX_WITHIN:
        with pytest.raises(BadFrame):
            unpack(body)
    else:
        assert unpack(body) == wire.Watchers(((bytes(32), "a" * size),))
