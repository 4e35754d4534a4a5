"""What a diff between neighbouring versions costs, against ``json.loads`` of the line between them.

Rules of this file:

- What counts is the mean over all messages as they come: most of them are cheap, and a kind that is
  dear counts as often as it comes. By kind it is told beside.
- Messages of a kind are timed in portions, in turns with their lines, each portion at its fastest.
- Versions are made anew for each run: what a version has once derived, it keeps.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import pairwise
from time import perf_counter
from typing import TypeAlias

from benchmarks.figures import Figure
from benchmarks.fold import Place
from benchmarks.timing import chunked, quiet
from refold import Session, apply, diff
from refold.decode import encode_line
from refold.messages import Message, PartialText, Text

__all__ = ["diffs", "nested_diffs"]

DELTAS = 500

Pair: TypeAlias = tuple[Session, Session]

# How many messages, and the seconds of their diffs and of ``json.loads`` of their lines.
Cost: TypeAlias = tuple[int, float, float]


def diffs(stream: str, places: Sequence[Place], runs: int) -> Iterator[Figure]:
    """Yield what a diff costs at places in a stream, and behind the first one what it costs by kind."""
    for place in places:
        costs = _lowest_diffs(place, runs)
        where, key = f"{stream}, behind {place.size:,} messages", f"diff.{stream}.{place.size}"
        yield from _diff_figures(
            f"diff of neighbours, {where}", key, list(costs.values()), goal=True
        )
        if place is places[0] and len(costs) > 1:
            for kind, cost in costs.items():
                yield from _diff_figures(
                    f"the same, {kind}s alone", f"{key}.{kind}", [cost], goal=False
                )


def nested_diffs(depths: Sequence[int], siblings: Sequence[int], runs: int) -> Iterator[Figure]:
    """Yield what the diff of a delta in a nested session costs, by depth and by how many there are."""
    for depth in depths:
        costs = _lowest_diffs(_nested_place(tuple(map(str, range(depth))), 0), runs)
        where = f"diff of a delta in a session nested {depth} deep"
        yield from _diff_figures(where, f"diff.depth.{depth}", list(costs.values()), goal=False)
    for count in siblings:
        costs = _lowest_diffs(_nested_place(("0",), count), runs)
        where = f"diff of a delta in a nested session, one of {count:,}"
        yield from _diff_figures(where, f"diff.siblings.{count}", list(costs.values()), goal=False)


def _nested_place(origin: tuple[str, ...], siblings: int) -> Place:
    """Return a place in a text that streams in a nested session."""
    said = Text(role="assistant", text="ready")
    origins: list[tuple[str, ...]] = [(str(number),) for number in range(siblings)]
    origins += [origin[:depth] for depth in range(1, len(origin) + 1)]
    session = Session()
    for each in origins:
        session = apply(session, Message(payload=said, origin=each), now_ms=0)
    session = apply(session, _piece("start", "", origin), now_ms=0)
    deltas = [_piece("delta", f"word{number} ", origin) for number in range(DELTAS)]
    lines = [encode_line(each) for each in deltas]
    return Place(size=siblings, session=session, lines=lines, coming=deltas)


def _piece(event: str, text: str, origin: tuple[str, ...]) -> Message:
    payload = PartialText(role="assistant", event_type=event, text=text)
    return Message(payload=payload, origin=origin)


def _diff_figures(measure: str, key: str, costs: Sequence[Cost], *, goal: bool) -> Iterator[Figure]:
    count, taken, loads = (sum(each) for each in zip(*costs, strict=True))
    yield Figure(
        key=key,
        measure=f"{measure}, against `json.loads` of a line",
        value=taken / loads,
        unit="×",
        must=1.5 if goal else None,
        aim=0.5 if goal else None,
    )
    yield Figure(key=f"{key}_us", measure=measure, value=taken / count * 1e6, unit="µs")


def _lowest_diffs(place: Place, runs: int) -> dict[str, Cost]:
    """Return what the diffs of all messages that come next cost, by kind."""
    portions = _portions(place.coming)
    best = [(9.0, 9.0)] * len(portions)
    with quiet():
        for _ in range(runs):
            pairs = _pairs(place.session, place.coming)
            taken = [_diff_and_loads(pairs, place.lines, numbers) for _, numbers in portions]
            best = [(min(a, c), min(b, d)) for (a, b), (c, d) in zip(best, taken, strict=True)]
    costs: dict[str, Cost] = {}
    for (kind, numbers), (taken_s, loads_s) in zip(portions, best, strict=True):
        count, diff_s, json_s = costs.get(kind, (0, 0.0, 0.0))
        costs[kind] = count + len(numbers), diff_s + taken_s, json_s + loads_s
    return costs


def _portions(coming: Sequence[Message]) -> list[tuple[str, Sequence[int]]]:
    """Return the numbers of messages by kind, few at a time."""
    by_kind: dict[str, list[int]] = {}
    for number, message in enumerate(coming):
        by_kind.setdefault(_kind(message), []).append(number)
    return [(kind, some) for kind, numbers in by_kind.items() for some in chunked(numbers)]


def _kind(message: Message) -> str:
    """Return ``start``, ``delta``, ``stop``, ``complete`` or ``event``."""
    payload = message.payload
    if payload.category == "event_msg":
        return "event"
    kind: str = getattr(payload, "event_type", "complete")
    return kind


def _pairs(session: Session, window: Sequence[Message]) -> list[Pair]:
    versions = [session]
    for message in window:
        versions.append(apply(versions[-1], message, now_ms=0))
    return list(pairwise(versions))


def _diff_and_loads(
    pairs: Sequence[Pair], lines: Sequence[str], numbers: Sequence[int]
) -> tuple[float, float]:
    some, texts = [pairs[n] for n in numbers], [lines[n] for n in numbers]
    begin = perf_counter()
    for before, after in some:
        diff(before, after)
    between = perf_counter()
    for text in texts:
        json.loads(text)
    return between - begin, perf_counter() - between
