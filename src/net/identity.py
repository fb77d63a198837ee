"""Who a peer is: an Ed25519 key, what it signs on a channel, and its short words; knows neither sockets nor files.

Every signature covers a label of its purpose, so that none made for one purpose is worth anything for another.
"""

import functools
import hashlib

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from ..core.plain import encode
from . import PROTOCOL

CHANNEL = b"mastaba channel 1"
CLIENT, SERVER = "client", "server"

_P = 2**255 - 19  # the field and the curve constant of RFC 8032, section 5.1
_D = -121665 * pow(121666, -1, _P) % _P
_Y8 = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7  # of the points of order 8 also -_Y8
_SMALL = frozenset((1, _P - 1, 0, _Y8, _P - _Y8))  # y of the eight points of order 1, 2, 4 and 8
_CONSONANTS, _VOWELS = "bdfghjklmnprstvz", "aiou"
_WORDS = 4  # of 16 bits each
_STRETCH = 20_000  # rounds: a look-alike of somebody's words costs that much more to search for


class Identity:
    """An Ed25519 key pair.  `public` and `secret` are 32 bytes each (RFC 8032, section 5.1.5)."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        self._key = key
        self.public = key.public_key().public_bytes_raw()

    @classmethod
    def generate(cls) -> "Identity":
        """A fresh key from the system's randomness."""
        return cls(Ed25519PrivateKey.generate())

    @classmethod
    def from_secret(cls, secret: bytes) -> "Identity":
        """The key with this 32-byte seed; raises ValueError for any other length."""
        return cls(Ed25519PrivateKey.from_private_bytes(secret))

    @property
    def secret(self) -> bytes:
        return self._key.private_bytes_raw()

    def sign(self, label: bytes, data: bytes) -> bytes:
        """The 64-byte signature of label || 0x00 || data.  Labels are constants of ours without zero bytes."""
        return self._key.sign(_labelled(label, data))


def verify(public: bytes, label: bytes, data: bytes, signature: bytes) -> bool:
    """Is this `public`'s signature of label || 0x00 || data?  False for whatever is no key or no signature; never raises."""
    return holds(public, _labelled(label, data), signature)


def holds(public: bytes, message: bytes, signature: bytes) -> bool:
    """Does S B = R + k A hold as docs/protocol.md has it (section 2)?

    The library takes neither an S of the order or more nor an R in another encoding; what is of small order it takes, and we do not.
    """
    if not good_key(public) or len(signature) != 64 or _y(signature) in _SMALL:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


@functools.lru_cache(maxsize=256)
def good_key(public: bytes) -> bool:
    """Is this the canonical encoding of a curve point that is not of small order?

    Under a small-order key one signature is valid for every message, so that its owner cannot be held to anything;
    some libraries accept such keys and others do not.  Public data: variable time is fine.
    """
    if len(public) != 32:
        return False
    y = _y(public)
    if y >= _P or y in _SMALL:
        return False
    y2 = y * y % _P
    x2 = (y2 - 1) * pow(_D * y2 + 1, -1, _P) % _P  # -x^2 + y^2 = 1 + d x^2 y^2
    return pow(x2, (_P - 1) // 2, _P) == 1  # there is such an x


def _y(encoded: bytes) -> int:
    """The y of the point that the first 32 bytes encode, canonical or not."""
    return int.from_bytes(encoded[:32], "little") & (2**255 - 1)


@functools.lru_cache(maxsize=256)
def words(public: bytes) -> str:
    """Four pronounceable words (64 bits of a slow hash) by which people tell identities apart; for display only.

    The words are proquints (Wilkerson, arXiv:0901.4016): two bits a vowel, four bits a consonant.
    """
    raw = hashlib.pbkdf2_hmac("sha512", public, b"mastaba words 1", _STRETCH, _WORDS * 2)
    return "-".join(word(int.from_bytes(raw[i : i + 2], "big")) for i in range(0, len(raw), 2))


def channel_bytes(role: str, client: bytes, server: bytes, client_nonce: bytes, server_nonce: bytes, certificate: bytes) -> bytes:
    """What the side `role` of a channel signs: the version, its role, both identities, both nonces, the certificate's hash.

    `certificate` is the SHA-256 of the server's certificate in DER, as the server sent and the client saw it: whoever sits
    between the two cannot own its key.  The role and both nonces make a signature worthless on every other channel.
    """
    return encode((PROTOCOL, role, client, server, client_nonce, server_nonce, certificate))


def _labelled(label: bytes, data: bytes) -> bytes:
    return label + b"\0" + data


def word(bits: int) -> str:
    """The pronounceable word of five letters for 16 bits."""
    return "".join(
        (
            _CONSONANTS[bits >> 12],
            _VOWELS[bits >> 10 & 3],
            _CONSONANTS[bits >> 6 & 15],
            _VOWELS[bits >> 4 & 3],
            _CONSONANTS[bits & 15],
        )
    )
