"""What it costs to read what other agents write, as multiples of ``json.loads`` of the lines.

The lines are golden recordings over and over, every id but the session's made new, so that nothing is
a copy. Golden texts are cut: real lines are longer, and cost fewer multiples. Claude Code's own
transcripts have a benchmark of their own (``claude_code.py``).
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from benchmarks.claude_code import drained, fastest, loaded, plain, view_of
from benchmarks.figures import Figure
from benchmarks.timing import quiet
from benchmarks.transcripts import written
from refold.sources.files import open_trace

__all__ = ["RECORDED", "lines_like", "sources"]

GOLDEN = Path(__file__).parents[1] / "golden"

RECORDED: Final = {
    "acp": ("codex_acp_2_6_live.ndjson", "gemini_permissions.ndjson"),
    "codex": ("times_go_back_0_58.jsonl", "call_without_output_0_140.jsonl"),
    "claude-stream-json": (
        "long_run_with_retries_and_denials.jsonl",
        "partials_complete_before_stop.jsonl",
    ),
    "ag-ui": ("parallel_calls_and_results.json", "reasoning_then_text.json"),
    "anthropic-sse": ("server_tools_with_shifted_indices.jsonl",),
    "openai-sse": ("several_responses_in_one_stream.jsonl", "shell_call_streamed_by_command.jsonl"),
}
SESSION_IDS = frozenset({"sessionId", "session_id", "threadId", "thread_id"})


def sources(size: int) -> Iterator[Figure]:
    """Yield what each format costs, to messages and to the view.

    Args:
        size: about how many characters of each.
    """
    for name in RECORDED:
        lines = lines_like(name, size)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "recorded.jsonl"
            path.write_text("".join(lines), "utf-8")
            yield from _costs(name, path, lines)


def lines_like(name: str, size: int) -> list[str]:
    """Return lines of a format, whole recordings of about so many characters.

    Args:
        name: the format.
        size: how many characters at least.
    """
    folder = GOLDEN / name.replace("-", "_") / "inputs"
    recorded = [value for each in RECORDED[name] for value in _values(folder / each)]
    lines: list[str] = []
    while size > 0:
        copy = [f"{written(_renewed(each, f'{len(lines)}-'))}\n" for each in recorded]
        lines += copy
        size -= sum(map(len, copy))
    return lines


def _values(path: Path) -> list[Any]:
    text = path.read_text("utf-8-sig")
    if text.startswith("["):
        return list(json.loads(text))
    return [json.loads(line) for line in text.split("\n") if line]


def _renewed(value: Any, prefix: str, field: str = "") -> Any:
    if isinstance(value, dict):
        return {name: _renewed(each, prefix, name) for name, each in value.items()}
    if isinstance(value, list):
        return [_renewed(each, prefix) for each in value]
    is_id = field.lower().endswith("id") and field not in SESSION_IDS
    return prefix + value if is_id and isinstance(value, str) else value


def _costs(name: str, path: Path, lines: list[str]) -> Iterator[Figure]:
    steps: dict[str, Callable[[], object]] = {
        "loads": lambda: loaded(lines),
        "messages": plain(lambda: drained(open_trace(path).messages)),
        "view": plain(lambda: view_of(path)),
    }
    with quiet():
        best = fastest(steps)
    for step, what in (("messages", "a file to messages"), ("view", "a file to the view")):
        yield Figure(
            key=f"sources.{name}.{step}",
            measure=f"{what}, {name}, against `json.loads`",
            value=best[step] / best["loads"],
            unit="×",
        )
    yield Figure(
        key=f"sources.{name}.loads_us",
        measure=f"`json.loads`, {name}, a line",
        value=best["loads"] / len(lines) * 1e6,
        unit="µs",
    )
