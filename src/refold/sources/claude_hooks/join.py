"""The open turn's streams and commits, and what they leave to show.

Rules of this file (sources/claude-code.md 3.5):

- What is shown, the overlay, is ``unaccounted`` over all that the open turn has brought. It never
  adds, removes or reorders anything a record made.
- A complete stream and a commit of equal text leave together at once: equal texts are
  exchangeable, so what remains doesn't depend on which pair left or when.
- A hard close (the next prompt, an abort, a rotation, the end) forgets the turn and retires its
  streams: a piece that comes too late shows nothing. A soft one (a stop hook) is nothing here, for
  the last record may still come behind it.
- Memory is bounded; what is dropped at a bound is the oldest, and only ever a preview.
"""

from __future__ import annotations

from typing import TypeAlias

from refold.records import evolve, record
from refold.sources.claude_hooks.deltas import Delta
from refold.sources.claude_hooks.resolve import Commit, unaccounted
from refold.sources.claude_hooks.streams import Stream, grown

__all__ = [
    "MOST_COMMITS",
    "MOST_RETIRED",
    "MOST_STREAMS",
    "Close",
    "Join",
    "Said",
    "overlay",
    "step",
]

MOST_STREAMS = 256
MOST_COMMITS = 256
MOST_RETIRED = 256


@record
class Said:
    """A record has brought an assistant text."""

    text: str


@record
class Close:
    """The open turn is over for good."""


JoinEvent: TypeAlias = Delta | Said | Close


@record
class Join:
    """What the open turn has brought and no record has settled yet.

    Args:
        streams: in the order they were first seen.
        commits: in the order they came.
        retired: ids whose pieces are ignored, the newest last.
        seen: how many streams were ever seen.
        said: how many commits ever came.
        passed: ``seen`` of the latest stream that left with a commit; -1 before the first.
    """

    streams: tuple[Stream, ...] = ()
    commits: tuple[Commit, ...] = ()
    retired: tuple[str, ...] = ()
    seen: int = 0
    said: int = 0
    passed: int = -1


def step(join: Join, event: JoinEvent) -> tuple[Join, tuple[Stream, ...]]:
    """Return the join behind an event, and the overlay then.

    Args:
        join: before it.
        event: a piece, a text that a record brought, or a hard close.
    """
    match event:
        case Delta():
            after = _piece(join, event)
        case Said():
            after = _commit(join, event.text)
        case Close():
            after = _closed(join)
    return after, overlay(after)


def overlay(join: Join) -> tuple[Stream, ...]:
    """Return the previews to show behind the last durable item, in the order first seen."""
    return tuple(each for each in unaccounted(join.streams, join.commits) if each.length)


def _piece(join: Join, delta: Delta) -> Join:
    known = next((each for each in join.streams if each.message_id == delta.message_id), None)
    if known is None and delta.message_id in join.retired:
        return join
    before = known or _opened(join, delta.message_id)
    after, gained = grown(before, delta)
    if after is before:
        return join
    after = evolve(after, fits=_still_fitting(join, before, gained))
    if known is None:
        return _settled(_bounded(_with(join, (*join.streams, after), seen=join.seen + 1)), after)
    streams = tuple(after if each is known else each for each in join.streams)
    return _settled(_with(join, streams), after)


def _opened(join: Join, message_id: str) -> Stream:
    # Nothing is a beginning of everything.
    fits = tuple(each.number for each in join.commits)
    return Stream(message_id=message_id, seen=join.seen, fits=fits)


def _still_fitting(join: Join, before: Stream, gained: str) -> tuple[int, ...]:
    # Only the gained piece is compared, at its place: the cost of a piece is the piece's.
    return tuple(
        each.number
        for each in join.commits
        if each.number in before.fits and each.text.startswith(gained, before.length)
    )


def _settled(join: Join, stream: Stream) -> Join:
    if not stream.complete:
        return join
    texts = {each.number: len(each.text) for each in join.commits}
    number = next((each for each in stream.fits if texts.get(each) == stream.length), None)
    if number is None:
        return join
    commits = tuple(each for each in join.commits if each.number != number)
    return evolve(_consumed(join, stream), commits=commits)


def _commit(join: Join, text: str) -> Join:
    join = evolve(join, said=join.said + 1)
    equal = next((each for each in join.streams if _says(each, text)), None)
    if equal is not None:
        return _consumed(join, equal)
    commit = Commit(number=join.said - 1, text=text)
    commits = (*join.commits, commit)[-MOST_COMMITS:]
    streams = tuple(_fitted(each, commits) for each in join.streams)
    return evolve(join, streams=streams, commits=commits)


def _says(stream: Stream, text: str) -> bool:
    return stream.complete and stream.length == len(text) and stream.text == text


def _fitted(stream: Stream, commits: tuple[Commit, ...]) -> Stream:
    *older, newest = commits
    if len(newest.text) < stream.length or not newest.text.startswith(str(stream.text)):
        return stream
    fits = tuple(each.number for each in older if each.number in stream.fits)
    return evolve(stream, fits=(*fits, newest.number))


def _consumed(join: Join, stream: Stream) -> Join:
    streams = tuple(each for each in join.streams if each.message_id != stream.message_id)
    return evolve(
        join,
        streams=streams,
        retired=(*join.retired, stream.message_id)[-MOST_RETIRED:],
        passed=max(join.passed, stream.seen),
    )


def _closed(join: Join) -> Join:
    if not join.streams and not join.commits:
        return join
    retired = (*join.retired, *(each.message_id for each in join.streams))
    return evolve(join, streams=(), commits=(), retired=retired[-MOST_RETIRED:])


def _bounded(join: Join) -> Join:
    if len(join.streams) <= MOST_STREAMS:
        return join
    oldest, *rest = join.streams
    return evolve(
        join,
        streams=tuple(rest),
        retired=(*join.retired, oldest.message_id)[-MOST_RETIRED:],
    )


def _with(join: Join, streams: tuple[Stream, ...], *, seen: int | None = None) -> Join:
    return evolve(join, streams=streams, seen=join.seen if seen is None else seen)
