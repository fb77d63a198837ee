"""The handshake of a channel: versions, identities, and a proof of each over the certificate; knows bytes, not sockets.

TLS hides and carries; who is at the far end is proven inside it.  Each side sends Hello, then Proof, and accepts nothing else.
"""

import hashlib

from ..core.errors import LocalError
from . import PROTOCOL
from .identity import CHANNEL, CLIENT, SERVER, Identity, channel_bytes, good_key, verify
from .names import clean
from .runs import SIZE, genuine, state
from .wire import BadFrame, Hello, Message, Proof, Refuse, Run

VERSIONS = f"{PROTOCOL}-{PROTOCOL}"
NONCE = 32
MAX_GREETING = 1024  # bytes of a frame before its sender has proven who he is
SENTENCES = {  # why links end, in words; ids travel
    "version": "The two programs do not fit together: the other side speaks protocol {0}, this one " + VERSIONS + ".",
    "rules": "The two programs know different versions of the rules: {0}.",
    "cards": "The cards of the table are not those that it announced.",
    "full": "The table is full.",
    "crowded": "Too many strangers come there at once: try again.",
    "away": "You have been turned away by the player who opened that table.",
    "unready": "You were not ready in time, and your seat is free again: join anew.",
    "late": "You were not ready in time twice: that table has no seat for you any more.",
    "address": "That table has no seat for anybody at your address: somebody there was turned away, or not ready in time twice.",
    "kept": "The seats of that table are kept for those who have just played there.",
    "playing": "The game at this table has begun.",
    "code": "Those are not the code words of that table.",
    "private": "That table wants its code words first.",
    "closed": "The table has been closed.",
    "no-table": "Nobody is opening a table there.",
    "self": "That is this player's own address.",
    "key": "The other side's identity is not valid.",
    "proof": "The other side did not prove who it is.",
    "somebody-else": "Somebody else answers at that address.",
    "no-watching": "This table does not want spectators, or is private, or has enough of them.",
    "double": "There is a second link to the same player.",
    "garbage": "The other side sent what this program does not understand.",
    "slow": "The other side does not take what is sent to it.",
    "silent": "The other side has been silent for too long.",
}
UNKNOWN = "The other side ended the link: {0}."


class Refused(LocalError):
    """A link that one of the two sides does not want.  `reason` is an id, `detail` what belongs to it."""

    def __init__(self, reason: str, detail: str = "") -> None:
        self.reason, self.detail = clean(reason, 64), clean(detail, 400)
        known = self.reason in SENTENCES
        super().__init__(SENTENCES.get(self.reason, UNKNOWN), self.detail if known else self.reason)


class Elsewhere(Refused):
    """The far end is linked with another run of our identity, and shows it."""

    def __init__(self, refuse: Refuse, run: Run) -> None:
        super().__init__(refuse.reason, refuse.detail)
        self.run = run


class Handshake:
    """One side's handshake.  Send `hello()`, then what `receive` gives back, until `peer` is known and `done` is true.

    `certificate` is the SHA-256 of the server's certificate in DER, as sent (server) or as seen (client); `nonce` 32 fresh bytes; `run`
    our statement which run this is (none: of a channel for one question), and `peer_run` the other side's.
    """

    def __init__(self, role: str, identity: Identity, certificate: bytes, nonce: bytes, program: str, run: Run | None = None) -> None:
        if role not in (CLIENT, SERVER) or len(certificate) != hashlib.sha256().digest_size or len(nonce) != NONCE:
            raise LocalError("A handshake needs a role, a certificate's hash and a nonce.")
        self.role, self._identity, self._certificate, self._nonce, self._program = role, identity, certificate, nonce, program
        self._run = run or state(identity, nonce[:SIZE])
        self.peer: bytes | None = None
        self.peer_run = Run(b"", b"")
        self._peer_nonce = b""
        self.done = False

    def hello(self) -> Hello:
        return Hello(PROTOCOL, PROTOCOL, self._program, self._identity.public, self._nonce)

    def receive(self, message: Message) -> Proof | None:
        """Take what the other side sent; returns what to send, if anything.

        Raises Refused (tell the other side with `refusal`), or BadFrame for what has no place in a handshake.
        """
        if isinstance(message, Refuse):
            raise Refused(message.reason, message.detail)
        if isinstance(message, Hello) and self.peer is None:
            return self._meet(message)
        if isinstance(message, Proof) and self.peer is not None and not self.done:
            other = SERVER if self.role == CLIENT else CLIENT
            if not verify(self.peer, CHANNEL, self._signed_as(other), message.signature):
                raise Refused("proof")
            self.peer_run = Run(message.run, message.statement)
            if not genuine(self.peer, self.peer_run):
                raise Refused("proof")
            self.done = True
            return None
        raise BadFrame(f"{type(message).__name__} in a handshake")

    def _meet(self, hello: Hello) -> Proof:
        if not hello.low <= PROTOCOL <= hello.high:
            raise Refused("version", f"{hello.low}-{hello.high}")
        if hello.identity == self._identity.public:
            raise Refused("self")
        if not good_key(hello.identity) or len(hello.nonce) != NONCE:
            raise Refused("key")
        self.peer, self._peer_nonce = hello.identity, hello.nonce
        return Proof(self._identity.sign(CHANNEL, self._signed_as(self.role)), self._run.run, self._run.statement)

    def _signed_as(self, role: str) -> bytes:
        assert self.peer is not None
        ours, theirs = (self._identity.public, self._nonce), (self.peer, self._peer_nonce)
        (client, client_nonce), (server, server_nonce) = (ours, theirs) if self.role == CLIENT else (theirs, ours)
        return channel_bytes(role, client, server, client_nonce, server_nonce, self._certificate)


def refusal(error: Refused) -> Refuse:
    """What to tell the other side: for a version that does not fit, the versions that we understand."""
    return Refuse(error.reason, VERSIONS if error.reason == "version" else error.detail)
