"""One TLS connection whose far end has proven an identity, and how it ends."""

import asyncio
import contextlib

from .wire import Message, Run, pack

GRACE = 1.0  # seconds that the last words of a link have to leave


class Stream:
    """One TLS connection whose far end has proven an identity."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, identity: bytes, run: Run) -> None:
        self.reader, self.writer, self.identity, self.run = reader, writer, identity, run


async def hang_up(writer: asyncio.StreamWriter, last: Message | None) -> None:
    """Say the last word and close; who does not take it within a second is cut off."""
    with contextlib.suppress(OSError):
        try:
            async with asyncio.timeout(GRACE):
                if last:
                    writer.write(pack(last))
                writer.close()
                await writer.wait_closed()
        finally:
            writer.transport.abort()
