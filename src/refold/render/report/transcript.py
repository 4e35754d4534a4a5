"""The transcript: every item of a session, those of nested sessions where they belong.

Rules of this file:

- The table covers every kind of item; a test holds it to the union.
- A task begins with what the user said. Its heading says what it took, and leads to its row.
- A nested session stands behind the item that started it. Those very deep inside others stand
  behind the rest, so that neither a page nor this file nests without bound.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from refold.analysis.findings import TaskFigures
from refold.items import (
    AbortItem,
    AssistantTextItem,
    CompactionItem,
    Item,
    McpConnectItem,
    NoticeItem,
    ReconnectItem,
    SubagentItem,
    TaskStatsItem,
    ThinkingItem,
    ToolCallItem,
    UserImageItem,
    UserSteeringItem,
    UserTextItem,
)
from refold.records import evolve
from refold.render.numbers import cost_text, count_text, duration_text, is_date
from refold.render.report import happenings, sayings
from refold.render.report.calls import call_card
from refold.render.report.html import Content, Html, element, link
from refold.render.report.links import row_id, session_id, to_place
from refold.render.report.moments import moment
from refold.render.report.names import count_words, session_name
from refold.render.report.scenes import Scene

__all__ = ["RENDERERS", "transcript"]

_INLINE_DEPTH: Final = 8

RENDERERS: Final[dict[type[Item], Callable[[Any, Scene], Html]]] = {
    UserTextItem: sayings.user_text,
    UserSteeringItem: sayings.steering,
    UserImageItem: sayings.user_image,
    AssistantTextItem: sayings.assistant_text,
    ThinkingItem: sayings.thinking,
    ToolCallItem: lambda item, scene: call_card(item, scene, _nested(item, scene)),
    SubagentItem: lambda item, scene: _subagent(item, _nested(item, scene), scene),
    AbortItem: happenings.abort,
    ReconnectItem: happenings.reconnect,
    CompactionItem: happenings.compaction,
    McpConnectItem: happenings.mcp_connect,
    NoticeItem: happenings.notice,
    TaskStatsItem: happenings.task_stats,
}


def transcript(scene: Scene) -> Iterator[Html]:
    """Yield the parts of the transcript: tasks, then what is nested very deep.

    Args:
        scene: the main session's.
    """
    figures = _tasks_by_item(scene)
    for task, items in _by_task(scene, figures):
        contents = [_item(item, scene) for item in items]
        heading = [] if task is None else [_heading(task, scene)]
        yield element("section", {"class": "task"}, *heading, *contents)
    for place, session in enumerate(scene.subject.analysis.sessions):
        if session.depth and session.depth % _INLINE_DEPTH == 0:
            yield _session(evolve(scene, session=place))


# --- tasks ----------------------------------------------------------------------------------------


def _tasks_by_item(scene: Scene) -> dict[str, TaskFigures]:
    main = scene.subject.analysis.main
    found = [
        (scene.subject.place_of(0, task.ordinal), task)
        for task in main.tasks
        if task.kind == "task"
    ]
    return {place: task for place, task in found if place is not None}


def _by_task(
    scene: Scene, figures: dict[str, TaskFigures]
) -> Iterator[tuple[TaskFigures | None, list[Item]]]:
    task: TaskFigures | None = None
    items: list[Item] = []
    for item in scene.subject.sessions[0].items:
        begun = figures.get(scene.id_of(item.key))
        if begun is not None:
            if items:
                yield task, items
            task, items = begun, []
        items.append(item)
    if items:
        yield task, items


def _heading(task: TaskFigures, scene: Scene) -> Html:
    said = [duration_text(task.times.elapsed_ms), f"{count_text(task.shown_tokens.total)} tokens"]
    if task.usage.cost is not None:
        said.append(cost_text(task.usage.cost))
    figures: Content = " · ".join(said)
    place = scene.subject.place_of(0, task.ordinal)
    if place in scene.rows and place is not None:
        figures = link(to_place(row_id(place)), {}, figures)
    dated = task.begin_ms is not None and is_date(task.begin_ms)
    begun = f"{moment(task.begin_ms or 0)[:10]} · " if dated else ""
    return element(
        "div",
        {"class": "heading"},
        element("h3", {}, f"Task {(task.index or 0) + 1}"),
        element("p", {"class": "note"}, begun, figures),
    )


# --- items ----------------------------------------------------------------------------------------


def _item(item: Item, scene: Scene) -> Html:
    return RENDERERS[type(item)](item, scene)


def _items(items: Iterable[Item], scene: Scene) -> list[Html]:
    return [_item(item, scene) for item in items]


def _subagent(item: SubagentItem, nested: Html | None, scene: Scene) -> Html:
    return element(
        "article",
        {"class": "item happening faint", "id": scene.id_of(item.key)},
        *([item.session_id] if nested is None else [nested]),
    )


# --- nested sessions --------------------------------------------------------------------------------


def _nested(item: ToolCallItem | SubagentItem, scene: Scene) -> Html | None:
    name = item.subagent_session_id if isinstance(item, ToolCallItem) else item.session_id
    place = None if name is None else scene.subject.children.get((scene.session, name))
    if place is None:
        return None
    figures = scene.subject.analysis.sessions[place]
    if figures.depth % _INLINE_DEPTH == 0:
        address = to_place(session_id(place))
        return element("p", {"class": "note"}, link(address, {}, session_name(figures)))
    return _session(evolve(scene, session=place))


def _session(scene: Scene) -> Html:
    figures = scene.subject.analysis.sessions[scene.session]
    items = scene.subject.sessions[scene.session].items
    remarks = [
        count_words(len(items), "item"),
        f"{count_text(figures.subtree.tokens.total)} tokens",
        duration_text(figures.wall_ms),
    ]
    if figures.binding == "inferred":
        remarks.append("its call is inferred")
    summary = element(
        "summary",
        {},
        element("span", {"class": "by"}, "Nested session"),
        element("span", {"class": "brief"}, session_name(figures)),
        element("span", {"class": "remarks"}, " · ".join(remarks)),
    )
    inside = element("div", {"class": "inside"}, *_items(items, scene))
    attributes = {"class": "session", "id": session_id(scene.session)}
    return element("details", attributes, summary, inside)
