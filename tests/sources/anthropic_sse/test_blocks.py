"""Content blocks: wrong indices, initial content, what cuts them."""

from __future__ import annotations

from typing import Any

from refold import replay
from refold.items import AssistantTextItem, ThinkingItem, ToolCallItem
from refold.messages import Message, Thinking
from refold.sources.anthropic_sse import SOURCE
from refold.sources.source import Record
from tests.sources.folding import folded, messages_from, said, view

BEGIN = {"type": "message_start", "message": {"id": "m1", "usage": {"input_tokens": 3}}}
END = {"type": "message_stop"}


def start(index: int, **block: Any) -> dict[str, Any]:
    return {"type": "content_block_start", "index": index, "content_block": block}


def delta(index: int, **fields: Any) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": index, "delta": fields}


def stop(index: int) -> dict[str, Any]:
    return {"type": "content_block_stop", "index": index}


def text(index: int, piece: str) -> dict[str, Any]:
    return delta(index, type="text_delta", text=piece)


def arguments(index: int, piece: str) -> dict[str, Any]:
    return delta(index, type="input_json_delta", partial_json=piece)


def stopping(reason: str) -> dict[str, Any]:
    return {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {}}


def card(*events: dict[str, Any]) -> ToolCallItem:
    (item,) = folded(SOURCE, [BEGIN, *events]).items
    assert isinstance(item, ToolCallItem)
    return item


CALL = start(0, type="tool_use", id="t", name="f", input={})


def test_a_delta_of_an_index_that_nothing_opened_grows_the_block_opened_last() -> None:
    events = [BEGIN, start(2, type="text", text=""), text(3, "Now"), text(3, "!"), stop(3), END]
    assert said(view(SOURCE, events)) == [("assistant_text", "Now!")]


def test_a_call_that_is_renumbered_keeps_what_its_start_gave() -> None:
    shown = card(
        start(5, type="tool_use", id="t", name="f", input={"a": 1}), arguments(6, ""), stop(6), END
    )
    assert (shown.tool_call_id, shown.arguments_text) == ("t", '{"a": 1}')


def test_a_delta_of_another_kind_does_not_grow_the_block_opened_last() -> None:
    events = [BEGIN, CALL, text(1, "x"), END]
    assert ("assistant_text", "x") in said(view(SOURCE, events))


def test_text_without_a_block_or_a_message_is_shown() -> None:
    assert said(view(SOURCE, [text(3, "x"), stop(7)])) == [("assistant_text", "x")]


def test_blocks_open_at_once_each_keep_their_own() -> None:
    events = [
        BEGIN,
        start(0, type="text", text=""),
        start(1, type="text", text=""),
        text(0, "a"),
        text(1, "b"),
        text(0, "c"),
        stop(0),
        stop(1),
        END,
    ]
    assert said(view(SOURCE, events)) == [("assistant_text", "ac"), ("assistant_text", "b")]


def test_a_call_without_deltas_has_the_input_its_start_gave() -> None:
    assert (
        card(
            start(0, type="tool_use", id="t", name="f", input={"a": 1}), stop(0), END
        ).arguments_text
        == '{"a": 1}'
    )
    assert card(CALL, stop(0), END).arguments_text == "{}"


def test_empty_pieces_of_arguments_change_nothing() -> None:
    assert (
        card(
            CALL, arguments(0, ""), arguments(0, '{"a"'), arguments(0, ":1}"), stop(0), END
        ).arguments_text
        == '{"a":1}'
    )


def test_a_call_that_max_tokens_cut_is_malformed() -> None:
    assert (
        card(CALL, arguments(0, '{"a'), stopping("max_tokens"), END).call_stop_reason == "malformed"
    )
    assert (
        card(CALL, arguments(0, '{"a'), stop(0), stopping("max_tokens"), END).call_stop_reason
        == "malformed"
    )
    assert (
        card(CALL, arguments(0, "{}"), stop(0), stopping("max_tokens"), END).call_stop_reason
        == "completed"
    )


def test_a_call_that_did_not_stop_is_malformed_whatever_it_holds() -> None:
    shown = card(CALL, arguments(0, "[" * 100_000), END)
    assert (shown.call_stop_reason, shown.output_complete) == ("malformed", True)


def test_the_last_text_says_why_the_message_stopped() -> None:
    events = [
        BEGIN,
        start(0, type="text", text="a"),
        stop(0),
        start(1, type="text", text="b"),
        stop(1),
        stopping("max_tokens"),
        END,
    ]
    reasons = [
        each.stop_reason
        for each in folded(SOURCE, events).items
        if isinstance(each, AssistantTextItem)
    ]
    assert reasons == ["completed", "max_tokens"]


def test_a_stopped_block_is_no_longer_streaming_while_it_waits() -> None:
    state, messages = SOURCE.start(), list[Message]()
    for event in [BEGIN, start(0, type="text", text="a"), stop(0)]:
        state, more = SOURCE.step(state, Record(value=event), None)
        messages += more
    (item,) = replay(messages, now_ms=0).items
    assert isinstance(item, AssistantTextItem)
    assert (item.text, item.streaming) == ("a", False)


def test_a_signature_goes_with_its_thinking() -> None:
    events = [
        BEGIN,
        start(0, type="thinking", thinking="", signature=""),
        delta(0, type="thinking_delta", thinking="hm"),
        delta(0, type="signature_delta", signature="si"),
        delta(0, type="signature_delta", signature="g"),
        stop(0),
        END,
    ]
    (thought,) = [
        each.payload for each in messages_from(SOURCE, events) if isinstance(each.payload, Thinking)
    ]
    assert (thought.thinking, dict(thought.fidelity or {})) == ("hm", {"signature": "sig"})


def test_redacted_thinking_and_a_thinking_without_text_show_nothing() -> None:
    events = [
        BEGIN,
        start(0, type="redacted_thinking", data="xx"),
        stop(0),
        start(1, type="thinking", thinking=""),
        stop(1),
        END,
    ]
    assert said(view(SOURCE, events)) == []


def test_the_same_index_again_completes_the_block_before() -> None:
    events = [BEGIN, start(0, type="thinking", thinking="a"), start(0, type="text", text="b"), END]
    thought, spoken = view(SOURCE, events).items
    assert isinstance(thought, ThinkingItem)
    assert isinstance(spoken, AssistantTextItem)
    assert (thought.thinking, thought.streaming, spoken.text) == ("a", False, "b")


def test_blocks_that_are_neither_said_nor_called_are_notices() -> None:
    events = [BEGIN, start(0, type="container_upload", file_id="f1"), stop(0), END]
    (notice,) = view(SOURCE, events).items
    assert (notice.kind, notice.name, dict(notice.data)) == (
        "notice",
        "container_upload",
        {"file_id": "f1"},
    )  # type: ignore[union-attr]


def test_a_compaction_without_a_summary_has_failed() -> None:
    events = [BEGIN, start(0, type="compaction", content=None), stop(0), END]
    (compaction,) = view(SOURCE, events).items
    assert (compaction.kind, compaction.status) == ("compaction", "failed")  # type: ignore[union-attr]
