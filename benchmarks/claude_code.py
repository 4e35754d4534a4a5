"""What reading and folding a Claude Code transcript costs, as multiples of ``json.loads``.

Run ``python benchmarks/claude_code.py``; add numbers for how many megabytes (1 10 100 if left out).
The transcript is the recorded golden ones over and over, every id made new, texts grown to the size
they had. Seconds are the processor's, the best of three.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from refold import replay
from refold.messages import Message
from refold.sources.claude_code import SOURCE
from refold.sources.source import Record

INPUTS = Path(__file__).parents[1] / "golden" / "claude_code" / "inputs"
RECORDED = ("agent_progress_subagent", "auto_compaction_v2.1.36", "two_objects_on_one_line")
OWN_IDS = frozenset(
    {"uuid", "parentUuid", "id", "tool_use_id", "requestId", "agentId", "parentToolUseID"}
)
CUT = "…"
GROWN = '\n\tif name == "recorded":  # a line of code, as most texts are made of' * 45


def main() -> None:
    """Print a line for each size."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("megabytes", nargs="*", type=int, default=[1, 10, 100])
    for size in parser.parse_args().megabytes:
        report(size)


def report(megabytes: int) -> None:
    """Print what a transcript of so many megabytes costs."""
    lines = transcript(megabytes * 1_000_000)
    loaded = best(lambda: drain(json.loads(line) for line in lines))
    stepped = best(lambda: drain(messages(lines)))
    folded = best(lambda: replay(messages(lines), now_ms=0))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(
        f"{megabytes:>5} MB {len(lines):>7} records: json.loads {loaded:.2f} s, "
        f"with messages {stepped / loaded:.2f} x, with the view {folded / loaded:.2f} x, "
        f"{memory} MiB at most"
    )


def transcript(size: int) -> list[str]:
    """Return lines of about so many bytes."""
    recorded = [value for name in RECORDED for value in values(INPUTS / f"{name}.jsonl")]
    lines: list[str] = []
    copy = 0
    while size > 0:
        for value in recorded:
            line = json.dumps(renewed(value, f"{copy}-"), ensure_ascii=False)
            lines.append(line)
            size -= len(line)
        copy += 1
    return lines


def values(path: Path) -> Iterator[Any]:
    """Yield the values of a file; a line may hold several."""
    decoder = json.JSONDecoder()
    for line in path.read_text(encoding="utf-8").splitlines():
        end = 0
        while end < len(line):
            value, end = decoder.raw_decode(line, end)
            yield value


def renewed(value: Any, prefix: str, name: str = "") -> Any:
    """Return a value with new ids and with its texts grown to their size."""
    if isinstance(value, dict):
        return {field: renewed(each, prefix, field) for field, each in value.items()}
    if isinstance(value, list):
        return [renewed(each, prefix) for each in value]
    if isinstance(value, str) and name in OWN_IDS:
        return prefix + value
    return value + GROWN if isinstance(value, str) and value.endswith(CUT) else value


def messages(lines: list[str]) -> Iterator[Message]:
    """Yield the messages of lines."""
    state = SOURCE.start()
    for number, line in enumerate(lines, 1):
        state, more = SOURCE.step(state, Record(value=json.loads(line), line=number), None)
        yield from more
    yield from SOURCE.finish(state)


def drain(values: Iterator[Any]) -> None:
    """Take every value."""
    for _ in values:
        pass


def best(run: Callable[[], object]) -> float:
    """Return the processor's seconds of the fastest of three runs."""
    seconds = []
    for _ in range(3):
        began = time.process_time()
        run()
        seconds.append(time.process_time() - began)
    return min(seconds)


if __name__ == "__main__":
    main()
