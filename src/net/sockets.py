"""The socket that listens, and what is asked of the kernel for each that is connected."""

import errno
import socket

from ..core.errors import LocalError
from .addresses import PORTS
from .links import SILENCE


def keep_alive(connection: socket.socket) -> None:
    """Have the kernel, too, notice a far end that has lost its power or its cable."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(SILENCE * 1000))


def listener(port: int, loopback: bool) -> socket.socket:
    """One socket for IPv4 and IPv6, so that there is one port to announce; IPv4 alone where there is no IPv6."""
    trouble: OSError | None = None
    for number in [port] if port else [0] if loopback else [*PORTS, 0]:
        try:
            if loopback:
                return socket.create_server(("127.0.0.1", number))
            try:
                return socket.create_server(("::", number), family=socket.AF_INET6, dualstack_ipv6=True)
            except OSError as error:
                if error.errno == errno.EADDRINUSE:
                    raise
                return socket.create_server(("", number))
        except OSError as error:
            trouble = error
    assert trouble is not None
    raise LocalError("The port {0} cannot be used: {1}.", port, trouble.strerror or trouble)
