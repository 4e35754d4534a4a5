"""A stream of messages into accounts, one step per message.

Rules of this file (reducer.md rules 1 and 2):

- ``step`` is pure and total on decoded messages; its cost does not depend on what came before.
- ``steps`` is ``step`` for one message after another; the main session's account is put back only
  when somebody else needs it.
- A message with an origin is entered in the session it names, which exists from its first message.
  The sessions around it only see that something happened and when.
"""

from __future__ import annotations

from collections.abc import Iterable

from refold.analysis.accounts import Account, Tally
from refold.analysis.bindings import Pair, claimed, introduced, named_call
from refold.analysis.clock import seen_below
from refold.analysis.entries import counts, entered
from refold.analysis.tokens import Tokens, added, tokens_of
from refold.messages import (
    Message,
    Payload,
    SessionMeta,
    TokenUsage,
    ToolCall,
    ToolCallOutput,
)
from refold.records import evolve, evolver, positional
from refold.times import parse_ms
from refold.vectors import Vector

__all__ = ["step", "steps"]

_tally = positional(Tally)
_with_clock = evolver(Account, "clock")


def step(tally: Tally, message: Message) -> Tally:
    """Count one message.

    Args:
        tally: what is counted so far; start from ``Tally()``.
        message: the next message, of the main session or any other.
    """
    accounts, place = tally.accounts, 0
    within: tuple[int | None, ...] = ()
    if message.origin:
        accounts, place = _through(accounts, message)
        if type(message.payload) is TokenUsage:
            within = _open_tasks(accounts, place)
    before = accounts.at(place)
    after = entered(before, message, tally.messages, within)
    if after is not before:
        accounts = accounts.put(place, after)
    if after.awaiting:
        accounts = _taken(accounts, place, message.payload)
    return _tally(tally.messages + 1, accounts, _passed_through(tally.nested, message))


def steps(tally: Tally, messages: Iterable[Message]) -> Tally:
    """Count many messages.

    Args:
        tally: what is counted so far.
        messages: the next messages, in order.
    """
    main = tally.accounts.at(0)
    accounts, nested, ordinal = tally.accounts, tally.nested, tally.messages
    for message in messages:
        if message.origin or main.awaiting:
            after = step(_tally(ordinal, accounts.put(0, main), nested), message)
            accounts, nested = after.accounts, after.nested
            main = accounts.at(0)
        else:
            main = entered(main, message, ordinal, ())
        ordinal += 1
    return _tally(ordinal, accounts.put(0, main), nested)


def _through(accounts: Vector[Account], message: Message) -> tuple[Vector[Account], int]:
    counted = counts(message.payload)
    at_ms = parse_ms(message.timestamp) if counted else None
    place = 0
    for depth, name in enumerate(message.origin):
        accounts, child = _opened(accounts, place, name)
        if counted:
            inmost = depth == len(message.origin) - 1
            accounts = _passed(accounts, place, child, message, at_ms, inmost=inmost)
        place = child
    return accounts, place


def _opened(accounts: Vector[Account], place: int, name: str) -> tuple[Vector[Account], int]:
    parent = accounts.at(place)
    child = parent.children.get(name)
    if child is not None:
        return accounts, child
    child = accounts.slots
    parent = evolve(parent, children=parent.children.put(name, child))
    return accounts.append(Account(name=name, parent=place)).put(place, parent), child


def _passed(
    accounts: Vector[Account],
    place: int,
    child: int,
    message: Message,
    at_ms: int | None,
    *,
    inmost: bool,
) -> Vector[Account]:
    parent, inner = accounts.at(place), accounts.at(child)
    is_meta = type(message.payload) is SessionMeta
    in_task = parent.books.tasks.task is not None and not parent.boundary.compacting
    parent = _with_clock(parent, seen_below(parent.clock, at_ms, in_task=in_task and not is_meta))
    named = named_call(message.payload) if inmost else None
    if inner.binding is None:
        pair = introduced(Pair(parent=parent, child=inner, place=child), named)
    elif is_meta and named is not None and inner.binding != "explicit":
        pair = claimed(Pair(parent=parent, child=inner, place=child), named)
    else:
        return accounts.put(place, parent)
    return accounts.put(place, pair.parent).put(child, pair.child)


def _open_tasks(accounts: Vector[Account], place: int) -> tuple[int | None, ...]:
    tasks: list[int | None] = []
    parent = accounts.at(place).parent
    while parent is not None:
        outer = accounts.at(parent)
        tasks.append(outer.books.tasks.task)
        parent = outer.parent
    return tuple(reversed(tasks))


def _taken(accounts: Vector[Account], place: int, payload: Payload) -> Vector[Account]:
    if type(payload) is not ToolCall and type(payload) is not ToolCallOutput:
        return accounts
    parent = accounts.at(place)
    child = parent.awaiting.get(payload.tool_call_id)
    if child is None or payload.tool_call_id not in parent.books.tools.places:
        return accounts
    parent = evolve(parent, awaiting=parent.awaiting.without(payload.tool_call_id))
    pair = Pair(parent=parent, child=accounts.at(child), place=child)
    pair = claimed(pair, payload.tool_call_id)
    return accounts.put(place, pair.parent).put(child, pair.child)


def _passed_through(nested: Tokens, message: Message) -> Tokens:
    if type(message.payload) is not TokenUsage or not message.origin:
        return nested
    return added(nested, tokens_of(message.payload.request))
