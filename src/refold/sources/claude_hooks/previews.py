"""One preview as partial messages: begun, growing, finished, or taken back.

Rules of this file (reducer.md rules 5-7):

- A preview is a fragment: a start with what is there already, deltas, and a stop once it is whole.
- It is finished by its record's text, behind whatever is missing; it is taken back by a blank
  complete text without a time, which shows nothing and settles nothing else.
"""

from __future__ import annotations

from refold.messages import Message, PartialText, Text
from refold.records import evolve, record
from refold.sources.claude_hooks.streams import Stream
from refold.texts import appended

__all__ = ["Shown", "begun", "finished", "moved", "taken_back"]


@record
class Shown:
    """The preview that was told last.

    Args:
        stream: as it was then.
        stopped: its stop has been told.
    """

    stream: Stream
    stopped: bool = False


def moved(before: Shown | None, stream: Stream | None) -> tuple[Shown | None, tuple[Message, ...]]:
    """Return what is shown from now on, and the partials that lead there.

    Args:
        before: what was shown.
        stream: what is to be shown, as it is now.
    """
    if before is None or stream is None or before.stream.message_id != stream.message_id:
        after, messages = begun(stream)
        return after, (*taken_back(before), *messages)
    gained = _gained(before.stream, stream)
    messages = (_partial("delta", gained),) if gained else ()
    return _stopped(Shown(stream=stream, stopped=before.stopped), messages)


def begun(stream: Stream | None) -> tuple[Shown | None, tuple[Message, ...]]:
    """Return a preview of a stream from its beginning; nothing for no stream."""
    if stream is None:
        return None, ()
    return _stopped(Shown(stream=stream), (_partial("start", str(stream.text)),))


def finished(shown: Shown, text: str) -> tuple[Message, ...]:
    """Return what belongs in front of a text that a preview gave way to.

    Args:
        shown: the preview.
        text: its record's text; if the preview is no beginning of it, it is another's.
    """
    if not text.startswith(str(shown.stream.text)):
        return taken_back(shown)
    if shown.stopped:
        return ()
    rest = text[shown.stream.length :]
    delta = (_partial("delta", rest),) if rest else ()
    return (*delta, _partial("stop", ""))


def taken_back(shown: Shown | None) -> tuple[Message, ...]:
    """Return what removes a preview; nothing if there is none."""
    return () if shown is None else (Message(payload=Text(role="assistant", text="")),)


def _stopped(shown: Shown, messages: tuple[Message, ...]) -> tuple[Shown, tuple[Message, ...]]:
    if shown.stopped or not shown.stream.complete:
        return shown, messages
    return evolve(shown, stopped=True), (*messages, _partial("stop", ""))


def _gained(before: Stream, after: Stream) -> str:
    gained = appended(before.text, after.text)
    return str(after.text)[before.length :] if gained is None else gained


def _partial(event_type: str, text: str) -> Message:
    return Message(payload=PartialText(role="assistant", event_type=event_type, text=text))
