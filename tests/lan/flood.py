"""One hostile machine, for tests: it crowds a table's port with connections, or the network with multicast junk.

flood.py idle HOST PORT SOURCE...     200 connections that say nothing, from these addresses, opened anew when they are closed
flood.py linked HOST PORT SOURCE...   200 links under ever new identities, from these addresses, that say nothing after the handshake
flood.py talking HOST PORT SOURCE...  the same, and they say as much as they can
flood.py multicast                    junk and false tables on UDP port 5353
"""

import asyncio
import contextlib
import itertools
import os
import random
import socket
import sys
import time

from mastaba.core.errors import LocalError
from mastaba.net.identity import CLIENT, Identity
from mastaba.net.peers import _greet
from mastaba.net.tls import client_context
from mastaba.net.wire import Probe, pack

CROWD = 200


async def idle(host: str, port: str, *sources: str) -> None:
    async def one(source: str) -> None:
        while True:
            with contextlib.suppress(OSError):
                reader, writer = await asyncio.open_connection(host, int(port), local_addr=(source, 0))
                await reader.read()
                writer.close()
            await asyncio.sleep(0.05)

    tasks = [asyncio.create_task(one(source)) for source, _ in zip(itertools.cycle(sources), range(CROWD), strict=False)]
    await asyncio.sleep(1)
    print("crowded", flush=True)
    await asyncio.gather(*tasks)


async def linked(host: str, port: str, *sources: str, talking: bool = False) -> None:
    async def one(source: str) -> None:
        while True:
            with contextlib.suppress(OSError, LocalError):
                reader, writer = await asyncio.open_connection(
                    host, int(port), local_addr=(source, 0), ssl=client_context(), server_hostname=""
                )
                _, proof = await _greet(reader, writer, CLIENT, Identity.generate())
                writer.write(proof + pack(Probe()) * 1000 * talking)
                await reader.read(1 << 16)
                while await reader.read(1 << 16):
                    pass
                writer.close()
            await asyncio.sleep(1)

    tasks = [asyncio.create_task(one(source)) for source, _ in zip(itertools.cycle(sources), range(CROWD), strict=False)]
    await asyncio.sleep(3)
    print("crowded", flush=True)
    await asyncio.gather(*tasks)


async def talking(host: str, port: str, *sources: str) -> None:
    await linked(host, port, *sources, talking=True)


def multicast() -> None:
    dice = random.Random(1)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        print("crowded", flush=True)
        name = b"\x08_mastaba\x04_tcp\x05local\x00"
        loop = b"\xc0\x0c"  # a name that points at itself
        while True:
            answer = b"\x00\x00\x84\x00\x00\x00\x00\x01\x00\x00\x00\x00"
            label = os.urandom(8).hex().encode()
            table = bytes([len(label)]) + label + b"\xc0\x0c"
            packets = (
                dice.randbytes(dice.randrange(1, 600)),
                answer + name + b"\x00\x0c\x00\x01\x00\x00\x11\x94" + len(table).to_bytes(2, "big") + table,
                answer + loop + b"\x00\x0c\x00\x01\x00\x00\x11\x94\x00\x02" + loop,
                b"\x00\x00\x00\x00\xff\xff\x00\x00\x00\x00\x00\x00" + name,
            )
            for packet in packets:
                with contextlib.suppress(OSError):
                    out.sendto(packet, ("224.0.0.251", 5353))
            time.sleep(0.005)


if __name__ == "__main__":
    command, *rest = sys.argv[1:]
    if command == "multicast":
        multicast()
    else:
        asyncio.run({"idle": idle, "linked": linked, "talking": talking}[command](*rest))
