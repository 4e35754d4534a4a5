"""OpenAI's responses and completions as requests: begin, usage, end, failure.

Rules of this file:

- Usage is charged once a request, when it ends, from the last usage object it gave; some gateways
  repeat it, growing, in every chunk.
- ``input_tokens`` and ``prompt_tokens`` include what a cache gave.
- A failure closes what streams through the reducer, without completes: whoever retries says it
  again. What was cut without a word is completed as ``aborted``.
"""

from __future__ import annotations

import json
from typing import Any, Literal

from refold.json_values import JsonObject
from refold.maps import EMPTY_MAP
from refold.messages import (
    Fact,
    Notice,
    RequestBegin,
    RequestEnd,
    SessionMeta,
    TokenCounts,
)
from refold.records import evolve
from refold.sources.anthropic_blocks import count as tokens
from refold.sources.drafts import Drafts, draft
from refold.sources.fields import mapping, name, text
from refold.sources.fragments import NOTHING_OPEN, completed
from refold.sources.openai_sse.state import Request, State, Step, with_fragments
from refold.sources.token_ledger import charged, counts_of

__all__ = [
    "begun",
    "call_reason",
    "closed",
    "cut",
    "ended",
    "failed",
    "text_reason",
    "usage_counts",
    "with_usage",
]

_PROVIDER = "openai"
_LARGEST_STATUS = 999
_WELL = frozenset({"completed", "in_progress", "stop", "tool_calls", "function_call"})
_AUTH = frozenset(
    {
        "invalid_api_key",
        "authentication_error",
        "permission_error",
        "permission_denied",
        "insufficient_permissions",
        "unauthorized",
        "401",
        "403",
    }
)


def begun(
    state: State,
    ident: str,
    model: str | None,
    at: str | None,
    *,
    api: Literal["responses", "chat"],
) -> Step:
    """Begin a request.

    Args:
        state: the state, with no request open.
        ident: what the API calls it.
        model: the model that answers, if it says so.
        at: when it began, as a timestamp.
        api: which API.
    """
    named: Drafts = () if state.named else (draft(_meta(ident, model or ""), at),)
    if model is not None and model != state.model:
        named += (draft(Fact(name="model", value=model), at),)
        state = evolve(state, model=model)
    state = evolve(
        state,
        request=Request(id=ident, api=api),
        fragments=NOTHING_OPEN,
        parts=EMPTY_MAP,
        named=True,
    )
    return state, (*named, draft(RequestBegin(), at))


def with_usage(request: Request, usage: Any) -> Request:
    """Return a request with its latest usage; what is no object changes nothing."""
    found = mapping(usage)
    return evolve(request, usage=tuple(found.items())) if found else request


def ended(state: State, at: str | None, status: str = "completed") -> Step:
    """End the open request: what it used, then its end.

    Args:
        state: the state; what was open has been completed.
        at: when, as a timestamp.
        status: how it ended.
    """
    if state.request is None:
        return state, ()
    state, used = _charged(state, at)
    return evolve(state, request=None), (*used, draft(RequestEnd(status=status), at))


def cut(state: State, at: str | None) -> Step:
    """End what was cut: open fragments as they stand, the request as aborted."""
    state, drafts = closed(state, at, "aborted")
    state, end = ended(state, at, "aborted")
    return state, (*drafts, *end)


def failed(state: State, problem: Any, at: str | None) -> Step:
    """Fail the open request.

    Args:
        state: the state.
        problem: the API's error object, of any JSON type.
        at: when, as a timestamp.
    """
    found = mapping(problem)
    code = name(found.get("code")) or name(found.get("type")) or _number(found.get("code"))
    said = text(found.get("message"))
    state, used = _charged(state, at)
    end = RequestEnd(status=_status(code), error_message=said)
    data = None if code is None else JsonObject({"code": code})
    notice = Notice(name="error", text=said, data=data)
    state = evolve(state, request=None, fragments=NOTHING_OPEN)
    return state, (*used, draft(end, at), draft(notice, at))


def closed(state: State, at: str | None, reason: str) -> Step:
    """Complete every open fragment as it stands.

    Args:
        state: the state.
        at: when, as a timestamp.
        reason: why the request ends, in the API's word or the protocol's.
    """
    drafts: Drafts = ()
    for each in state.fragments.open:
        stop = text_reason(reason)
        if each.kind == "tool_call":
            stop = call_reason(reason, str(each.body))
        fragments, more = completed(state.fragments, each.key, at, stop_reason=stop)
        state = with_fragments(state, fragments)
        drafts += more
    return state, drafts


def text_reason(reason: str | None) -> str:
    """Return how a text ended: the API's word where it isn't simply ``completed``."""
    return "completed" if reason is None or reason in _WELL else reason


def call_reason(reason: str | None, arguments: str) -> str:
    """Return how a call ended; arguments that the end cut are ``malformed``."""
    if reason == "aborted" or text_reason(reason) == "completed":
        return text_reason(reason)
    try:
        json.loads(arguments)
    except (ValueError, RecursionError):
        return "malformed"
    return "completed"


def usage_counts(usage: dict[str, Any]) -> TokenCounts | None:
    """Return a usage object of either API as counts, or None if it counts nothing.

    Args:
        usage: ``input_tokens`` and ``output_tokens``, or ``prompt_tokens`` and
            ``completion_tokens``, with their details.
    """
    details = mapping(usage.get("input_tokens_details") or usage.get("prompt_tokens_details"))
    return counts_of(
        input_tokens=tokens(usage.get("input_tokens")) or tokens(usage.get("prompt_tokens")),
        cache_read=tokens(details.get("cached_tokens")),
        cache_write=tokens(details.get("cache_write_tokens")),
        output=tokens(usage.get("output_tokens")) or tokens(usage.get("completion_tokens")),
    )


def _charged(state: State, at: str | None) -> Step:
    counts = None if state.request is None else usage_counts(dict(state.request.usage))
    if counts is None:
        return state, ()
    spent = charged(state.session, counts)
    return evolve(state, session=spent.session), (draft(spent, at),)


def _status(code: str | None) -> str:
    if code is not None and code in _AUTH:
        return "auth"
    return "timeout" if code is not None and "timeout" in code else "failed"


def _number(value: Any) -> str | None:
    return str(value) if type(value) is int and 0 <= value <= _LARGEST_STATUS else None


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
