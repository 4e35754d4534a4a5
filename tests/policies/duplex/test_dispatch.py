from __future__ import annotations

from typing import Any, get_args

import pytest
from hypothesis import given

from refold.json_values import JsonObject, freeze
from refold.policies.duplex.dispatch import (
    ROUTES,
    Assistant,
    ControlResponse,
    Inbound,
    Other,
    Permission,
    Result,
    Route,
    StreamEvent,
    SystemInit,
    User,
    classify,
    control_response_of,
    permission_of,
)
from tests.policies.duplex.strategies import json_values, request_line


def test_every_event_has_a_route() -> None:
    assert set(ROUTES) == set(get_args(Inbound))


def test_only_permission_results_and_acknowledgements_leave_the_common_route() -> None:
    common = {
        kind for kind, route in ROUTES.items() if route == Route(retained=True, broadcast=True)
    }

    assert set(ROUTES) - common == {Permission, ControlResponse, Result}
    assert ROUTES[Permission] == Route(retained=True, broadcast=False)
    assert ROUTES[Result] == ROUTES[ControlResponse] == Route(retained=False, broadcast=False)


def test_an_init_line_tells_the_session() -> None:
    value = freeze({"type": "system", "subtype": "init", "session_id": "s-1"})

    assert classify(value) == SystemInit(session_id="s-1", raw=value)


@pytest.mark.parametrize(
    "fields",
    [
        {"subtype": "compaction"},
        {"subtype": "init"},
        {"subtype": "init", "session_id": None},
        {"subtype": "init", "session_id": 7},
        {},
    ],
)
def test_any_other_system_line_is_other(fields: dict[str, Any]) -> None:
    value = freeze({"type": "system", **fields})

    assert classify(value) == Other(raw=value)


@pytest.mark.parametrize(
    ("name", "kind"),
    [("assistant", Assistant), ("stream_event", StreamEvent), ("user", User), ("result", Result)],
)
def test_the_type_alone_tells_the_common_lines(name: str, kind: type) -> None:
    value = freeze({"type": name})

    assert classify(value) == kind(raw=value)


@pytest.mark.parametrize(
    "value",
    [
        {"type": "future_thing"},
        {"type": "control_request"},
        {"type": ["assistant"]},
        {"type": None},
        {},
        [],
        "assistant",
        7,
        None,
        True,
    ],
)
def test_whatever_else_there_is_is_other(value: Any) -> None:
    assert classify(freeze(value)) == Other(raw=freeze(value))


def test_a_permission_request_is_read() -> None:
    value = freeze(request_line("req-1", tool_use_id="t-1"))
    found = permission_of(value)

    assert found == Permission(
        request_id="req-1",
        tool_name="Bash",
        input=JsonObject({"command": "ls"}),
        request=freeze(request_line("req-1", tool_use_id="t-1")["request"]),
        raw=value,
    )
    assert found.tool_call_id == "t-1"
    assert classify(value) == found


def test_a_permission_request_without_an_id_is_none() -> None:
    value = request_line("req-1")
    del value["request_id"]

    assert permission_of(freeze(value)) is None
    assert classify(freeze(value)) == Other(raw=freeze(value))


@pytest.mark.parametrize("request_id", [1, None, ["r"]])
def test_an_id_is_a_text(request_id: Any) -> None:
    assert permission_of(freeze({**request_line("x"), "request_id": request_id})) is None


@pytest.mark.parametrize("request_", [None, [], "can_use_tool", {"subtype": "can_use_tool"}])
def test_a_permission_request_without_a_tool_is_none(request_: Any) -> None:
    value = freeze({"type": "control_request", "request_id": "r", "request": request_})

    assert permission_of(value) is None


def test_a_missing_input_is_null() -> None:
    value = request_line("req-1")
    del value["request"]["input"]
    found = permission_of(freeze(value))

    assert found is not None
    assert found.input is None
    assert found.tool_call_id is None


def test_another_control_request_is_other() -> None:
    value = freeze(
        {"type": "control_request", "request_id": "r", "request": {"subtype": "future_subtype"}}
    )

    assert classify(value) == Other(raw=value)


def acknowledgement(**fields: Any) -> dict[str, Any]:
    return {"type": "control_response", "response": fields}


def test_a_success_is_read_by_its_inner_id() -> None:
    value = freeze(acknowledgement(request_id="interrupt-1", subtype="success", response={}))

    assert classify(value) == ControlResponse(request_id="interrupt-1", error=None, raw=value)


def test_an_error_carries_its_message() -> None:
    value = freeze(acknowledgement(request_id="interrupt-2", subtype="error", error="no turn"))

    assert control_response_of(value) == ControlResponse(
        request_id="interrupt-2", error="no turn", raw=value
    )


@pytest.mark.parametrize("error", [{}, {"error": 7}, {"error": None}])
def test_an_error_without_a_message_has_a_fixed_one(error: dict[str, Any]) -> None:
    found = control_response_of(freeze(acknowledgement(request_id="x", subtype="error", **error)))

    assert found is not None
    assert found.error == "the agent gave no reason"


@pytest.mark.parametrize(
    "fields",
    [
        {"subtype": "success"},
        {"request_id": 7, "subtype": "success"},
        {"request_id": "x", "subtype": "future_subtype"},
        {"request_id": "x"},
    ],
)
def test_a_malformed_acknowledgement_is_other(fields: dict[str, Any]) -> None:
    value = freeze(acknowledgement(**fields))

    assert control_response_of(value) is None
    assert classify(value) == Other(raw=value)


@given(json_values)
def test_any_json_value_is_some_event_that_keeps_it(value: Any) -> None:
    assert classify(freeze(value)).raw == freeze(value)
