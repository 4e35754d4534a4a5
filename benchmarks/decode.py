"""What decoding costs, as multiples of ``json.loads`` of the same lines, in one process.

Run ``python benchmarks/decode.py``; add a number for how many lines (10,000 if left out). The fewer
other things the machine does, the better: every figure is the best of several runs.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from refold.decode import decode
from refold.decode.json_lines import json_lines
from refold.decode.json_text import line_parser
from refold.decode.messages import decode_strictly
from refold.sources.files import read

PENGUIN = Path(__file__).parents[1] / "golden" / "penguin" / "inputs" / "live_streams"
DELTA = (
    '{"timestamp":"2026-07-05T00:00:01.250Z","type":"model_msg","payload":{"type":"partial_text",'
    '"role":"assistant","event_type":"delta","text":"a few words ","stop_reason":"completed"}}'
)
RUNS = 7


def main(count: int) -> None:
    """Print a table for lines that are all deltas, and for recorded streams."""
    recorded = [line for path in sorted(PENGUIN.iterdir()) for line in path.open()]
    for title, lines in (("deltas", [DELTA + "\n"]), ("recorded streams", recorded)):
        report(title, (lines * (count // len(lines) + 1))[:count])


def report(title: str, lines: list[str]) -> None:
    """Print what each step costs on some lines."""
    whole = "".join(lines).encode()
    values = [json.loads(line) for line in lines]
    bare = [line.encode().rstrip(b"\n") for line in lines]
    base = best(lambda: drain(map(json.loads, lines)))
    print(f"{title}: json.loads {base / len(lines) * 1e6:.2f} µs a line")
    steps: dict[str, Callable[[], None]] = {
        "parse a line": lambda: drain(map(line_parser(fast=False), bare)),
        "parse a line, extra fast": lambda: drain(map(line_parser(), bare)),
        "decode a value": lambda: drain(map(decode, values)),
        "decode a value, converter alone": lambda: drain(map(decode_strictly, values)),
        "values of a file": lambda: drain(json_lines([whole])),
        "messages of a file": lambda: drain(read(iter(lines), positions=False)),
        "messages of a file with positions": lambda: drain(read(iter(lines))),
    }
    for name, step in steps.items():
        print(f"  {name:36} {best(step) / base:5.2f}")


def best(step: Callable[[], None]) -> float:
    """Return the seconds of the fastest of some runs."""
    seconds = []
    for _ in range(RUNS):
        begin = time.perf_counter()
        step()
        seconds.append(time.perf_counter() - begin)
    return min(seconds)


def drain(values: Iterable[object]) -> None:
    """Take every value."""
    for _ in values:
        pass


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
