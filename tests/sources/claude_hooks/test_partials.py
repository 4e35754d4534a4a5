"""The overlay as partial messages: what a sink with one open text is told."""

from __future__ import annotations

from typing import Any

import pytest

from refold import apply, settled
from refold.messages import (
    Abort,
    CompactionBegin,
    CompactionEnd,
    Message,
    PartialText,
    RequestEnd,
    Text,
    ToolCall,
)
from refold.session import Session
from refold.sources.claude_hooks import partials
from refold.sources.claude_hooks.deltas import Delta
from refold.sources.claude_hooks.partials import Partials

PROMPT = Message(payload=Text(role="user", text="do it"), timestamp="2026-07-05T00:00:00Z")
BLANK = ("text", "")


def delta(message_id: str, index: int, text: str, *, final: bool = False) -> Delta:
    return Delta(message_id=message_id, index=index, final=final, text=text)


def said(text: str) -> Message:
    return Message(payload=Text(role="assistant", text=text), timestamp="2026-07-05T00:00:01Z")


def other(payload: Any) -> Message:
    return Message(payload=payload, timestamp="2026-07-05T00:00:01Z")


def run(*events: Delta | Message) -> tuple[Partials, list[Message]]:
    state, messages = Partials(), []
    for event in events:
        if isinstance(event, Delta):
            state, more = partials.previewed(state, event)
        else:
            state, more = partials.told(state, event)
        messages += more
    return state, messages


def words(messages: list[Message]) -> list[tuple[str, str]]:
    """Return each message as its kind (of a partial: its event) and what it says."""
    told = []
    for each in messages:
        payload = each.payload
        match payload:
            case PartialText():
                told.append((payload.event_type, payload.text))
            case Text():
                told.append(("text", payload.text))
            case _:
                told.append((payload.kind, ""))
    return told


def folded(messages: list[Message]) -> Session:
    session = Session()
    for each in messages:
        session = apply(session, each, now_ms=0)
    return session


def test_a_stream_then_its_record_is_start_deltas_stop_and_the_text() -> None:
    _, messages = run(delta("m", 0, "Su"), delta("m", 1, "re.", final=True), said("Sure."))
    assert words(messages) == [("start", "Su"), ("delta", "re."), ("stop", ""), ("text", "Sure.")]


def test_a_record_in_the_middle_of_its_stream_brings_the_rest_and_ends_it() -> None:
    _, messages = run(delta("m", 0, "Su"), said("Sure."), delta("m", 1, "re.", final=True))
    assert words(messages) == [("start", "Su"), ("delta", "re."), ("stop", ""), ("text", "Sure.")]


def test_a_record_in_front_of_its_stream_leaves_nothing_to_preview() -> None:
    _, messages = run(said("Sure."), delta("m", 0, "Su"), delta("m", 1, "re.", final=True))
    assert words(messages) == [("text", "Sure.")]


def test_a_record_of_another_text_is_told_around_the_preview() -> None:
    _, messages = run(delta("m", 0, "Su"), said("Other."))
    assert words(messages) == [("start", "Su"), BLANK, ("text", "Other."), ("start", "Su")]
    texts = [
        item.text for item in folded([PROMPT, *messages]).items if item.kind == "assistant_text"
    ]
    assert [str(each) for each in texts] == ["Other.", "Su"]


def test_a_tool_call_leaves_the_preview_floating_behind_it() -> None:
    call = other(ToolCall(role="assistant", name="Bash", arguments="{}", tool_call_id="t1"))
    _, messages = run(delta("m", 0, "Su"), call, delta("m", 1, "re.", final=True), said("Sure."))
    assert words(messages) == [
        ("start", "Su"),
        ("tool_call", ""),
        ("delta", "re."),
        ("stop", ""),
        ("text", "Sure."),
    ]
    assert [item.kind for item in folded(messages).items] == ["tool_call", "assistant_text"]


def test_the_newest_stream_is_told_and_an_abandoned_one_taken_back() -> None:
    _, messages = run(delta("m1", 0, "Half"), delta("m2", 0, "Whole", final=True), said("Whole"))
    assert words(messages) == [
        ("start", "Half"),
        BLANK,
        ("start", "Whole"),
        ("stop", ""),
        ("text", "Whole"),
    ]


@pytest.mark.parametrize("closing", [PROMPT, other(Abort())], ids=["prompt", "abort"])
def test_what_ends_the_turn_takes_the_preview_back_for_good(closing: Message) -> None:
    state, messages = run(delta("m", 0, "Su"), closing, delta("m", 1, "re."))
    assert words(messages)[:2] == [("start", "Su"), BLANK]
    assert len(messages) == 3
    assert state.shown is None


def test_a_failed_request_does_not_freeze_the_preview() -> None:
    _, messages = run(delta("m", 0, "Su"), other(RequestEnd(status="failed")))
    assert words(messages) == [("start", "Su"), BLANK, ("request_end", ""), ("start", "Su")]


def test_a_compaction_takes_the_preview_back_until_it_ends() -> None:
    begin = other(CompactionBegin(reason="context", mode="summarize", context=1, turns=1))
    end = other(CompactionEnd(reason="context", mode="summarize", status="completed"))
    _, messages = run(
        delta("m", 0, "Su"), begin, delta("m", 1, "re"), said("a summary"), end, delta("m", 2, ".")
    )
    assert words(messages) == [
        ("start", "Su"),
        BLANK,
        ("compaction_begin", ""),
        ("text", "a summary"),
        ("compaction_end", ""),
        ("start", "Sure"),
        ("delta", "."),
    ]


def test_a_blank_text_of_the_transcript_does_not_remove_the_preview() -> None:
    _, messages = run(PROMPT, delta("m", 0, "Su"), said(" "))
    items = folded(messages).items
    assert [str(each.text) for each in items if each.kind == "assistant_text"] == ["Su"]


def test_a_nested_sessions_text_accounts_for_no_preview() -> None:
    nested = Message(payload=Text(role="assistant", text="Sure."), origin=("child",))
    _, messages = run(delta("m", 0, "Sure.", final=True), nested)
    assert words(messages) == [("start", "Sure."), ("stop", ""), ("text", "Sure.")]
    assert partials.previewed(run(nested)[0], delta("m", 0, "Su"))[1] != ()


def test_a_rewritten_text_replaces_its_preview_at_the_close_at_the_latest() -> None:
    state, messages = run(
        PROMPT, delta("m", 0, "Prompt is too long", final=True), said("Too long!")
    )
    _, retraction = partials.close(state)
    items = settled(folded([*messages, *retraction])).items
    assert [item.kind for item in items] == ["user_text", "assistant_text", "task_stats"]


def test_a_partial_has_the_time_the_caller_saw_it_and_a_retraction_none() -> None:
    _, messages = partials.previewed(Partials(), delta("m", 0, "Su"), "2026-07-05T00:00:09Z")
    assert [each.timestamp for each in messages] == ["2026-07-05T00:00:09Z"]
    state, _ = partials.previewed(Partials(), delta("m", 0, "Su"), "2026-07-05T00:00:09Z")
    assert [each.timestamp for each in partials.close(state)[1]] == [None]


def test_what_changes_nothing_returns_the_same_state() -> None:
    state, _ = run(delta("m", 0, "Su"))
    assert partials.previewed(state, delta("m", 0, "Su")) == (state, ())
    assert partials.previewed(state, delta("m", 0, "Su"))[0] is state
    assert partials.close(Partials())[0] == Partials()
