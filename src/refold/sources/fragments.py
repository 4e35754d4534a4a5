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

from typing import TypeAlias

from refold.json_values import JsonObject
from refold.records import evolve, evolver, positional, record
from refold.sources.drafts import Drafts, draft
from refold.sources.fragment_messages import (
    Fragment,
    FragmentKind,
    complete,
    partial,
    start_draft,
)
from refold.texts import grow

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

_MOST = 256


@record
class Fragments:
    """The open fragments of one session, in the order they were opened."""

    open: tuple[Fragment, ...] = ()


NOTHING_OPEN = Fragments()

_with_body = evolver(Fragment, "body")
_new_fragments = positional(Fragments)


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
    return Fragments(open=(*fragments.open, streaming)), (*drafts, start_draft(streaming))


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
    drafts = (draft(partial(found, "delta", piece), at),) if sent else ()
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
    drafts = (draft(partial(found, "stop", ""), at),) if found.streaming else ()
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
    stop = partial(found, "stop", "", stop_reason)
    stops = (draft(stop, at),) if found.streaming and not found.paused else ()
    whole_draft = draft(complete(whole, stop_reason, fidelity), at, found.started_at)
    rest = Fragments(open=tuple([each for each in fragments.open if each is not found]))
    rest, starts = _promoted(rest, found)
    return rest, (*stops, whole_draft, *starts)


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
            stops = (draft(partial(each, "stop", ""), each.started_at),) if each.paused else ()
            return _replaced(fragments, streaming), (start_draft(streaming), *stops)
    return fragments, ()


def _replaced(fragments: Fragments, fragment: Fragment) -> Fragments:
    key = fragment.key
    return _new_fragments(tuple([fragment if each.key == key else each for each in fragments.open]))
