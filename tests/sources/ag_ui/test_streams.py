"""Streamed texts and reasoning: starts, chunks, interleavings, what is missing."""

from __future__ import annotations

from typing import Any

from refold.sources.ag_ui import SOURCE
from tests.sources.folding import folded, said, view


def text(kind: str, ident: str | None = "m", **fields: Any) -> dict[str, Any]:
    named = {} if ident is None else {"messageId": ident}
    return {"type": f"TEXT_MESSAGE_{kind}", **named, **fields}


def reasoning(kind: str, ident: str | None = "r", **fields: Any) -> dict[str, Any]:
    named = {} if ident is None else {"messageId": ident}
    return {"type": f"REASONING_MESSAGE_{kind}", **named, **fields}


def test_a_stream_joined_inside_a_message_shows_what_came() -> None:
    assert said(view(SOURCE, [text("CONTENT", delta="llo"), text("END")])) == [
        ("assistant_text", "llo")
    ]


def test_a_repeated_start_does_not_begin_anew() -> None:
    events = [
        text("START"),
        text("CONTENT", delta="a"),
        text("START"),
        text("CONTENT", delta="b"),
        text("END"),
    ]
    assert said(view(SOURCE, events)) == [("assistant_text", "ab")]


def test_chunks_without_an_id_continue_and_end_with_the_next_event() -> None:
    events = [
        text("CHUNK", delta="a"),
        text("CHUNK", None, delta="b"),
        {"type": "RAW", "event": {}},
        text("CHUNK", None, delta="c"),
        {"type": "STEP_STARTED", "stepName": "s"},
    ]
    session = folded(SOURCE, events)
    (item,) = session.items
    assert (item.text, item.streaming) == ("abc", False)


def test_a_chunk_of_another_message_ends_the_one_before() -> None:
    events = [
        text("CHUNK", "a", delta="1"),
        text("CHUNK", "b", delta="2"),
        text("CHUNK", None, delta="3"),
    ]
    assert said(view(SOURCE, events)) == [("assistant_text", "1"), ("assistant_text", "23")]


def test_a_chunk_grows_a_message_that_was_started_by_name() -> None:
    events = [
        reasoning("START"),
        reasoning("CONTENT", delta="a"),
        reasoning("CHUNK", delta="b"),
        reasoning("END"),
    ]
    assert said(view(SOURCE, events)) == [("thinking", "ab")]


def test_a_span_of_reasoning_ends_what_it_holds() -> None:
    events = [
        {"type": "REASONING_START", "messageId": "r"},
        reasoning("CONTENT", delta="a"),
        {"type": "REASONING_END", "messageId": "r"},
    ]
    (item,) = folded(SOURCE, events).items
    assert (item.thinking, item.streaming, item.stop_reason) == ("a", False, "completed")


def test_interleaved_messages_each_keep_their_text() -> None:
    events = [
        text("START", "a"),
        text("START", "b"),
        text("CONTENT", "a", delta="1"),
        text("CONTENT", "b", delta="2"),
        text("CONTENT", "a", delta="3"),
        text("END", "b"),
        text("END", "a"),
    ]
    assert said(view(SOURCE, events)) == [("assistant_text", "2"), ("assistant_text", "13")]


def test_a_users_streamed_text_starts_a_task() -> None:
    events = [text("START", role="user"), text("CONTENT", delta="hi"), text("END")]
    session = folded(SOURCE, events)
    assert (said(session), session.task_open) == ([("user_text", "hi")], True)


def test_a_message_without_an_id_is_a_message() -> None:
    events = [text("START", None), text("CONTENT", None, delta="a"), text("END", None)]
    assert said(view(SOURCE, events)) == [("assistant_text", "a")]


def test_an_empty_message_shows_nothing() -> None:
    assert said(view(SOURCE, [text("START"), text("CONTENT", delta=" "), text("END")])) == []
