from __future__ import annotations

from typing import Any

import pytest

from refold.sources.claude_stream_json import SOURCE

RUNS: list[list[Any]] = [
    [{"type": "system", "subtype": "init", "session_id": "s"}],
    [{"type": "assistant", "message": {"content": []}, "parent_tool_use_id": None}],
    [{"type": "user", "message": {"role": "user", "content": "hi"}, "session_id": "s"}],
    [{"type": "stream_event", "event": {"type": "message_start"}}],
    [{"type": "control_request", "request_id": "r", "request": {"subtype": "interrupt"}}],
    [{"type": "control_response", "response": {}}],
    [{"type": "result", "subtype": "success", "total_cost_usd": 0.1}],
    ["[DEBUG] log line", {"type": "result", "is_error": False, "num_turns": 1}],
    [[{"type": "assistant", "message": {}, "parent_tool_use_id": None}]],
    [{"type": "x", "timestamp": "t", "data": {"type": "result", "subtype": "s", "num_turns": 1}}],
]
OTHERS: list[list[Any]] = [
    [],
    ["text"],
    [{"type": "message_start", "message": {}}],
    [{"type": "assistant", "message": {}, "parentUuid": None, "sessionId": "s"}],
    [{"type": "assistant", "message": {}, "session_id": "s"}, {"type": "summary", "leafUuid": "x"}],
    [{"type": "system", "subtype": "local_command"}],
    [{"type": "result"}],
    [{"type": "stream_event"}],
    [{"jsonrpc": "2.0", "method": "session/update"}],
    [{"type": "thread.started", "thread_id": "t"}],
    [{"type": "model_msg", "payload": {}}],
]


@pytest.mark.parametrize("values", RUNS)
def test_a_run_is_recognised(values: list[Any]) -> None:
    assert SOURCE.recognises(values)


@pytest.mark.parametrize("values", OTHERS)
def test_what_is_something_else_is_not(values: list[Any]) -> None:
    assert not SOURCE.recognises(values)
