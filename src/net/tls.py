"""TLS contexts of both ends of a link.  TLS hides and carries; who is at the far end is proven by the handshake inside (channel.py)."""

import functools
import ssl

from ..core.errors import LocalError
from .store import Profile


def server_context(profile: Profile) -> ssl.SSLContext:
    """For the listener, with the profile's certificate.  Raises LocalError if its files cannot be used."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.num_tickets = 0  # a resumed session would show no certificate
    try:
        context.load_cert_chain(profile.certificate, profile.key)
    except OSError as error:
        raise LocalError("The file {0} cannot be used: {1}.", profile.certificate, error.strerror or error) from None
    return context


@functools.cache
def client_context() -> ssl.SSLContext:
    """For who dials: any certificate will do."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE  # there is no authority on a LAN: the identity is proven over this certificate
    return context
