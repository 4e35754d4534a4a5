"""Requests to the model, made out of the lines of its responses.

Rules of this file (sources/claude-code.md 8.4; census C1, C2, C10, C20):

- A request begins at the last thing the model answers to and ends at its response's last line.
- A request is closed by a line of another response, a prompt, an abort, a compaction, an error or
  the end of a turn, never by a tool's result: results stand between the lines of one response.
- Its tokens are those of its last line. A line that comes for a closed request (a copy, a resume)
  adds only what it knows more, so nothing is counted twice.
"""

from __future__ import annotations

from refold.json_values import EMPTY, JsonObject
from refold.messages import RequestBegin, RequestEnd, TokenCounts, TokenUsage
from refold.records import evolver, positional
from refold.sources.claude_code.outs import Out, at, later, now
from refold.sources.claude_code.readings import Response
from refold.sources.claude_code.state import LaneDraft
from refold.sources.claude_code.values import Group, Place

__all__ = ["begin", "close", "correct", "extend", "fail", "is_late"]

_NOTHING = TokenCounts()
_BEGIN = RequestBegin()
_counts = positional(TokenCounts)
_extended = evolver(Group, "place", "spent", "usage", "model", "status")


def begin(lane: LaneDraft, key: str | None, place: Place) -> list[Out]:
    """Open a request.

    Args:
        lane: a lane with no open request.
        key: what the lines of the response share.
        place: the first record that tells of the request.
    """
    lane.group = Group(key=key, place=place)
    return [at(lane.input_at or place.timestamp, place, _BEGIN)]


def extend(lane: LaneDraft, line: Response, place: Place | None) -> None:
    """Take a line's tokens and ending into the open request.

    Args:
        lane: a lane with an open request.
        line: the line.
        place: its record, or None if it is a copy: no later end, and no fewer tokens.
    """
    group = lane.group
    assert group is not None
    usage = line.usage or group.usage
    if place is None and usage and group.usage and usage.total < group.usage.total:
        usage = group.usage
    lane.group = _extended(
        group,
        place or group.place,
        group.spent if place is None else 0,
        usage,
        line.model or group.model,
        "aborted" if line.aborted else group.status,
    )


def close(lane: LaneDraft, status: str | None = None) -> list[Out]:
    """Close the open request, if there is one.

    Args:
        lane: the lane.
        status: how it ended, if the record that closes it tells.
    """
    group = lane.group
    if group is None:
        return []
    lane.group = None
    end = RequestEnd(status=status or group.status)
    return [*_settle(lane, group), later(group.place, group.spent, end)]


def fail(lane: LaneDraft, end: RequestEnd, place: Place) -> list[Out]:
    """End a request with an error; one that has no line yet begins and ends here.

    Args:
        lane: the lane.
        end: how it ended.
        place: the record of the error.
    """
    outs: list[Out] = []
    if lane.group is None or lane.group.answered:
        outs = [*close(lane), *begin(lane, None, place)]
    group = lane.group
    assert group is not None
    lane.group = None
    return [*outs, *_settle(lane, group), now(place, end)]


def is_late(lane: LaneDraft, line: Response) -> bool:
    """Tell whether a line belongs to a request that is closed."""
    return line.id is not None and line.id in lane.closed


def correct(lane: LaneDraft, line: Response, place: Place) -> list[Out]:
    """Add what a line of a closed request knows more than its request did.

    Args:
        lane: the lane.
        line: the late line.
        place: its record.
    """
    if line.id is None or line.usage is None:
        return []
    counted = lane.closed[line.id]
    more = _surplus(counted, line.usage)
    if more.total == 0:
        return []
    lane.closed = lane.closed.put(line.id, _sum(counted, more))
    lane.total = _sum(lane.total, more)
    return [now(place, TokenUsage(session=lane.total, request=more, extra=_model(line.model)))]


def _settle(lane: LaneDraft, group: Group) -> list[Out]:
    usage = group.usage
    if group.key is not None:
        lane.closed = lane.closed.put(group.key, usage or _NOTHING)
    if usage is None:
        return []
    lane.total = _sum(lane.total, usage)
    payload = TokenUsage(session=lane.total, request=usage, extra=_model(group.model))
    return [later(group.place, group.spent, payload)]


def _model(model: str | None) -> JsonObject:
    return EMPTY if model is None else JsonObject({"model_id": model})


def _sum(one: TokenCounts, other: TokenCounts) -> TokenCounts:
    total: TokenCounts = _counts(
        one.cache_read + other.cache_read,
        one.cache_write + other.cache_write,
        one.output + other.output,
        one.total + other.total,
        EMPTY,
    )
    return total


def _surplus(counted: TokenCounts, known: TokenCounts) -> TokenCounts:
    read = max(0, known.cache_read - counted.cache_read)
    written = max(0, known.cache_write - counted.cache_write)
    output = max(0, known.output - counted.output)
    more: TokenCounts = _counts(read, written, output, read + written + output, EMPTY)
    return more
