"""What a reading means for its lane: one table from reading kind to transition.

Rules of this file (sources/claude-code.md 8.3):

- A transition takes a lane, a reading and the record's place, and returns the lane behind it and
  what to say. It knows no other lane.
- Only records move a lane, one at a time, so a file that grows gives what the whole file gives.
- What was shown once under a key isn't shown again; ``fold`` alone looks at keys, but for the
  blocks of a response, which have one each.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from refold.messages import (
    Abort,
    CompactionBegin,
    CompactionEnd,
    Fact,
    Notice,
    Payload,
    RequestEnd,
    Text,
)
from refold.sources.claude_code.answers import folded_response, folded_result
from refold.sources.claude_code.fields import evolved
from refold.sources.claude_code.readings import (
    AgentNamed,
    Boundary,
    Failure,
    Interrupt,
    Known,
    Prompt,
    Reading,
    Retry,
    Said,
    Summary,
    Titled,
    TurnEnd,
)
from refold.sources.claude_code.requests import closed, failed
from refold.sources.claude_code.state import MAIN, Lane, Out, Place, Step
from refold.sources.claude_code.steering import attached, queued
from refold.times import format_ms, parse_ms

__all__ = ["TRANSITIONS", "fold", "is_copy"]

_SUMMARY_MARKER = "[context_summary]"


def fold(lane: Lane, reading: Reading, place: Place) -> Step:
    """Return the lane behind a reading, and what to say.

    Args:
        lane: the lane in front of it.
        reading: a reading of one of the kinds in ``TRANSITIONS``.
        place: its record.
    """
    key = getattr(reading, "key", None)
    if key is not None and reading.kind != "response":
        lane = evolved(lane, seen=lane.seen.put(key, True))
    return TRANSITIONS[reading.kind](lane, reading, place)


def is_copy(lane: Lane, reading: Reading) -> bool:
    """Tell whether a lane has shown what a reading says."""
    key = getattr(reading, "key", None)
    return key is not None and reading.kind != "response" and key in lane.seen


def _prompt(lane: Lane, said: Prompt, place: Place) -> Step:
    lane, outs = closed(lane)
    sender = None if lane.agent == MAIN else "parent_agent"
    parts = [evolved(each, sender=sender) if type(each) is Text else each for each in said.parts]
    lane = evolved(lane, input_at=place.timestamp or lane.input_at)
    return lane, (*outs, *[_now(place, each) for each in parts])


def _retry(lane: Lane, said: Retry, place: Place) -> Step:
    end = RequestEnd(
        status=said.status,
        error_message=said.error_message,
        attempt=said.attempt,
        retry_in_ms=said.retry_in_ms,
    )
    lane, outs = failed(lane, end, place)
    return evolved(lane, input_at=_shifted(place.timestamp, said.retry_in_ms or 0)), outs


def _failure(lane: Lane, said: Failure, place: Place) -> Step:
    lane, outs = failed(lane, RequestEnd(status=said.status, error_message=said.text), place)
    notice = Notice(name="api_error", text=said.text)
    return lane, (*outs, _now(place, notice))


def _interrupt(lane: Lane, said: Interrupt, place: Place) -> Step:
    cut = not said.in_tool and lane.group is not None and not lane.group.answered
    lane, outs = closed(lane, "aborted" if cut else None)
    reason = "user_interrupt_tool" if said.in_tool else "user_interrupt"
    return lane, (*outs, _now(place, Abort(reason=reason)))


def _boundary(lane: Lane, said: Boundary, place: Place) -> Step:
    lane, outs = closed(lane)
    lane = evolved(lane, input_at=place.timestamp or lane.input_at, compacted=True)
    begin = CompactionBegin(reason=said.reason, mode="summarize", context=said.tokens, turns=0)
    end = CompactionEnd(reason=said.reason, mode="summarize", status="completed")
    begin_at = _shifted(place.timestamp, -(said.duration_ms or 0))
    return lane, (*outs, Out(payload=begin, place=place, timestamp=begin_at), _now(place, end))


def _summary(lane: Lane, said: Summary, place: Place) -> Step:
    outs: tuple[Out, ...] = ()
    if not lane.compacted:
        implied = Boundary(reason="context", tokens=0, duration_ms=None)
        lane, outs = _boundary(lane, implied, place)
    text = Text(role="user", text=f"{_SUMMARY_MARKER}\n{said.text}", sender="harness")
    return evolved(lane, compacted=False), (*outs, _now(place, text))


def _said(lane: Lane, said: Said, place: Place) -> Step:
    notice = Notice(name=said.name, text=said.text, data=said.data)
    return lane, (_now(place, notice),)


def _known(lane: Lane, said: Known, place: Place) -> Step:
    if said.name in lane.facts and lane.facts[said.name] == said.value:
        return lane, ()
    lane = evolved(lane, facts=lane.facts.put(said.name, said.value))
    return lane, (_now(place, Fact(name=said.name, value=said.value)),)


def _titled(lane: Lane, said: Titled, place: Place) -> Step:
    if said.rank < lane.title_rank:
        return lane, ()
    return _known(evolved(lane, title_rank=said.rank), Known(name="title", value=said.text), place)


def _turn_end(lane: Lane, said: TurnEnd, place: Place) -> Step:
    return closed(lane)


def _agent_named(lane: Lane, said: AgentNamed, place: Place) -> Step:
    return lane, ()


def _now(place: Place, payload: Payload) -> Out:
    return Out(payload=payload, place=place, timestamp=place.timestamp)


def _shifted(timestamp: str | None, by_ms: int) -> str | None:
    """Return a timestamp moved by some milliseconds, or as it was where that can't be told."""
    at = parse_ms(timestamp) if by_ms else None
    if at is None:
        return timestamp
    try:
        return format_ms(at + by_ms)
    except OverflowError:
        return timestamp


TRANSITIONS: dict[str, Callable[[Lane, Any, Place], Step]] = {
    "agent_named": _agent_named,
    "boundary": _boundary,
    "failure": _failure,
    "interrupt": _interrupt,
    "known": _known,
    "prompt": _prompt,
    "queued": queued,
    "response": folded_response,
    "result": folded_result,
    "retry": _retry,
    "said": _said,
    "steer": attached,
    "summary": _summary,
    "titled": _titled,
    "turn_end": _turn_end,
}
