"""The lines a host writes.

Rules of this file (sources/stream-json-and-acp.md 1.2, 2.6):

- A request has its id at the top, a response inside ``response``.
- Denying is a success of the exchange: the decision stands one level deeper, in ``behavior``.
- Allowing always carries the input that is to be used; agents refuse an allow without it.
"""

from __future__ import annotations

from refold.json_values import EMPTY, Json, JsonObject

__all__ = ["allow_line", "deny_line", "error_line", "request_line", "user_line"]


def user_line(text: str) -> JsonObject:
    """Return the line of a prompt."""
    message = JsonObject({"role": "user", "content": text})
    return JsonObject({"type": "user", "message": message, "parent_tool_use_id": None})


def request_line(request_id: str, subtype: str) -> JsonObject:
    """Return the line of a control request.

    Args:
        request_id: what its acknowledgement will name.
        subtype: what is asked for, as ``interrupt``.
    """
    return JsonObject(
        {
            "type": "control_request",
            "request_id": request_id,
            "request": JsonObject({"subtype": subtype}),
        }
    )


def allow_line(request_id: str, updated_input: Json) -> JsonObject:
    """Return the line that lets a tool run.

    Args:
        request_id: the permission request's.
        updated_input: what the tool is to be run with; anything but an object is an empty one.
    """
    effective = updated_input if isinstance(updated_input, JsonObject) else EMPTY
    return _answer(request_id, JsonObject({"behavior": "allow", "updatedInput": effective}))


def deny_line(request_id: str, message: str) -> JsonObject:
    """Return the line that keeps a tool from running; the model is shown the message."""
    return _answer(request_id, JsonObject({"behavior": "deny", "message": message}))


def error_line(request_id: str, message: str) -> JsonObject:
    """Return the line that answers a request nobody here understands."""
    response = {"request_id": request_id, "subtype": "error", "error": message}
    return JsonObject({"type": "control_response", "response": JsonObject(response)})


def _answer(request_id: str, inner: JsonObject) -> JsonObject:
    response = JsonObject({"request_id": request_id, "subtype": "success", "response": inner})
    return JsonObject({"type": "control_response", "response": response})
