from __future__ import annotations

from typing import Any

import pytest

from refold.json_values import freeze
from refold.messages import Fact, Notice
from refold.sources.claude_stream_json import SOURCE
from refold.sources.claude_stream_json.sundries import SUNDRIES
from refold.sources.source import Record
from tests.sources.claude_stream_json.strategies import (
    assistant,
    fold,
    messages_of,
    payloads_of,
    run,
    text,
    tool_use,
)


def test_the_source_has_its_name() -> None:
    assert SOURCE.name == "claude-stream-json"


def test_a_type_nobody_knows_is_counted() -> None:
    assert run([{"type": "something_new", "x": 1}, {}, {"type": 7}])[1] == {
        "unknown record: something_new": 1,
        "unknown record: without a type": 2,
    }


def test_log_lines_between_the_records_are_counted_and_harmless() -> None:
    messages, counts = run(["[DEBUG] log line", assistant("m", text("a"))])

    assert counts == {"noise": 1}
    assert [each.payload.kind for each in messages] == ["request_begin", "text"]


def test_a_record_that_comes_again_is_counted() -> None:
    value = assistant("m", text("a"), uuid="u")

    assert run([value, value])[1] == {"repeated record": 1}
    assert len(fold([value, value]).items) == 1


def test_records_without_ids_are_all_taken() -> None:
    value = assistant("m", text("a"))

    assert len(fold([value, value]).items) == 2


def test_the_records_of_an_array_are_told_apart_by_their_place() -> None:
    values = [[assistant("m", text("a")), assistant("m", tool_use("t"), uuid="u")]]
    sources = [message.transport.source for message in messages_of(values) if message.transport]

    assert [(each.id, each.ordinal, each.line) for each in sources if each] == [
        ("[0]", 0, 1),
        ("[0]", 1, 1),
        ("u", 0, 1),
    ]


def test_the_lane_is_told() -> None:
    _, messages = SOURCE.step(
        SOURCE.start(), Record(value=assistant("m", text("a")), line=3, lane="in"), None
    )
    source = messages[0].transport.source if messages[0].transport else None

    assert source is not None
    assert (source.lane, source.line) == ("in", 3)


def test_rate_limits_are_a_fact() -> None:
    info = {"status": "allowed_warning", "rateLimitType": "five_hour"}

    assert payloads_of([{"type": "rate_limit_event", "rate_limit_info": info}]) == [
        Fact(name="rate_limits", value=freeze(info))
    ]


def test_a_reset_conversation_is_a_notice() -> None:
    values = [{"type": "conversation_reset", "new_conversation_id": "conv-2"}]

    assert payloads_of(values) == [
        Notice(name="conversation_reset", data=freeze({"new_conversation_id": "conv-2"}))
    ]


@pytest.mark.parametrize("kind", sorted(SUNDRIES))
def test_a_record_without_its_fields_is_harmless(kind: str) -> None:
    assert run([{"type": kind}])[1] == {}


ODDITIES: list[tuple[str, list[Any], list[tuple[str, ...]]]] = [
    (
        "S4 too many turns",
        [{"type": "result", "subtype": "error_max_turns", "is_error": False, "errors": []}],
        [("abort", "error_max_turns")],
    ),
    ("S5 unfinished", [assistant("m", tool_use("t"))], [("tool_call", "")]),
    (
        "S8 a retry",
        [{"type": "system", "subtype": "api_retry", "attempt": 1, "retry_delay_ms": 512.3}],
        [("reconnect", "")],
    ),
]


@pytest.mark.parametrize(("name", "values", "items"), ODDITIES)
def test_the_oddities_of_the_census(
    name: str, values: list[Any], items: list[tuple[str, ...]]
) -> None:
    found = [(each.kind, getattr(each, "reason", "")) for each in fold(values).items]

    assert found == items, name
