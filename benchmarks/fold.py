"""What folding costs: the whole pipeline, and one message in long sessions."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from statistics import median

from benchmarks.figures import Figure
from benchmarks.streams import every_line, lines
from benchmarks.timing import Step, chunked, lowest, lowest_each, quiet
from refold import Session, apply
from refold.decode import decode
from refold.decode.json_text import line_parser
from refold.messages import Message

__all__ = ["folded", "latency", "marginal", "messages", "pipeline", "reached"]

WINDOW = 2_000


def pipeline(size: int, runs: int) -> Iterator[Figure]:
    """Yield what it costs to parse, decode and apply, every version kept, against ``json.loads``."""
    for stream in "ABCD":
        chunks = chunked(lines(stream, size))
        steps = {
            "json": Step(chunks=chunks, run=_loads),
            "core": Step(chunks=chunks, run=_fold_lines(fast=False), start=_first),
            "fast": Step(chunks=chunks, run=_fold_lines(fast=True), start=_first),
        }
        seconds = lowest(steps, runs)
        yield from _pipeline_figures(stream, size, seconds)


def _pipeline_figures(stream: str, size: int, seconds: dict[str, float]) -> Iterator[Figure]:
    goals = {"core": (2.75, 2.0), "fast": (1.9, 1.4)} if stream == "A" else {}
    what = f"{stream}, {size:,} messages"
    for name, words in (("core", "whole pipeline"), ("fast", "the same, extra `fast`")):
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
    parse = line_parser(fast=fast)

    def run(versions: list[Session], chunk: Sequence[str]) -> list[Session]:
        session = versions[-1]
        for line in chunk:
            session = apply(session, decode(parse(line)), now_ms=0)
            versions.append(session)
        return versions

    return run


def marginal(stream: str, sizes: Sequence[int], runs: int) -> Iterator[Figure]:
    """Yield what one ``apply`` costs behind so many messages of a stream.

    A session is a value, so the same window of messages is applied to the same session again and
    again, the windows of all sizes in turns.
    """
    steps = {
        str(size): Step(chunks=chunked(window), run=_apply, start=partial(_same, session))
        for size, session, window in reached(stream, sizes)
    }
    seconds = lowest(steps, runs)
    first = seconds[str(sizes[0])]
    for size in sizes:
        where = f"one `apply`, {stream}, behind {size:,} messages"
        taken = seconds[str(size)]
        yield Figure(
            key=f"marginal.{stream}.{size}_us", measure=where, value=taken / WINDOW * 1e6, unit="µs"
        )
        if size != sizes[0]:
            yield Figure(
                key=f"marginal.{stream}.{size}",
                measure=f"{where}, against {sizes[0]:,}",
                value=taken / first,
                unit="×",
                must=1.25,
            )


def _same(session: Session) -> Session:
    return session


def _apply(session: Session, chunk: Iterable[Message]) -> Session:
    for message in chunk:
        session = apply(session, message, now_ms=0)
    return session


def latency(size: int, runs: int) -> Figure:
    """Return how much longer than its median one ``apply`` in a thousand takes, in a long session."""
    ((_, session, window),) = reached("A", [size], 10 * WINDOW)
    step = Step(chunks=chunked(window, 1), run=_apply, start=partial(_same, session))
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
    return (decode(json.loads(line)) for line in every_line(stream))


def reached(
    stream: str, sizes: Sequence[int], window: int = WINDOW
) -> Iterator[tuple[int, Session, list[Message]]]:
    """Yield sizes, the sessions behind so many messages, and the messages that come next."""
    for size in sizes:
        source = messages(stream)
        session = folded(islice(source, size))
        yield size, session, list(islice(source, window))


def folded(source: Iterable[Message]) -> Session:
    """Fold messages, one by one."""
    with quiet():
        return _apply(Session(), source)
