"""What runs and subagents say of themselves.

Rules of this file:

- A session is described as far as the format does: neither its model nor its window are in it.
"""

from __future__ import annotations

from refold.messages import Abort, Payload, RequestEnd, SessionMeta
from refold.sources.ag_ui.state import Event, State, Step, lane_of, origin_of, placed
from refold.sources.drafts import Drafts, draft
from refold.sources.fields import name

__all__ = ["failure", "meta", "told"]


def failure(event: Event) -> tuple[RequestEnd, Abort]:
    """Return an error event as a request that failed and was given up."""
    parts = [name(event.get("code")), name(event.get("message"))]
    said = ": ".join([each for each in parts if each is not None])
    return RequestEnd(status="failed", error_message=said), Abort(reason=said)


def told(state: State, event: Event, at: str | None, *payloads: Payload) -> Step:
    """Say something in the lane of an event."""
    drafts: Drafts = tuple([draft(each, at) for each in payloads])
    return state, placed(drafts, origin_of(state, lane_of(event)))


def meta(
    session_id: str,
    *,
    system_prompt: str = "",
    source: str | None = None,
    parent_tool_call_id: str | None = None,
) -> SessionMeta:
    """Describe a session as far as the format does: neither model nor window are in it."""
    return SessionMeta(
        session_id=session_id,
        provider="",
        model_id="",
        model_context_window=0,
        system_prompt=system_prompt,
        agent_state="",
        workspace="",
        source=source,
        parent_tool_call_id=parent_tool_call_id,
    )
