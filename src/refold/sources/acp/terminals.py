"""What terminals put out.

Rules of this file (census.md A13, stream-json-and-acp.md 4.4):

- An agent that runs commands itself sends their output along with the call's updates, as pieces in
  ``_meta``; a client that runs them answers ``terminal/output`` with all of it; version 2 has updates
  of their own, in base64. All of them feed one terminal, by its id.
- Bytes are joined before they are read: a character may be split between two pieces.
"""

from __future__ import annotations

import codecs
from base64 import b64decode
from typing import Any

from refold.records import evolve
from refold.sources.acp.lanes import Lane, Terminal
from refold.sources.fields import mapping, name, text
from refold.sources.logs.values import first_text
from refold.texts import grow

__all__ = ["meta_terminal", "terminal_chunk", "terminal_text", "terminal_update", "with_output"]

_PIECES = ("terminal_output_delta", "terminal_output")
_SILENT = Terminal()


def terminal_text(lane: Lane, terminal: str | None) -> str:
    """Return what a terminal has put out so far."""
    return "" if terminal is None else str(lane.terminals.get(terminal, _SILENT).text)


def with_output(lane: Lane, terminal: str, output: str) -> Lane:
    """Return the lane with all a terminal has put out so far."""
    return evolve(lane, terminals=lane.terminals.put(terminal, Terminal(text=output)))


def meta_terminal(lane: Lane, meta: dict[str, Any]) -> tuple[Lane, str | None, str]:
    """Take the piece of output that an update carries.

    Args:
        lane: the session.
        meta: the update's ``_meta``.

    Returns:
        The lane, the terminal the update speaks of, and the piece.
    """
    pieces = [mapping(meta[each]) for each in _PIECES if each in meta]
    about = [*pieces, mapping(meta.get("terminal_info")), mapping(meta.get("terminal_exit"))]
    terminal = next((found for each in about if (found := name(each.get("terminal_id")))), None)
    piece = "".join([text(each.get("data")) for each in pieces])
    if terminal is None or not piece:
        return lane, terminal, ""
    before = lane.terminals.get(terminal, _SILENT)
    grown = evolve(before, text=grow(before.text, piece))
    return evolve(lane, terminals=lane.terminals.put(terminal, grown)), terminal, piece


def terminal_chunk(lane: Lane, update: dict[str, Any]) -> Lane:
    """Take ``terminal_output_chunk``: bytes appended to a terminal's output."""
    terminal = text(update.get("terminalId"))
    before = lane.terminals.get(terminal, _SILENT)
    return _put(lane, terminal, before, _bytes(update.get("data")))


def terminal_update(lane: Lane, update: dict[str, Any]) -> Lane:
    """Take ``terminal_update``: its output, where it has one, replaces what was there."""
    output = update.get("output")
    if not isinstance(output, dict):
        return lane
    return _put(lane, text(update.get("terminalId")), _SILENT, _bytes(first_text(output, "data")))


def _put(lane: Lane, terminal: str, before: Terminal, data: bytes) -> Lane:
    joined = before.rest + data
    piece, read = codecs.utf_8_decode(joined, "replace", False)
    grown = Terminal(text=grow(before.text, piece), rest=joined[read:])
    return evolve(lane, terminals=lane.terminals.put(terminal, grown))


def _bytes(data: Any) -> bytes:
    try:
        return b64decode(text(data))
    except ValueError:
        return b""
