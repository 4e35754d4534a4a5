from __future__ import annotations

from refold.json_values import JsonObject
from refold.messages import (
    InlineThinking,
    Notice,
    RequestEnd,
    Text,
    Thinking,
    TokenUsage,
    ToolCall,
    UnknownPayload,
)
from tests.sources.claude_stream_json.strategies import (
    assistant,
    fold,
    messages_of,
    payloads_of,
    result,
    run,
    text,
    thinking,
    tool_result,
    tool_use,
    usage,
)


def test_the_blocks_of_a_message_come_out_in_order() -> None:
    values = [
        assistant("m", thinking("hm")),
        assistant("m", text("Looking.")),
        assistant("m", tool_use("t", command="ls")),
    ]

    shown = [each for each in payloads_of(values) if each.category == "model_msg"]
    assert shown == [
        Thinking(
            role="assistant",
            thinking="hm",
            stop_reason="completed",
            fidelity=JsonObject({"signature": "c2ln"}),
        ),
        Text(role="assistant", text="Looking.", stop_reason="completed"),
        ToolCall(
            role="assistant",
            name="Bash",
            arguments='{"command": "ls"}',
            tool_call_id="t",
            stop_reason="completed",
        ),
    ]


def test_one_record_may_hold_several_blocks() -> None:
    one = fold([assistant("m", text("a"), tool_use("t"))])
    two = fold([assistant("m", text("a")), assistant("m", tool_use("t"))])

    assert one == two


def test_a_record_that_repeats_what_was_shown_adds_the_rest() -> None:
    values = [
        assistant("m", text("a")),
        assistant("m", text("a"), text("b")),
        assistant("m", text("a"), text("b"), tool_use("t")),
    ]

    assert [each.kind for each in fold(values).items] == [
        "assistant_text",
        "assistant_text",
        "tool_call",
    ]


def test_a_message_may_say_the_same_twice() -> None:
    values = [assistant("m", text("ok")), assistant("m", text("ok"))]

    assert [each.text for each in fold(values).items] == ["ok", "ok"]


def test_a_call_is_shown_once_whatever_repeats_it() -> None:
    messages, counts = run([assistant("m", tool_use("t")), assistant("n", tool_use("t"))])

    assert sum(isinstance(each.payload, ToolCall) for each in messages) == 1
    assert counts == {"repeated call": 1}


def test_a_message_id_that_goes_on_behind_a_result_is_one_message() -> None:
    values = [
        assistant("m", tool_use("t"), usage=usage(9, 1)),
        tool_result("t"),
        assistant("m", text("done"), usage=usage(9, 1)),
    ]

    used = [each for each in payloads_of(values) if isinstance(each, TokenUsage)]
    assert [each.request.total for each in used] == [10]


def test_a_blank_text_shows_nothing() -> None:
    assert list(fold([assistant("m", text("")), assistant("m", thinking(""))]).items) == []


def test_redacted_thinking_is_kept_as_it_is() -> None:
    block = {"type": "redacted_thinking", "data": "c2ln"}

    assert any(isinstance(each, InlineThinking) for each in payloads_of([assistant("m", block)]))


def test_a_block_of_an_unknown_kind_is_kept_and_counted_as_unknown() -> None:
    block = {"type": "hologram", "x": 1}
    shown = payloads_of([assistant("m", block)])[-1]

    assert shown == UnknownPayload(
        category="model_msg",
        body=JsonObject({"type": "content_block", "block": JsonObject(block)}),
    )


def test_a_change_of_model_inside_a_message_is_a_notice() -> None:
    block = {"type": "fallback", "from": {"model": "x"}, "to": {"model": "y"}}

    notice = payloads_of([assistant("m", block)])[-1]
    assert isinstance(notice, Notice)
    assert notice.name == "model_fallback"


def test_a_text_cut_by_the_limit_has_failed() -> None:
    values = [assistant("m", text("cut"), stop_reason="max_tokens")]

    assert fold(values).items[0].stop_reason == "failed"


def test_a_server_tool_and_its_result_are_a_call_and_its_output() -> None:
    call = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"q": "x"}}
    output = {"type": "web_search_tool_result", "tool_use_id": "s", "content": []}
    card = fold([assistant("m", call, output)]).items[0]

    assert (card.name, card.call_complete, card.output_complete) == ("web_search", True, True)


def test_a_call_without_an_id_has_one_of_its_message() -> None:
    block = {"type": "tool_use", "name": "Bash", "input": {}}

    assert fold([assistant("m", text("a"), block)]).items[1].tool_call_id == "m.1"


def test_an_error_in_the_models_place_fails_the_request_and_is_a_notice() -> None:
    values = [
        assistant("m", text("API Error: 529"), model="<synthetic>", error="overloaded"),
    ]

    assert payloads_of(values)[1:] == [
        RequestEnd(status="failed", error_message="API Error: 529"),
        Notice(name="api_error", text="API Error: 529"),
    ]


def test_a_refused_credential_is_told_apart() -> None:
    words = "Invalid API key · Please run /login"
    values = [assistant("m", text(words), model="<synthetic>", error="authentication_failed")]

    assert RequestEnd(status="auth", error_message=words) in payloads_of(values)


def test_a_stand_in_that_says_nothing_is_dropped() -> None:
    values = [assistant("m", text("No response requested."), model="<synthetic>")]

    assert run(values) == ([], {"synthetic reply": 1})


def test_another_text_of_the_clients_is_a_notice_and_no_model_output() -> None:
    values = [assistant("m", text("Limit reached"), model="<synthetic>")]

    assert payloads_of(values) == [Notice(name="synthetic_reply", text="Limit reached")]


def test_a_message_without_an_id_goes_on_until_a_user_record_comes() -> None:
    used = usage(2, 5, 2298, 5605)
    values = [
        assistant(None, thinking("Delegating."), usage=used),
        assistant(None, tool_use("t"), usage=used),
        tool_result("t"),
        assistant(None, text("done"), usage=used),
    ]

    totals = [each.request.total for each in payloads_of(values) if isinstance(each, TokenUsage)]
    assert totals == [7910, 7910]


def test_every_message_says_where_it_came_from() -> None:
    messages = messages_of([result(), assistant("m", text("a"), text("b"), uuid="u-1")])
    transport = messages[-1].transport

    assert transport is not None
    source = transport.source
    assert source is not None
    assert (source.format, source.id, source.line, source.ordinal) == (
        "claude-stream-json",
        "u-1",
        2,
        2,
    )
