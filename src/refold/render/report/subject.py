"""What a report is about: a session, what was found about it, and which message is which item.

Rules of this file:

- One pass over the messages feeds the reducer and the analysis, so both tell of the same stream.
- Sessions are known by their place in the analysis: a session inside many others has a short name.
- What is nested too deep for the reducer is left out of both.
- A message leads to the item it placed, or else to the last one placed before it; what streamed and
  got another key later is passed over.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from refold.analysis import Analysis, PriceTable, SessionFigures, Tally, finish, steps
from refold.folding import apply, finalize
from refold.messages import MAX_HOPS, Message
from refold.records import record
from refold.render.report.links import item_id
from refold.session import Session

__all__ = ["Subject", "subject_of", "written_in"]

Trail = tuple[tuple[int, str], ...]


@record
class Subject:
    """A session and what was found about it.

    Args:
        sessions: the main session and the nested ones, at rest, each at its place in the analysis.
        children: the places of nested sessions, by their parent's place and their id.
        analysis: what was found.
        trails: for each session, which message placed which item: ordinals and keys, in order.
    """

    sessions: tuple[Session, ...]
    children: Mapping[tuple[int, str], int]
    analysis: Analysis
    trails: tuple[Trail, ...]

    def place_of(self, session: int, ordinal: int) -> str | None:
        """Return the id of the item that a message led to, or None if there was none yet.

        Args:
            session: the place of the session the message belongs to.
            ordinal: the message's, in the whole stream.
        """
        trail = self.trails[session]
        found = bisect_right(trail, ordinal, key=lambda step: step[0])
        return item_id(session, trail[found - 1][1]) if found else None

    def places_of(self, session: int, ordinals: Iterable[int]) -> tuple[str, ...]:
        """Return the ids of the items that messages led to, each once."""
        found = [self.place_of(session, ordinal) for ordinal in ordinals]
        return tuple(dict.fromkeys([place for place in found if place is not None]))


def subject_of(messages: Iterable[Message], *, prices: PriceTable | None = None) -> Subject:
    """Fold and analyse a stream.

    Args:
        messages: a session's, in order; read once, one message at a time.
        prices: USD per million tokens by model, or None to price nothing.
    """
    walk = _Walk()
    tally = steps(Tally(), walk.along(messages))
    sessions = _by_place(finalize(walk.session), walk.children)
    return Subject(
        sessions=sessions,
        children=MappingProxyType(walk.children),
        analysis=finish(tally, prices=prices),
        trails=tuple(map(_kept, walk.trails, sessions)),
    )


def written_in(session: SessionFigures) -> dict[int, list[int]]:
    """Return the ordinals of what each request wrote, by the request's place."""
    written: dict[int, list[int]] = {}
    for segment in session.segments:
        written.setdefault(segment.request, []).append(segment.ordinal)
    return written


class _Walk:
    """A session on its way through a stream, and the trail it leaves."""

    def __init__(self) -> None:
        self.session = Session()
        self.children: dict[tuple[int, str], int] = {}
        self.trails: list[list[tuple[int, str]]] = [[]]

    def along(self, messages: Iterable[Message]) -> Iterator[Message]:
        """Yield messages, each behind having taken it in. No clock of ours is ever shown."""
        shown = (message for message in messages if len(message.origin) <= MAX_HOPS)
        for ordinal, message in enumerate(shown):
            self.session = apply(self.session, message, now_ms=0)
            self._note(ordinal, message.origin)
            yield message

    def _note(self, ordinal: int, origin: tuple[str, ...]) -> None:
        place, session = 0, self.session
        for name in origin:
            place = self._child(place, name)
            session = session.subagents[name]
        if session.placed:
            trail = self.trails[place]
            key = session.placed.select(len(session.placed) - 1).key
            if not trail or trail[-1][1] != key:
                trail.append((ordinal, key))

    def _child(self, place: int, name: str) -> int:
        child = self.children.setdefault((place, name), len(self.trails))
        if child == len(self.trails):
            self.trails.append([])
        return child


def _by_place(main: Session, children: Mapping[tuple[int, str], int]) -> tuple[Session, ...]:
    sessions = [main]
    for parent, name in children:
        sessions.append(sessions[parent].subagents[name])
    return tuple(sessions)


def _kept(trail: Sequence[tuple[int, str]], session: Session) -> Trail:
    keys = {item.key for item in session.items}
    return tuple([step for step in trail if step[1] in keys])
