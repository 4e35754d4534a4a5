"""Law 5: how a text is cut into deltas changes nothing once the fragment stops."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import attrs
from hypothesis import given
from hypothesis import strategies as st

from refold.laws import rechunked, streamed
from refold.laws.comparing import timeless
from refold.laws.of_folds import chunks_dont_matter
from refold.messages import Message
from refold.recording import record
from tests.laws.folds import fold, settled_json
from tests.strategies import any_streams, chaotic_streams, disciplined_streams

_BODIES = {
    "partial_text": "text",
    "partial_thinking": "thinking",
    "partial_tool_call": "arguments",
    "partial_tool_call_output": "output",
}


@given(any_streams())
def test_a_trace_streamed_in_pieces_of_any_size_settles_as_itself(stream: list[Message]) -> None:
    """Start, deltas and stop in front of each complete change nothing, inside pairs too."""
    assert chunks_dont_matter(stream) is None


@given(disciplined_streams(), st.integers(1, 5), st.integers(1, 5))
def test_two_ways_of_cutting_settle_equal(stream: list[Message], one: int, other: int) -> None:
    """Deltas cut into pieces of one size, or of another."""
    left, right = fold(rechunked(stream, one)), fold(rechunked(stream, other))
    assert settled_json(left) == settled_json(right)


@given(disciplined_streams())
def test_merging_neighbouring_deltas_changes_nothing(stream: list[Message]) -> None:
    """Deltas of one fragment that stand side by side may come as one."""
    merged = list(_merged(stream))
    assert _timeless(merged) == _timeless(stream)


@given(chaotic_streams(), st.integers(1, 3))
def test_cutting_deltas_never_changes_what_is_shown_while_they_stream(
    stream: list[Message], size: int
) -> None:
    """On any list whatever, the text that stands there is the same, settled or not."""
    assert settled_json(fold(rechunked(stream, size))) == settled_json(fold(stream))


@given(st.text(alphabet=st.characters(), max_size=40), st.integers(1, 3))
def test_pieces_that_meet_inside_a_surrogate_pair_join_to_the_character(
    text: str, size: int
) -> None:
    """A streamed text is the text, wherever it was cut."""
    trace = [Message(payload=each) for each in _said(text)]
    live = fold(list(streamed(trace, size))[:-1])
    shown = [item.text for item in live.items]  # type: ignore[union-attr]
    assert shown == [text]


def _said(text: str) -> list[Any]:
    from refold.messages import Text

    return [Text(role="assistant", text=text)]


def _timeless(stream: Iterable[Message]) -> dict[str, Any]:
    return timeless(settled_json(fold(stream)))


def _merged(stream: Iterable[Message]) -> Iterator[Message]:
    waiting: Message | None = None
    for message in stream:
        if waiting is not None and _continues(waiting, message):
            waiting = _joined(waiting, message)
            continue
        if waiting is not None:
            yield waiting
        waiting = message
    if waiting is not None:
        yield waiting


def _continues(one: Message, other: Message) -> bool:
    left, right = one.payload, other.payload
    return (
        type(left) is type(right)
        and getattr(left, "event_type", "") == getattr(right, "event_type", "") == "delta"
        and getattr(left, "tool_call_id", "") == getattr(right, "tool_call_id", "")
        and one.origin == other.origin
    )


def _joined(one: Message, other: Message) -> Message:
    payload: Any = one.payload
    body = _BODIES[payload.kind]
    text = getattr(payload, body) + getattr(other.payload, body)
    return attrs.evolve(other, payload=attrs.evolve(payload, **{body: text}))


@given(any_streams())
def test_recording_what_was_cut_gives_the_same_trace(stream: list[Message]) -> None:
    """A trace doesn't know how its stream was cut."""
    assert list(record(rechunked(stream, 1))) == list(record(stream))
