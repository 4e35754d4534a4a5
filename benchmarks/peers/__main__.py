"""Compare refold with its peers: the same logical stream, marginal µs of the processor at several lengths.

A peer that isn't installed, or takes too long, is named as such; nothing is extrapolated.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import NoReturn, TypeAlias

from benchmarks.machine import machine
from benchmarks.pages import rewrite
from benchmarks.peers.peer import NotRunError, Peer
from benchmarks.peers.stream import ROUND, ops

MODULES = ("with_refold", "with_acp", "with_langchain", "with_anthropic", "in_node")
SIZES = (10**3, 10**4, 10**5)
ROUNDS = 10

Row: TypeAlias = tuple[Peer, list[float | str]]


def main(arguments: list[str] | None = None) -> None:
    """Measure, print, and write what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    parser.add_argument("sizes", nargs="*", type=int, help="how many steps went before")
    parser.add_argument("--json", type=Path, help="where to write the numbers")
    parser.add_argument("--write", type=Path, help="a page whose table is to be replaced")
    options = parser.parse_args(arguments)
    sizes = options.sizes or SIZES
    rows = [(peer, [_measured(peer, size) for size in sizes]) for peer in _peers()]
    text = _table(sizes, rows)
    print(text)
    if options.json:
        options.json.write_text(json.dumps(_document(sizes, rows), indent=2) + "\n", "utf-8")
    if options.write:
        rewrite(options.write, "peers", text)


def _peers() -> Iterator[Peer]:
    """Yield the peers, those whose package isn't installed too."""
    for module in MODULES:
        try:
            yield from import_module(f"benchmarks.peers.{module}").PEERS
        except ImportError as error:
            yield Peer(name=module, snapshot="", marginal=partial(_absent, error.name))


def _absent(package: str | None, *_: object) -> NoReturn:
    raise NotRunError(f"not installed: {package}")


def _measured(peer: Peer, size: int) -> float | str:
    """Return the microseconds of an event behind so many steps, or why there are none."""
    size = size // ROUND * ROUND
    print(f"  {peer.name}, {size:,} steps", file=sys.stderr, flush=True)
    try:
        return peer.marginal(ops(size), ops(ROUNDS * ROUND, size)) * 1e6
    except NotRunError as reason:
        return f"not run ({reason})"


def _table(sizes: Sequence[int], rows: Sequence[Row]) -> str:
    head = ["marginal µs an event, behind", *(f"{size:,}" for size in sizes), "snapshot an event"]
    lines = [head, ["---", *("---:" for _ in sizes), "---"]]
    lines += [[peer.name, *map(_cell, cells), peer.snapshot] for peer, cells in rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _cell(value: float | str) -> str:
    if isinstance(value, str):
        return value
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _document(sizes: Sequence[int], rows: Sequence[Row]) -> dict[str, object]:
    names = [str(size) for size in sizes]
    peers = {peer.name: dict(zip(names, cells, strict=True)) for peer, cells in rows}
    return {"machine": machine(), "unit": "µs an event", "peers": peers}


if __name__ == "__main__":
    main()
