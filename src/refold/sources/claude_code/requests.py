"""Requests to the model, made out of the lines of its responses.

Rules of this file (sources/claude-code.md 8.4; census C1, C2, C10, C20):

- A request begins at the last thing the model answers to and ends at its response's last line.
- A request is closed by a line of another response, a prompt, an abort, a compaction, an error or
  the end of a turn, never by a tool's result: results stand between the lines of one response.
- A block is shown once per response, whatever line and whatever copy brings it.
- Its tokens are those of its last line. A line that comes for a closed request (a copy, a resume)
  adds only what it knows more, so nothing is counted twice.
"""

from __future__ import annotations

from refold.json_values import EMPTY, JsonObject
from refold.maps import EMPTY_MAP, Map
from refold.messages import RequestBegin, RequestEnd, TokenCounts, TokenUsage
from refold.records import evolver, positional
from refold.sources.claude_code.outs import Out, at, later, now
from refold.sources.claude_code.readings import Block, Response
from refold.sources.claude_code.state import LaneDraft
from refold.sources.claude_code.values import Closed, Group, Place

__all__ = ["begin", "close", "correct", "extend", "fail", "is_late", "new_blocks"]

_NOTHING = TokenCounts()
_BEGIN = RequestBegin()
_counts = positional(TokenCounts)
_extended = evolver(Group, "place", "spent", "usage", "model", "status")
_shown = evolver(Group, "blocks")


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


def new_blocks(lane: LaneDraft, line: Response) -> list[Block]:
    """Return the blocks of a line that no line of its response has shown before.

    Args:
        lane: a lane in which the line's request is open or closed.
        line: the line.
    """
    if line.id is None:
        return list(line.blocks)
    over = lane.closed.get(line.id)
    shown = over.blocks if over is not None else _open_blocks(lane)
    new = [block for block in line.blocks if block.key not in shown]
    for block in new:
        shown = shown.put(block.key, True)
    if over is not None:
        lane.closed = lane.closed.put(line.id, Closed(usage=over.usage, blocks=shown))
    elif new and lane.group is not None:
        lane.group = _shown(lane.group, shown)
    return new


def _open_blocks(lane: LaneDraft) -> Map[bool]:
    return EMPTY_MAP if lane.group is None else lane.group.blocks


def correct(lane: LaneDraft, line: Response, place: Place) -> list[Out]:
    """Add what a line of a closed request knows more than its request did.

    Args:
        lane: the lane.
        line: the late line.
        place: its record.
    """
    if line.id is None or line.usage is None:
        return []
    over = lane.closed[line.id]
    more = _surplus(over.usage, line.usage)
    if more.total == 0:
        return []
    counted = _sum(over.usage, more)
    lane.closed = lane.closed.put(line.id, Closed(usage=counted, blocks=over.blocks))
    lane.total = _sum(lane.total, more)
    return [now(place, TokenUsage(session=lane.total, request=more, extra=_model(line.model)))]


def _settle(lane: LaneDraft, group: Group) -> list[Out]:
    usage = group.usage
    if group.key is not None:
        over = Closed(usage=usage or _NOTHING, blocks=group.blocks)
        lane.closed = lane.closed.put(group.key, over)
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
