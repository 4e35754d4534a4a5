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
- A partial takes the time at which the caller saw it, and nothing settled depends on that.
"""

from __future__ import annotations

from refold.boundaries import Boundary, advance, starts_task
from refold.markers import is_blank
from refold.messages import Abort, Message, PartialText, RequestEnd, Text, Transport
from refold.records import evolve, evolver, record
from refold.sources.claude_hooks import join
from refold.sources.claude_hooks.deltas import Delta
from refold.sources.claude_hooks.join import Close, Join, Said
from refold.sources.claude_hooks.streams import Stream
from refold.texts import appended

__all__ = ["Partials", "Shown", "close", "previewed", "told"]


@record
class Shown:
    """The preview that was told last.

    Args:
        stream: as it was then.
        stopped: its stop has been told.
    """

    stream: Stream
    stopped: bool = False


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
    newest = None if partials.boundary.compacting else _newest(after)
    shown, messages = _shown(partials.shown, newest)
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
    return _around(partials, message) if _closes_early(message) else (partials, (message,))


def close(partials: Partials) -> tuple[Partials, tuple[Message, ...]]:
    """Forget the open turn for good, and take back what it shows."""
    after, _ = join.step(partials.join, Close())
    if after is partials.join and partials.shown is None:
        return partials, ()
    return evolve(partials, join=after, shown=None), _taken_back(partials.shown)


def _newest(state: Join) -> Stream | None:
    shown = join.overlay(state)
    return shown[-1] if shown and shown[-1].seen > state.passed else None


def _shown(before: Shown | None, stream: Stream | None) -> tuple[Shown | None, tuple[Message, ...]]:
    if before is None or stream is None or before.stream.message_id != stream.message_id:
        after, begun = _begun(stream)
        return after, (*_taken_back(before), *begun)
    gained = _gained(before.stream, stream)
    messages = (_partial("delta", gained),) if gained else ()
    return _stopped(Shown(stream=stream, stopped=before.stopped), messages)


def _begun(stream: Stream | None) -> tuple[Shown | None, tuple[Message, ...]]:
    if stream is None:
        return None, ()
    return _stopped(Shown(stream=stream), (_partial("start", str(stream.text)),))


def _stopped(shown: Shown, messages: tuple[Message, ...]) -> tuple[Shown, tuple[Message, ...]]:
    if shown.stopped or not shown.stream.complete:
        return shown, messages
    return evolve(shown, stopped=True), (*messages, _partial("stop", ""))


def _compacted(partials: Partials, message: Message) -> tuple[Partials, tuple[Message, ...]]:
    newest = None if partials.boundary.compacting else _newest(partials.join)
    if newest is None and partials.shown is None:
        return partials, (message,)
    shown, begun = _begun(newest)
    return evolve(partials, shown=shown), (*_taken_back(partials.shown), message, *begun)


def _committed(partials: Partials, message: Message) -> tuple[Partials, tuple[Message, ...]]:
    assert isinstance(message.payload, Text), "only a text is said"
    text = message.payload.text
    shown = partials.shown
    after, _ = join.step(partials.join, Said(text=text))
    newest = _newest(after)
    if shown is not None and (newest is None or newest.message_id != shown.stream.message_id):
        before = _finished(shown, text)
    else:
        before = _taken_back(shown)
    following, begun = _begun(newest)
    settled = evolve(partials, join=after, shown=following)
    return settled, (*before, message, *begun)


def _finished(shown: Shown, text: str) -> tuple[Message, ...]:
    # The commit accounts for the preview, unless it only uncovered a newer one.
    if not text.startswith(str(shown.stream.text)):
        return _taken_back(shown)
    if shown.stopped:
        return ()
    rest = text[shown.stream.length :]
    delta = (_partial("delta", rest),) if rest else ()
    return (*delta, _partial("stop", ""))


def _around(partials: Partials, message: Message) -> tuple[Partials, tuple[Message, ...]]:
    if partials.shown is None:
        return partials, (message,)
    shown, begun = _begun(partials.shown.stream)
    messages = (*_taken_back(partials.shown), message, *begun)
    return evolve(partials, shown=shown), messages


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


def _taken_back(shown: Shown | None) -> tuple[Message, ...]:
    return () if shown is None else (Message(payload=Text(role="assistant", text="")),)


def _gained(before: Stream, after: Stream) -> str:
    gained = appended(before.text, after.text)
    return str(after.text)[before.length :] if gained is None else gained


def _partial(event_type: str, text: str) -> Message:
    return Message(payload=PartialText(role="assistant", event_type=event_type, text=text))


_advanced = evolver(Partials, "boundary")
