"""Which turn a message belongs to.

Rules of this file (sources/claude-code.md 4.2, 2.7, G2-G4, G16):

- A turn has the key of the record that opened it: the first with anything the assistant says, or a
  slash or shell command, whose answer then belongs to it.
- What starts a task, and an abort, close the turn. A steering doesn't, nor does a compaction's
  summary: the task goes on. (``steering_splits`` gives the older reading.)
- An output belongs to the turn of its call, whatever stands between the two.
- State moves per message, so how the messages were batched decides nothing.
"""

from __future__ import annotations

import hashlib

from refold.boundaries import Boundary, advance, starts_task
from refold.maps import EMPTY_MAP, Map
from refold.markers import is_blank, steering_text
from refold.messages import (
    Abort,
    Message,
    Notice,
    Payload,
    Text,
    Thinking,
    ToolCall,
    ToolCallOutput,
)
from refold.records import evolver, record

__all__ = ["COMMANDS", "SHELL_OUTPUT", "Turns", "is_answer", "response_id", "step"]

COMMANDS = frozenset({"slash_command", "shell_command"})
SHELL_OUTPUT = "shell_output"


@record
class Turns:
    """The open turn of one lane.

    Args:
        steering_splits: whether a steering text closes the turn.
        current: the key of the open turn, if any.
        calls: the turn of each call that has no output yet.
        boundary: what tells whether the next message starts a task.
    """

    steering_splits: bool = False
    current: str | None = None
    calls: Map[str] = EMPTY_MAP
    boundary: Boundary = Boundary()


def step(turns: Turns, message: Message) -> tuple[Turns, str | None]:
    """Take a message; return the turn it belongs to, None if it belongs to none.

    Args:
        turns: the lane's state before.
        message: the lane's next message. One of a nested session belongs to another lane.
    """
    if message.origin:
        return turns, None
    boundary = advance(turns.boundary, message.payload)
    before = turns if boundary is turns.boundary else _advanced(turns, boundary)
    if _closes(turns, message):
        return _moved(before, None, before.calls), _key(message)
    return _within(before, message)


def is_answer(message: Message) -> bool:
    """Tell whether a message is something the assistant says or does, and shows."""
    match message.payload:
        case Text(role=role, text=text):
            return role != "user" and not is_blank(text)
        case Thinking(thinking=thinking):
            return not is_blank(thinking)
        case ToolCall():
            return True
        case _:
            return False


def response_id(turn: str) -> str:
    """Return a turn's key in the form a host of the older forwarder knows (2.7).

    Args:
        turn: the key of a turn.
    """
    digest = hashlib.sha256(turn.encode("utf-8", "surrogatepass")).hexdigest()
    return f"resp_claude_{digest[:32]}"


def _closes(turns: Turns, message: Message) -> bool:
    payload = message.payload
    if type(payload) is Abort or starts_task(turns.boundary, payload):
        return True
    if not turns.steering_splits or type(payload) is not Text:
        return False
    return payload.role == "user" and steering_text(payload.text) is not None


def _within(turns: Turns, message: Message) -> tuple[Turns, str | None]:
    payload = message.payload
    if type(payload) is ToolCallOutput:
        turn = turns.calls.get(payload.tool_call_id) or turns.current or _key(message)
        return _moved(turns, turns.current, turns.calls.without(payload.tool_call_id)), turn
    if type(payload) is Notice and payload.name in COMMANDS:
        return _opened(turns, payload, _key(message))
    if is_answer(message) or (type(payload) is Notice and payload.name == SHELL_OUTPUT):
        return _opened(turns, payload, turns.current or _key(message))
    return turns, turns.current


def _opened(turns: Turns, payload: Payload, turn: str) -> tuple[Turns, str]:
    calls = turns.calls
    if type(payload) is ToolCall:
        calls = calls.put(payload.tool_call_id, turn)
    return _moved(turns, turn, calls), turn


def _moved(turns: Turns, current: str | None, calls: Map[str]) -> Turns:
    if current == turns.current and calls is turns.calls:
        return turns
    return _with_turn(turns, current, calls)


def _key(message: Message) -> str:
    source = None if message.transport is None else message.transport.source
    if source is not None and source.id:
        return source.id
    if source is not None and source.line is not None:
        return f"line-{source.line}"
    return f"at-{message.timestamp}"


_advanced = evolver(Turns, "boundary")
_with_turn = evolver(Turns, "current", "calls")
