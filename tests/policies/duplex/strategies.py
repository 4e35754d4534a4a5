"""Inputs for the duplex session's machines: awkward values first."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

from refold.json_values import Json, JsonObject, freeze
from refold.policies.duplex.dispatch import Permission, permission_of
from refold.policies.duplex.permissions import (
    Allow,
    Decided,
    Defer,
    Deny,
    Expired,
    Misunderstood,
    PermissionInput,
    PermissionsEnded,
    Requested,
    TurnCancelled,
    Withdrawn,
)

json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=6,
)

request_ids = st.sampled_from(["", "r1", "r2", "1", "１"])


def line(value: Any) -> bytes:
    """Return a value as a line of the wire."""
    return json.dumps(value).encode() + b"\n"


def request_line(request_id: str, **fields: Any) -> dict[str, Any]:
    """Return a well-formed permission request, as plain JSON."""
    request = {"subtype": "can_use_tool", "tool_name": "Bash", "input": {"command": "ls"}, **fields}
    return {"type": "control_request", "request_id": request_id, "request": request}


def permission(request_id: str, **fields: Any) -> Permission:
    """Return a permission request."""
    found = permission_of(freeze(request_line(request_id, **fields)))
    assert found is not None
    return found


def answers(line_value: JsonObject) -> tuple[Json, Json]:
    """Return what an answer's line says, and to which request."""
    response = line_value["response"]
    assert isinstance(response, JsonObject)
    inner = response.get("response")
    behaviour = inner.get("behavior") if isinstance(inner, JsonObject) else response["subtype"]
    return response["request_id"], behaviour


def permission_inputs() -> st.SearchStrategy[PermissionInput]:
    """Generate anything that can happen to a permission ledger."""
    decisions = (
        st.just(Allow())
        | st.just(Allow(updated_input=JsonObject({"command": "pwd"})))
        | st.just(Deny(message="no"))
        | st.just(Defer())
    )
    return st.one_of(
        request_ids.map(lambda each: Requested(request=permission(each, tool_use_id=f"t-{each}"))),
        st.builds(Decided, request_id=request_ids, decision=decisions),
        st.builds(Withdrawn, request_id=request_ids),
        st.builds(Misunderstood, request_id=st.none() | request_ids, message=st.just("what?")),
        st.builds(Expired, request_id=st.none() | request_ids),
        st.just(TurnCancelled()),
        st.just(PermissionsEnded()),
    )


chunked = st.lists(st.binary(max_size=6), max_size=6)
