"""A transcript is told from its neighbours by its first records."""

from __future__ import annotations

from typing import Any

import pytest

from refold.sources.claude_code.recognition import recognises
from refold.sources.registry import detect
from tests.sources.claude_code.transcripts import INPUTS, read_records, user


@pytest.mark.parametrize("path", INPUTS, ids=lambda each: each.stem)
def test_every_recorded_transcript_is_told_by_its_first_records(path: Any) -> None:
    values = [record.value for record in read_records(path)]
    assert detect(values[:32]).name == "claude-code"
    assert detect(values[:4]).name == "claude-code"


@pytest.mark.parametrize(
    "record",
    [
        {"type": "user", "uuid": "u", "message": {"role": "user", "content": "hi"}},
        {"type": "file-history-snapshot", "messageId": "m", "snapshot": {}},
        {"type": "summary", "summary": "A", "leafUuid": "x"},
        {"type": "attachment", "uuid": "q", "attachment": {"type": "file"}},
        {"type": "custom-title", "customTitle": "A", "sessionId": "s"},
    ],
)
def test_one_record_is_enough(record: dict[str, Any]) -> None:
    assert recognises([{"noise": 1}, record])


@pytest.mark.parametrize(
    "record",
    [
        {**user("hi"), "session_id": "s", "sessionId": None},
        {
            "type": "assistant",
            "message": {"role": "assistant", "content": []},
            "parent_tool_use_id": None,
        },
        {"type": "system", "subtype": "init", "session_id": "s"},
        {"type": "summary", "summary": "A"},
        {"type": "event_msg", "payload": {"type": "abort"}},
        {"recorded_at": 1.5, "payload": {"hook_event_name": "Stop", "session_id": "s"}},
        {"type": ["user"], "sessionId": "s"},
        [],
        "user",
        None,
    ],
)
def test_other_formats_are_not_ours(record: Any) -> None:
    assert not recognises([record])
