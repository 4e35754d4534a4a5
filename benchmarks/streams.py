"""Streams of OmniMessages as JSON lines, the same whenever they are made.

Rules of this file:

- A stream is an endless iterator of lines without line ends; ``lines`` takes as many as are wanted.
- Nothing is random: a number that counts up makes ids, texts and times differ.
- Stream A has the shares of recorded live streams (golden/penguin): 57 % partials, 19 % completes,
  24 % events, one user text among 156 messages.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import chain, count, islice
from typing import Any

from refold.times import format_ms

__all__ = ["STREAMS", "lines"]

START_MS = 1_783_209_600_000
STEP_MS = 50
CALLS_A_TASK = 9
APPROVALS_A_TASK = 7
DELTAS_A_TEXT = 93

Payload = dict[str, Any]
COUNTS = {"cache_read": 4_000, "cache_write": 120, "output": 60, "total": 4_180}


def lines(name: str, size: int, start: int = 0) -> list[str]:
    """Return some lines of a stream.

    Args:
        name: a key of ``STREAMS``.
        size: how many lines.
        start: how many lines of the stream come before them.
    """
    return list(islice(every_line(name), start, start + size))


def every_line(name: str) -> Iterator[str]:
    """Yield a stream's lines for ever."""
    for number, payload in enumerate(STREAMS[name]()):
        kind = "event_msg" if "role" not in payload else "model_msg"
        at = format_ms(START_MS + number * STEP_MS)
        yield json.dumps({"timestamp": at, "type": kind, "payload": payload})


def mixed() -> Iterator[Payload]:
    """Yield stream A: tasks of nine requests that call a tool, and one that answers."""
    for task in count():
        yield _model("text", "user", text=f"do the thing {task}")
        for number in range(CALLS_A_TASK):
            yield from _calling(f"call_{task}_{number}", asks=number < APPROVALS_A_TASK)
        yield {"type": "request_begin"}
        yield from _streamed("thinking", "thinking", ["that was ", "all "])
        yield from _streamed("text", "text", ["it is ", "done "])
        yield from _request_end()


def _calling(call_id: str, *, asks: bool) -> Iterator[Payload]:
    """Yield a request that says something and calls a tool, and the tool's output."""
    call = {"tool_call_id": call_id}
    yield {"type": "request_begin"}
    yield from _streamed("text", "text", ["I will ", "look "])
    arguments = ['{"command":', ' "ls"', "}"]
    yield from _streamed("tool_call", "arguments", arguments, name="exec", **call)
    yield from _request_end()
    if asks:
        yield {"type": "approval_decision", "decision": "allow", **call}
    yield _model("tool_call_output", "user", output=f"result of {call_id}", **call)


def _request_end() -> Iterator[Payload]:
    yield {"type": "token_usage", "session": COUNTS, "request": COUNTS}
    yield {"type": "request_end", "status": "completed"}


def deltas() -> Iterator[Payload]:
    """Yield stream B: long answers, so that 93 % of all lines are deltas."""
    for number in count():
        yield _model("text", "user", text=f"tell me more {number}")
        yield {"type": "request_begin"}
        yield from _streamed("text", "text", [f"word{n} " for n in range(DELTAS_A_TEXT)])
        yield from _request_end()


def one_text() -> Iterator[Payload]:
    """Yield stream C: one text that never ends."""
    yield _piece("text", "text", "start", "")
    yield from (_piece("text", "text", "delta", f"word{n} ") for n in count())


def one_output() -> Iterator[Payload]:
    """Yield stream D: the output of one tool call, and it never ends."""
    call = {"role": "user", "tool_call_id": "call_0"}
    arguments = {"name": "exec", "arguments": "{}", "tool_call_id": "call_0"}
    yield _model("tool_call", "assistant", **arguments)
    yield _piece("tool_call_output", "output", "start", "", **call)
    grow = (f"line {n}\n" for n in count())
    yield from (_piece("tool_call_output", "output", "delta", text, **call) for text in grow)


STREAMS: dict[str, Callable[[], Iterator[Payload]]] = {
    "A": mixed,
    "B": deltas,
    "C": one_text,
    "D": one_output,
}


def _streamed(kind: str, field: str, pieces: list[str], **fields: str) -> Iterator[Payload]:
    edges = [("start", "")], [("delta", piece) for piece in pieces], [("stop", "")]
    yield from (_piece(kind, field, event, text, **fields) for event, text in chain(*edges))
    yield _model(kind, **{"role": "assistant", **fields, field: "".join(pieces)})


def _piece(kind: str, field: str, event: str, text: str, **fields: str) -> Payload:
    return _model(
        f"partial_{kind}", **{"role": "assistant", "event_type": event, **fields, field: text}
    )


def _model(kind: str, role: str, **fields: str) -> Payload:
    return {"type": kind, "role": role, **fields, "stop_reason": "completed"}
