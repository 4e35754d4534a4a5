"""What came out of a call, in words.

Rules of this file (stream-json-and-acp.md 4.2, 8; census.md A3, A4):

- A call's content says it; where that says nothing, the raw output does.
- ``completed`` with a raw output that calls itself an error is a failure; ``failed`` while the turn
  is being cancelled is an abort. What agents write where they have no status for it is known by
  their own words: a refusal of the permission, a command that was cancelled.
"""

from __future__ import annotations

from typing import Any

from refold.sources.acp.content import block_text, blocks_text
from refold.sources.acp.lanes import Call, Lane
from refold.sources.acp.terminals import terminal_text
from refold.sources.depth import clipped
from refold.sources.fields import mapping
from refold.sources.logs.values import compact, objects

__all__ = ["ENDED", "is_broken", "is_refusal", "output_text", "raw_text", "stop_reason"]

ENDED = frozenset({"completed", "failed", "cancelled"})
_TEXTS = ("formatted_output", "aggregated_output", "output", "content", "text", "result")
_STREAMS = ("stdout", "stderr")
_FAULTS = ("error", "message")
_BOOKKEEPING = frozenset({"isError", "is_error", "exit_code", "exitCode", "signal", "status"})
_REFUSED = "User refused permission to run tool"
_CANCELLED = "Command cancelled by user."


def output_text(lane: Lane, call: Call) -> str:
    """Return what a call has put out so far.

    Args:
        lane: its session, which holds the terminals.
        call: the call.
    """
    said = [
        terminal_text(lane, each.terminal) if each.terminal else each.text for each in call.parts
    ]
    shown = "\n".join([each for each in said if each])
    return shown or terminal_text(lane, call.terminal) or call.raw or ""


def raw_text(raw: Any) -> str:
    """Return what a raw output says as text.

    Args:
        raw: any JSON value, as each agent likes.
    """
    return raw if isinstance(raw, str) else _raw_text(clipped(raw))


def _raw_text(raw: Any) -> str:
    if isinstance(raw, list):
        return _blocks(raw)
    if not isinstance(raw, dict):
        return "" if raw is None else compact(raw)
    found = next((_said(raw[each]) for each in _TEXTS if _said(raw.get(each)) is not None), None)
    if found is not None:
        return found
    streams = [raw[each] for each in _STREAMS if isinstance(raw.get(each), str)]
    return "".join(streams) if streams else _fault(raw)


def is_broken(raw: Any) -> bool:
    """Tell whether a raw output says that the tool failed."""
    fields = mapping(raw)
    return fields.get("isError") is True or fields.get("is_error") is True


def is_refusal(call: Call, said: str) -> bool:
    """Tell whether an output says that the permission was refused, in an agent's known words."""
    return call.status == "failed" and said.strip() == _REFUSED


def stop_reason(lane: Lane, call: Call, said: str) -> str:
    """Return how a call ended.

    Args:
        lane: its session.
        call: the call, whose status is a last one.
        said: its output.
    """
    cancelling = lane.turn is not None and lane.turn.cancelling
    if call.status == "cancelled" or (cancelling and _is_cut(call, said)):
        return "aborted"
    return "failed" if call.status == "failed" or call.broken else "completed"


def _is_cut(call: Call, said: str) -> bool:
    return call.status == "failed" or said.strip() == _CANCELLED


def _said(value: Any) -> str | None:
    if isinstance(value, str):
        return value
    return _blocks(value) if isinstance(value, list) else None


def _blocks(values: list[Any]) -> str:
    blocks = objects(values)
    if len(blocks) < len(values) or not all(block_text(each) for each in blocks):
        return compact(values) if values else ""
    return blocks_text(blocks)


def _fault(raw: dict[str, Any]) -> str:
    for each in _FAULTS:
        fault = raw.get(each)
        if isinstance(fault, str):
            return fault
        if isinstance(fault, dict):
            return _raw_text(fault)
    return "" if _BOOKKEEPING.issuperset(raw) else compact(raw)
