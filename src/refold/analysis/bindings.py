"""Which call started a nested session.

Rules of this file (reducer.md rule 2):

- A session is bound once, at the first complete, event or session_meta that comes through it. One
  that names its call is bound to exactly that call, as soon as it is there; a call has one
  session. Else the latest allowed ``run_subagent`` that has neither session nor output is taken
  to have started it, and the binding is called ``inferred``.
- A session_meta that comes later and names a call has the last word.
"""

from __future__ import annotations

from refold.analysis import standing as placing
from refold.analysis import tools as tooling
from refold.analysis.accounts import Account
from refold.messages import Payload, SessionMeta, UnknownPayload
from refold.records import evolve, record

__all__ = ["Pair", "claimed", "introduced", "named_call"]


@record
class Pair:
    """A session and one inside it.

    Args:
        parent: the outer one.
        child: the inner one.
        place: where the inner one stands in the tally.
    """

    parent: Account
    child: Account
    place: int


def named_call(payload: Payload) -> str | None:
    """Return the id of the call that a message says its session was started by."""
    if isinstance(payload, SessionMeta):
        return payload.parent_tool_call_id
    if isinstance(payload, UnknownPayload):
        return None
    named = payload.extra.get("parent_tool_call_id")
    return named if isinstance(named, str) else None


def introduced(pair: Pair, named: str | None) -> Pair:
    """Bind a session at its first message that counts."""
    if named is not None:
        return _explicit(pair, named)
    tool = tooling.inferred(pair.parent.books.tools)
    if tool is None:
        return _alone(pair)
    return _bound(pair, tool, explicit=False)


def claimed(pair: Pair, named: str) -> Pair:
    """Bind a session anew to the call that it names, or has named before."""
    parent, child = pair.parent, pair.child
    if child.tool is not None:
        tools = tooling.bound(parent.books.tools, child.tool, None)
        parent = evolve(parent, books=evolve(parent.books, tools=tools))
    child = evolve(child, tool=None)
    return _explicit(evolve(pair, parent=parent, child=child), named)


def _explicit(pair: Pair, named: str) -> Pair:
    place = pair.parent.books.tools.places.get(named)
    if place is None:
        awaiting = pair.parent.awaiting
        awaiting = awaiting if named in awaiting else awaiting.put(named, pair.place)
        return _alone(evolve(pair, parent=evolve(pair.parent, awaiting=awaiting)))
    if pair.parent.books.tools.rows.at(place).session is not None:
        return _alone(pair)
    return _bound(pair, place, explicit=True)


def _bound(pair: Pair, tool: int, *, explicit: bool) -> Pair:
    books = pair.parent.books
    books = evolve(
        books,
        tools=tooling.bound(books.tools, tool, pair.place),
        standing=placing.session_gave_way(books.standing, pair.place),
    )
    return evolve(
        pair,
        parent=evolve(pair.parent, books=books),
        child=evolve(pair.child, tool=tool, binding="explicit" if explicit else "inferred"),
    )


def _alone(pair: Pair) -> Pair:
    if pair.child.binding == "none":
        return pair
    books = pair.parent.books
    standing = placing.session_placed(books.standing, pair.place)
    return evolve(
        pair,
        parent=evolve(pair.parent, books=evolve(books, standing=standing)),
        child=evolve(pair.child, binding="none"),
    )
