"""Which request a response answers.

Rules of this file (sources/census.md A9):

- Ids are the asking side's own: client and agent count apart, and may both ask 4. A request is kept
  under its side and its exact id; ``4`` and ``"4"`` are two ids.
- A process that starts anew starts its ids anew: a later request under an id takes the earlier's place.
- Where a log doesn't say which way a response went, its shape says whose request it answers; where
  that says nothing either, it answers whichever was asked under its id.
"""

from __future__ import annotations

import json
from typing import Any

from refold.maps import EMPTY_MAP, Map
from refold.records import record
from refold.sources.acp.frames import Frame, Side
from refold.sources.fields import mapping

__all__ = ["NONE_ASKED", "Asked", "Request", "answered", "asked", "is_request"]

Asked = Map["Request"]

_OF_AGENT = ("session/request_permission", "fs/", "terminal/", "elicitation/", "mcp/message")


@record
class Request:
    """A request that waits for its response.

    Args:
        method: what was asked.
        params: what a response needs to be understood, as frozen text pairs.
        session: the session it is about; empty if none was named.
    """

    method: str
    session: str = ""
    params: tuple[tuple[str, str], ...] = ()

    def param(self, name: str) -> str:
        """Return a parameter that was kept, or an empty text."""
        return next((value for key, value in self.params if key == name), "")


NONE_ASKED: Asked = EMPTY_MAP


def is_request(message: dict[str, Any]) -> bool:
    """Tell whether a message with a method wants a response."""
    return _written(message.get("id")) is not None


def asked(waiting: Asked, frame: Frame, request: Request) -> Asked:
    """Return what waits for responses, with one more request.

    Args:
        waiting: what waited before.
        frame: the message that asks.
        request: what to remember of it.
    """
    key = _written(frame.message.get("id"))
    if key is None:
        return waiting
    return waiting.put(f"{_asked_of(frame, request.method)} {key}", request)


def answered(waiting: Asked, frame: Frame) -> tuple[Asked, Request | None]:
    """Return what still waits, and the request that a response answers, if it is known.

    Args:
        waiting: what waited before.
        frame: the response.
    """
    key = _written(frame.message.get("id"))
    sides = (
        [_answerer(frame.toward)] if frame.toward else _likely(mapping(frame.message.get("result")))
    )
    for side in sides:
        request = waiting.get(f"{side} {key}")
        if request is not None:
            return waiting.without(f"{side} {key}"), request
    return waiting, None


def _written(identity: Any) -> str | None:
    if isinstance(identity, bool) or not isinstance(identity, str | int | float):
        return None
    return json.dumps(identity)


def _asked_of(frame: Frame, method: str) -> Side:
    if frame.toward is not None:
        return frame.toward
    return "client" if method.startswith(_OF_AGENT) else "agent"


def _answerer(toward: Side) -> Side:
    return "client" if toward == "agent" else "agent"


def _likely(result: dict[str, Any]) -> list[Side]:
    return (
        ["client", "agent"] if "outcome" in result or "content" in result else ["agent", "client"]
    )
