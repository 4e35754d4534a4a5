"""Plain JSON data to a message.

Rules of this file (protocol.md, "Envelope", "Strictness"):

- What is of the wrong type makes the message undecodable; what isn't known makes it unknown.
- A message that is typed already is trusted; it doesn't come here.
- The frequent kinds take the generated path. It gives up on anything unusual, and what follows
  here is the whole truth.
"""

from __future__ import annotations

from typing import Any

from refold.decode.converter import structure
from refold.decode.generated import BUILDERS, GIVES_UP
from refold.decode.kinds import CLASSES
from refold.decode.transport import surroundings
from refold.decode.values import ABSENT, below
from refold.errors import DecodeError
from refold.json_values import JsonObject
from refold.messages import Message, Payload, SessionMeta, Transport, UnknownPayload

__all__ = ["decode", "decode_strictly"]


def decode(value: Any, *, path: str = "$", place: Transport | None = None) -> Message:
    """Return the message that plain JSON data stands for.

    Args:
        value: an object as a JSON parser gives it; it is not kept and not changed.
        path: where it stands, for errors.
        place: where the reader found it; kept as the message's transport where that says nothing.

    Raises:
        DecodeError: something in it isn't what protocol.md says.
    """
    try:
        payload = value["payload"]
        if type(value) is dict and type(payload) is dict:
            message = BUILDERS[payload["type"]](value, payload, place)
            if message is not None:
                return message
    except (*GIVES_UP, TypeError):
        pass
    return decode_strictly(value, path=path, place=place)


def decode_strictly(value: Any, *, path: str = "$", place: Transport | None = None) -> Message:
    """Do what ``decode`` does, by the converter alone.

    Args:
        value: an object as a JSON parser gives it.
        path: where it stands, for errors.
        place: where the reader found it.

    Raises:
        DecodeError: something in it isn't what protocol.md says.
    """
    if type(value) is not dict:
        raise DecodeError("an object", path=path, value=value)
    category = structure(value.get("type", ABSENT), str, f"{path}.type")
    timestamp = structure(value.get("timestamp"), str | None, f"{path}.timestamp")
    payload = _payload(value.get("payload", ABSENT), category, f"{path}.payload")
    try:
        origin, transport, extra = surroundings(value, place)
    except DecodeError as error:
        raise below(error, path) from None
    return Message(
        payload=payload, timestamp=timestamp, origin=origin, transport=transport, extra=extra
    )


def _payload(value: Any, category: str, path: str) -> Payload:
    if type(value) is not dict:
        raise DecodeError("an object", path=path, value=value)
    cls = SessionMeta if category == "session_meta" else _listed(value, category, path)
    if cls is None:
        return UnknownPayload(category=category, body=structure(value, JsonObject, path))
    payload: Payload = structure(value, cls, path)
    return payload


def _listed(value: dict[str, Any], category: str, path: str) -> type[Any] | None:
    if category not in ("model_msg", "event_msg"):
        return None
    kind = structure(value.get("type", ABSENT), str, f"{path}.type")
    return CLASSES.get((category, kind))
