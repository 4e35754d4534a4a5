"""The chunks of Chat Completions.

Rules of this file:

- A choice's reasoning, text, refusal and calls stay open until it finishes, and are completed in
  that order: chunks may come back to any of them, and a completion that didn't stream holds them
  in that order (laws.md, law 12). Reasoning stops streaming when a text begins.
- A chunk of another id begins another completion only where the open one has finished or the
  chunk opens a choice anew: some gateways change the id with every chunk.
- A call grows by its index, but another id at the same index is another call.
- A completion ends with ``[DONE]``, with the usage behind its last choice, or with the next one.
"""

from __future__ import annotations

from typing import Any

from refold.messages import Notice
from refold.records import evolve
from refold.sources.drafts import Drafts, draft
from refold.sources.fields import listing, mapping, moment, name, position, text
from refold.sources.fragments import (
    Fragment,
    FragmentKind,
    completed,
    find,
    grown,
    opened,
    paused,
)
from refold.sources.openai_sse.chat_calls import call_body, called, calls_of
from refold.sources.openai_sse.requests import (
    begun,
    call_reason,
    closed,
    cut,
    ended,
    failed,
    text_reason,
    with_usage,
)
from refold.sources.openai_sse.state import Event, Request, State, Step, with_fragments

__all__ = ["chat_chunk", "chat_error", "chat_over", "is_chat"]

_SECOND_MS = 1000
_ORDER = ("thinking", "text", "refusal", "call")


def is_chat(value: dict[str, Any]) -> bool:
    """Tell whether a record is a chunk of a completion, or a whole one."""
    return "type" not in value and isinstance(value.get("choices"), list)


def chat_chunk(state: State, chunk: Event, at: str | None) -> Step:
    """Read a chunk, or a whole completion.

    Args:
        state: the state.
        chunk: the record.
        at: when it came, as a timestamp.
    """
    state, drafts = _chat_begun(state, chunk, at)
    for each in listing(chunk.get("choices")):
        choice = mapping(each)
        state, more = _choice(state, choice, at)
        drafts += more
    state, end = _usage_taken(state, chunk, at)
    return state, (*drafts, *end)


def chat_over(state: State, at: str | None) -> Step:
    """End an open completion: well if its choices have finished, else as cut."""
    if state.request is None:
        return state, ()
    if not _has_finished(state.request):
        return cut(state, at)
    state, drafts = closed(state, at, "completed")
    state, end = ended(state, at)
    return state, (*drafts, *end)


def _chat_begun(state: State, chunk: Event, at: str | None) -> Step:
    request = state.request
    if request is not None and not _is_another(request, chunk):
        return state, ()
    state, over = chat_over(state, at)
    began = at or moment(chunk.get("created"), _SECOND_MS)
    ident, model = text(chunk.get("id")), name(chunk.get("model"))
    state, begin = begun(state, ident, model, began, api="chat")
    return state, (*over, *begin)


def _is_another(request: Request, chunk: Event) -> bool:
    choices = [mapping(each) for each in listing(chunk.get("choices"))]
    if request.api != "chat":
        return True
    if not choices or text(chunk.get("id")) == request.id:
        return False
    return _has_finished(request) or any(
        position(each.get("index")) in request.begun and _opens(each) for each in choices
    )


def _opens(choice: dict[str, Any]) -> bool:
    return name(_delta_of(choice).get("role")) is not None


def _has_finished(request: Request) -> bool:
    return len(request.done) > 0 and all(each in request.done for each in request.begun)


def _usage_taken(state: State, chunk: Event, at: str | None) -> Step:
    if state.request is None or not isinstance(chunk.get("usage"), dict):
        return state, ()
    state = evolve(state, request=with_usage(state.request, chunk["usage"]))
    is_last = not listing(chunk.get("choices")) or "message" in mapping(chunk["choices"][0])
    if state.request is None or not is_last or not _has_finished(state.request):
        return state, ()
    return chat_over(state, at)


