"""One preview as partial messages."""

from __future__ import annotations

from refold.messages import Message, PartialText, Text
from refold.sources.claude_hooks.previews import Shown, begun, finished, moved, taken_back
from refold.sources.claude_hooks.streams import Stream, grown
from tests.sources.claude_hooks.strategies import deltas_of


def stream(*pieces: str, message_id: str = "m") -> Stream:
    """Return a stream of which these pieces have come; the last piece is the final one."""
    whole = Stream(message_id=message_id, seen=0)
    for delta in deltas_of(message_id, pieces):
        whole, _ = grown(whole, delta)
    return whole


def growing(text: str, message_id: str = "m") -> Stream:
    first = deltas_of(message_id, (text, ""))[0]
    return grown(Stream(message_id=message_id, seen=0), first)[0]


def partial(event_type: str, text: str) -> Message:
    return Message(payload=PartialText(role="assistant", event_type=event_type, text=text))


BLANK = Message(payload=Text(role="assistant", text=""))


def test_a_preview_begins_with_what_is_there_already() -> None:
    assert begun(growing("Su")) == (Shown(stream=growing("Su")), (partial("start", "Su"),))
    assert begun(None) == (None, ())


def test_a_preview_that_is_whole_stops() -> None:
    shown, messages = begun(stream("Sure."))
    assert messages == (partial("start", "Sure."), partial("stop", ""))
    assert shown is not None and shown.stopped


def test_a_preview_grows_by_what_its_stream_gained() -> None:
    shown, messages = moved(Shown(stream=growing("Su")), stream("Su", "re."))
    assert messages == (partial("delta", "re."), partial("stop", ""))
    assert moved(shown, stream("Su", "re.")) == (shown, ())


def test_another_stream_takes_the_preview_back_first() -> None:
    _, messages = moved(Shown(stream=growing("Su")), growing("Do", message_id="n"))
    assert messages == (BLANK, partial("start", "Do"))
    assert moved(Shown(stream=growing("Su")), None) == (None, (BLANK,))


def test_a_preview_is_finished_by_what_its_text_has_more() -> None:
    assert finished(Shown(stream=growing("Su")), "Sure.") == (
        partial("delta", "re."),
        partial("stop", ""),
    )
    assert finished(Shown(stream=growing("Su")), "Su") == (partial("stop", ""),)
    assert finished(Shown(stream=stream("Su"), stopped=True), "Su") == ()


def test_a_text_that_does_not_begin_with_the_preview_takes_it_back() -> None:
    assert finished(Shown(stream=growing("Su")), "No.") == (BLANK,)
    assert taken_back(None) == ()
