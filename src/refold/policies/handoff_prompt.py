"""What a summariser is asked before a conversation is handed over.

Rules of this file (sources/stream-json-and-acp.md 5.7):

- The frame (number, task, tools, instructions) is always whole; the history gets the bytes that
  the window leaves behind the frame and the summary, at one token a byte.
- The newest items come first into the budget, the prompt shows them oldest first. All fit: no
  word about omissions. Else a notice counts what is missing, out of the same budget.
- Where not even the newest item fits, its beginning stays. The first item that doesn't fit ends
  the search: a history with holes misleads. ``skip_misfits`` goes on past it, as the reference does.
"""

from __future__ import annotations

from collections.abc import Sequence

from refold.policies.history import (
    AssistantTurn,
    History,
    HistoryItem,
    Part,
    PlainText,
    ToolResult,
    UserTurn,
)
from refold.policies.utf8 import clamp, sendable, utf8_length
from refold.records import record

__all__ = ["HandoffPrompt", "PromptLimits", "handoff_prompt", "history_room"]

_TASK_BYTES = 16 * 1024
_NAMED_TOOLS = 20
_CUT = "\n[cut]"
_BEHIND = (
    "\n# What to write\n\nA summary from which the work can go on without this history: what was"
    " asked, what was done, what was learnt, what is left. Answer with the summary alone."
)


@record
class PromptLimits:
    """The summariser's limits, in tokens: its context and its longest summary."""

    window: int
    summary_output: int


@record
class HandoffPrompt:
    """The prompt, and how much of the history it holds.

    Args:
        text: what to send.
        kept: items that are in it, one cut short included.
        omitted: items that are not in it, or not whole.
        truncated: whether the newest item was cut short.
    """

    text: str
    kept: int
    omitted: int = 0
    truncated: bool = False


def history_room(limits: PromptLimits, frame_bytes: int) -> int:
    """Return how many bytes of history the summariser can read.

    Args:
        limits: of the summariser.
        frame_bytes: what the rest of the prompt takes.
    """
    return max(0, limits.window - limits.summary_output - frame_bytes)


def handoff_prompt(
    history: History,
    *,
    limits: PromptLimits,
    number: int,
    task: str,
    tools: Sequence[str] = (),
    skip_misfits: bool = False,
) -> HandoffPrompt:
    """Write the prompt for a summary.

    Args:
        history: oldest first.
        limits: of the summariser.
        number: of this handoff, from 1.
        task: the first prompt of the session.
        tools: names of the tools offered.
        skip_misfits: look for older items that fit behind one that doesn't.
    """
    front = _front(number, task, tools)
    room = history_room(limits, utf8_length(front + _BEHIND))
    texts = [sendable(_shown(item)) + "\n" for item in history]
    if sum(map(utf8_length, texts)) <= room:
        return HandoffPrompt(text=front + "".join(texts) + _BEHIND, kept=len(texts))
    return _shortened(front, texts, room, skip_misfits)


def _front(number: int, task: str, tools: Sequence[str]) -> str:
    named = ", ".join(tools[:_NAMED_TOOLS])
    more = f" +{len(tools) - _NAMED_TOOLS} more" if len(tools) > _NAMED_TOOLS else ""
    parts = [f"# Handoff {number}\n", f"# Task\n\n{clamp(task, _TASK_BYTES, _CUT)}\n"]
    parts += [f"# Tools\n\n{named}{more}\n"] if tools else []
    return sendable("\n".join([*parts, "# History (oldest first)\n\n"]))


def _shortened(front: str, texts: list[str], room: int, skip_misfits: bool) -> HandoffPrompt:
    room -= utf8_length(_notice(len(texts)))
    kept = _newest(texts, room, skip_misfits)
    truncated = not kept and room > 0
    shown = [clamp(texts[-1], room, _CUT)] if truncated else kept
    omitted = len(texts) - len(kept)
    notice = _notice(omitted) if room >= 0 else ""
    return HandoffPrompt(
        text="".join([front, notice, *shown, _BEHIND]),
        kept=len(shown),
        omitted=omitted,
        truncated=truncated,
    )


def _notice(omitted: int) -> str:
    return f"[older items left out or cut short: {omitted}]\n"


def _newest(texts: Sequence[str], room: int, skip_misfits: bool) -> list[str]:
    kept: list[str] = []
    for text in reversed(texts):
        size = utf8_length(text)
        if size <= room:
            room -= size
            kept.append(text)
        elif not skip_misfits:
            break
    return kept[::-1]


def _shown(item: HistoryItem) -> str:
    match item:
        case UserTurn():
            return f"User: {_parts_shown(item.parts)}"
        case ToolResult():
            failed = " (failed)" if item.is_error else ""
            return f"Result of {item.call_id}{failed}: {_parts_shown(item.parts)}"
        case AssistantTurn():
            calls = [f"Call {each.call_id}: {each.name} {each.arguments}" for each in item.calls]
            texts = [f"Assistant: {item.text}"] if item.text or not calls else []
            return "\n".join([*texts, *calls])


def _parts_shown(parts: tuple[Part, ...]) -> str:
    return "\n".join(part.text if isinstance(part, PlainText) else "[image]" for part in parts)
