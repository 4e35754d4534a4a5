"""What happens around a conversation: retries, compactions, connections, notices, figures.

Rules of this file:

- One line each where one will do, behind a sign of its own.
- What went as it should is faint; what didn't is not.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from refold.items import (
    AbortItem,
    CompactionItem,
    McpConnectItem,
    McpResult,
    NoticeItem,
    ReconnectItem,
    Stats,
    TaskStatsItem,
)
from refold.json_values import Json, thaw
from refold.render.numbers import count_text, duration_text, rate_text
from refold.render.terminal.harmless import one_line
from refold.render.terminal.layout import Layout, elided, narrowed, prose
from refold.render.terminal.lines import Line, Span, Tone, behind, line

__all__ = [
    "abort_lines",
    "compaction_lines",
    "mcp_lines",
    "notice_lines",
    "reconnect_lines",
    "stats_lines",
    "stats_text",
]

_SUMMARY_ROWS: Final = 4
_NOTICE_ROWS: Final = 6
_DATA_ROWS: Final = 2


def _signed(sign: str, tone: Tone, rows: list[Line]) -> Iterator[Line]:
    return behind((Span(f"{sign} ", tone),), (Span("  "),), rows)


def _wrapped(text: str, tone: Tone, layout: Layout, most: int | None = None) -> list[Line]:
    return [line(row, tone) for row in prose(text, narrowed(layout, 2), most)]


def abort_lines(item: AbortItem, layout: Layout) -> Iterator[Line]:
    """Yield that a task was stopped."""
    reason = f": {one_line(item.reason)}" if item.reason else ""
    return _signed("■", "bad", _wrapped(f"aborted{reason}", "bad", layout))


def reconnect_lines(item: ReconnectItem, layout: Layout) -> Iterator[Line]:
    """Yield that a request failed, and what became of it."""
    parts = [f"request failed: {one_line(item.status)}", f"attempt {item.attempt}"]
    if item.planned_delay_ms is not None:
        parts.append(f"planned wait {duration_text(item.planned_delay_ms)}")
    if item.retrying:
        parts.append("tried again")
    elif item.gave_up:
        parts.append("given up")
    return _signed("↻", "bad", _wrapped(" · ".join(parts), "bad", layout))


def compaction_lines(item: CompactionItem, layout: Layout) -> Iterator[Line]:
    """Yield that the conversation was compacted, with the beginning of the summary."""
    tone: Tone = "faint" if item.running or item.status == "completed" else "bad"
    state = "compacting…" if item.running else f"compaction {one_line(item.status or 'ended')}"
    parts = [state, one_line(item.reason), one_line(item.mode)]
    if item.duration_ms:
        # None takes no time: it begins and ends with one record, which tells no begin.
        parts.append(duration_text(item.duration_ms))
    if item.error_message:
        parts.append(one_line(item.error_message))
    yield from _signed("◇", tone, _wrapped(" · ".join(parts), tone, layout))
    if item.summary_text:
        summary = _wrapped(item.summary_text, "thought", narrowed(layout, 2), _SUMMARY_ROWS)
        yield from behind((Span("  "),), (Span("  "),), summary)


def mcp_lines(item: McpConnectItem, layout: Layout) -> Iterator[Line]:
    """Yield connections to MCP servers, those that failed with their errors."""
    parts = [_mcp_state(item)]
    parts += map(_result_text, item.results or ())
    if not item.results and item.servers:
        parts.append(", ".join(map(one_line, item.servers)))
    if item.duration_ms is not None:
        parts.append(duration_text(item.duration_ms))
    tone: Tone = "bad" if item.failed or item.aborted else "faint"
    return _signed("⇄", tone, _wrapped(" · ".join(parts), tone, layout))


def _mcp_state(item: McpConnectItem) -> str:
    if item.running:
        return "connecting to MCP servers…"
    return "MCP servers, aborted" if item.aborted else "MCP servers"


def _result_text(result: McpResult) -> str:
    said = f"{one_line(result.server)} {one_line(result.status)}"
    if result.status == "completed":
        said = one_line(result.server)
    if result.tools is not None:
        said += f" ({result.tools} tools)"
    return f"{said}: {one_line(result.error)}" if result.error else said


def notice_lines(item: NoticeItem, layout: Layout) -> Iterator[Line]:
    """Yield a notice: its name, and its text or what data it has."""
    inside = narrowed(layout, 2)
    name = one_line(item.name)
    text = item.text or ""
    rows = prose(f"{name}: {text}" if text.strip() else name, inside, _NOTICE_ROWS)
    lines = [line(each, "faint") for each in rows]
    if not text.strip() and item.data is not None:
        data = elided(_json_text(item.data), narrowed(inside, 2), _DATA_ROWS)
        lines += [(Span("  "), Span(each, "faint")) for each in data]
    return _signed("·", "faint", lines)


def _json_text(value: Json) -> str:
    try:
        return json.dumps(thaw(value), ensure_ascii=False)
    except RecursionError:
        return "{…}"


def stats_lines(item: TaskStatsItem, layout: Layout) -> Iterator[Line]:
    """Yield the figures of a task, nothing if there are none."""
    if item.stats is None:
        return iter(())
    return _signed("∑", "faint", _wrapped(stats_text(item.stats), "faint", layout))


def stats_text(stats: Stats) -> str:
    """Return a task's tokens, speed, time and context in words."""
    buckets = stats.tokens_by_bucket
    tokens = f"{count_text(stats.tokens_delta)} tokens"
    parts = [
        f"{tokens} ({count_text(buckets.cache_read)} cached, {count_text(buckets.output)} out)"
    ]
    if stats.output_tps is not None:
        parts.append(rate_text(stats.output_tps))
    parts.append(duration_text(stats.elapsed_delta_ms))
    delta = f"{'+' if stats.context_delta >= 0 else '−'}{count_text(abs(stats.context_delta))}"
    parts.append(f"context {count_text(stats.context)} ({delta})")
    return " · ".join(parts)
