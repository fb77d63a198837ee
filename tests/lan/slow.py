"""A slow switch, for tests: every frame that comes in at one of its ports leaves at all others after a while.

slow.py SECONDS PORT...     forward, printing "ready" first
slow.py plain PORT          have the kernel send whole frames with whole check sums from this machine, since nobody mends them on the way
"""

import ctypes
import fcntl
import heapq
import select
import socket
import struct
import sys
import time

ALL = 3  # ETH_P_ALL
SIOCETHTOOL = 0x8946
CHECKSUMS, SEGMENTS, GENERIC = 0x17, 0x1F, 0x24  # ETHTOOL_STXCSUM, ETHTOOL_STSO, ETHTOOL_SGSO


def plain(port: str) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        for command in (SEGMENTS, GENERIC, CHECKSUMS):
            value = ctypes.create_string_buffer(struct.pack("II", command, 0))
            fcntl.ioctl(any_socket, SIOCETHTOOL, struct.pack("16sP", port.encode(), ctypes.addressof(value)))


def forward(delay: float, ports: list[str]) -> None:
    sockets = {}
    for port in ports:
        one = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ALL))
        one.bind((port, 0))
        sockets[one] = port
    print("ready", flush=True)
    waiting: list[tuple[float, int, socket.socket, bytes]] = []
    number = 0
    while True:
        now = time.monotonic()
        while waiting and waiting[0][0] <= now:
            _, _, one, frame = heapq.heappop(waiting)
            one.send(frame)
        ready, _, _ = select.select(list(sockets), [], [], max(0.0, waiting[0][0] - now) if waiting else None)
        for one in ready:
            frame, (_, _, kind, *_) = one.recvfrom(65536)
            if kind == socket.PACKET_OUTGOING:
                continue
            for other in sockets:
                if other is not one:
                    heapq.heappush(waiting, (time.monotonic() + delay, number, other, frame))
                    number += 1


if __name__ == "__main__":
    first, *ports = sys.argv[1:]
    if first == "plain":
        plain(*ports)
    else:
        forward(float(first), ports)
