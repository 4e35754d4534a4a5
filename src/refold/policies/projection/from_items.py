"""A session's items as the turns its model would be told.

Rules of this file (docs/reference/policies.md, "From a session to a history"):

- Only what was said enters: user texts, steering, images, the assistant's texts, calls that were
  complete, and their outputs. Thinking doesn't: it may go back only with the provider's own
  signature, which a view doesn't hold. Rows, notices, reconnects, aborts and nested sessions
  don't either.
- What a failed request left was answered again, and what never got its complete message was never
  recorded: neither enters. What the user aborted does, because the user saw it.
- An image joins the prompt it stands beside; a prompt has one text.
- Calls belong to the turn of the text in front of them, and to one turn together, until the items
  show that the model was asked again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TypeGuard

from refold.items import AssistantTextItem, Item, NoticeItem, ToolCallItem, UserSteeringItem
from refold.policies.history import (
    AssistantTurn,
    Call,
    History,
    HistoryItem,
    Image,
    Part,
    PlainText,
    ToolResult,
    UserTurn,
    steering,
    summary,
)
from refold.policies.pairing import UNRECORDED
from refold.policies.projection.standing import PROMPTS, REFUSAL, replacing_summary, standing

__all__ = ["TURNS", "history_of"]

_FAILED = frozenset({"auth", "failed", "malformed", "timeout"})
_REPLIES = frozenset({"assistant_text", "tool_call"})
_UNSEEN = frozenset({"mcp_connect", "subagent"})


def history_of(items: Iterable[Item]) -> History:
    """Return the turns that a session's items stand for.

    Args:
        items: in order, as a view holds them; kinds this version doesn't know are passed over.
    """
    runs = _runs(standing(items))
    return tuple([turn for run in runs for turn in TURNS.get(run[0].kind, _silent)(run)])


def _runs(items: Iterable[Item]) -> Iterator[list[Item]]:
    """Yield the items that make a turn together; ``ended`` is when the run's last output came."""
    run: list[Item] = []
    ended: float | None = None
    for item in items:
        if run and not _joins(run, item, ended):
            yield run
            run, ended = [], None
        run.append(item)
        if _is_card(item):
            ended = max(-math.inf if ended is None else ended, _ended_at(item))
    if run:
        yield run


def _joins(run: Sequence[Item], item: Item, ended: float | None) -> bool:
    first = run[0].kind
    match item.kind:
        case "user_text":
            return first in PROMPTS and all(each.kind != "user_text" for each in run)
        case "user_image":
            return first in PROMPTS
        case "tool_call":
            return first in _REPLIES and not _asked_again(item, ended)
        case "thinking":
            return first in _REPLIES and ended is None
        case kind:
            return kind in _UNSEEN


def _asked_again(card: ToolCallItem, ended: float | None) -> bool:
    """Tell whether a call was made after the results of the calls in front of it were there."""
    called, begun = card.call_started_at_ms, card.arg_started_at_ms
    if ended is None or called is None:
        return False
    return called > ended and (begun is None or begun >= ended)


def _ended_at(card: ToolCallItem) -> float:
    """Return when a card's output came (reducer.md rule 37), or infinity if that isn't known."""
    called, begun = card.call_started_at_ms, card.arg_started_at_ms
    ran_from = called if card.approval_at_ms is None else card.approval_at_ms
    if not card.output_complete or card.duration_ms is None or ran_from is None:
        return math.inf
    written = 0 if called is None or begun is None else max(0, called - begun)
    return ran_from + card.duration_ms - written


def _is_card(item: Item) -> TypeGuard[ToolCallItem]:
    """Tell whether an item is a call that was recorded, and not one that failed unanswered."""
    if not isinstance(item, ToolCallItem) or not item.call_complete:
        return False
    answered = bool(item.output or item.images)
    return answered or item.call_stop_reason in (None, "completed")


def _prompt(run: Sequence[Item]) -> Iterator[HistoryItem]:
    parts = [_prompt_part(item) for item in run]
    yield UserTurn(parts=tuple([part for part in parts if part is not None]))


def _prompt_part(item: Item) -> Part | None:
    match item.kind:
        case "user_text":
            return PlainText(text=item.text)
        case "user_image":
            return Image(url=item.image_url)
        case _:
            return None


def _steering(run: Sequence[Item]) -> Iterator[HistoryItem]:
    item = run[0]
    if isinstance(item, UserSteeringItem):
        yield steering(item.text, item.images or ())


def _summary(run: Sequence[Item]) -> Iterator[HistoryItem]:
    text = replacing_summary(run[0])
    if text is not None:
        yield summary(text)


def _response(run: Sequence[Item]) -> Iterator[HistoryItem]:
    text = "".join(item.text for item in run if _is_said(item))
    cards = [item for item in run if _is_card(item)]
    if text or cards:
        yield AssistantTurn(text=text, calls=tuple(map(_call, cards)))
    yield from map(_result, cards)


def _refusal(run: Sequence[Item]) -> Iterator[HistoryItem]:
    item = run[0]
    if isinstance(item, NoticeItem) and item.name == REFUSAL and item.text:
        yield AssistantTurn(text=item.text)


def _silent(run: Sequence[Item]) -> Iterator[HistoryItem]:
    yield from ()


def _is_said(item: Item) -> TypeGuard[AssistantTextItem]:
    """Tell whether an item is a text whose complete message came, and of no failed request."""
    return (
        isinstance(item, AssistantTextItem)
        and not item.streaming
        and "~" not in item.key
        and item.stop_reason not in _FAILED
    )


def _call(card: ToolCallItem) -> Call:
    return Call(call_id=card.tool_call_id, name=card.name, arguments=card.arguments_text)


def _result(card: ToolCallItem) -> ToolResult:
    is_error = not card.output_complete or card.output_stop_reason not in (None, "completed")
    images = [Image(url=url) for url in card.images or ()]
    text = card.output or ("" if images or not is_error else _why_silent(card))
    said = [PlainText(text=text)] if text or not images else []
    return ToolResult(call_id=card.tool_call_id, parts=(*said, *images), is_error=is_error)


def _why_silent(card: ToolCallItem) -> str:
    if card.decision in ("deny", "forbidden"):
        return "denied"
    if not card.output_complete:
        return UNRECORDED
    return "cancelled" if card.output_stop_reason == "aborted" else "failed"


TURNS: Mapping[str, Callable[[Sequence[Item]], Iterator[HistoryItem]]] = MappingProxyType(
    {
        "user_text": _prompt,
        "user_image": _prompt,
        "user_steering": _steering,
        "compaction": _summary,
        "assistant_text": _response,
        "tool_call": _response,
        "thinking": _silent,
        "subagent": _silent,
        "abort": _silent,
        "reconnect": _silent,
        "mcp_connect": _silent,
        "notice": _refusal,
        "task_stats": _silent,
    }
)