# --- choices --------------------------------------------------------------------------------


def _choice(state: State, choice: dict[str, Any], at: str | None) -> Step:
    index, delta = position(choice.get("index")) or "0", _delta_of(choice)
    if state.request is not None:
        begun_ones = state.request.begun.put(index, True)
        state = evolve(state, request=evolve(state.request, begun=begun_ones))
    state, drafts = _said(state, index, delta, at)
    for number, call in enumerate(calls_of(delta)):
        state, more = called(state, index, mapping(call), number, at)
        drafts += more
    reason = name(choice.get("finish_reason"))
    if reason is None:
        return state, drafts
    state, finished = _finished(state, index, reason, at)
    return state, (*drafts, *finished)


def _delta_of(choice: dict[str, Any]) -> dict[str, Any]:
    return mapping(choice.get("delta")) or mapping(choice.get("message"))


def _said(state: State, index: str, delta: dict[str, Any], at: str | None) -> Step:
    thought, spoken = _thought_and_spoken(delta)
    state, drafts = _streamed(state, f"{index} thinking", "thinking", thought, at)
    if spoken:
        fragments, stops = paused(state.fragments, f"{index} thinking", at)
        state, drafts = with_fragments(state, fragments), (*drafts, *stops)
    state, texts = _streamed(state, f"{index} text", "text", spoken, at)
    refused = text(delta.get("refusal"))
    state, refusals = _streamed(state, f"{index} refusal", "text", refused, at, role="refusal")
    return state, (*drafts, *texts, *refusals)


def _thought_and_spoken(delta: dict[str, Any]) -> tuple[str, str]:
    thought = text(delta.get("reasoning_content")) or text(delta.get("reasoning"))
    content = delta.get("content")
    spoken = text(content) or text(mapping(delta.get("audio")).get("transcript"))
    for each in listing(content):
        part = mapping(each)
        if part.get("type") == "thinking":
            pieces = [text(mapping(one).get("text")) for one in listing(part.get("thinking"))]
            thought += "".join(pieces)
        else:
            spoken += text(part.get("text"))
    return thought, spoken


def _streamed(
    state: State,
    key: str,
    kind: FragmentKind,
    piece: str,
    at: str | None,
    *,
    role: str = "assistant",
) -> Step:
    if not piece:
        return state, ()
    fragments = state.fragments
    drafts: Drafts = ()
    if find(fragments, key) is None:
        fragment = Fragment(key=key, kind=kind, role=role, started_at=at)
        fragments, drafts = opened(fragments, fragment)
    fragments, more = grown(fragments, key, piece, at)
    return with_fragments(state, fragments), (*drafts, *more)


# --- the end of a choice --------------------------------------------------------------------


def _finished(state: State, index: str, reason: str, at: str | None) -> Step:
    drafts: Drafts = ()
    mine = [each for each in state.fragments.open if each.key.split(" ", 1)[0] == index]
    for each in sorted(mine, key=_rank):
        state, more = _completed(state, each, reason, at)
        drafts += more
    if reason == "content_filter":
        drafts += (draft(Notice(name="content_filter"), at),)
    if state.request is None:
        return state, drafts
    done = state.request.done.put(index, True)
    return evolve(state, request=evolve(state.request, done=done)), drafts


def _completed(state: State, fragment: Fragment, reason: str, at: str | None) -> Step:
    body, stop = str(fragment.body), text_reason(reason)
    if fragment.kind == "tool_call":
        body = call_body(fragment)
        stop = call_reason(reason, body)
    fragments, drafts = completed(state.fragments, fragment.key, at, body=body, stop_reason=stop)
    return with_fragments(state, fragments), drafts


def _rank(fragment: Fragment) -> int:
    return _ORDER.index(fragment.key.split(" ", 2)[1])


def chat_error(state: State, event: Event, at: str | None) -> Step:
    """Fail a completion: an ``error`` object in place of a chunk."""
    return failed(state, event.get("error"), at)
