"""Plain data and its one encoding: integers, strings, bytes, booleans, None and tuples, in canonical msgpack.

Everything that is signed, hashed, sent or saved goes through here.  It knows nothing of what the values mean.
"""

import hashlib
from collections.abc import Callable
from typing import Any

import msgpack

MAX_DEPTH = 16  # a peer's nesting bomb ends here, not in the interpreter's stack
LEAVES = frozenset((type(None), bool, int, str, bytes))
MAX_BYTES = 1 << 20  # no single value of ours is larger; a frame is limited before it is read (net/wire.py)


class BadEncoding(ValueError):
    """The bytes are not the canonical encoding of plain data within the limits."""


def encode(value: Any) -> bytes:
    """Return the canonical bytes of plain data; lists count as tuples.

    Raises TypeError for anything that is not plain data, ValueError for integers beyond 64 bits.
    """
    _refuse_foreign(value, 0)
    try:
        packed: bytes = msgpack.packb(value, use_bin_type=True)
    except (OverflowError, UnicodeEncodeError) as error:
        raise ValueError(str(error)) from None
    return packed


def decode(data: bytes, limit: int = MAX_BYTES, fits: Callable[[Any], bool] = lambda value: True) -> Any:
    """Return the plain data whose canonical encoding is `data`; sequences come back as tuples.

    Raises BadEncoding for anything else: trailing bytes, long forms, maps, floats, extensions, depth, size; and for what does not fit,
    which is asked first, since to encode what has come once more takes ten times as long as to read it.
    """
    if len(data) > limit:
        raise BadEncoding(f"{len(data)} bytes, more than {limit}")
    size = len(data)
    try:
        value = msgpack.unpackb(
            data,
            raw=False,
            use_list=False,
            strict_map_key=True,
            max_str_len=size,
            max_bin_len=size,
            max_array_len=size,
            max_map_len=0,
            max_ext_len=0,
        )
        if not fits(value):
            raise BadEncoding("not what is wanted here")
        again = encode(value)
    except (ValueError, TypeError, RecursionError) as error:  # msgpack's own exceptions are ValueErrors
        raise BadEncoding(str(error) or type(error).__name__) from None
    except msgpack.exceptions.UnpackException as error:
        raise BadEncoding(str(error) or type(error).__name__) from None
    if again != data:
        raise BadEncoding("not the canonical encoding")
    return value


def freeze(value: Any) -> Any:
    """Turn dicts, sets and lists into plain data with one order, for digests of states: {k: v} becomes ((k, v), ...)."""
    if type(value) in LEAVES:
        return value
    if isinstance(value, dict):
        return tuple(sorted([(freeze(k), freeze(v)) for k, v in value.items()], key=_key))
    if isinstance(value, (set, frozenset)):
        return tuple(sorted([freeze(x) for x in value], key=encode))
    if isinstance(value, (list, tuple)):
        return tuple([x if type(x) in LEAVES else freeze(x) for x in value])
    return value


def _key(pair: tuple[Any, Any]) -> bytes:
    return encode(pair[0])


def digest(*parts: bytes) -> bytes:
    """SHA-256 of the length-prefixed parts, so that no two lists of parts share an input."""
    h = hashlib.sha256()
    for part in parts:
        h.update(len(part).to_bytes(8, "big"))
        h.update(part)
    return h.digest()


def _refuse_foreign(value: Any, depth: int) -> None:
    if type(value) in LEAVES:
        return
    if type(value) not in (tuple, list):
        raise TypeError(f"{type(value).__name__} is not plain data")
    if value and depth >= MAX_DEPTH:
        raise ValueError("nested too deeply")
    for item in value:
        if type(item) not in LEAVES:  # looked at here, since most items are leaves and a call takes longer
            _refuse_foreign(item, depth + 1)
