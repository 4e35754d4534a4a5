"""Which class a payload is of, by its place on the wire.

Rules of this file (protocol.md, "Payloads"):

- A payload is known by the envelope's ``type`` and its own: one that stands under another's
  envelope is unknown, not wrong.
- ``session_meta`` payloads carry no type of their own.
"""

from __future__ import annotations

from typing import Any, Final, get_args

from refold.messages import Payload, SessionMeta, UnknownPayload

__all__ = ["CLASSES", "wire_tag"]

CLASSES: Final[dict[tuple[str, str], type[Any]]] = {
    (cls.category, cls.kind): cls for cls in get_args(Payload) if cls is not UnknownPayload
}

_TAG = frozenset({"type"})
_TAGGED = frozenset(CLASSES.values()) - {SessionMeta}


def wire_tag(cls: type[Any]) -> frozenset[str]:
    """Return the name of the field that tells a payload class on the wire, if there is one."""
    return _TAG if cls in _TAGGED else frozenset()
