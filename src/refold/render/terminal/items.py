"""One item for a terminal: a table from its kind to its lines.

Rules of this file:

- The table covers every kind; a test holds it to the union.
- What a nested session shows is handed in: this file knows one item at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from refold.items import (
    AssistantTextItem,
    Item,
    SubagentItem,
    ThinkingItem,
    ToolCallItem,
    UserImageItem,
    UserSteeringItem,
    UserTextItem,
)
from refold.markers import is_blank
from refold.render.terminal.cards import card_lines, stop_text
from refold.render.terminal.images import image_text
from refold.render.terminal.layout import Layout, narrowed, prose
from refold.render.terminal.lines import Line, Span, behind, line
from refold.render.terminal.markdown import markdown_lines
from refold.render.terminal.marks import (
    abort_lines,
    compaction_lines,
    mcp_lines,
    notice_lines,
    reconnect_lines,
    stats_lines,
)

__all__ = ["RENDERERS", "item_lines", "nested_of"]

_USER: Final = (Span("❯ ", "user"),)
_STEERING: Final = (Span("» ", "user"),)
_THOUGHT: Final = (Span("✻ ", "thought"),)
_REST: Final = (Span("  "),)
_USER_ROWS: Final = 40
_THOUGHT_ROWS: Final = 4


def item_lines(item: Item, layout: Layout, nested: Iterable[Line] = ()) -> Iterator[Line]:
    """Yield an item's lines; an item that shows nothing has none.

    Args:
        item: the item.
        layout: the layout.
        nested: the lines of the nested session that the item stands for, if it does.
    """
    if isinstance(item, ToolCallItem):
        return card_lines(item, layout, nested)
    if isinstance(item, SubagentItem):
        return iter(nested)
    return RENDERERS[item.kind](item, layout)


def nested_of(item: Item) -> str | None:
    """Return the id of the nested session that an item stands for, if it does."""
    if isinstance(item, ToolCallItem):
        return item.subagent_session_id
    return item.session_id if isinstance(item, SubagentItem) else None


def _user_text(item: UserTextItem, layout: Layout) -> Iterator[Line]:
    rows = prose(item.text, narrowed(layout, 2), _USER_ROWS)
    return behind(_USER, _REST, [line(each, "user") for each in rows])


def _steering(item: UserSteeringItem, layout: Layout) -> Iterator[Line]:
    inside = narrowed(layout, 2)
    lines = [line(each, "user") for each in prose(item.text, inside, _USER_ROWS)]
    lines += [line(image_text(each, inside), "user") for each in item.images or ()]
    return behind(_STEERING, _REST, lines)


def _user_image(item: UserImageItem, layout: Layout) -> Iterator[Line]:
    text = image_text(item.image_url, narrowed(layout, 2))
    return behind(_USER, _REST, [line(text, "user")])


def _assistant_text(item: AssistantTextItem, layout: Layout) -> Iterator[Line]:
    inside = narrowed(layout, 2)
    if not is_blank(item.text):
        yield from behind(_REST, _REST, markdown_lines(item.text, inside.width))
    yield from behind(_REST, _REST, _state(streaming=item.streaming, stopped=item.stop_reason))


def _thinking(item: ThinkingItem, layout: Layout) -> Iterator[Line]:
    rows = (
        [] if is_blank(item.thinking) else prose(item.thinking, narrowed(layout, 2), _THOUGHT_ROWS)
    )
    yield from behind(_THOUGHT, _REST, [line(each, "thought") for each in rows])
    yield from behind(_REST, _REST, _state(streaming=item.streaming, stopped=item.stop_reason))


def _state(*, streaming: bool, stopped: str | None) -> list[Line]:
    """Return what is said of a text that isn't complete."""
    if streaming:
        return [line("…", "waiting")]
    if stopped in (None, "completed"):
        return []
    return [line(f"({stop_text(stopped or '')})", "bad")]


RENDERERS: Final[dict[str, Callable[[Any, Layout], Iterator[Line]]]] = {
    "user_text": _user_text,
    "user_steering": _steering,
    "user_image": _user_image,
    "assistant_text": _assistant_text,
    "thinking": _thinking,
    "tool_call": card_lines,
    "subagent": lambda item, layout: iter(()),
    "abort": abort_lines,
    "reconnect": reconnect_lines,
    "compaction": compaction_lines,
    "mcp_connect": mcp_lines,
    "notice": notice_lines,
    "task_stats": stats_lines,
}
