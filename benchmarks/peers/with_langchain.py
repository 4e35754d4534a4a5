"""langchain-core: message chunks are added; a sum is a message of its own.

A tool's output is a message of its own there, and no chunk; those steps fall away.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from time import perf_counter
from typing import Any

from langchain_core.messages import AIMessageChunk
from langchain_core.messages.tool import tool_call_chunk

from benchmarks.peers.peer import LIMIT_S, NotRunError, Peer, marginal
from benchmarks.peers.stream import ARGUMENTS, Op

__all__ = ["PEERS"]


def _marginal(before: Sequence[Op], coming: Sequence[Op]) -> float:
    state = _sum(list(chain.from_iterable(map(_events, before))))
    return marginal(state, lambda whole, chunk: whole + chunk, _events, coming)


def _sum(chunks: list[Any]) -> Any:
    """Add neighbours, then their sums: one by one, 10⁵ chunks would take hours."""
    deadline = perf_counter() + LIMIT_S
    while len(chunks) > 1:
        pairs = zip(chunks[::2], chunks[1::2], strict=False)
        rest = chunks[len(chunks) // 2 * 2 :]
        chunks = [_add_before(deadline, left, right) for left, right in pairs] + rest
    return chunks[0]


def _add_before(deadline: float, left: Any, right: Any) -> Any:
    if perf_counter() > deadline:
        raise NotRunError(f"more than {LIMIT_S:.0f} s to get there")
    return left + right


def _events(op: Op) -> list[Any]:
    match op["op"]:
        case "delta":
            return [AIMessageChunk(content=op["text"])]
        case "call":
            index = int(op["id"].partition("_")[2])
            call = tool_call_chunk(name="exec", args=ARGUMENTS, id=op["id"], index=index)
            return [AIMessageChunk(content="", tool_call_chunks=[call])]
        case _:
            return []


PEERS = (Peer(name="langchain-core, chunks added", snapshot="new message", marginal=_marginal),)
