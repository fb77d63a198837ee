"""Peers and bytes: identities, messages, logs, sessions; imports core, never cli, and touches sockets in two files only."""

PROTOCOL = 1  # what peers see on the wire; raised with every change of docs/protocol.md
