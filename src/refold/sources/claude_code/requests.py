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
from refold.messages import RequestBegin, RequestEnd, TokenCounts, TokenUsage
from refold.records import evolver, positional
from refold.sources.claude_code.outs import Out, at, later, now
from refold.sources.claude_code.readings import Block, Response
from refold.sources.claude_code.state import LaneDraft
from refold.sources.claude_code.values import Closed, Group, Keys, Place, with_keys

__all__ = ["begin_with", "close", "correct", "extend", "fail", "late_blocks"]

_NOTHING = TokenCounts()
_BEGIN = RequestBegin()
_END = RequestEnd(status="completed")
_counts = positional(TokenCounts)
_group = positional(Group)
_closed = positional(Closed)
_usage = positional(TokenUsage)
_extended = evolver(Group, "place", "usage", "model", "status", "blocks")


def _begin(lane: LaneDraft, place: Place) -> list[Out]:
    """Open a request that no line belongs to.

    Args:
        lane: a lane with no open request.
        place: the record that tells of the request.
    """
    lane.group = Group(key=None, place=place)
    return [_begun(lane, place)]


def begin_with(lane: LaneDraft, line: Response, place: Place) -> tuple[Out, list[Block]]:
    """Open the request that a line belongs to.

    Args:
        lane: a lane with no open request.
        line: the first line of its response.
        place: its record.

    Returns:
        The request's beginning, and the line's blocks.
    """
    new, shown = _unseen(line, ())
    status = "aborted" if line.aborted else "completed"
    lane.group = _group(line.id, place, line.usage, line.model, status, False, shown)
    return _begun(lane, place), new


def extend(lane: LaneDraft, group: Group, line: Response, place: Place) -> list[Block]:
    """Take a line into the open request.

    Args:
        lane: the lane.
        group: its open request.
        line: the line. If all its blocks were shown, or if it shows none and knows of fewer tokens,
            it is a copy: no later end, no fewer tokens.
        place: its record.

    Returns:
        The blocks that no line of the response has shown before.
    """
    new, shown = _unseen(line, group.blocks)
    usage = line.usage or group.usage
    fewer = bool(usage and group.usage and usage.total < group.usage.total)
    if not new and (fewer or line.blocks):
        place = group.place
        usage = group.usage if fewer else usage
    status = "aborted" if line.aborted else group.status
    lane.group = _extended(group, place, usage, line.model or group.model, status, shown)
    return new


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
    status = status or group.status
    end = _END if status == "completed" else RequestEnd(status=status)
    return [*_settle(lane, group), later(group.place, lane.spent, end)]


def fail(lane: LaneDraft, end: RequestEnd, place: Place) -> list[Out]:
    """End a request with an error; one that has no line yet begins and ends here.

    Args:
        lane: the lane.
        end: how it ended.
        place: the record of the error.
    """
    outs: list[Out] = []
    if lane.group is None or lane.group.answered:
        outs = [*close(lane), *_begin(lane, place)]
    group = lane.group
    assert group is not None
    lane.group = None
    return [*outs, *_settle(lane, group), now(place, end)]


def late_blocks(lane: LaneDraft, line: Response, over: Closed) -> list[Block]:
    """Return the blocks of a late line that no line of its response has shown before.

    Args:
        lane: the lane.
        line: a line of a request that is closed.
        over: what is kept of that.
    """
    new, shown = _unseen(line, over.blocks)
    if line.id is not None and new:
        lane.closed = lane.closed.put(line.id, _closed(over.usage, shown))
    return new


def _unseen(line: Response, shown: Keys) -> tuple[list[Block], Keys]:
    """Return the blocks of a line that aren't among those shown, and those with all of them."""
    if line.id is None:
        return list(line.blocks), shown
    new, keys = [], []
    for block in line.blocks:
        if block.key not in shown:
            new.append(block)
            keys.append(block.key)
    return new, with_keys(shown, keys) if new else shown


def correct(lane: LaneDraft, line: Response, over: Closed, place: Place) -> list[Out]:
    """Add what a line of a closed request knows more than its request did.

    Args:
        lane: the lane.
        line: the late line.
        over: what was kept of the request in front of the line.
        place: its record.
    """
    if line.id is None or line.usage is None:
        return []
    more = _surplus(over.usage, line.usage)
    if more.total == 0:
        return []
    blocks = lane.closed[line.id].blocks
    lane.closed = lane.closed.put(line.id, _closed(_sum(over.usage, more), blocks))
    lane.total = _sum(lane.total, more)
    return [now(place, TokenUsage(session=lane.total, request=more, extra=_model(line.model)))]


def _begun(lane: LaneDraft, place: Place) -> Out:
    return at(lane.input_at or place.timestamp, place, _BEGIN)


def _settle(lane: LaneDraft, group: Group) -> list[Out]:
    usage = group.usage
    if group.key is not None:
        lane.closed = lane.closed.put(group.key, _closed(usage or _NOTHING, group.blocks))
    if usage is None:
        return []
    lane.total = _sum(lane.total, usage)
    payload = _usage(lane.total, usage, _model(group.model))
    return [later(group.place, lane.spent, payload)]


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
