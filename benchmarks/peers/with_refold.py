"""refold: an immutable session behind every message."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmarks.peers.peer import Peer, marginal
from benchmarks.peers.stream import ARGUMENTS, Op, output_text
from refold import Session, apply
from refold.messages import Message, PartialText, Payload, Text, ToolCall, ToolCallOutput

__all__ = ["PEERS"]


def _marginal(before: Sequence[Op], coming: Sequence[Op]) -> float:
    session = Session()
    for op in before:
        for message in _events(op):
            session = _step(session, message)
    return marginal(session, _step, _events, coming)


def _step(session: Session, message: Message) -> Session:
    return apply(session, message, now_ms=0)


def _events(op: Op) -> list[Message]:
    return [Message(payload=payload) for payload in _payloads(op)]


def _payloads(op: Op) -> Iterator[Payload]:
    match op["op"]:
        case "open":
            yield _piece("start", "")
        case "delta":
            yield _piece("delta", op["text"])
        case "close":
            yield _piece("stop", "")
            yield Text(role="assistant", text=op["text"])
        case "call":
            yield ToolCall(
                role="assistant", name="exec", arguments=ARGUMENTS, tool_call_id=op["id"]
            )
        case _:
            yield ToolCallOutput(role="user", output=output_text(op), tool_call_id=op["id"])


def _piece(event: str, text: str) -> PartialText:
    return PartialText(role="assistant", event_type=event, text=text)


PEERS = (Peer(name="refold", snapshot="immutable, all kept", marginal=_marginal),)
