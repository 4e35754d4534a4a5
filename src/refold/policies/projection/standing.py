"""Which items of a session still stand when its history is sent again.

Rules of this file:

- A completed compaction with a summary stands for everything in front of it. One that discards
  leaves nothing, except the prompt of a task that is still running. A compaction that failed, or
  whose summary nobody knows, takes nothing away.
- A refusal without words (ACP's and Anthropic's, as a notice or as an abort's reason) takes its
  prompt with it and everything behind the prompt: the provider would refuse the same again. Told
  twice, it is still one. One in words (OpenAI's) is the reply to its prompt.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from refold.items import AbortItem, CompactionItem, Item, NoticeItem
from refold.markers import is_blank

__all__ = ["PROMPTS", "REFUSAL", "replacing_summary", "standing"]

PROMPTS = frozenset({"user_text", "user_image"})

REFUSAL = "refusal"
_FRAMED = re.compile(r"\s*\[summary\](?P<inner>.*)\[/summary\]\s*", re.DOTALL)


def standing(items: Iterable[Item]) -> list[Item]:
    """Return the items that compactions and refusals leave.

    Args:
        items: in order.
    """
    left: list[Item] = []
    for item in items:
        if _is_refusal(item):
            del left[_prompt_start(left) :]
        elif isinstance(item, CompactionItem):
            left = _kept_by(item, left)
        left.append(item)
    return left


def replacing_summary(item: Item) -> str | None:
    """Return what a compaction put in place of everything in front of it, if it did.

    Args:
        item: any; the engine's own frame around the summary is taken off.
    """
    if not isinstance(item, CompactionItem) or not _is_done(item) or item.mode == "discard":
        return None
    text = item.summary_text or ""
    framed = _FRAMED.fullmatch(text)
    inner = framed["inner"] if framed else text
    return None if is_blank(inner) else inner


def _is_done(item: CompactionItem) -> bool:
    return not item.running and item.status == "completed"


def _is_refusal(item: Item) -> bool:
    if isinstance(item, NoticeItem):
        return item.name == REFUSAL and not item.text
    return isinstance(item, AbortItem) and item.reason == REFUSAL


def _kept_by(item: CompactionItem, left: list[Item]) -> list[Item]:
    if replacing_summary(item) is not None:
        return []
    return _running_prompt(left) if item.mode == "discard" and _is_done(item) else left


def _running_prompt(left: list[Item]) -> list[Item]:
    """Return the prompt of the task that is running, or nothing if none is."""
    start = _prompt_start(left)
    behind = left[start:]
    if any(each.kind == "task_stats" for each in behind):
        return []
    size = next((n for n, each in enumerate(behind) if each.kind not in PROMPTS), len(behind))
    return behind[:size]


def _prompt_start(left: list[Item]) -> int:
    """Return where the prompt since the last refusal starts: a run of user texts and images."""
    start = len(left)
    while start and left[start - 1].kind not in PROMPTS:
        start -= 1
        if _is_refusal(left[start]):
            return len(left)
    if not start:
        return len(left)
    while start and left[start - 1].kind in PROMPTS:
        start -= 1
    return start
