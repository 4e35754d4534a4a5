from __future__ import annotations

from typing import Any

import pytest

from refold.messages import CompactionBegin, CompactionEnd
from tests.sources.claude_stream_json.strategies import (
    assistant,
    fold,
    payloads_of,
    result,
    system,
    text,
    user,
)

STATUS = system("status", status="compacting")


def boundary(trigger: str = "auto") -> dict[str, Any]:
    return system("compact_boundary", compact_metadata={"trigger": trigger, "pre_tokens": 151000})


def compactions(values: list[Any]) -> list[Any]:
    found = payloads_of(values)
    return [each for each in found if isinstance(each, CompactionBegin | CompactionEnd)]


@pytest.mark.parametrize(("trigger", "reason"), [("auto", "context"), ("manual", "manual")])
def test_a_boundary_alone_is_a_whole_compaction(trigger: str, reason: str) -> None:
    assert compactions([boundary(trigger)]) == [
        CompactionBegin(reason=reason, mode="summarize", context=151000, turns=0),
        CompactionEnd(reason=reason, mode="summarize", status="completed"),
    ]


def test_a_status_begins_what_the_boundary_completes() -> None:
    values = [STATUS, system("status", status=None), boundary()]

    assert [each.kind for each in payloads_of([STATUS])] == ["compaction_begin"]
    assert [each.kind for each in compactions(values)] == ["compaction_begin", "compaction_end"]
    assert [(each.kind, each.status) for each in fold(values).items] == [
        ("compaction", "completed")
    ]


def test_one_that_was_asked_for_is_manual() -> None:
    assert compactions([user("/compact"), STATUS])[0].reason == "manual"


def test_one_without_a_boundary_is_over_when_the_model_speaks() -> None:
    values = [STATUS, assistant("m", text("on"))]

    assert [each.kind for each in fold(values).items] == ["compaction", "assistant_text"]
    assert fold(values).items[0].status == "aborted"


def test_one_without_a_boundary_is_over_when_the_turn_ends() -> None:
    assert fold([STATUS, result()]).items[0].status == "aborted"


def test_one_that_failed_says_why() -> None:
    failed = system("status", status=None, compact_result="failed", compact_error="too long")
    item = fold([STATUS, failed]).items[0]

    assert (item.status, item.error_message) == ("failed", "too long")


def test_the_summary_behind_it_is_no_prompt() -> None:
    values = [
        user("a"),
        boundary(),
        user("This session is being continued.", isCompactSummary=True),
        assistant("m", text("b")),
    ]

    assert [each.kind for each in fold(values).items] == [
        "user_text",
        "compaction",
        "assistant_text",
    ]


def test_a_small_compaction_is_a_notice() -> None:
    item = fold([system("microcompact_boundary", saved=12)]).items[0]

    assert (item.kind, item.name) == ("notice", "microcompaction")
