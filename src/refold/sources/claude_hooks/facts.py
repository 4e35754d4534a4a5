"""What the logs beside a transcript tell, as facts.

Rules of this file (sources/README.md, "Two extension events"):

- All names begin with ``live.``, which no transcript writes: a replay without the logs lacks
  exactly these.
- A fact has no time on its envelope, for times on events make durations. Where its record has one,
  it is in the value.
"""

from __future__ import annotations

from collections.abc import Sequence

from refold.json_values import Json, JsonObject
from refold.messages import Fact, Message, SourcePosition, Transport
from refold.records import record
from refold.sources.claude_hooks import badge as badges
from refold.sources.claude_hooks.badge import Badge
from refold.sources.claude_hooks.compaction import Banner, Boundary
from refold.sources.claude_hooks.rotation import Rotate
from refold.sources.claude_hooks.status import Edge

__all__ = ["NAME", "Place", "banners", "fact", "rotated", "shown"]

NAME = "claude-code-hooks"


@record
class Place:
    """Where a fact was read: the line of its log, and the time it carries, Unix ms."""

    line: int | None = None
    at_ms: int | None = None


def fact(name: str, value: Json, place: Place) -> Message:
    """Return a fact.

    Args:
        name: its name behind ``live.``.
        value: what is so now.
        place: where it was read.
    """
    source = SourcePosition(format=NAME, lane="hooks", line=place.line)
    return Message(
        payload=Fact(name=f"live.{name}", value=value), transport=Transport(source=source)
    )


def shown(badge: Badge, edges: Sequence[Edge], place: Place) -> tuple[Badge, tuple[Message, ...]]:
    """Fold edges into a badge; return it, and a fact for each edge that changed it."""
    messages: list[Message] = []
    for edge in edges:
        before, badge = badge, badges.folded(badge, edge)
        if badge is not before:
            value = _timed(badges.to_json(badge), edge.at_ms)
            messages.append(fact("status", value, place))
    return badge, tuple(messages)


def banners(marks: Sequence[Banner | Boundary], place: Place) -> tuple[Message, ...]:
    """Return a fact for each change of whether a compaction runs."""
    return tuple(
        fact("compacting", each.state == "in_progress", place)
        for each in marks
        if type(each) is Banner
    )


def rotated(rotate: Rotate, place: Place) -> Message:
    """Return the fact that Claude Code moved on to another session."""
    entries: dict[str, Json] = {
        "kind": rotate.kind,
        "native": rotate.native,
        "previous": rotate.previous,
        "adopt": rotate.adopt,
        "transcript_path": rotate.transcript_path,
        "read_from": rotate.read_from,
    }
    told = JsonObject({name: value for name, value in entries.items() if value is not None})
    return fact("rotation", _timed(told, place.at_ms), place)


def _timed(value: JsonObject, at_ms: int | None) -> JsonObject:
    return value if at_ms is None else JsonObject({**value, "at_ms": at_ms})
