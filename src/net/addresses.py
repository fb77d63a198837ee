"""Addresses of machines: reading what people type, listing our own, ordering what to try.  It opens no socket.

An address is (host, port); a host is an IP literal, or what a person typed.
"""

import ipaddress
import socket
from collections.abc import Iterable, Sequence

import ifaddr

from ..core.errors import LocalError

Address = tuple[str, int]
DEFAULT_PORT = 24642  # below the ephemeral ports, so that a firewall rule can name it; the next nine are tried too
PORTS = range(DEFAULT_PORT, DEFAULT_PORT + 10)
Interface = tuple[str, int, tuple[str, ...]]  # name, index, hosts
VIRTUAL = (  # how interfaces begin that lead to containers and virtual machines on this machine; those of a VPN are none of them
    *("docker", "br-", "veth", "virbr", "vnet", "vmnet", "vboxnet", "lxc", "lxd", "podman", "cni", "flannel", "cali", "kube"),
)
MAX_TRIED = 16  # addresses of one peer: a hostile list must not make us dial the whole network


def parse_target(text: str) -> Address:
    """The address in `HOST`, `HOST:PORT`, `IPV6` or `[IPV6]:PORT`; raises LocalError."""
    text = text.strip()
    host, port = text, ""
    if text.startswith("["):
        host, bracket, rest = text[1:].partition("]")
        port = rest.removeprefix(":")
        if not bracket or (rest and not port) or rest == port != "":
            host = ""
    elif text.count(":") == 1:
        host, _, port = text.partition(":")
    number = int(port) if port.isascii() and port.isdecimal() and len(port) < 6 else DEFAULT_PORT if not port else 0
    if not host or any(c.isspace() for c in host) or not 0 < number < 65536:
        raise LocalError("{0} is no address; type HOST or HOST:PORT.", text)
    return host, number


def show_address(address: Address) -> str:
    """The text that `parse_target` reads back."""
    host, port = address
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


_chosen: tuple[str, ...] = ()  # by the person, for the life of the process


def choose_interfaces(names: Sequence[str]) -> None:
    """Use these network interfaces alone from now on; none: all that lead to other machines.  Raises LocalError for an unknown name."""
    global _chosen
    known = [name for _, name in socket.if_nameindex()]
    for name in names:
        if name not in known:
            raise LocalError("There is no network interface {0}; there is: {1}.", name, ", ".join(known))
    _chosen = tuple(names)


def interfaces() -> tuple[Interface, ...]:
    """Every network interface that is used and has an address, loopback included."""
    every = _present()
    if _chosen:
        return tuple(one for one in every if one[0] in _chosen or _is_loopback(one))
    outside = tuple(one for one in every if not one[0].startswith(VIRTUAL))
    return outside if not all(map(_is_loopback, outside)) else every


def places() -> list[str | int] | None:
    """Where to speak and listen: IPv4 hosts, and numbers of interfaces for IPv6; None: on every interface that there is."""
    used = interfaces()
    if len(used) == len(_present()):
        return None
    v4 = [host for _, _, hosts in used for host in hosts if ":" not in host]
    return [*v4, *(index for _, index, hosts in used if any(":" in host for host in hosts))]


def _is_loopback(interface: Interface) -> bool:
    return all(ipaddress.ip_address(host).is_loopback for host in interface[2])


def _present() -> tuple[Interface, ...]:
    found = []
    for adapter in ifaddr.get_adapters():
        hosts = tuple(ip.ip if isinstance(ip.ip, str) else ip.ip[0].partition("%")[0] for ip in adapter.ips)
        found.append((str(adapter.nice_name), adapter.index or 0, hosts))
    return tuple(found)


def own_hosts(loopback: bool = False) -> tuple[str, ...]:
    """The hosts under which others reach this machine, easiest first; loopback alone if asked for, or if there is nothing else."""
    every = [host for _, _, hosts in interfaces() for host in hosts]
    outside = [host for host in every if not ipaddress.ip_address(host).is_loopback]
    if loopback or not outside:
        return ("127.0.0.1",)
    return tuple(sorted(outside, key=_rank))


def plain_host(host: str) -> str:
    """The host as others may use it: without our scope, and an IPv4 address mapped into IPv6 as IPv4."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    mapped = getattr(address, "ipv4_mapped", None)
    return str(mapped or address)


def is_literal(host: str) -> bool:
    """Is this an address, and no name?"""
    try:
        ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return True


def good_place(host: str, port: int, loopback: bool) -> bool:
    """May we dial what a peer calls a seat's address?  Only IP literals of one machine, and this machine only among loopback peers."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    machine = not (address.is_multicast or address.is_unspecified or address.is_reserved)
    return machine and "%" not in host and 0 < port < 65536 and (loopback or not address.is_loopback)


def network(host: str) -> str:
    """The network that this host is taken to be on, /24 or /64, as nobody else knows its mask; empty for addresses of one link alone."""
    address = ipaddress.ip_address(host)
    if address.is_link_local or address.is_loopback:
        return ""
    return str(ipaddress.ip_network((host, 24 if address.version == 4 else 64), strict=False))


def needed(reached: Sequence[Address], said: Sequence[Address], by: Sequence[Address], here: bool = False) -> tuple[Address, ...]:
    """What of a peer's addresses another one needs to link with it: where it `reached` us, if that is on a network of the other's, which is
    `by` these; else that and what it `said` that is on one; all of it if there is nothing.  `here`: the other one is on our own machine.
    """
    networks = {network(host) for host, _ in by} - {""}
    useful = [address for address in reached if here or not ipaddress.ip_address(address[0]).is_loopback]
    if useful and (here or all(network(host) in networks for host, _ in useful)):
        return tuple(useful)
    near = [address for address in said if network(address[0]) in networks]
    return tuple(dict.fromkeys((*useful, *near))) or tuple(said)


def to_try(addresses: Iterable[Address]) -> tuple[Address, ...]:
    """What to dial, in order, without doubles: link-local ones last, and those without a scope on every interface."""
    found: dict[Address, None] = {}
    for host, port in sorted(addresses, key=lambda address: _rank(address[0])):
        if _rank(host) == 2 and "%" not in host:
            own = [(index, hosts) for _, index, hosts in interfaces() if any(_rank(h) == 2 for h in hosts)]
            found.update({(f"{host}%{index}", port): None for index, _ in own})
        else:
            found[host, port] = None
    return tuple(found)[:MAX_TRIED]


def _rank(host: str) -> int:
    """0: IPv4 and names, 1: IPv6, 2: IPv6 of one link."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return 0
    return 2 if address.version == 6 and address.is_link_local else address.version == 6
