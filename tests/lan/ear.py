"""Counts, for tests, the multicast answers over IPv4 that announce tables of ours; prints the number at the end of its input.

ear.py ADDRESS     listens on the interface with that address
"""

import select
import socket
import sys

GROUP, PORT = "224.0.0.251", 5353

with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ear:
    ear.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    ear.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    ear.bind((GROUP, PORT))
    ear.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, socket.inet_aton(GROUP) + socket.inet_aton(sys.argv[1]))
    print("listening", flush=True)
    heard = 0
    while True:
        ready, _, _ = select.select([ear, sys.stdin], [], [])
        if ear in ready:
            packet = ear.recv(9000)
            heard += packet[2] >> 7 == 1 and b"_mastaba" in packet  # QR of RFC 1035, section 4.1.1: an answer
        elif not sys.stdin.readline():
            break
    print(heard, flush=True)
