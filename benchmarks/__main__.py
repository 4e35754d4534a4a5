"""Measure what the goals in docs/explanation/performance.md speak of: a table, and JSON.

``python -m benchmarks`` takes some minutes; ``--quick`` a few seconds, on small sizes and with
numbers that mean little.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs

from benchmarks.diffs import diffs, nested_diffs
from benchmarks.figures import Figure, table
from benchmarks.fold import latency, marginal, pipeline, places
from benchmarks.imports import imports
from benchmarks.machine import machine
from benchmarks.pages import rewrite
from benchmarks.sources import sources
from benchmarks.versions import collector, memory, reading

BIG = (10**3, 10**5, 10**6)
SMALL = (200, 1_000)


def main(arguments: list[str] | None = None) -> None:
    """Measure, print, and write what is asked for."""
    options = _options(arguments)
    figures = []
    for figure in quick() if options.quick else full():
        print(f"  {figure.measure}: {figure.value:.4g} {figure.unit}", file=sys.stderr, flush=True)
        figures.append(figure)
    text = f"{_machine_line()}\n\n{table(figures)}"
    print(text)
    if options.json:
        options.json.write_text(json.dumps(_document(figures), indent=2) + "\n", "utf-8")
    if options.write:
        rewrite(options.write, "figures", text)


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes, a few seconds")
    parser.add_argument("--json", type=Path, help="where to write the numbers")
    parser.add_argument("--write", type=Path, help="a page whose table is to be replaced")
    return parser.parse_args(arguments)


def full() -> Iterator[Figure]:
    """Yield every figure at the sizes the goals name."""
    yield from pipeline(10_000, 30)
    for stream in "ABCD":
        reached = places(stream, BIG)
        yield from marginal(stream, reached, 40)
        yield from diffs(stream, reached, 20)
        yield memory(stream, 10_000)
    yield from nested_diffs([1, 4], [10_000], 20)
    yield latency(100_000, 15)
    yield from reading([10_000, 100_000, 1_000_000], 30)
    yield collector(100_000, 3)
    yield from sources(1_000_000)
    yield from imports(20)


def quick() -> Iterator[Figure]:
    """Yield the same figures at sizes that take no time."""
    yield from pipeline(200, 2)
    for stream in "AC":
        reached = places(stream, SMALL, 500)
        yield from marginal(stream, reached, 2)
        yield from diffs(stream, reached, 2)
        yield memory(stream, 1_000)
    yield from nested_diffs([1], [10], 2)
    yield latency(1_000, 1)
    yield from reading([1_000], 3)
    yield collector(2_000, 1)
    yield from sources(10_000)
    yield from imports(1)


def _machine_line() -> str:
    return "; ".join(machine().values())


def _document(figures: list[Figure]) -> dict[str, Any]:
    return {"machine": machine(), "figures": [attrs.asdict(figure) for figure in figures]}


if __name__ == "__main__":
    main()
