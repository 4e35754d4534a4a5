"""Texts, thinkings and calls that are open in a stream, as partial and complete messages.

Rules of this file:

- The protocol streams one text and one thinking at a time (reducer.md rule 5); foreign streams
  interleave them. One fragment of each kind has the lane; the others collect silently, and the
  oldest of them takes the lane when it is free. Calls need no lane, they have ids.
- The complete decides: it is the joined deltas, or the body the record gives. Its ``started_at``
  is when the fragment was opened, whether or not it ever had the lane (laws.md, law 4).
- What is no text of the assistant's (a user's, a system message) never streams.
- At most ``_MOST`` fragments are open; the oldest is completed as it stands when one more opens.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from refold.json_values import JsonObject
from refold.messages import (
    CompletePayload,
    Notice,
    PartialPayload,
    PartialText,
    PartialThinking,
    PartialToolCall,
    Payload,
    Text,
    Thinking,
    ToolCall,
)
from refold.records import evolve, evolver, record
from refold.sources.drafts import Draft, Drafts, draft
from refold.texts import GrownText, grow

__all__ = [
    "NOTHING_OPEN",
    "Fragment",
    "FragmentKind",
    "Fragments",
    "completed",
    "find",
    "grown",
    "opened",
    "paused",
    "renamed",
    "rewritten",
]

FragmentKind: TypeAlias = Literal["text", "thinking", "tool_call"]

_MOST = 256


@record
class Fragment:
    """One open text, thinking or call.

    Args:
        key: what the format calls it.
        kind: what it becomes.
        body: what has streamed so far.
        role: who speaks, for a text.
        name: the tool, for a call.
        call_id: the call's id.
        started_at: when it was opened, as a timestamp.
        streaming: its partials are sent: it has the lane, or needs none.
        paused: its stop was sent; only its complete is due.
        loose: no record opened it by name, so it ends when something else is said.
    """

    key: str
    kind: FragmentKind
    body: GrownText = ""
    role: str = "assistant"
    name: str = ""
    call_id: str = ""
    started_at: str | None = None
    streaming: bool = False
    paused: bool = False
    loose: bool = False


@record
class Fragments:
    """The open fragments of one session, in the order they were opened."""

    open: tuple[Fragment, ...] = ()


NOTHING_OPEN = Fragments()

_with_body = evolver(Fragment, "body")

Step: TypeAlias = tuple[Fragments, Drafts]


def find(fragments: Fragments, key: str) -> Fragment | None:
    """Return the open fragment of a key, or None."""
    for each in fragments.open:
        if each.key == key:
            return each
    return None


def opened(fragments: Fragments, fragment: Fragment) -> Step:
    """Open a fragment; its start is sent if it may stream.

    Args:
        fragments: those open before, none of them with this key.
        fragment: the new one; what it holds already goes into its start.
    """
    fragments, drafts = _with_room(fragments, fragment.started_at)
    if not _may_stream(fragments, fragment):
        return Fragments(open=(*fragments.open, fragment)), drafts
    streaming = evolve(fragment, streaming=True)
    return Fragments(open=(*fragments.open, streaming)), (*drafts, _start(streaming))


def grown(fragments: Fragments, key: str, piece: str, at: str | None) -> Step:
    """Append to a fragment.

    Args:
        fragments: those open.
        key: the fragment's; if none has it, nothing happens.
        piece: what comes next.
        at: when, as a timestamp.
    """
    found = find(fragments, key)
    if found is None or not piece:
        return fragments, ()
    longer = _with_body(found, grow(found.body, piece))
    sent = found.streaming and not found.paused
    drafts = (draft(_partial(found, "delta", piece), at),) if sent else ()
    return _replaced(fragments, longer), drafts


def paused(fragments: Fragments, key: str, at: str | None) -> Step:
    """Stop a fragment's streaming while its complete is still due.

    Args:
        fragments: those open.
        key: the fragment's; if none has it, nothing happens.
        at: when, as a timestamp.
    """
    found = find(fragments, key)
    if found is None or found.paused:
        return fragments, ()
    drafts = (draft(_partial(found, "stop", ""), at),) if found.streaming else ()
    return _replaced(fragments, evolve(found, paused=True)), drafts


def renamed(fragments: Fragments, key: str, name: str) -> Fragments:
    """Return the fragments with a call's name, which the stream gave behind its start.

    Args:
        fragments: those open.
        key: the call's; if none has it, nothing happens.
        name: the tool; an empty one changes nothing.
    """
    found = find(fragments, key)
    if found is None or not name or found.name == name:
        return fragments
    return _replaced(fragments, evolve(found, name=name))


def rewritten(fragments: Fragments, key: str, body: str) -> Fragments:
    """Return the fragments with what a record gives as a fragment's whole text so far.

    The partials that were sent stay as they are; the complete will say it.

    Args:
        fragments: those open.
        key: the fragment's; if none has it, nothing happens.
        body: its text.
    """
    found = find(fragments, key)
    if found is None or found.body == body:
        return fragments
    return _replaced(fragments, _with_body(found, body))


def completed(
    fragments: Fragments,
    key: str,
    at: str | None,
    *,
    body: str | None = None,
    name: str | None = None,
    stop_reason: str | None = "completed",
    fidelity: JsonObject | None = None,
) -> Step:
    """Close a fragment with its complete.

    Args:
        fragments: those open.
        key: the fragment's; if none has it, nothing happens.
        at: when, as a timestamp.
        body: the whole, if the record gives it; else what has streamed.
        name: the tool's name, if the record gives it.
        stop_reason: how it ended.
        fidelity: what the provider wants back verbatim.
    """
    found = find(fragments, key)
    if found is None:
        return fragments, ()
    whole = evolve(found, body=str(found.body) if body is None else body, name=name or found.name)
    stop = _partial(found, "stop", "", stop_reason)
    stops = (draft(stop, at),) if found.streaming and not found.paused else ()
    complete = draft(_complete(whole, stop_reason, fidelity), at, found.started_at)
    rest = Fragments(open=tuple([each for each in fragments.open if each is not found]))
    rest, starts = _promoted(rest, found)
    return rest, (*stops, complete, *starts)


def _with_room(fragments: Fragments, at: str | None) -> Step:
    if len(fragments.open) < _MOST:
        return fragments, ()
    return completed(fragments, fragments.open[0].key, at)


def _may_stream(fragments: Fragments, fragment: Fragment) -> bool:
    if fragment.kind == "tool_call":
        return True
    return fragment.role == "assistant" and not any(
        each.kind == fragment.kind and each.streaming for each in fragments.open
    )


def _promoted(fragments: Fragments, gone: Fragment) -> Step:
    if gone.kind == "tool_call" or not gone.streaming:
        return fragments, ()
    for each in fragments.open:
        if each.kind == gone.kind and _may_stream(fragments, each):
            streaming = evolve(each, streaming=True)
            stops = (draft(_partial(each, "stop", ""), each.started_at),) if each.paused else ()
            return _replaced(fragments, streaming), (_start(streaming), *stops)
    return fragments, ()


def _replaced(fragments: Fragments, fragment: Fragment) -> Fragments:
    return Fragments(
        open=tuple([fragment if each.key == fragment.key else each for each in fragments.open])
    )


def _start(fragment: Fragment) -> Draft:
    return draft(_partial(fragment, "start", str(fragment.body)), fragment.started_at)


def _partial(
    fragment: Fragment, event_type: str, piece: str, stop_reason: str | None = None
) -> PartialPayload:
    if fragment.kind == "text":
        return PartialText(
            role="assistant", event_type=event_type, text=piece, stop_reason=stop_reason
        )
    if fragment.kind == "thinking":
        return PartialThinking(
            role="assistant", event_type=event_type, thinking=piece, stop_reason=stop_reason
        )
    return PartialToolCall(
        role="assistant",
        event_type=event_type,
        name=fragment.name,
        arguments=piece,
        tool_call_id=fragment.call_id,
        stop_reason=stop_reason,
    )


def _complete(
    fragment: Fragment, stop_reason: str | None, fidelity: JsonObject | None
) -> CompletePayload | Payload:
    body = str(fragment.body)
    if fragment.kind == "text":
        return _text(fragment.role, body, stop_reason, fidelity)
    if fragment.kind == "thinking":
        return Thinking(role="assistant", thinking=body, stop_reason=stop_reason, fidelity=fidelity)
    return ToolCall(
        role="assistant",
        name=fragment.name,
        arguments=body,
        tool_call_id=fragment.call_id,
        stop_reason=stop_reason,
        fidelity=fidelity,
    )


def _text(
    role: str, body: str, stop_reason: str | None, fidelity: JsonObject | None
) -> Text | Notice:
    if role in ("assistant", "user"):
        return Text(role=role, text=body, stop_reason=stop_reason, fidelity=fidelity)
    return Notice(name=role if role == "refusal" else f"{role}_message", text=body)
