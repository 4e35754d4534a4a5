"""What the analysis of a stream costs, as multiples of folding it, in one process.

Run ``python benchmarks/analysis.py``; add numbers for how many messages (1,000 10,000 100,000 if left
out; 1,000,000 takes a minute). Seconds are the processor's, so other programs disturb little.
``--files N`` counts N copies of a trace with one process and with one for each core, by the clock.
"""

from __future__ import annotations

import argparse
import os
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from refold import Session, apply
from refold.analysis import analyse
from refold.bulk import Task, count_all
from refold.decode import encode_line
from refold.messages import (
    ApprovalDecision,
    Message,
    Payload,
    RequestBegin,
    RequestEnd,
    Text,
    Thinking,
    TokenCounts,
    TokenUsage,
    ToolCall,
    ToolCallOutput,
)
from refold.times import format_ms

START_MS = 1_783_209_600_000
REQUESTS_A_TASK = 4


def main() -> None:
    """Print a line for each size, and one for many files if asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sizes", nargs="*", type=int, default=[1_000, 10_000, 100_000])
    parser.add_argument("--files", type=int)
    arguments = parser.parse_args()
    for size in arguments.sizes:
        report(size)
    if arguments.files:
        report_files(arguments.files)


def report(size: int) -> None:
    """Print what folding and analysing so many messages costs."""
    made = seconds(lambda: drain(trace(size)), size)
    folded = seconds(lambda: fold(trace(size)), size) - made
    analysed = seconds(lambda: drain_analysis(size), size) - made
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(
        f"{size:>9,} messages: fold {folded / size * 1e6:5.1f} µs, "
        f"analysis {analysed / size * 1e6:5.1f} µs a message, {analysed / folded:.2f} ×, "
        f"{memory:,} MB at most"
    )


def report_files(count: int) -> None:
    """Print how long so many files of 2,000 messages take with one process and with all."""
    lines = [encode_line(message) + "\n" for message in trace(2_000)]
    with tempfile.TemporaryDirectory() as folder:
        tasks = [Task(path=str(Path(folder) / f"{n}.jsonl"), by="tool") for n in range(count)]
        for task in tasks:
            Path(task.path).write_text("".join(lines), "utf-8")
        cores = len(os.sched_getaffinity(0))
        for processes in sorted({1, cores}):
            begin = time.perf_counter()
            count_all(tasks, processes=processes)
            took = time.perf_counter() - begin
            print(f"{count:,} files, {processes} processes: {took:.1f} s")


def trace(size: int) -> Iterator[Message]:
    """Yield a trace as an engine writes one: tasks of four requests with a tool call each."""
    payloads = islice(_payloads(), size)
    return (
        Message(payload=payload, timestamp=format_ms(START_MS + 7 * n))
        for n, payload in enumerate(payloads)
    )


def _payloads() -> Iterator[Payload]:
    number = total = 0
    while True:
        if number % REQUESTS_A_TASK == 0:
            yield Text(role="user", text=f"do {number}")
        number, total, call = number + 1, total + 130, f"call{number}"
        counts = TokenCounts(cache_read=100, cache_write=10, output=20, total=130)
        yield RequestBegin()
        yield Thinking(role="assistant", thinking="let me see")
        yield Text(role="assistant", text="some words " * 20)
        yield ToolCall(role="assistant", name="exec", arguments='{"a": 1}', tool_call_id=call)
        yield ApprovalDecision(decision="allow", tool_call_id=call)
        yield TokenUsage(session=TokenCounts(total=total), request=counts)
        yield RequestEnd(status="completed")
        yield ToolCallOutput(role="user", output="x" * 500, tool_call_id=call)


def fold(messages: Iterator[Message]) -> None:
    """Fold message by message, a snapshot after each."""
    session = Session()
    for message in messages:
        session = apply(session, message, now_ms=0)


def drain_analysis(size: int) -> None:
    """Analyse and let go of what was found."""
    analyse(trace(size))


def drain(messages: Iterator[Message]) -> None:
    """Make the messages and do nothing with them."""
    for _ in messages:
        pass


def seconds(step: Callable[[], None], size: int) -> float:
    """Return the processor's seconds of the fastest of some runs."""
    found = []
    for _ in range(1 if size > 100_000 else 5):
        begin = time.process_time()
        step()
        found.append(time.process_time() - begin)
    return min(found)


if __name__ == "__main__":
    main()
