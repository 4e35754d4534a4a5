"""One open text, thinking or call, and what is said of it.

Rules of this file:

- Pure mapping from a fragment to payloads; which are sent, and when, ``fragments`` decides.
- A text is said by the assistant or a user; whoever else speaks gives a notice.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from refold.json_values import EMPTY, JsonObject
from refold.messages import (
    CompletePayload,
    Notice,
    PartialPayload,
    PartialText,
    PartialThinking,
    PartialToolCall,
    Text,
    Thinking,
    ToolCall,
)
from refold.records import positional, record
from refold.sources.drafts import Draft, draft
from refold.texts import GrownText

__all__ = ["Fragment", "FragmentKind", "complete", "partial", "start_draft"]

FragmentKind: TypeAlias = Literal["text", "thinking", "tool_call"]

_ASSISTANT = "assistant"
_new_text = positional(PartialText)
_new_thinking = positional(PartialThinking)
_new_call = positional(PartialToolCall)


@record
class Fragment:
    """One open text, thinking or call.

    Args:
        key: what the format calls it.
        kind: what it becomes.
        body: what has streamed so far.
        role: who speaks, for a text.
        name: the tool, for a call.
        call_id: the call's id.
        started_at: when it was opened, as a timestamp.
        streaming: its partials are sent: it has the lane, or needs none.
        paused: its stop was sent; only its complete is due.
        loose: no record opened it by name, so it ends when something else is said.
    """

    key: str
    kind: FragmentKind
    body: GrownText = ""
    role: str = "assistant"
    name: str = ""
    call_id: str = ""
    started_at: str | None = None
    streaming: bool = False
    paused: bool = False
    loose: bool = False


def start_draft(fragment: Fragment) -> Draft:
    """Return the start of a fragment that streams, with what it holds."""
    return draft(partial(fragment, "start", str(fragment.body)), fragment.started_at)


def partial(
    fragment: Fragment, event_type: str, piece: str, stop_reason: str | None = None
) -> PartialPayload:
    """Return a piece of a fragment.

    Args:
        fragment: the fragment.
        event_type: ``start``, ``delta`` or ``stop``.
        piece: its text.
        stop_reason: how it ended, for a stop.
    """
    if fragment.kind == "text":
        return _new_text(_ASSISTANT, event_type, piece, stop_reason, None, EMPTY)
    if fragment.kind == "thinking":
        return _new_thinking(_ASSISTANT, event_type, piece, stop_reason, None, EMPTY)
    named = (fragment.name, piece, fragment.call_id)
    return _new_call(_ASSISTANT, event_type, *named, stop_reason, None, EMPTY)


def complete(
    fragment: Fragment, stop_reason: str | None, fidelity: JsonObject | None
) -> CompletePayload | Notice:
    """Return a fragment's complete; a text that nobody of the conversation says is a notice.

    Args:
        fragment: the fragment, with its whole body.
        stop_reason: how it ended.
        fidelity: what the provider wants back verbatim.
    """
    body = str(fragment.body)
    if fragment.kind == "text":
        return _text(fragment.role, body, stop_reason, fidelity)
    if fragment.kind == "thinking":
        return Thinking(role="assistant", thinking=body, stop_reason=stop_reason, fidelity=fidelity)
    return ToolCall(
        role="assistant",
        name=fragment.name,
        arguments=body,
        tool_call_id=fragment.call_id,
        stop_reason=stop_reason,
        fidelity=fidelity,
    )


def _text(
    role: str, body: str, stop_reason: str | None, fidelity: JsonObject | None
) -> Text | Notice:
    if role in ("assistant", "user"):
        return Text(role=role, text=body, stop_reason=stop_reason, fidelity=fidelity)
    return Notice(name=role if role == "refusal" else f"{role}_message", text=body)
