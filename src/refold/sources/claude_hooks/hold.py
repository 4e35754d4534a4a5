"""Holding a record's text until its stream has been sent: an option for sinks that need it.

Rules of this file (sources/claude-code.md 3.2, 3.5):

- Nothing in refold needs this: the join converges without. It is for a sink that renders a piece
  which comes behind its complete text as a second message.
- Only an assistant's text is held, and only once a delta has been seen. It goes when a complete
  stream says exactly the same, or when ``timeout_ms`` have passed; a longer beginning, a final
  piece behind a gap or a stream of another text are no reason.
- Each text uses up one stream, so equal texts are matched by count.
- What is held blocks everything behind it, edges too: an idle can't overtake the last answer.
- Time is an input, and decides nothing but when a held text goes.
"""

from __future__ import annotations

from refold.markers import is_blank
from refold.messages import Message, Text
from refold.records import evolve, record
from refold.sources.claude_hooks.deltas import Delta
from refold.sources.claude_hooks.streams import Stream, grown

__all__ = ["MOST_HELD", "TIMEOUT_MS", "Hold", "Outgoing", "deltas", "messages", "step"]

TIMEOUT_MS = 2000
MOST_HELD = 256
_MOST_STREAMS = 256

Outgoing = Delta | Message


@record
class Hold:
    """What waits, and the streams it may be waiting for.

    Args:
        timeout_ms: how long a text is held at most, in ms.
        held: messages in order; the first is the text that is waited for.
        since_ms: since when the first waits, Unix ms; None with nothing held.
        streams: those no text has used up.
        active: a delta has been seen.
    """

    timeout_ms: int = TIMEOUT_MS
    held: tuple[Message, ...] = ()
    since_ms: int | None = None
    streams: tuple[Stream, ...] = ()
    active: bool = False


def step(hold: Hold, event: Outgoing | None, now_ms: int) -> tuple[Hold, tuple[Outgoing, ...]]:
    """Take a delta, a message or nothing but the time; return what goes out now, in order.

    Args:
        hold: the state before.
        event: what came; None if only time has passed.
        now_ms: the caller's clock, in ms.
    """
    if type(event) is Delta:
        after, gone = _released(_streamed(hold, event), now_ms)
        return after, (event, *gone)
    if type(event) is Message:
        hold = evolve(hold, held=(*hold.held, event))
    return _released(hold, now_ms)


def messages(outgoing: tuple[Outgoing, ...]) -> tuple[Message, ...]:
    """Return the messages of what goes out."""
    return tuple(each for each in outgoing if type(each) is Message)


def deltas(outgoing: tuple[Outgoing, ...]) -> tuple[Delta, ...]:
    """Return the deltas of what goes out."""
    return tuple(each for each in outgoing if type(each) is Delta)


def _streamed(hold: Hold, delta: Delta) -> Hold:
    known = next((each for each in hold.streams if each.message_id == delta.message_id), None)
    before = known or Stream(message_id=delta.message_id, seen=0)
    after, _ = grown(before, delta)
    if known is None:
        streams = (*hold.streams, after)[-_MOST_STREAMS:]
    else:
        streams = tuple(after if each is known else each for each in hold.streams)
    return evolve(hold, streams=streams, active=True)


def _released(hold: Hold, now_ms: int) -> tuple[Hold, tuple[Message, ...]]:
    gone = 0
    since, streams = hold.since_ms, hold.streams
    while gone < len(hold.held):
        stream = _match(streams, hold.held[gone])
        overdue = now_ms - (now_ms if since is None else since) >= hold.timeout_ms
        full = len(hold.held) - gone > MOST_HELD
        if _waits(hold, hold.held[gone]) and not (stream or overdue or full):
            break
        streams = tuple(each for each in streams if each is not stream)
        gone, since = gone + 1, None
    waiting = gone < len(hold.held)
    since = (now_ms if since is None else since) if waiting else None
    if not gone and since == hold.since_ms:
        return hold, ()
    after = evolve(hold, held=hold.held[gone:], since_ms=since, streams=streams)
    return after, hold.held[:gone]


def _match(streams: tuple[Stream, ...], message: Message) -> Stream | None:
    payload = message.payload
    if not _is_answer(message) or not isinstance(payload, Text):
        return None
    return next((each for each in streams if each.complete and each.text == payload.text), None)


def _waits(hold: Hold, message: Message) -> bool:
    return hold.active and _is_answer(message)


def _is_answer(message: Message) -> bool:
    payload = message.payload
    if message.origin or not isinstance(payload, Text):
        return False
    return payload.role != "user" and not is_blank(payload.text)
