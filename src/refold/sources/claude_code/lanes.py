"""What a reading means for its lane: one table from reading kind to transition.

Rules of this file (sources/claude-code.md 8.3):

- A transition takes a lane's draft, a reading and the record's place, changes the draft and
  returns what to say. It knows no other lane.
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
    RequestEnd,
    Text,
)
from refold.records import evolver
from refold.sources.claude_code.answers import fold_response, fold_result
from refold.sources.claude_code.outs import Out, at, now
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
from refold.sources.claude_code.requests import close, fail
from refold.sources.claude_code.state import LaneDraft
from refold.sources.claude_code.steering import fold_queued, fold_steer
from refold.sources.claude_code.values import MAIN, Place
from refold.times import format_ms, parse_ms

__all__ = ["TRANSITIONS", "fold"]

_sent = evolver(Text, "sender")

_SUMMARY_MARKER = "[context_summary]"


def fold(lane: LaneDraft, reading: Reading, place: Place) -> list[Out] | None:
    """Fold a reading into its lane.

    Args:
        lane: the lane.
        reading: a reading of one of the kinds in ``TRANSITIONS``.
        place: its record.

    Returns:
        What to say, or None if the lane has said it.
    """
    key = reading.key
    if key is not None:
        seen = lane.seen.put(key, True)
        if len(seen) == len(lane.seen):
            return None
        lane.seen = seen
    return TRANSITIONS[reading.kind](lane, reading, place)


def _prompt(lane: LaneDraft, said: Prompt, place: Place) -> list[Out]:
    sender = None if lane.agent == MAIN else "parent_agent"
    outs = close(lane)
    lane.input_at = place.timestamp or lane.input_at
    for part in said.parts:
        outs.append(now(place, _sent(part, sender) if sender and type(part) is Text else part))
    return outs


def _retry(lane: LaneDraft, said: Retry, place: Place) -> list[Out]:
    end = RequestEnd(
        status=said.status,
        error_message=said.error_message,
        attempt=said.attempt,
        retry_in_ms=said.retry_in_ms,
    )
    outs = fail(lane, end, place)
    lane.input_at = _shifted(place.timestamp, said.retry_in_ms or 0)
    return outs


def _failure(lane: LaneDraft, said: Failure, place: Place) -> list[Out]:
    end = RequestEnd(status=said.status, error_message=said.text)
    return [*fail(lane, end, place), now(place, Notice(name="api_error", text=said.text))]


def _interrupt(lane: LaneDraft, said: Interrupt, place: Place) -> list[Out]:
    cut = not said.in_tool and lane.group is not None and not lane.group.answered
    reason = "user_interrupt_tool" if said.in_tool else "user_interrupt"
    return [*close(lane, "aborted" if cut else None), now(place, Abort(reason=reason))]


def _boundary(lane: LaneDraft, said: Boundary, place: Place) -> list[Out]:
    begin = CompactionBegin(reason=said.reason, mode="summarize", context=said.tokens, turns=0)
    end = CompactionEnd(reason=said.reason, mode="summarize", status="completed")
    begin_at = _shifted(place.timestamp, -(said.duration_ms or 0))
    outs = [*close(lane), at(begin_at, place, begin), now(place, end)]
    lane.input_at = place.timestamp or lane.input_at
    lane.compacted = True
    return outs


def _summary(lane: LaneDraft, said: Summary, place: Place) -> list[Out]:
    implied = Boundary(reason="context", tokens=0, duration_ms=None)
    outs = [] if lane.compacted else _boundary(lane, implied, place)
    lane.compacted = False
    text = Text(role="user", text=f"{_SUMMARY_MARKER}\n{said.text}", sender="harness")
    return [*outs, now(place, text)]


def _said(lane: LaneDraft, said: Said, place: Place) -> list[Out]:
    return [now(place, Notice(name=said.name, text=said.text, data=said.data))]


def _known(lane: LaneDraft, said: Known, place: Place) -> list[Out]:
    if said.name in lane.facts and lane.facts[said.name] == said.value:
        return []
    lane.facts = lane.facts.put(said.name, said.value)
    return [now(place, Fact(name=said.name, value=said.value))]


def _titled(lane: LaneDraft, said: Titled, place: Place) -> list[Out]:
    if said.rank < lane.title_rank:
        return []
    lane.title_rank = said.rank
    return _known(lane, Known(name="title", value=said.text), place)


def _turn_end(lane: LaneDraft, said: TurnEnd, place: Place) -> list[Out]:
    return close(lane)


def _agent_named(lane: LaneDraft, said: AgentNamed, place: Place) -> list[Out]:
    return []


def _shifted(timestamp: str | None, by_ms: int) -> str | None:
    """Return a timestamp moved by some milliseconds, or as it was where that can't be told."""
    moment = parse_ms(timestamp) if by_ms else None
    if moment is None:
        return timestamp
    try:
        return format_ms(moment + by_ms)
    except OverflowError:
        return timestamp


TRANSITIONS: dict[str, Callable[[LaneDraft, Any, Place], list[Out]]] = {
    "agent_named": _agent_named,
    "boundary": _boundary,
    "failure": _failure,
    "interrupt": _interrupt,
    "known": _known,
    "prompt": _prompt,
    "queued": fold_queued,
    "response": fold_response,
    "result": fold_result,
    "retry": _retry,
    "said": _said,
    "steer": fold_steer,
    "summary": _summary,
    "titled": _titled,
    "turn_end": _turn_end,
}
