"""What became settled between two versions of a session.

Rules of this file:

- An item is news once: when it is placed, and nothing of it runs or streams any more.
- The cost is that of what changed.
- What a nested session has to tell is told as it comes, and its card when it is done.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from refold.changes import ItemChange, changed_names, item_changes
from refold.items import AssistantTextItem, Item, ThinkingItem, UserImageItem, UserTextItem
from refold.records import record
from refold.render.terminal.items import nested_of
from refold.session import Session

__all__ = ["News", "is_settled", "news", "standing_news", "starts_task"]

_NOTHING = Session()


@record
class News:
    """An item that is settled.

    Args:
        chain: the nested session it belongs to, outer to inner.
        item: the item.
        session: the session that holds it.
        whole: whether what a nested session did under it wasn't told before.
    """

    chain: tuple[str, ...]
    item: Item
    session: Session
    whole: bool = False


def news(before: Session | None, after: Session, chain: tuple[str, ...] = ()) -> Iterator[News]:
    """Yield what became settled.

    Args:
        before: the earlier version; None if there was none.
        after: the later one.
        chain: which nested session it is, outer to inner.
    """
    was = _NOTHING if before is None else before
    gone: list[Item] = []
    for change in item_changes(was.items, after.items):
        before_item, item = change.before, change.after
        told = before_item is not None and not change.floated and is_settled(before_item)
        if item is None:
            gone += [before_item] if told and before_item is not None else []
        elif _is_news(change, told=told) and not _told_as_another(item, gone):
            yield News(chain=chain, item=item, session=after)
    for name in changed_names(was.subagents, after.subagents):
        yield from news(was.subagents.get(name), after.subagents[name], (*chain, name))


def standing_news(
    session: Session, start: int, chain: tuple[str, ...] = (), *, whole: bool
) -> Iterator[News]:
    """Yield what is settled of a session that nothing was told of yet, in its order.

    Args:
        session: the session.
        start: the first item to tell.
        chain: which nested session it is, outer to inner.
        whole: whether what a settled card's nested session did is told with the card.
    """
    placed = len(session.items) - len(session.floating)
    for at, item in enumerate(islice(session.items, start, None), start):
        settled = at < placed and is_settled(item)
        told_whole = whole and settled
        name = nested_of(item)
        nested = None if name is None else session.subagents.get(name)
        if nested is not None and name is not None and not told_whole:
            yield from standing_news(nested, 0, (*chain, name), whole=whole)
        if settled:
            yield News(chain=chain, item=item, session=session, whole=told_whole)


def _is_news(change: ItemChange, *, told: bool) -> bool:
    return not (told or change.floats) and change.after is not None and is_settled(change.after)


def _told_as_another(item: Item, gone: list[Item]) -> bool:
    """Tell whether an item is a fragment that was told when it was closed early (rule 14)."""
    if isinstance(item, AssistantTextItem):
        return any(isinstance(each, AssistantTextItem) and each.text == item.text for each in gone)
    if isinstance(item, ThinkingItem):
        return any(
            isinstance(each, ThinkingItem) and each.thinking == item.thinking for each in gone
        )
    return False


def is_settled(item: Item) -> bool:
    """Tell whether nothing of a placed item runs or streams."""
    match item.kind:
        case "assistant_text" | "thinking":
            return not item.streaming
        case "tool_call":
            return item.output_complete
        case "compaction" | "mcp_connect":
            return not item.running
        case _:
            return True


def starts_task(item: Item) -> bool:
    """Tell whether an item of a main session starts a task."""
    return isinstance(item, UserTextItem | UserImageItem)
