"""Chat Completions: chunks as OpenAI and others write them."""

from __future__ import annotations

from typing import Any

from refold.items import AssistantTextItem, ThinkingItem, ToolCallItem
from refold.messages import RequestEnd, TokenUsage
from refold.sources.openai_sse import SOURCE
from refold.sources.source import Record
from tests.sources.folding import folded, messages_from, said, view


def chunk(
    ident: str = "x", reason: str | None = None, index: int = 0, **delta: Any
) -> dict[str, Any]:
    choice = {"index": index, "delta": delta, "finish_reason": reason}
    return {"id": ident, "object": "chat.completion.chunk", "choices": [choice]}


def call(index: int | None, arguments: str, **fields: Any) -> dict[str, Any]:
    numbered = {} if index is None else {"index": index}
    named = {"name": fields.pop("name")} if "name" in fields else {}
    return {**numbered, "function": {**named, "arguments": arguments}, **fields}


def statuses(*records: Any) -> list[str]:
    payloads = [each.payload for each in messages_from(SOURCE, records)]
    return [each.status for each in payloads if isinstance(each, RequestEnd)]


def used(*records: Any) -> list[int]:
    payloads = [each.payload for each in messages_from(SOURCE, records)]
    return [each.request.total for each in payloads if isinstance(each, TokenUsage)]


USAGE = {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12}


def test_reasoning_text_and_calls_stand_in_that_order() -> None:
    records = [
        chunk(role="assistant", content=""),
        chunk(reasoning_content="hm"),
        chunk(content="let me"),
        chunk(tool_calls=[call(0, "", id="c1", name="f")]),
        chunk(tool_calls=[call(0, '{"a"'), call(1, "{}", id="c2", name="g")]),
        chunk(tool_calls=[call(0, ":1}")]),
        chunk(content=" see"),
        chunk(reason="tool_calls"),
        "[DONE]",
    ]
    assert said(view(SOURCE, records)) == [
        ("thinking", "hm"),
        ("assistant_text", "let me see"),
        ("tool_call", '{"a":1}'),
        ("tool_call", "{}"),
    ]
    assert statuses(*records) == ["completed"]


def test_reasoning_stops_streaming_when_the_text_begins() -> None:
    session = folded(SOURCE, [chunk(reasoning="hm"), chunk(content="a")])
    thought, spoken = session.items
    assert isinstance(thought, ThinkingItem)
    assert isinstance(spoken, AssistantTextItem)
    state, kinds = SOURCE.start(), []
    for each in (chunk(reasoning="hm"), chunk(content="a")):
        state, messages = SOURCE.step(state, Record(value=each), None)
        kinds.append(
            [f"{m.payload.kind} {getattr(m.payload, 'event_type', '')}".strip() for m in messages]
        )
    assert kinds[1] == ["partial_thinking stop", "partial_text start", "partial_text delta"]


def test_another_id_at_the_same_index_is_another_call() -> None:
    records = [
        chunk(tool_calls=[call(0, "{}", id="c1", name="f")]),
        chunk(tool_calls=[call(0, "[]", id="c2", name="g")]),
        chunk(reason="tool_calls"),
    ]
    cards = [each for each in view(SOURCE, records).items if isinstance(each, ToolCallItem)]
    assert [(each.tool_call_id, each.name, each.arguments_text) for each in cards] == [
        ("c1", "f", "{}"),
        ("c2", "g", "[]"),
    ]


def test_an_id_repeated_in_every_piece_is_one_call() -> None:
    records = [
        chunk(tool_calls=[call(0, "{", id="c1", name="f")]),
        chunk(tool_calls=[call(0, "}", id="c1")]),
        chunk(reason="tool_calls"),
    ]
    (card,) = view(SOURCE, records).items
    assert isinstance(card, ToolCallItem)
    assert (card.arguments_text, card.name) == ("{}", "f")


def test_a_name_that_comes_late_and_an_id_that_never_does() -> None:
    records = [
        chunk(tool_calls=[call(0, "")]),
        chunk(tool_calls=[call(0, "{}", name="f")]),
        chunk(reason="tool_calls"),
    ]
    (card,) = view(SOURCE, records).items
    assert isinstance(card, ToolCallItem)
    assert (card.tool_call_id, card.name, card.arguments_text) == ("x:0 call 0", "f", "{}")


