"""Close what a cancelled response left open.

Rules of this file (sources/stream-json-and-acp.md 5.4):

- Every recorded call gets exactly one result, in call order: its own if it finished, else an
  error result that says it was cancelled. The next prompt then finds a valid history.
- Every announced call gets a terminal update: ``completed`` if all calls of its id finished, else
  ``failed``. A call that was never announced gets none, nor does one whose end was already told.
- A call that is running somewhere is called off by the id of the request that runs it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from refold.policies.history import Call, ToolResult
from refold.policies.pairing import error_result
from refold.records import record

__all__ = ["CANCELLED", "CancelClosing", "TerminalUpdate", "close_cancelled"]

CANCELLED = "cancelled"


@record
class TerminalUpdate:
    """What a client is told last about a call."""

    call_id: str
    status: Literal["completed", "failed"]


@record
class CancelClosing:
    """What a cancel leaves to record and to send.

    Args:
        results: one per recorded call, in call order.
        updates: one per announced id that had none, recorded calls first.
        called_off: the request ids to send a cancel notification for, in call order.
    """

    results: tuple[ToolResult, ...]
    updates: tuple[TerminalUpdate, ...] = ()
    called_off: tuple[int | str, ...] = ()


def close_cancelled(
    calls: Sequence[Call],
    results: Iterable[ToolResult],
    *,
    announced: Iterable[str] = (),
    told: Iterable[str] = (),
    running: Mapping[str, int | str] | None = None,
) -> CancelClosing:
    """Close the calls of a response that was cancelled.

    Args:
        calls: the recorded calls, in order.
        results: the results known so far, in any order.
        announced: ids of the calls the client was told about.
        told: ids of the calls whose end it was told too.
        running: the request id under which a call runs, by call id.
    """
    closed = _closed(calls, results)
    unfinished = Counter(result.call_id for result, finished in closed if not finished)
    in_flight = running or {}
    return CancelClosing(
        results=tuple([result for result, _ in closed]),
        updates=_updates(calls, unfinished, announced, set(told)),
        called_off=tuple([in_flight[each] for each in unfinished if each in in_flight]),
    )


def _closed(calls: Sequence[Call], results: Iterable[ToolResult]) -> list[tuple[ToolResult, bool]]:
    known: defaultdict[str, list[ToolResult]] = defaultdict(list)
    for result in reversed(list(results)):
        known[result.call_id].append(result)
    return [
        (known[call.call_id].pop(), True)
        if known[call.call_id]
        else (error_result(call.call_id, CANCELLED), False)
        for call in calls
    ]


def _updates(
    calls: Sequence[Call], unfinished: Counter[str], announced: Iterable[str], told: set[str]
) -> tuple[TerminalUpdate, ...]:
    due = dict.fromkeys(each for each in announced if each not in told)
    recorded = dict.fromkeys(call.call_id for call in calls)
    order = [each for each in recorded if each in due] + [
        each for each in due if each not in recorded
    ]
    return tuple(
        [
            TerminalUpdate(
                call_id=each,
                status="completed" if each in recorded and not unfinished[each] else "failed",
            )
            for each in order
        ]
    )
