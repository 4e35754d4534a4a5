"""Anthropic's messages as requests: their start, their usage, how they end.

Rules of this file:

- A message is one request. It ends with ``message_stop``; with the next ``message_start`` or the
  end of the stream if it had told why it stops; else it was cut there: ``aborted``, with what
  streamed kept (sources/census.md E1).
- An ``error`` fails the request: what was streaming then is closed by the reducer, not completed,
  because whoever retries says it again (faults.md, the retry glued on).
- Usage is charged once a request, when it ends, however it ends.
- A refusal ends a request well and is a notice.
"""

from __future__ import annotations

from typing import Any

from refold.json_values import JsonObject
from refold.messages import Fact, Notice, RequestBegin, RequestEnd, SessionMeta
from refold.records import evolve
from refold.sources.anthropic_blocks import blocks_of
from refold.sources.anthropic_sse.endings import blocks_completed, held_completed
from refold.sources.anthropic_sse.state import Event, Request, State, Step, count
from refold.sources.anthropic_sse.usage import charges, merged
from refold.sources.anthropic_sse.whole_blocks import whole_block
from refold.sources.drafts import Drafts, draft
from refold.sources.fields import frozen_object, mapping, name, text
from refold.sources.fragments import NOTHING_OPEN
from refold.sources.token_ledger import charged

__all__ = [
    "error",
    "message_delta",
    "message_start",
    "message_stop",
    "request_over",
    "whole_message",
]

_PROVIDER = "anthropic"
_STATUSES = {
    "authentication_error": "auth",
    "permission_error": "auth",
    "timeout_error": "timeout",
}


def message_start(state: State, event: Event, at: str | None) -> Step:
    """Begin a request; the blocks its message holds already are shown."""
    message = mapping(event.get("message"))
    state, over = request_over(state, at)
    state, begun = _begun(state, message, at)
    drafts = (*over, *begun)
    for block in blocks_of(message.get("content")):
        if name(block.get("id")) is None or block["id"] not in state.calls:
            state, more = whole_block(state, block, at)
            drafts += more
    return state, drafts


def message_delta(state: State, event: Event, at: str | None) -> Step:
    """Take what is known of a message's end."""
    if state.request is None:
        return count(state, "message delta without a message"), ()
    delta = mapping(event.get("delta"))
    request = evolve(
        state.request,
        usage=tuple(merged(dict(state.request.usage), event.get("usage")).items()),
        stop_reason=name(delta.get("stop_reason")) or state.request.stop_reason,
        stop_details=delta.get("stop_details") or state.request.stop_details,
    )
    state = evolve(state, request=request)
    return held_completed(state, at, request.stop_reason)


def message_stop(state: State, event: Event, at: str | None) -> Step:
    """End a request well."""
    if state.request is None:
        return count(state, "message stop without a message"), ()
    return _ended(state, state.request, at)


def error(state: State, event: Event, at: str | None) -> Step:
    """Fail a request."""
    problem = mapping(event.get("error"))
    kind, said = text(problem.get("type")), text(problem.get("message"))
    state, held = held_completed(state, at)
    state, used = _charged(state, at)
    end = RequestEnd(status=_STATUSES.get(kind, "failed"), error_message=said)
    notice = Notice(name="error", text=said, data=JsonObject({"type": kind}))
    state = evolve(state, request=None, fragments=NOTHING_OPEN, compacting=None)
    return state, (*held, *used, draft(end, at), draft(notice, at))


def request_over(state: State, at: str | None) -> Step:
    """End a request that nothing ended by name, if one is open."""
    request = state.request
    if request is None:
        return blocks_completed(state, at, None, cut=True)
    if request.stop_reason is not None:
        return _ended(state, request, at)
    state, drafts = blocks_completed(state, at, None, cut=True)
    state, used = _charged(state, at)
    return evolve(state, request=None), (
        *drafts,
        *used,
        draft(RequestEnd(status="aborted"), at),
    )


def whole_message(state: State, message: Event, at: str | None) -> Step:
    """Show a message that didn't stream, as if it had (laws.md, law 12)."""
    state, over = request_over(state, at)
    state, begun = _begun(state, message, at)
    drafts = (*over, *begun)
    blocks = blocks_of(message.get("content"))
    stop_reason = name(message.get("stop_reason"))
    for index, block in enumerate(blocks, 1):
        last = index == len(blocks)
        state, more = whole_block(state, block, at, stop_reason if last else None)
        drafts += more
    state, ended = message_stop(state, message, at)
    return state, (*drafts, *ended)


def _begun(state: State, message: dict[str, Any], at: str | None) -> Step:
    request = Request(
        id=text(message.get("id")),
        usage=tuple(merged({}, message.get("usage")).items()),
        stop_reason=name(message.get("stop_reason")),
        stop_details=message.get("stop_details"),
    )
    model = name(message.get("model"))
    named: Drafts = ()
    if not state.named:
        named = (draft(_meta(request.id, model or ""), at),)
    if model is not None and model != state.model:
        named += (draft(Fact(name="model", value=model), at),)
        state = evolve(state, model=model)
    return evolve(state, request=request, named=True), (*named, draft(RequestBegin(), at))


def _ended(state: State, request: Request, at: str | None) -> Step:
    state, drafts = blocks_completed(state, at, request.stop_reason)
    refused: Drafts = ()
    if request.stop_reason == "refusal":
        refused = (draft(_refusal(request), at),)
    state, used = _charged(state, at)
    end = draft(RequestEnd(status="completed"), at)
    return evolve(state, request=None), (*drafts, *refused, *used, end)


def _refusal(request: Request) -> Notice:
    details = mapping(request.stop_details)
    rest = {each: details[each] for each in details if each not in ("type", "explanation")}
    return Notice(
        name="refusal",
        text=name(details.get("explanation")),
        data=frozen_object(rest) if rest else None,
    )


def _charged(state: State, at: str | None) -> Step:
    drafts: Drafts = ()
    if state.request is None:
        return state, drafts
    for each in charges(dict(state.request.usage)):
        spent = charged(state.session, each)
        state = evolve(state, session=spent.session)
        drafts += (draft(spent, at),)
    return state, drafts


def _meta(session_id: str, model: str) -> SessionMeta:
    return SessionMeta(
        session_id=session_id,
        provider=_PROVIDER,
        model_id=model,
        model_context_window=0,
        system_prompt="",
        agent_state="",
        workspace="",
    )
