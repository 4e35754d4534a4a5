"""The logical stream that every peer gets, each in its own dialect.

Rules of this file:

- One turn of an agent that goes on for ever: a text in pieces, a tool call, its output, again.
- A step is a plain dictionary, so that it reaches a peer in node as JSON.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice
from typing import TypeAlias

__all__ = ["ARGUMENTS", "ROUND", "Op", "ops", "output_text"]

Op: TypeAlias = dict[str, str]

WORDS = [f"word{n} " for n in range(8)]
ROUND = len(WORDS) + 4
ARGUMENTS = '{"command": "ls"}'


def ops(size: int, start: int = 0) -> list[Op]:
    """Return so many steps of the stream, behind those that come before."""
    return list(islice(_every_op(), start, start + size))


def output_text(op: Op) -> str:
    """Return what the tool of a step put out."""
    return f"output of {op['id']}"


def _every_op() -> Iterator[Op]:
    for number in count():
        text, call = f"text_{number}", f"call_{number}"
        yield {"op": "open", "id": text}
        yield from ({"op": "delta", "id": text, "text": word} for word in WORDS)
        yield {"op": "close", "id": text, "text": "".join(WORDS)}
        yield {"op": "call", "id": call}
        yield {"op": "output", "id": call}
