"""The program with a dishonest seat in it, for tests with real processes: one of its answers has a false body, well signed.

Run it like the program: `python cheating.py join ...`.
"""

import sys
from dataclasses import replace

from mastaba.cli.__main__ import main
from mastaba.net.log import ANSWER, parse, sign
from mastaba.net.session import Session
from mastaba.net.wire import Message, Say

FROM = 5  # the first step whose answer is false: the deck is dealt by then
honest = Session.take_outbox


def false(session: Session, message: Message) -> Message:
    """The message, or the lie in its place; every peer gets the same bytes, and the same again."""
    if not isinstance(message, Say) or session.chain.signer is None:
        return message
    said = parse(message.body, session.roster)
    if said.seat != session.me or said.step < FROM or said.kind != ANSWER:
        return message
    lie = sign(replace(said, body=("false",)), session.chain.signer)
    return Say(lie.data, lie.signature)


def dishonest(session: Session) -> list[tuple[int, Message]]:
    return [(link, false(session, message)) for link, message in honest(session)]


if __name__ == "__main__":
    Session.take_outbox = dishonest
    sys.exit(main())
