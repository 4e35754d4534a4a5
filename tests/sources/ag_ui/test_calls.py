"""Tool calls and results."""

from __future__ import annotations

from typing import Any

from refold.items import ToolCallItem
from refold.sources.ag_ui import SOURCE
from tests.sources.folding import folded


def call(kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": f"TOOL_CALL_{kind}", "toolCallId": "c", **fields}


def card(*events: dict[str, Any]) -> ToolCallItem:
    (item,) = folded(SOURCE, events).items
    assert isinstance(item, ToolCallItem)
    return item


def test_a_result_may_answer_a_call_that_the_stream_never_saw() -> None:
    shown = card(call("RESULT", content="x"))
    assert (shown.name, shown.output, shown.output_complete) == ("", "x", True)


def test_a_result_ends_a_call_that_nothing_ended() -> None:
    shown = card(
        call("START", toolCallName="f"), call("ARGS", delta="{}"), call("RESULT", content="x")
    )
    assert (shown.call_complete, shown.arguments_text, shown.output) == (True, "{}", "x")


def test_the_end_of_a_run_aborts_a_call_that_nothing_ended() -> None:
    shown = card(call("START", toolCallName="f"), {"type": "RUN_FINISHED"})
    assert (shown.call_complete, shown.call_stop_reason) == (True, "aborted")


def test_a_call_for_the_client_stays_open_behind_its_run() -> None:
    shown = card(call("START", toolCallName="f"), call("END"), {"type": "RUN_FINISHED"})
    assert (shown.call_stop_reason, shown.output_complete) == ("completed", False)


def test_chunks_make_a_call_that_the_next_event_ends() -> None:
    shown = card(
        call("CHUNK", toolCallName="f", delta='{"a"'),
        {"type": "TOOL_CALL_CHUNK", "delta": ":1}"},
        {"type": "CUSTOM"} | {"type": "STATE_SNAPSHOT", "snapshot": 1},
    )
    assert (shown.arguments_text, shown.call_complete, shown.name) == ('{"a":1}', True, "f")


def test_a_result_of_parts_has_text_and_images() -> None:
    shown = card(
        call(
            "RESULT",
            content=[
                {"type": "text", "text": "a"},
                {
                    "type": "image",
                    "source": {"type": "data", "value": "AA", "mimeType": "image/png"},
                },
                {"type": "text", "text": "b"},
            ],
        )
    )
    assert (shown.output, shown.images) == ("a\nb", ("data:image/png;base64,AA",))


def test_a_failed_result_says_so() -> None:
    shown = card(call("RESULT", content="", error="no such city"))
    assert (shown.output, shown.output_stop_reason) == ("no such city", "failed")
