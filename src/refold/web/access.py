"""Who may ask, and what every answer says about its use.

Rules of this file:

- Another site's name that resolves to this machine (DNS rebinding) must not reach it: a request has
  to name the host by an address, as localhost, or by a name the user gave. The port says nothing:
  it may be forwarded.
- Another site's page may not ask at all: an ``Origin`` has to be the host's own, and where the
  browser says who asks (``Sec-Fetch-Site``), it has to be this site or the user. A link may lead to
  the page itself.
- The page may run its own scripts and nothing else, load nothing from elsewhere, and never turn a
  text into markup (Trusted Types).
"""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

__all__ = ["SECURITY_HEADERS", "is_own_host", "is_own_origin", "is_own_site"]

_POLICY: Final = (
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
)

SECURITY_HEADERS: Final = {
    "content-security-policy": "; ".join(_POLICY),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}


def is_own_host(host: str | None, names: Iterable[str] = ()) -> bool:
    """Tell whether a ``Host`` header names this server.

    Args:
        host: the header; None if it is missing.
        names: host names that are its own beside localhost, in lower case.
    """
    name = None if host is None else _name_of(host)
    return name is not None and (name == "localhost" or name in names or _is_address(name))


def is_own_origin(origin: str | None, host: str | None) -> bool:
    """Tell whether an ``Origin`` header, if there is one, is of the host that is asked."""
    if origin is None:
        return True
    scheme, _, rest = origin.partition("://")
    return scheme in ("http", "https") and host is not None and rest.lower() == host.lower()


def is_own_site(site: str | None) -> bool:
    """Tell whether a ``Sec-Fetch-Site`` header, if there is one, says this site or the user."""
    return site in (None, "same-origin", "none")


def _name_of(host: str) -> str | None:
    """Return the name in a ``Host`` header, without port, brackets and a final dot."""
    try:
        parts = urlsplit(f"//{host}")
        parts.port  # noqa: B018 - raises if it is none
    except ValueError:
        return None
    if parts.netloc != host or parts.username is not None or not parts.hostname:
        return None
    return parts.hostname.removesuffix(".")


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
