"""How time is taken here.

Rules of this file:

- A step runs over its chunks in order, many times; what counts is each chunk's fastest run, and a
  step's time is their sum: a machine that is disturbed now and then disturbs few chunks every time.
- Steps that are compared run their chunks in turns, so that they meet the same machine.
- The garbage collector rests while time is taken (``quiet``): what it costs is a figure of its own.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from time import perf_counter
from typing import Any, TypeVar

import attrs

__all__ = ["CHUNK", "Step", "chunked", "lowest", "lowest_each", "quiet"]

CHUNK = 25

T = TypeVar("T")


@attrs.frozen(kw_only=True)
class Step:
    """Something to be timed.

    Args:
        chunks: what it runs over, in small portions.
        run: from a state and a portion to the next state.
        start: makes the state before the first portion.
    """

    chunks: Sequence[Any]
    run: Callable[[Any, Any], Any]
    start: Callable[[], Any] = lambda: None


def chunked(values: Sequence[T], size: int = CHUNK) -> list[Sequence[T]]:
    """Cut into portions."""
    return [values[at : at + size] for at in range(0, len(values), size)]


def lowest(steps: Mapping[str, Step], runs: int) -> dict[str, float]:
    """Return how many seconds each step takes at its fastest.

    Args:
        steps: by name; as many chunks in each.
        runs: how often everything runs.
    """
    return {name: sum(seconds) for name, seconds in lowest_each(steps, runs).items()}


def lowest_each(steps: Mapping[str, Step], runs: int) -> dict[str, list[float]]:
    """Return how many seconds each chunk of each step takes at its fastest."""
    with quiet():
        rounds = [_round(steps) for _ in range(runs)]
    return {
        name: [min(times) for times in zip(*(r[name] for r in rounds), strict=True)]
        for name in steps
    }


def _round(steps: Mapping[str, Step]) -> dict[str, list[float]]:
    states = {name: step.start() for name, step in steps.items()}
    seconds: dict[str, list[float]] = {name: [] for name in steps}
    for turn in zip(*(step.chunks for step in steps.values()), strict=True):
        for (name, step), chunk in zip(steps.items(), turn, strict=True):
            begin = perf_counter()
            states[name] = step.run(states[name], chunk)
            seconds[name].append(perf_counter() - begin)
    return seconds


@contextmanager
def quiet() -> Iterator[None]:
    """Keep the garbage collector from running."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
