"""What reading and folding a Claude Code transcript costs, as multiples of ``json.loads`` of its lines.

``python -m benchmarks.claude_code`` measures at 3, 10 and 100 MB, in some minutes; or name the sizes.
A size is rounded up to whole recordings, of 3 MB, so that the mix is always the same.
``--write PAGE`` replaces the table between a page's markers, ``--peak FILE`` is for itself.
"""

from __future__ import annotations

import argparse
import gc
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.figures import Figure, table
from benchmarks.machine import machine
from benchmarks.pages import rewrite
from benchmarks.timing import quiet
from benchmarks.transcripts import INPUTS, lines_of
from refold.decode import json_text
from refold.folding import finalize, replay
from refold.session import Session
from refold.sources.files import open_trace

MUST = 4.0
RUNS = 5
MIB = 1 << 20


def main() -> None:
    """Measure, print, and write what is asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("megabytes", nargs="*", type=int, default=[3, 10, 100])
    parser.add_argument("--write", type=Path, help="a page whose table is to be replaced")
    parser.add_argument("--peak", type=Path, help="print what memory a file takes, and no more")
    options = parser.parse_args()
    if options.peak:
        print(json.dumps(taken_by(options.peak)))
        return
    figures = [figure for size in options.megabytes for figure in measured(size)]
    text = f"{'; '.join(machine().values())}\n\n{table(figures)}"
    print(text)
    if options.write:
        rewrite(options.write, "claude-code", text)


def measured(megabytes: int) -> Iterator[Figure]:
    """Yield the figures of a transcript of so many megabytes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "transcript.jsonl"
        with path.open("w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in lines_of(megabytes * 1_000_000))
        yield from costs(f"{megabytes} MB", path)
        yield from memory(f"{megabytes} MB", path)


# --- time -------------------------------------------------------------------------------------


def costs(name: str, path: Path) -> Iterator[Figure]:
    """Yield what the whole pass costs: from the file's bytes to the view."""
    with path.open(encoding="utf-8") as file:
        lines = list(file)
    steps = {
        "loads": lambda: loaded(lines),
        "file": lambda: loaded_from(path),
        "messages": plain(lambda: drained(open_trace(path).messages)),
        "view": plain(lambda: view_of(path)),
        "fast": lambda: view_of(path),
    }
    with quiet():
        best = fastest(steps)
    loads = best["loads"]
    collected = fastest({"view": steps["view"]})["view"]
    per_line = 1e6 / len(lines)
    yield ratio(name, "whole pass", best["view"] / loads, must=MUST)
    yield ratio(name, "whole pass, extra `fast`", best["fast"] / loads, must=MUST)
    yield ratio(name, "whole pass, garbage collector on", collected / loads)
    yield figure(
        name, "whole pass, against reading lines and `json.loads`", best["view"] / best["file"], "×"
    )
    yield ratio(name, "messages only", best["messages"] / loads)
    yield figure(name, "`json.loads`, a line", loads * per_line, "µs")
    yield figure(name, "whole pass, a line", best["view"] * per_line, "µs")


def fastest(steps: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Return the processor's seconds of each step's fastest run; the steps run in turns."""
    best = dict.fromkeys(steps, float("inf"))
    for _ in range(RUNS):
        for name, run in steps.items():
            began = time.process_time()
            run()
            best[name] = min(best[name], time.process_time() - began)
    return best


def plain(run: Callable[[], object]) -> Callable[[], None]:
    """Return what runs without the ``fast`` extra."""

    def without() -> None:
        with standard_parser():
            run()

    return without


@contextmanager
def standard_parser() -> Iterator[None]:
    """Read lines as if the ``fast`` extra weren't installed."""
    fast = json_text._fast_parser
    json_text._fast_parser = lambda: None  # type: ignore[assignment]
    try:
        yield
    finally:
        json_text._fast_parser = fast


def loaded(lines: list[str]) -> None:
    """Decode every line, and keep nothing."""
    for line in lines:
        json.loads(line)


def loaded_from(path: Path) -> None:
    """Decode every line of a file, as whoever needs no view would."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            json.loads(line)


def drained(values: Iterator[Any]) -> None:
    """Take every value."""
    for _ in values:
        pass


def view_of(path: Path) -> Session:
    """Return the view behind a file."""
    return finalize(replay(open_trace(path).messages, now_ms=0))


# --- memory -----------------------------------------------------------------------------------


def memory(name: str, path: Path) -> Iterator[Figure]:
    """Yield what memory a pass takes, in a process of its own, beyond what the process took before."""
    command = [sys.executable, "-m", "benchmarks.claude_code", "--peak", str(path)]
    root = Path(__file__).parents[1]
    told = subprocess.run(command, check=True, capture_output=True, cwd=root).stdout
    peak, kept = json.loads(told)
    yield figure(name, "memory at most", peak, "MiB")
    yield figure(name, "memory of the view", kept, "MiB")


def taken_by(path: Path) -> tuple[float, float]:
    """Return the MiB that a pass takes at most, and those that its view keeps."""
    view_of(INPUTS / "tail_on_tool_use_4rec.jsonl")
    before = resident()
    view = view_of(path)
    gc.collect()
    kept = resident() - before
    peak = resident("VmHWM") - before
    assert view.items
    return peak / MIB, kept / MIB


def resident(field: str = "VmRSS") -> int:
    """Return how many bytes of this process are in memory; ``VmHWM`` says how many were at most.

    What ``getrusage`` says of that would begin with what the parent process had.
    """
    for line in Path("/proc/self/status").read_text("ascii").splitlines():
        if line.startswith(f"{field}:"):
            return int(line.split()[1]) * 1024
    raise OSError(f"/proc/self/status has no {field}")


# --- figures ----------------------------------------------------------------------------------


def ratio(name: str, what: str, value: float, must: float | None = None) -> Figure:
    """Return a figure that is a multiple of ``json.loads`` of the lines."""
    return figure(name, f"{what}, against `json.loads`", value, "×", must)


def figure(name: str, what: str, value: float, unit: str, must: float | None = None) -> Figure:
    """Return a figure of a transcript of some size."""
    key = f"claude_code.{name}.{what}".replace(" ", "_").replace("`", "")
    return Figure(key=key, measure=f"{name}: {what}", value=value, unit=unit, must=must)


if __name__ == "__main__":
    main()
