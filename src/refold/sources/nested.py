"""Nested sessions' traces woven into the trace of the session that started them.

Rules of this file (sources/README.md, ``omni``):

- A child's messages go behind the pointer to it, under its session id, merged by time with what
  goes on around it. At a tie the outer session comes first, then the one that was opened first.
- Every trace keeps its own order. A message of unknown time stays with its predecessor; the first
  ones of a child stay with the pointer.
- A pointer always stays. It is not followed twice, not into a session that it lies in, and not
  deeper than ``MAX_DEPTH``; so neither cycles nor copies multiply. A child that is missing is just
  its pointer.
- A child that is woven in comes from its own trace alone: what a capture around it holds of it
  would be the same messages again. One that came before its pointer is not woven in.
- Pure and lazy: one message of each open trace is held, and where traces come from is the caller's.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from refold.messages import Message, SessionMeta, Subagent
from refold.records import evolver
from refold.times import parse_ms

__all__ = ["MAX_DEPTH", "OpenChild", "woven"]

MAX_DEPTH = 32

OpenChild: TypeAlias = Callable[[str], Iterable[Message] | None]

_BEFORE_ALL = float("-inf")

_under = evolver(Message, "origin")


def woven(root: Iterable[Message], open_child: OpenChild) -> Iterator[Message]:
    """Yield a trace with the traces of its nested sessions in place.

    Args:
        root: the messages of the outermost session, in order.
        open_child: gives the messages of a session by its id, or None if there is no trace of it.
    """
    sessions = _Sessions(open_child)
    waiting = [_Thread((), _BEFORE_ALL, root)]
    while waiting:
        thread = heapq.heappop(waiting)
        ready = [thread]
        for message in thread.stretch():
            if sessions.woven.isdisjoint(message.origin):
                yield _under(message, thread.chain + message.origin) if thread.chain else message
                ready += sessions.behind(thread, message)
        for each in ready:
            if each.head is not None:
                heapq.heappush(waiting, each)


class _Thread:
    """One trace that is being woven in, at its next message.

    Args:
        chain: the session ids it lies under, outer to inner.
        at_ms: the time of what it follows on, in Unix ms.
        messages: the trace.
        order: how many were opened before.
    """

    __slots__ = ("_messages", "_order", "at_ms", "chain", "head")

    def __init__(
        self, chain: tuple[str, ...], at_ms: float, messages: Iterable[Message], order: int = 0
    ) -> None:
        self.chain = chain
        self.at_ms = at_ms
        self._messages = iter(messages)
        self._order = order
        self._advance()

    def __lt__(self, other: _Thread) -> bool:
        return self._rank() < other._rank()

    def stretch(self) -> Iterator[Message]:
        """Yield the next message and what of unknown time follows it."""
        while self.head is not None:
            yield self.head
            if self._advance():
                return

    def _advance(self) -> bool:
        """Go to the next message; tell whether there is one that has a time."""
        self.head = next(self._messages, None)
        at_ms = None if self.head is None else parse_ms(self.head.timestamp)
        if at_ms is None:
            return False
        self.at_ms = at_ms
        return True

    def _rank(self) -> tuple[float, int, int]:
        return self.at_ms, len(self.chain), self._order


class _Sessions:
    """The sessions that messages or traces were seen of.

    Args:
        open_child: gives the messages of a session by its id.
    """

    def __init__(self, open_child: OpenChild) -> None:
        self.woven: set[str] = set()
        self._seen: set[str] = set()
        self._open_child = open_child

    def behind(self, thread: _Thread, message: Message) -> Iterator[_Thread]:
        """Yield the trace that a message points to, if it is to be woven in."""
        payload = message.payload
        self._seen.update(message.origin)
        if type(payload) is SessionMeta and not message.origin:
            self._seen.add(payload.session_id)
        chain = thread.chain + message.origin
        if type(payload) is not Subagent or len(chain) >= MAX_DEPTH:
            return
        session_id = payload.session_id
        messages = None if session_id in self._seen else self._open_child(session_id)
        if messages is not None:
            self._seen.add(session_id)
            self.woven.add(session_id)
            yield _Thread((*chain, session_id), thread.at_ms, messages, len(self.woven))
