from __future__ import annotations

from refold.messages import PartialText, PartialThinking, PartialToolCall, Payload, Text
from tests.sources.claude_stream_json.strategies import (
    assistant,
    event,
    fold,
    messages_of,
    payloads_of,
    run,
    text,
    thinking,
    tool_use,
    usage,
)


def texts(values: list[Payload]) -> list[tuple[str, str]]:
    return [(each.event_type, each.text) for each in values if isinstance(each, PartialText)]


def opened(index: int, block: dict[str, object]) -> dict[str, object]:
    return event("content_block_start", index=index, content_block=block)


def grown(index: int, kind: str, **fields: object) -> dict[str, object]:
    return event("content_block_delta", index=index, delta={"type": kind, **fields})


def stopped(index: int) -> dict[str, object]:
    return event("content_block_stop", index=index)


def test_a_complete_record_in_front_of_the_stop_gives_the_text_once() -> None:
    values = [
        event("message_start", message={"id": "m", "content": []}),
        opened(0, text("")),
        grown(0, "text_delta", text="Hel"),
        grown(0, "text_delta", text="lo"),
        assistant("m", text("Hello")),
        stopped(0),
    ]

    partials = texts(payloads_of(values))
    assert partials == [("start", ""), ("delta", "Hel"), ("delta", "lo"), ("stop", "")]
    assert [(each.kind, each.text) for each in fold(values).items] == [("assistant_text", "Hello")]


def test_pieces_go_out_before_their_complete() -> None:
    values = [
        event("message_start", message={"id": "m"}),
        opened(0, thinking("")),
        grown(0, "thinking_delta", thinking="hm"),
        assistant("m", thinking("hm")),
        stopped(0),
        opened(1, tool_use("t")),
        grown(1, "input_json_delta", partial_json='{"a":'),
        assistant("m", tool_use("t", a=1)),
        stopped(1),
    ]

    kinds = [
        (each.kind, getattr(each, "event_type", ""))
        for each in payloads_of(values)
        if each.category == "model_msg"
    ]
    assert kinds == [
        ("partial_thinking", "start"),
        ("partial_thinking", "delta"),
        ("partial_thinking", "stop"),
        ("thinking", ""),
        ("partial_tool_call", "start"),
        ("partial_tool_call", "delta"),
        ("partial_tool_call", "stop"),
        ("tool_call", ""),
    ]


def test_a_call_streams_under_its_id() -> None:
    values = [opened(0, tool_use("t")), grown(0, "input_json_delta", partial_json="{}"), stopped(0)]

    assert payloads_of(values) == [
        PartialToolCall(
            role="assistant", event_type="start", name="Bash", arguments="", tool_call_id="t"
        ),
        PartialToolCall(
            role="assistant", event_type="delta", name="", arguments="{}", tool_call_id="t"
        ),
        PartialToolCall(
            role="assistant", event_type="stop", name="", arguments="", tool_call_id="t"
        ),
    ]


def test_a_block_that_starts_with_words_starts_with_them() -> None:
    assert payloads_of([opened(0, thinking("hm"))]) == [
        PartialThinking(role="assistant", event_type="start", thinking="hm")
    ]


def test_a_piece_of_no_open_block_is_counted() -> None:
    messages, counts = run([grown(3, "text_delta", text="x"), stopped(7)])

    assert messages == []
    assert counts == {"orphan delta": 1}


def test_of_two_texts_at_once_the_second_has_the_lane() -> None:
    values = [
        opened(0, text("")),
        opened(1, text("")),
        grown(0, "text_delta", text="left"),
        grown(1, "text_delta", text="b"),
        assistant("m", text("b")),
    ]

    assert texts(payloads_of(values)) == [
        ("start", ""),
        ("start", ""),
        ("delta", "b"),
        ("stop", ""),
    ]


def test_signatures_citations_and_pings_show_nothing() -> None:
    values = [
        grown(0, "signature_delta", signature="x"),
        grown(0, "citations_delta", citation={}),
        event("ping"),
        event("error", error={}),
        event("message_stop"),
    ]

    assert run(values) == ([], {})


def test_an_unknown_event_is_counted() -> None:
    assert run([event("next_years"), {"type": "stream_event"}])[1] == {
        "unknown stream event: next_years": 1,
        "unknown stream event: without a type": 1,
    }


def test_pieces_of_a_call_that_is_complete_are_nothing() -> None:
    values = [
        assistant("m", tool_use("t")),
        opened(0, tool_use("t")),
        grown(0, "input_json_delta", partial_json="{"),
    ]

    assert PartialToolCall not in {type(each) for each in payloads_of(values)}


def test_a_stream_of_a_nested_session_announces_nothing() -> None:
    values = [
        event("message_start", "t", message={"id": "m", "usage": usage(5, 1)}),
        event("content_block_start", "t", index=0, content_block=text("")),
    ]

    messages = messages_of(values)
    assert [(message.payload.kind, message.origin) for message in messages] == [
        ("partial_text", ("t",))
    ]


def test_pieces_have_no_time() -> None:
    value = {**opened(0, text("")), "timestamp": "2026-01-01T00:00:00Z"}

    assert messages_of([value])[0].timestamp is None


def test_what_was_open_when_a_message_starts_is_forgotten() -> None:
    values = [
        opened(0, text("")),
        grown(0, "text_delta", text="Half"),
        event("message_start", message={"id": "m2"}),
        grown(0, "text_delta", text=" more"),
        assistant("m2", text("Whole")),
    ]

    messages, counts = run(values)
    assert counts == {"orphan delta": 1}
    assert [type(each.payload) for each in messages][-1] is Text
