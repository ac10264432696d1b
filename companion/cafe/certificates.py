"""The house's own certificate: how a broker is recognised by it, and how long it is valid."""

import ssl
import time
from typing import Any


class CertificateError(OSError):
    """What the configuration names as the house's certificate is none."""


def trusting(certificate: str) -> ssl.SSLContext:
    """How a broker is recognised: by the house's own certificate, a file or the thing itself.

    Raises CertificateError.
    """
    itself = certificate.lstrip().startswith("-----BEGIN")
    try:
        if itself:
            return ssl.create_default_context(cadata=certificate)
        return ssl.create_default_context(cafile=certificate)
    except (OSError, ssl.SSLError) as fault:
        raise CertificateError("cafe.certificate" if itself else certificate, str(fault)) from None


def valid_between(certificate: str) -> tuple[float, float] | None:
    """From when to when the house's certificate is valid; None for one that is not our own making.

    Raises CertificateError.
    """
    known = _read(certificate)
    if known is None:
        return None
    first, last = known["notBefore"], known["notAfter"]
    return float(ssl.cert_time_to_seconds(first)), float(ssl.cert_time_to_seconds(last))


def names_in(certificate: str) -> list[str]:
    """The names and addresses for which the house's certificate stands. Raises CertificateError."""
    known = _read(certificate) or {}
    return [name for _, name in known.get("subjectAltName", ())]


def _read(certificate: str) -> dict[str, Any] | None:
    known: list[dict[str, Any]] = trusting(certificate).get_ca_certs()
    return known[-1] if known else None


def day(at: float) -> str:
    """A day as everybody reads it."""
    return time.strftime("%Y-%m-%d", time.gmtime(at))
