from __future__ import annotations

from refold.json_values import JsonObject, thaw
from refold.policies.duplex.wire_lines import (
    allow_line,
    deny_line,
    error_line,
    request_line,
    user_line,
)


def test_a_prompt_is_a_user_line_of_no_nested_session() -> None:
    assert thaw(user_line("hello")) == {
        "type": "user",
        "message": {"role": "user", "content": "hello"},
        "parent_tool_use_id": None,
    }


def test_a_request_has_its_id_at_the_top() -> None:
    assert thaw(request_line("interrupt-1", "interrupt")) == {
        "type": "control_request",
        "request_id": "interrupt-1",
        "request": {"subtype": "interrupt"},
    }


def test_allowing_carries_the_input() -> None:
    assert thaw(allow_line("cr-7", JsonObject({"command": "ls"}))) == {
        "type": "control_response",
        "response": {
            "request_id": "cr-7",
            "subtype": "success",
            "response": {"behavior": "allow", "updatedInput": {"command": "ls"}},
        },
    }


def test_allowing_without_an_input_object_carries_an_empty_one() -> None:
    line = thaw(allow_line("cr-7", None))

    assert line["response"]["response"] == {"behavior": "allow", "updatedInput": {}}


def test_denying_is_a_success_of_the_exchange() -> None:
    assert thaw(deny_line("cr-7", "not here")) == {
        "type": "control_response",
        "response": {
            "request_id": "cr-7",
            "subtype": "success",
            "response": {"behavior": "deny", "message": "not here"},
        },
    }


def test_an_error_answers_what_nobody_understands() -> None:
    assert thaw(error_line("x", "what?")) == {
        "type": "control_response",
        "response": {"request_id": "x", "subtype": "error", "error": "what?"},
    }
