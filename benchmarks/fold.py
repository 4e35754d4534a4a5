"""What folding costs: the whole pipeline, and one message in long sessions."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from itertools import islice
from statistics import median

import attrs

from benchmarks.figures import Figure
from benchmarks.streams import every_line, lines
from benchmarks.timing import CHUNK, Step, chunked, lowest, lowest_each, quiet
from refold import Session, apply
from refold.decode import decode
from refold.decode.typed import line_decoder
from refold.messages import Message

__all__ = ["Place", "latency", "marginal", "messages", "pipeline", "places"]

WINDOW = 2_000


@attrs.frozen(kw_only=True)
class Place:
    """A place in a stream.

    Args:
        size: how many messages lie before it.
        session: what they fold to.
        lines: the lines that come next.
        coming: the same, decoded.
    """

    size: int
    session: Session
    lines: list[str]
    coming: list[Message]


def pipeline(size: int, runs: int) -> Iterator[Figure]:
    """Yield what it costs to parse, decode and apply, every version kept, against ``json.loads``."""
    for stream in "ABCD":
        chunks = chunked(lines(stream, size))
        steps = {
            "json": Step(chunks=chunks, run=_loads),
            "core": Step(chunks=chunks, run=_fold_lines(fast=False), start=_first),
        }
        if find_spec("msgspec"):
            steps["fast"] = Step(chunks=chunks, run=_fold_lines(fast=True), start=_first)
        seconds = lowest(steps, runs)
        yield from _pipeline_figures(stream, size, seconds)


def _pipeline_figures(stream: str, size: int, seconds: dict[str, float]) -> Iterator[Figure]:
    goals = {"core": (2.75, 2.0), "fast": (1.9, 1.4)} if stream == "A" else {}
    what = f"{stream}, {size:,} messages"
    for name, words in (("core", "whole pipeline"), ("fast", "the same, extra `fast`")):
        if name not in seconds:
            continue
        must, aim = goals.get(name, (None, None))
        yield Figure(
            key=f"pipeline.{stream}.{name}",
            measure=f"{words}, {what}, against `json.loads`",
            value=seconds[name] / seconds["json"],
            unit="×",
            must=must,
            aim=aim,
        )
    for name, words in (("json", "`json.loads`"), ("core", "whole pipeline")):
        yield Figure(
            key=f"pipeline.{stream}.{name}_us",
            measure=f"{words}, {stream}, a message",
            value=seconds[name] / size * 1e6,
            unit="µs",
        )


def _loads(_: None, chunk: Sequence[str]) -> None:
    for line in chunk:
        json.loads(line)


def _first() -> list[Session]:
    return [Session()]


def _fold_lines(*, fast: bool) -> Callable[[list[Session], Sequence[str]], list[Session]]:
    read = line_decoder(fast=fast)

    def run(versions: list[Session], chunk: Sequence[str]) -> list[Session]:
        session = versions[-1]
        for line in chunk:
            session = apply(session, read(line), now_ms=0)
            versions.append(session)
        return versions

    return run


def marginal(stream: str, places: Sequence[Place], runs: int) -> Iterator[Figure]:
    """Yield what one ``apply`` costs at places in a stream.

    A session is a value, so the same window of messages is applied to the same session again and
    again, the windows of all places in turns.
    """
    seconds = lowest({str(place.size): _window_step(place) for place in places}, runs)
    first = places[0]
    for place in places:
        where = f"one `apply`, {stream}, behind {place.size:,} messages"
        taken = seconds[str(place.size)]
        yield Figure(
            key=f"marginal.{stream}.{place.size}_us",
            measure=where,
            value=taken / len(place.coming) * 1e6,
            unit="µs",
        )
        if place is not first:
            yield Figure(
                key=f"marginal.{stream}.{place.size}",
                measure=f"{where}, against {first.size:,}",
                value=taken / seconds[str(first.size)],
                unit="×",
                must=1.25,
            )


def _window_step(place: Place, chunk: int = CHUNK) -> Step:
    chunks = chunked(place.coming, chunk)
    return Step(chunks=chunks, run=_apply, start=partial(_same, place.session))


def _same(session: Session) -> Session:
    return session


def _apply(session: Session, chunk: Iterable[Message]) -> Session:
    for message in chunk:
        session = apply(session, message, now_ms=0)
    return session


def latency(size: int, runs: int) -> Figure:
    """Return how much longer than its median one ``apply`` in a thousand takes, in a long session."""
    (place,) = places("A", [size], size // 5)
    step = _window_step(place, chunk=1)
    seconds = sorted(lowest_each({"apply": step}, runs)["apply"])
    return Figure(
        key="latency.p999",
        measure=f"p99.9 of one `apply`, A, behind {size:,} messages, against its median",
        value=seconds[int(len(seconds) * 0.999)] / median(seconds),
        unit="×",
        must=20,
    )


def messages(stream: str) -> Iterator[Message]:
    """Yield a stream's messages, decoded."""
    return map(_decoded, every_line(stream))


def _decoded(line: str) -> Message:
    return decode(json.loads(line))


def places(stream: str, sizes: Sequence[int], window: int = WINDOW) -> list[Place]:
    """Return the places behind so many messages of a stream.

    Args:
        stream: a key of ``STREAMS``.
        sizes: how many messages each, ascending.
        window: how many messages that come next are wanted at each.
    """
    source, found = every_line(stream), []
    session, at = Session(), 0
    with quiet():
        for size in sizes:
            session = _apply(session, map(_decoded, islice(source, size - at)))
            coming = list(islice(source, window))
            found.append(
                Place(size=size, session=session, lines=coming, coming=[*map(_decoded, coming)])
            )
            session, at = _apply(session, found[-1].coming), size + window
    return found
