"""Make every call of a history have exactly one result.

Rules of this file (sources/stream-json-and-acp.md 5.1 H2, 10.14):

- Directly behind a turn with calls stand their results, one each, in call order, wherever they
  stood before. A result nobody waits for is dropped; a call without one gets an error result.
- Calls that share an id are told apart, on both sides of the pair. Within a turn results go to
  them in order; a later turn's call takes the id over.
- A paired history stays as it is.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from refold.policies.history import (
    AssistantTurn,
    Call,
    History,
    HistoryItem,
    PlainText,
    ToolResult,
)
from refold.policies.wire_names import wire_ids

__all__ = ["UNRECORDED", "error_result", "paired"]

UNRECORDED = "no result was recorded"


def paired(history: Iterable[HistoryItem]) -> History:
    """Return a history in which every call has exactly one result.

    Args:
        history: turns in any order, with results missing, repeated or out of place.
    """
    items = tuple(history)
    results = iter(_results_by_call(items))
    ids = iter(wire_ids(call.call_id for call in _calls(items)))
    mended: list[HistoryItem] = []
    for item in items:
        if isinstance(item, AssistantTurn):
            calls = tuple([_renamed(call, next(ids)) for call in item.calls])
            mended.append(AssistantTurn(text=item.text, calls=calls))
            mended += [_answering(call, next(results)) for call in calls]
        elif not isinstance(item, ToolResult):
            mended.append(item)
    return items if items == tuple(mended) else tuple(mended)


def error_result(call_id: str, text: str) -> ToolResult:
    """Return the result of a call that gave none.

    Args:
        call_id: the call's.
        text: why, for the model to read.
    """
    return ToolResult(call_id=call_id, parts=(PlainText(text=text),), is_error=True)


def _calls(items: History) -> Iterator[Call]:
    for item in items:
        if isinstance(item, AssistantTurn):
            yield from item.calls


def _results_by_call(items: History) -> list[ToolResult | None]:
    """Return each call's result, in call order."""
    results: list[ToolResult | None] = []
    waiting: dict[str, deque[int]] = {}
    for item in items:
        if isinstance(item, AssistantTurn):
            waiting.update({call.call_id: deque() for call in item.calls})
            for call in item.calls:
                waiting[call.call_id].append(len(results))
                results.append(None)
        elif isinstance(item, ToolResult) and waiting.get(item.call_id):
            results[waiting[item.call_id].popleft()] = item
    return results


def _answering(call: Call, result: ToolResult | None) -> ToolResult:
    if result is None:
        return error_result(call.call_id, UNRECORDED)
    return ToolResult(call_id=call.call_id, parts=result.parts, is_error=result.is_error)


def _renamed(call: Call, call_id: str) -> Call:
    return Call(call_id=call_id, name=call.name, arguments=call.arguments)
