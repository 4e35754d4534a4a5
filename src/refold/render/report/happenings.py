"""What happens around a conversation: retries, stops, compactions, connections, notices, figures.

Rules of this file:

- One line each where one will do; a fold where there is more.
- What didn't go as it should is marked, and says so in words.
"""

from __future__ import annotations

from collections.abc import Sequence

from refold.items import (
    AbortItem,
    CompactionItem,
    McpConnectItem,
    McpResult,
    NoticeItem,
    ReconnectItem,
    TaskStatsItem,
)
from refold.json_values import thaw
from refold.render.numbers import duration_text
from refold.render.report.bodies import first_line, json_body, text_body
from refold.render.report.html import Content, Html, element
from refold.render.report.prose import prose
from refold.render.report.scenes import Scene
from refold.render.terminal.marks import stats_text

__all__ = ["abort", "compaction", "mcp_connect", "notice", "reconnect", "task_stats"]


def abort(item: AbortItem, scene: Scene) -> Html:
    """Return that the running task was stopped."""
    return _line("bad", item.key, scene, "Aborted", item.reason or "")


def reconnect(item: ReconnectItem, scene: Scene) -> Html:
    """Return that a request failed, and what came of it."""
    came = "tried again" if item.retrying else "given up" if item.gave_up else "not tried again"
    said = [item.status, f"attempt {item.attempt}"]
    if item.planned_delay_ms is not None:
        said.append(f"to wait {duration_text(item.planned_delay_ms)}")
    return _line("bad", item.key, scene, "Request failed", " · ".join([*said, came]))


def compaction(item: CompactionItem, scene: Scene) -> Html:
    """Return that the conversation was compacted, and its summary."""
    status = "running" if item.running else item.status or "ended"
    said = [status, item.reason, item.mode]
    if item.duration_ms:
        # None takes no time: it begins and ends with one record, which tells no begin.
        said.append(duration_text(item.duration_ms))
    if item.error_message:
        said.append(item.error_message)
    tone = "faint" if status in ("running", "completed") else "bad"
    body = [] if item.summary_text is None else [prose(item.summary_text)]
    return _fold(tone, item.key, scene, ("Compaction", " · ".join(said)), item.begin_ts_ms, body)


def mcp_connect(item: McpConnectItem, scene: Scene) -> Html:
    """Return connections to MCP servers, those that failed with their errors."""
    state = "aborted" if item.aborted else "running" if item.running else ""
    said = [", ".join(item.servers), state, duration_text(item.duration_ms)]
    rows = [_result(each) for each in item.results or ()]
    rows += [
        element("li", {}, element("code", {}, tool.name), " ", tool.description or "")
        for tool in item.tools or ()
    ]
    body = [element("ul", {}, *rows)] if rows else []
    words = " · ".join(filter(None, said))
    tone = "bad" if item.failed or item.aborted else "faint"
    return _fold(tone, item.key, scene, ("MCP servers", words), item.begin_ts_ms, body)


def _result(result: McpResult) -> Html:
    said = [result.status, duration_text(result.duration_ms)]
    if result.tools is not None:
        said.append(f"{result.tools:,} tools")
    if result.error:
        said.append(result.error)
    return element("li", {}, element("strong", {}, result.server), " ", " · ".join(said))


def notice(item: NoticeItem, scene: Scene) -> Html:
    """Return a notice: its name, its text, and what data it has."""
    body: list[Content] = []
    if item.text and first_line(item.text) != item.text.strip():
        body.append(text_body(item.text, scene.longest))
    if item.data is not None:
        body.append(json_body(thaw(item.data), scene.longest))
    said = (item.name, first_line(item.text or ""))
    return _fold("faint", item.key, scene, said, item.at_ms, body)


def task_stats(item: TaskStatsItem, scene: Scene) -> Html:
    """Return the figures of a finished task."""
    if item.stats is None:
        return _line("stats", item.key, scene, "Task ended", "")
    return _line("stats", item.key, scene, "Task ended", stats_text(item.stats))


def _line(tone: str, key: str, scene: Scene, title: str, words: str) -> Html:
    return element(
        "div",
        {"class": f"item happening {tone}", "id": scene.id_of(key)},
        element("span", {"class": "by"}, title),
        " ",
        words,
    )


def _fold(
    tone: str,
    key: str,
    scene: Scene,
    said: tuple[str, str],
    at_ms: int | None,
    body: Sequence[Content],
) -> Html:
    title = element("span", {"class": "by"}, said[0])
    words = element("span", {"class": "brief"}, said[1])
    head: list[Content] = [title, " ", words]
    if body:
        inside = element("div", {"class": "inside"}, *body)
        head = [element("details", {}, element("summary", {}, title, words), inside)]
    return element(
        "article",
        {"class": f"item happening {tone}", "id": scene.id_of(key)},
        *head,
        scene.time_of(key, at_ms),
    )
