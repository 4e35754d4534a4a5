"""One boundary per compaction, from three signals of which any may be missing or late.

Rules of this file (sources/claude-code.md 4.3, G18):

- A compaction begins with a ``PreCompact`` hook, and has happened once the transcript holds its
  summary or a session starts from ``compact``. No signal has an id of another.
- So it is counted, not paired. The beginnings cut time into spans; a span has seen as many
  compactions as it has summaries or resumes, whichever are more. If of each compaction at most
  one signal is missing, that is exact.
- It is counted afresh from the times of the signals: the order in which two logs are read decides
  nothing, and a count never falls, so a boundary that was told stands.
- A signal without a time counts as just behind the latest. One older than ``since_ms`` is history:
  whoever starts in the middle says from when.
- While one runs is a matter of the latest beginning: what comes behind it, a completion or any
  hook that only an idle client sends, ends it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from typing import Literal, TypeAlias

from refold.json_values import Json, JsonObject
from refold.markers import is_summary
from refold.messages import Message, Text
from refold.records import evolve, record
from refold.sources.claude_hooks.hooks import Hook
from refold.times import parse_ms

__all__ = ["MOST_SIGNALS", "Banner", "Boundary", "Compactions", "begun", "kept", "step"]

MOST_SIGNALS = 192
MOST_KNOWN = 256
_UNKNOWN_SUMMARY = "The conversation was compacted; its summary was not recorded."
_IDLE = frozenset({"Stop", "StopFailure", "UserPromptSubmit", "SessionStart"})

Kind: TypeAlias = Literal["begin", "summary", "resume", "idle"]


@record
class Boundary:
    """A compaction has happened; a host that keeps boundaries keeps this one.

    Args:
        number: which one of the session, from 1.
        summary: what the conversation was replaced with, if that is what told of it.
    """

    number: int
    summary: str | None = None


@record
class Banner:
    """Whether a compaction is running changed."""

    state: Literal["in_progress", "completed", "abandoned"]


@record
class Compactions:
    """When the signals came.

    Args:
        since_ms: what is older is history, Unix ms.
        begins: times of beginnings, in order, Unix ms; so the next two.
        summaries: of summaries in the transcript.
        resumes: of sessions that started from a compaction.
        idle_ms: the latest hook of a client that compacts nothing.
        known: names of signals that were counted, the newest last.
        told: how many boundaries were told.
        running: whether the banner is up.
    """

    since_ms: int | None = None
    begins: tuple[int, ...] = ()
    summaries: tuple[int, ...] = ()
    resumes: tuple[int, ...] = ()
    idle_ms: int | None = None
    known: tuple[str, ...] = ()
    told: int = 0
    running: bool = False


def step(
    compactions: Compactions, event: Hook | Message
) -> tuple[Compactions, tuple[Banner | Boundary, ...]]:
    """Take a hook or a message of the transcript; return the boundaries and the banner it gives.

    Args:
        compactions: the state before.
        event: from either log, in any interleaving.
    """
    kind = _kind(event)
    if kind is None:
        return compactions, ()
    at_ms, name = _at_ms(compactions, event), _name(kind, event)
    if name in compactions.known or _is_history(compactions, at_ms):
        return compactions, ()
    before = _count(compactions)
    after = _counted(compactions, kind, at_ms, name)
    return _told(after, _count(after) - before, event)


def begun(compactions: Compactions) -> bool:
    """Tell whether a compaction has begun and nothing has ended it."""
    if not compactions.begins:
        return False
    idle = () if compactions.idle_ms is None else (compactions.idle_ms,)
    later = (*compactions.summaries[-1:], *compactions.resumes[-1:], *idle)
    return all(each < compactions.begins[-1] for each in later)


def kept(
    boundary: Boundary,
    *,
    session_id: str,
    last_item_id: str | None = None,
    messages: tuple[Json, ...] | None = None,
) -> JsonObject:
    """Return what a host keeps of a boundary, as JSON.

    Args:
        boundary: the boundary.
        session_id: the host's session.
        last_item_id: the last item in front of the boundary; without one the boundary names itself.
        messages: what the conversation was replaced with, if the host could read it; else the
            entry has no such key.
    """
    entries: dict[str, Json] = {
        "last_item_id": last_item_id or f"compact_boundary_{session_id}_{boundary.number}",
        "summary": boundary.summary or _UNKNOWN_SUMMARY,
        "model": "unknown",
        "token_count": 0,
    }
    return JsonObject(entries if messages is None else {**entries, "compacted_messages": messages})


def _kind(event: Hook | Message) -> Kind | None:
    if isinstance(event, Message):
        return "summary" if _summary(event) is not None else None
    if event.agent:
        return None
    if event.event == "PreCompact":
        return "begin"
    if event.event == "SessionStart" and event.source == "compact":
        return "resume"
    return "idle" if event.event in _IDLE else None


def _summary(event: Hook | Message) -> str | None:
    if isinstance(event, Hook) or event.origin or not isinstance(event.payload, Text):
        return None
    payload = event.payload
    return payload.text if payload.role == "user" and is_summary(payload.text) else None


def _at_ms(state: Compactions, event: Hook | Message) -> int:
    at_ms = event.at_ms if isinstance(event, Hook) else parse_ms(event.timestamp)
    if at_ms is not None:
        return at_ms
    latest = (*state.begins[-1:], *state.summaries[-1:], *state.resumes[-1:])
    return 1 + max((state.idle_ms or 0, *latest))


def _name(kind: Kind, event: Hook | Message) -> str | None:
    if isinstance(event, Hook):
        when = event.at_ms
        return f"{kind} line {event.line}" if when is None and event.line else _named(kind, when)
    source = None if event.transport is None else event.transport.source
    return _named(kind, (source and (source.id or source.line)) or event.timestamp)


def _named(kind: Kind, what: object) -> str | None:
    return None if what is None else f"{kind} {what}"


def _is_history(state: Compactions, at_ms: int) -> bool:
    return state.since_ms is not None and at_ms < state.since_ms


def _counted(state: Compactions, kind: Kind, at_ms: int, name: str | None) -> Compactions:
    if name is not None and kind != "idle":
        state = evolve(state, known=(*state.known, name)[-MOST_KNOWN:])
    match kind:
        case "begin":
            return evolve(state, begins=_inserted(state.begins, at_ms))
        case "summary":
            return evolve(state, summaries=_inserted(state.summaries, at_ms))
        case "resume":
            return evolve(state, resumes=_inserted(state.resumes, at_ms))
        case "idle":
            return evolve(state, idle_ms=max(at_ms, state.idle_ms or at_ms))


def _inserted(times: tuple[int, ...], at_ms: int) -> tuple[int, ...]:
    at = bisect_right(times, at_ms)
    return (*times[:at], at_ms, *times[at:])


def _count(state: Compactions) -> int:
    summaries = Counter(bisect_right(state.begins, each) for each in state.summaries)
    resumes = Counter(bisect_right(state.begins, each) for each in state.resumes)
    return sum((summaries | resumes).values())


def _told(
    state: Compactions, more: int, event: Hook | Message
) -> tuple[Compactions, tuple[Banner | Boundary, ...]]:
    running = begun(state)
    after = _bounded(evolve(state, told=state.told + more, running=running))
    summary = _summary(event)
    numbers = range(state.told + 1, state.told + more + 1)
    boundaries = tuple(Boundary(number=number, summary=summary) for number in numbers)
    return after, (*boundaries, *_banner(state.running, running, completed=bool(more)))


def _banner(before: bool, after: bool, *, completed: bool) -> tuple[Banner, ...]:
    if completed and not after:
        return (Banner(state="completed"),)
    if before == after:
        return ()
    return (Banner(state="in_progress" if after else "abandoned"),)


def _bounded(state: Compactions) -> Compactions:
    times = sorted((*state.begins, *state.summaries, *state.resumes))
    if len(times) <= MOST_SIGNALS:
        return state
    middle = times[len(times) // 2]
    # Best cut where a compaction begins, so that no span is counted in halves.
    begins = [each for each in state.begins if times[0] < each <= middle]
    cut = begins[-1] if begins else middle
    return evolve(
        state,
        since_ms=cut,
        begins=tuple(each for each in state.begins if each >= cut),
        summaries=tuple(each for each in state.summaries if each >= cut),
        resumes=tuple(each for each in state.resumes if each >= cut),
    )
