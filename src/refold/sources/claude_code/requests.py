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
from refold.sources.claude_code.fields import evolved
from refold.sources.claude_code.readings import Response
from refold.sources.claude_code.state import Group, Lane, Out, Place, Step

__all__ = ["begun", "closed", "continued", "corrected", "failed", "is_late"]

_NOTHING = TokenCounts()


def begun(lane: Lane, key: str | None, place: Place) -> Step:
    """Open a request, closing the one before.

    Args:
        lane: the lane.
        key: what the lines of the response share.
        place: the first record that tells of the request.
    """
    lane, outs = closed(lane)
    begin_at = place.timestamp if lane.input_at is None else lane.input_at
    begin = Out(payload=RequestBegin(), place=place, timestamp=begin_at)
    return evolved(lane, group=Group(key=key, place=place)), (*outs, begin)


def continued(lane: Lane, line: Response, place: Place) -> Lane:
    """Take a line's tokens and ending into the open request.

    Args:
        lane: a lane with an open request.
        line: the line.
        place: its record.
    """
    group = lane.group
    assert group is not None
    group = evolved(
        group,
        place=place,
        usage=line.usage or group.usage,
        model=line.model or group.model,
        status="aborted" if line.aborted else group.status,
    )
    return evolved(lane, group=group)


def closed(lane: Lane, status: str | None = None) -> Step:
    """Close the open request, if there is one.

    Args:
        lane: the lane.
        status: how it ended, if the record that closes it tells.
    """
    group = lane.group
    if group is None:
        return lane, ()
    end = RequestEnd(status=status or group.status)
    lane, usage = _settled(lane, group)
    return evolved(lane, group=None), (*usage, _at(group.place, end))


def failed(lane: Lane, end: RequestEnd, place: Place) -> Step:
    """End a request with an error; one that has no line yet begins and ends here.

    Args:
        lane: the lane.
        end: how it ended.
        place: the record of the error.
    """
    begin: tuple[Out, ...] = ()
    if lane.group is None or lane.group.answered:
        lane, begin = begun(lane, None, place)
    assert lane.group is not None
    lane, usage = _settled(lane, lane.group)
    return evolved(lane, group=None), (*begin, *usage, _at(place, end))


def is_late(lane: Lane, line: Response) -> bool:
    """Tell whether a line belongs to a request that is closed."""
    return line.key is not None and line.key in lane.closed


def corrected(lane: Lane, line: Response, place: Place) -> Step:
    """Add what a line of a closed request knows more than its request did.

    Args:
        lane: the lane.
        line: the late line.
        place: its record.
    """
    if line.key is None or line.usage is None:
        return lane, ()
    counted = lane.closed[line.key]
    more = _surplus(counted, line.usage)
    if more.total == 0:
        return lane, ()
    lane = evolved(
        lane,
        closed=lane.closed.put(line.key, _sum(counted, more)),
        total=_sum(lane.total, more),
    )
    usage = TokenUsage(session=lane.total, request=more, extra=_model(line.model))
    return lane, (_at(place, usage),)


def _settled(lane: Lane, group: Group) -> Step:
    usage = group.usage
    if group.key is not None:
        lane = evolved(lane, closed=lane.closed.put(group.key, usage or _NOTHING))
    if usage is None:
        return lane, ()
    lane = evolved(lane, total=_sum(lane.total, usage))
    payload = TokenUsage(session=lane.total, request=usage, extra=_model(group.model))
    return lane, (_at(group.place, payload),)


def _at(place: Place, payload: RequestEnd | TokenUsage) -> Out:
    return Out(payload=payload, place=place, timestamp=place.timestamp)


def _model(model: str | None) -> JsonObject:
    return EMPTY if model is None else JsonObject({"model_id": model})


def _sum(one: TokenCounts, other: TokenCounts) -> TokenCounts:
    return TokenCounts(
        cache_read=one.cache_read + other.cache_read,
        cache_write=one.cache_write + other.cache_write,
        output=one.output + other.output,
        total=one.total + other.total,
    )


def _surplus(counted: TokenCounts, known: TokenCounts) -> TokenCounts:
    read = max(0, known.cache_read - counted.cache_read)
    written = max(0, known.cache_write - counted.cache_write)
    output = max(0, known.output - counted.output)
    return TokenCounts(
        cache_read=read, cache_write=written, output=output, total=read + written + output
    )
