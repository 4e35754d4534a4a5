"""What keeping versions costs, and reading one."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Iterator, Sequence
from itertools import islice
from time import perf_counter, process_time

from benchmarks.figures import Figure
from benchmarks.fold import messages
from benchmarks.timing import quiet
from refold import Session, apply
from refold.messages import Message, PartialText

__all__ = ["collector", "memory", "reading"]


def memory(stream: str, size: int) -> Figure:
    """Return how many bytes a kept version adds, the messages themselves not counted."""
    taken = list(islice(messages(stream), size))
    kept, last = _bytes(taken, keep=True), _bytes(taken, keep=False)
    return Figure(
        key=f"memory.{stream}",
        measure=f"memory a kept version, {stream}, {size:,} versions",
        value=(kept - last) / size,
        unit="B",
        must=1_000,
        aim=600,
    )


def _bytes(taken: Sequence[Message], *, keep: bool) -> int:
    """Return what is allocated behind a fold: with all versions, or with the last alone."""
    tracemalloc.start()
    versions = [Session()]
    for message in taken:
        session = apply(versions[-1], message, now_ms=0)
        if keep:
            versions.append(session)
        else:
            versions[0] = session
    gc.collect()
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return size


def reading(characters: Sequence[int], runs: int) -> Iterator[Figure]:
    """Yield what reading a streamed text costs: the first time in a version, and again."""
    for length in characters:
        session = _text_of(length)
        taken = [_read_twice(session, n) for n in range(runs)]
        for when, seconds in (
            ("first", min(a for a, _ in taken)),
            ("again", min(b for _, b in taken)),
        ):
            yield Figure(
                key=f"reading.{length}.{when}_us",
                measure=f"reading a text of {length:,} characters, {when}",
                value=seconds * 1e6,
                unit="µs",
            )


def _text_of(length: int) -> Session:
    session = Session()
    for event, text in [("start", ""), *[("delta", "ten chars ")] * (length // 10)]:
        session = apply(session, _partial(event, text), now_ms=0)
    return session


def _partial(event: str, text: str) -> Message:
    return Message(payload=PartialText(role="assistant", event_type=event, text=text))


def _read_twice(session: Session, number: int) -> tuple[float, float]:
    """Return the seconds of two readings in a version that nobody has read."""
    item = apply(session, _partial("delta", f"{number:>9} "), now_ms=0).items[-1]
    seconds = []
    for _ in range(2):
        begin = perf_counter()
        _ = item.text  # type: ignore[union-attr]
        seconds.append(perf_counter() - begin)
    return seconds[0], seconds[1]


def collector(size: int, runs: int) -> Figure:
    """Return how much longer a fold takes with the garbage collector, every version in a list."""
    taken = list(islice(messages("A"), size))
    best = {True: 9e9, False: 9e9}
    for collects in [True, False] * runs:
        best[collects] = min(best[collects], _keep_all(taken, collects=collects))
    return Figure(
        key="collector.kept",
        measure=f"`apply` with the garbage collector on, {size:,} versions in a list, against off",
        value=best[True] / best[False],
        unit="×",
    )


def _keep_all(taken: Sequence[Message], *, collects: bool) -> float:
    with quiet():
        if collects:
            gc.enable()
        begin = process_time()
        versions = [Session()]
        for message in taken:
            versions.append(apply(versions[-1], message, now_ms=0))
        return process_time() - begin