def test_the_older_function_call_and_custom_tools_are_calls() -> None:
    records = [
        chunk(function_call={"name": "f", "arguments": "{"}),
        chunk(function_call={"arguments": "}"}),
        chunk(reason="function_call"),
    ]
    assert said(view(SOURCE, records)) == [("tool_call", "{}")]
    custom = [
        chunk(
            tool_calls=[
                {"index": 0, "id": "c", "type": "custom", "custom": {"name": "f", "input": 'a"'}}
            ]
        ),
        chunk(tool_calls=[{"index": 0, "custom": {"input": "b"}}]),
        chunk(reason="tool_calls"),
    ]
    (card,) = view(SOURCE, custom).items
    assert isinstance(card, ToolCallItem)
    assert (card.name, card.parsed_arguments) == ("f", {"input": 'a"b'})


def test_a_refusal_is_a_notice() -> None:
    records = [chunk(refusal="I can"), chunk(refusal="'t"), chunk(reason="stop"), "[DONE]"]
    assert said(view(SOURCE, records)) == [("notice", "I can't")]


def test_length_says_so_on_the_text_and_cuts_a_call() -> None:
    records = [
        chunk(content="half"),
        chunk(tool_calls=[call(0, '{"a', id="c", name="f")]),
        chunk(reason="length"),
    ]
    text, card = view(SOURCE, records).items
    assert isinstance(text, AssistantTextItem)
    assert isinstance(card, ToolCallItem)
    assert (text.stop_reason, card.call_stop_reason) == ("length", "malformed")


def test_a_content_filter_is_told_even_without_a_text() -> None:
    (notice,) = view(SOURCE, [chunk(reason="content_filter"), "[DONE]"]).items
    assert (notice.kind, notice.name) == ("notice", "content_filter")  # type: ignore[union-attr]


def test_parts_of_a_content_are_thinking_and_text() -> None:
    parts = [
        {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
        {"type": "text", "text": "a"},
    ]
    assert said(view(SOURCE, [chunk(content=parts), chunk(reason="stop")])) == [
        ("thinking", "hm"),
        ("assistant_text", "a"),
    ]


def test_every_choice_is_shown() -> None:
    records = [
        chunk(content="a"),
        chunk(index=1, content="b"),
        chunk(index=1, reason="stop"),
        chunk(reason="stop"),
    ]
    assert said(view(SOURCE, records)) == [("assistant_text", "b"), ("assistant_text", "a")]


def test_usage_behind_the_last_choice_is_charged_once() -> None:
    last = {"id": "x", "choices": [], "usage": USAGE}
    assert used(chunk(content="a"), chunk(reason="stop"), last, "[DONE]") == [12]
    assert used(chunk(content="a"), {**chunk(reason="stop"), "usage": USAGE}, "[DONE]") == [12]
    assert used(chunk(content="a"), {**chunk(reason="stop"), "usage": USAGE}) == [12]


def test_usage_that_grows_in_every_chunk_counts_with_its_last_value() -> None:
    records = [
        {**chunk(content="a"), "usage": {"prompt_tokens": 10, "completion_tokens": 1}},
        {**chunk(content="b"), "usage": USAGE},
        chunk(reason="stop"),
        "[DONE]",
    ]
    assert used(*records) == [12]


def test_another_completion_ends_the_one_before() -> None:
    first = [chunk("x", role="assistant", content="a"), chunk("x", reason="stop")]
    second = [chunk("y", role="assistant", content="b"), chunk("y", reason="stop"), "[DONE]"]
    assert statuses(*first, *second) == ["completed", "completed"]
    assert statuses(first[0], *second) == ["aborted", "completed"]
    assert said(view(SOURCE, [first[0], *second])) == [
        ("assistant_text", "a"),
        ("assistant_text", "b"),
    ]


def test_ids_that_change_with_every_chunk_are_one_completion() -> None:
    records = [
        {"id": "", "choices": [], "prompt_filter_results": []},
        chunk("a", role="assistant", content="x"),
        chunk("b", content="y"),
        chunk("c", reason="stop"),
        "[DONE]",
    ]
    assert (said(view(SOURCE, records)), statuses(*records)) == (
        [("assistant_text", "xy")],
        ["completed"],
    )


def test_a_stream_cut_off_keeps_what_came() -> None:
    (item,) = view(SOURCE, [chunk(content="half")]).items
    assert isinstance(item, AssistantTextItem)
    assert (item.text, item.stop_reason) == ("half", "aborted")
    assert statuses(chunk(content="half")) == ["aborted"]


def test_an_error_in_place_of_a_chunk_fails_the_request() -> None:
    records = [chunk(content="half"), {"error": {"message": "no", "code": 401}}]
    assert statuses(*records) == ["auth"]
    assert said(view(SOURCE, records))[-1] == ("notice", "no")
