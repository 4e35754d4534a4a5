"""One message into the account of its own session.

Rules of this file:

- A partial is entered only where something is kept of it (``CASES``): it has no time here, starts
  nothing and is no boundary. An unknown model payload is as good as a partial, an unknown event is
  an event.
- The order is fixed: the message starts a task or takes effect, then its time counts, then the
  boundary moves on.
"""

from __future__ import annotations

from refold.analysis.accounts import About, Account, Books, Clock
from refold.analysis.cases import CASES, Case
from refold.analysis.clock import seen_below, seen_here, task_began
from refold.analysis.moments import Moment, make_moment
from refold.analysis.task_cases import starting
from refold.boundaries import advance, starts_task
from refold.messages import (
    Fact,
    Message,
    PartialText,
    PartialThinking,
    PartialToolCall,
    PartialToolCallOutput,
    Payload,
    SessionMeta,
    UnknownPayload,
)
from refold.records import evolve, evolver
from refold.times import parse_ms

__all__ = ["counts", "entered"]

_PARTIAL = frozenset({PartialText, PartialThinking, PartialToolCall, PartialToolCallOutput})

_behind = evolver(Account, "about", "boundary", "clock", "books")
_with_books = evolver(Account, "books")


def counts(payload: Payload) -> bool:
    """Tell whether a payload is a complete, an event or a session_meta."""
    if isinstance(payload, UnknownPayload):
        return payload.category == "event_msg"
    return type(payload) not in _PARTIAL


def entered(
    account: Account, message: Message, ordinal: int, within: tuple[int | None, ...]
) -> Account:
    """Enter a message, its origin set aside.

    Args:
        account: of the session it belongs to.
        message: the message.
        ordinal: how many messages came before it, of any session.
        within: the task open in each outer session.
    """
    payload = message.payload
    if type(payload) is SessionMeta:
        return _introduced(account, payload, parse_ms(message.timestamp))
    case = CASES.get(payload.kind)
    if not counts(payload):
        return account if case is None else _piece(account, case, message, ordinal)
    return _settled(account, payload, case, _moment(account, message, ordinal, within))


def _piece(account: Account, case: Case, message: Message, ordinal: int) -> Account:
    books = case(account.books, message.payload, _moment(account, message, ordinal, ()))
    return account if books is account.books else _with_books(account, books)


def _settled(account: Account, payload: Payload, case: Case | None, moment: Moment) -> Account:
    before = account.books
    if starts_task(account.boundary, payload):
        books = starting(before, payload, moment)
    else:
        books = before if case is None else case(before, payload, moment)
    about = _remodelled(account.about, payload) if type(payload) is Fact else account.about
    boundary = advance(account.boundary, payload)
    return _behind(account, about, boundary, _clock_behind(before, books, moment), books)


def _clock_behind(before: Books, books: Books, moment: Moment) -> Clock:
    task = books.tasks.task
    if task is not None and task != before.tasks.task:
        return seen_here(task_began(moment.clock), moment.at_ms, in_task=True)
    in_task = task is not None and not moment.compacting
    return seen_here(moment.clock, moment.at_ms, in_task=in_task)


def _moment(
    account: Account, message: Message, ordinal: int, within: tuple[int | None, ...]
) -> Moment:
    transport = message.transport
    return make_moment(
        ordinal,
        parse_ms(message.timestamp),
        None if transport is None else parse_ms(transport.started_at),
        account.clock,
        account.about,
        account.boundary.compacting,
        within,
    )


def _introduced(account: Account, meta: SessionMeta, at_ms: int | None) -> Account:
    about = About(
        session_id=meta.session_id,
        provider=meta.provider or None,
        model=meta.model_id or None,
        source=meta.source,
        agent_state=meta.agent_state,
        workspace=meta.workspace,
    )
    clock = seen_below(account.clock, at_ms, in_task=False)
    return evolve(account, about=about, clock=clock)


def _remodelled(about: About, fact: Fact) -> About:
    if fact.name != "model" or not isinstance(fact.value, str):
        return about
    return evolve(about, model=fact.value)
