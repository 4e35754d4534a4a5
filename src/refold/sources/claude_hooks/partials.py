"""The overlay as partial messages, in step with the transcript's own.

Rules of this file (sources/claude-code.md 8.6; reducer.md rules 5-7):

- A session has one open text, so one preview is told: the newest that no record accounts for and
  that no later text has passed.
- A preview floats until its record settles it: what is missing, ``stop``, then the record's text.
- A complete text settles whatever fragment is open. So in front of one that is another's, and of
  whatever closes fragments early or ends the turn, the preview is taken back, by a blank complete
  text (rule 7) without a time; behind it, it begins anew. The transcript's messages are neither
  changed, dropped nor reordered.
- While a compaction runs, what the assistant says is its summary: no preview is told, and nothing
  it says accounts for one.
- A blank text is a complete one: it would close the window in which an image joins a steering
  (rule 18). So while that is open a preview may grow, but none is taken back for a delta's sake.
- A partial takes the time at which the caller saw it, and nothing settled depends on that.
"""

from __future__ import annotations

from refold.boundaries import Boundary, advance, starts_task
from refold.markers import is_blank
from refold.messages import Abort, Message, PartialText, RequestEnd, Text, Transport
from refold.records import evolve, evolver, record
from refold.sources.claude_hooks import join, previews
from refold.sources.claude_hooks.deltas import Delta
from refold.sources.claude_hooks.join import Close, Join, Said
from refold.sources.claude_hooks.previews import Shown
from refold.sources.claude_hooks.streams import Stream

__all__ = ["Partials", "close", "forget", "previewed", "told"]


@record
class Partials:
    """What a sink with one open text has been told.

    Args:
        join: the open turn's streams and commits.
        shown: the preview it shows, if any.
        boundary: what tells whether the next message starts a task.
    """

    join: Join = Join()
    shown: Shown | None = None
    boundary: Boundary = Boundary()


def previewed(
    partials: Partials,
    delta: Delta,
    timestamp: str | None = None,
    transport: Transport | None = None,
) -> tuple[Partials, tuple[Message, ...]]:
    """Take a piece of a stream; return the partials it gives.

    Args:
        partials: the state before.
        delta: the piece.
        timestamp: when the caller saw it.
        transport: where it came from.
    """
    after, _ = join.step(partials.join, delta)
    if after is partials.join:
        return partials, ()
    shown, messages = previews.moved(partials.shown, _wanted(partials, after))
    messages = tuple(
        evolve(each, timestamp=timestamp, transport=transport)
        if type(each.payload) is PartialText
        else each
        for each in messages
    )
    return evolve(partials, join=after, shown=shown), messages


def told(partials: Partials, message: Message) -> tuple[Partials, tuple[Message, ...]]:
    """Take a message of the transcript; return it with the partials that belong around it.

    Args:
        partials: the state before.
        message: as the transcript's source made it.
    """
    if message.origin:
        return partials, (message,)
    before = partials.boundary
    boundary = advance(before, message.payload)
    if boundary is not before:
        partials = _advanced(partials, boundary)
    if _ends_turn(before, message):
        after, retraction = close(partials)
        return after, (*retraction, message)
    if before.compacting or boundary.compacting:
        return _compacted(partials, message)
    if _is_said(message):
        return _committed(partials, message)
    if _closes_early(message):
        return _around(partials, message)
    return _caught_up(partials, message) if before.steering else (partials, (message,))


def close(partials: Partials) -> tuple[Partials, tuple[Message, ...]]:
    """Forget the open turn for good, and take back what it shows."""
    after, _ = join.step(partials.join, Close())
    if after is partials.join and partials.shown is None:
        return partials, ()
    return evolve(partials, join=after, shown=None), previews.taken_back(partials.shown)


def forget(partials: Partials) -> tuple[Partials, tuple[Message, ...]]:
    """Forget the open turn for what a log tells; take back what it shows as soon as may be."""
    if not partials.boundary.steering:
        return close(partials)
    after, _ = join.step(partials.join, Close())
    return evolve(partials, join=after), ()


def _newest(state: Join) -> Stream | None:
    shown = join.overlay(state)
    return shown[-1] if shown and shown[-1].seen > state.passed else None


def _wanted(partials: Partials, state: Join) -> Stream | None:
    if partials.boundary.compacting:
        return None
    newest, shown = _newest(state), partials.shown
    if shown is None or not partials.boundary.steering:
        return newest
    same = newest is not None and newest.message_id == shown.stream.message_id
    return newest if same else shown.stream


def _compacted(partials: Partials, message: Message) -> tuple[Partials, tuple[Message, ...]]:
    newest = None if partials.boundary.compacting else _newest(partials.join)
    if newest is None and partials.shown is None:
        return partials, (message,)
    shown, begun = previews.begun(newest)
    return evolve(partials, shown=shown), (*previews.taken_back(partials.shown), message, *begun)


def _committed(partials: Partials, message: Message) -> tuple[Partials, tuple[Message, ...]]:
    assert isinstance(message.payload, Text), "only a text is said"
    text = message.payload.text
    shown = partials.shown
    after, _ = join.step(partials.join, Said(text=text))
    newest = _newest(after)
    if shown is not None and (newest is None or newest.message_id != shown.stream.message_id):
        before = previews.finished(shown, text)
    else:
        before = previews.taken_back(shown)
    following, begun = previews.begun(newest)
    settled = evolve(partials, join=after, shown=following)
    return settled, (*before, message, *begun)


def _around(partials: Partials, message: Message) -> tuple[Partials, tuple[Message, ...]]:
    if partials.shown is None:
        return partials, (message,)
    shown, begun = previews.begun(_newest(partials.join))
    messages = (*previews.taken_back(partials.shown), message, *begun)
    return evolve(partials, shown=shown), messages


def _caught_up(partials: Partials, message: Message) -> tuple[Partials, tuple[Message, ...]]:
    shown, messages = previews.moved(partials.shown, _wanted(partials, partials.join))
    if not messages:
        return partials, (message,)
    return evolve(partials, shown=shown), (message, *messages)


def _ends_turn(boundary: Boundary, message: Message) -> bool:
    return type(message.payload) is Abort or starts_task(boundary, message.payload)


def _is_said(message: Message) -> bool:
    payload = message.payload
    return type(payload) is Text and payload.role != "user" and not is_blank(payload.text)


def _closes_early(message: Message) -> bool:
    payload = message.payload
    if type(payload) is RequestEnd:
        return payload.status != "completed"
    return type(payload) is Text and payload.role != "user"


_advanced = evolver(Partials, "boundary")
