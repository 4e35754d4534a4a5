"""Anthropic's ``accumulate_event``: one message that is changed in place, so there is no snapshot.

A tool's output belongs to the next message there; those steps fall away.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from time import perf_counter
from typing import Any, TypeAlias

from anthropic.lib.streaming._messages import accumulate_event
from anthropic.types import RawMessageStreamEvent
from pydantic import TypeAdapter

from benchmarks.peers.peer import LIMIT_S, NotRunError, Peer, marginal
from benchmarks.peers.stream import ARGUMENTS, Op

__all__ = ["PEERS"]

Fields: TypeAlias = Callable[..., dict[str, Any]]

EVENTS: TypeAdapter[Any] = TypeAdapter(RawMessageStreamEvent)
START = {
    "type": "message_start",
    "message": {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    },
}


def _marginal(before: Sequence[Op], coming: Sequence[Op]) -> float:
    buffers: dict[int, bytes] = {}

    def step(snapshot: Any, event: Any) -> Any:
        return accumulate_event(event=event, current_snapshot=snapshot, json_bufs=buffers)

    snapshot = step(None, _event(START))
    deadline = perf_counter() + LIMIT_S
    for op in before:
        for event in _events(op):
            snapshot = step(snapshot, event)
        if perf_counter() > deadline:
            raise NotRunError(f"more than {LIMIT_S:.0f} s to get there")
    return marginal(snapshot, step, _events, coming)


def _event(fields: dict[str, Any]) -> Any:
    return EVENTS.validate_python(fields)


def _events(op: Op) -> list[Any]:
    number = int(op["id"].partition("_")[2])
    at: Fields = partial(dict, index=2 * number + (op["op"] == "call"))
    return [_event(fields) for fields in _fields(op, at)]


def _fields(op: Op, at: Fields) -> list[dict[str, Any]]:
    match op["op"]:
        case "open":
            block: dict[str, Any] = {"type": "text", "text": ""}
            return [at(type="content_block_start", content_block=block)]
        case "delta":
            delta = {"type": "text_delta", "text": op["text"]}
            return [at(type="content_block_delta", delta=delta)]
        case "close":
            return [at(type="content_block_stop")]
        case "call":
            block = {"type": "tool_use", "id": op["id"], "name": "exec", "input": {}}
            delta = {"type": "input_json_delta", "partial_json": ARGUMENTS}
            return [
                at(type="content_block_start", content_block=block),
                at(type="content_block_delta", delta=delta),
                at(type="content_block_stop"),
            ]
        case _:
            return []


PEERS = (Peer(name="Anthropic `accumulate_event`", snapshot="none", marginal=_marginal),)
