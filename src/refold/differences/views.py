"""What differs between two views: their items, what they sum up to, their nested sessions.

Rules of this file:

- Items are compared with those that belong to them, wherever they stand; what is missing on one
  side doesn't make all that follows different.
- A key is a matter of place, and a task's whole text is that of its items: neither is compared,
  unless nothing else differs.
- Nested sessions belong together by their ids, those left over in their order.
- What is ignored is ignored on both sides, at any depth.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from refold.differences.alignment import aligned
from refold.differences.values import ABSENT, Difference, Part, compared
from refold.items import Item
from refold.patches.operations import escaped
from refold.records import record
from refold.views import View, frame_json, item_json

__all__ = ["Ignored", "differences"]

_IDS: Final = frozenset(
    {
        "key",
        "tool_call_id",
        "session_id",
        "subagent_session_id",
        "agent_id",
        "trace_position",
        "fork_position",
    }
)
_FOLLOWING: Final = frozenset({"key", "assistant_text"})


@record
class Ignored:
    """What isn't compared.

    Args:
        times: times, durations, and speed, which follows from them.
        ids: what names calls and sessions, and where a trace holds them.
    """

    times: bool = False
    ids: bool = False


NOTHING: Final = Ignored()


def differences(a: View, b: View, ignored: Ignored = NOTHING) -> list[Difference]:
    """Return what differs between two settled views, in the order of the first.

    Args:
        a: the first.
        b: the second.
        ignored: what isn't compared.

    Returns:
        Nothing if and only if the views are equal, what is ignored aside.
    """
    found = list(_Comparison(ignored, strictly=False).of_views(a, b, "", ""))
    if found:
        return found
    return list(_Comparison(ignored, strictly=True).of_views(a, b, "", ""))


class _Comparison:
    """One comparison."""

    def __init__(self, ignored: Ignored, *, strictly: bool) -> None:
        self._ignored = ignored
        self._strictly = strictly

    def of_views(self, a: View, b: View, path: str, path_b: str) -> Iterator[Difference]:
        yield from self._of_items(a, b, path, path_b)
        part = Part(path=path, path_b=path_b, label="the session")
        yield from compared(part, frame_json(a), frame_json(b), self._is_ignored)
        yield from self._of_nested(a.subagents, b.subagents, path, path_b)

    def _of_items(self, a: View, b: View, path: str, path_b: str) -> Iterator[Difference]:
        for index, index_b in aligned(a.items, b.items):
            item = None if index is None else a.items[index]
            item_b = None if index_b is None else b.items[index_b]
            part = Part(
                path=f"{path}/items/{index}" if item else f"{path_b}/items/{index_b}",
                path_b=f"{path_b}/items/{index_b}" if item_b else f"{path}/items/{index}",
                label=_label(item or item_b),
            )
            yield from compared(part, _json(item), _json(item_b), self._is_ignored)

    def _of_nested(
        self, a: Mapping[str, View], b: Mapping[str, View], path: str, path_b: str
    ) -> Iterator[Difference]:
        for name, name_b in _paired(list(a), list(b)):
            at = f"{path}/subagents/{escaped(name)}" if name is not None else ""
            at_b = f"{path_b}/subagents/{escaped(name_b)}" if name_b is not None else ""
            if name != name_b and not (self._ignored.ids and at and at_b):
                part = Part(path=at or at_b, path_b=at_b or at, label="a nested session")
                left, right = name if at else ABSENT, name_b if at_b else ABSENT
                yield Difference(part=part, within="", a=left, b=right)
            if name is not None and name_b is not None:
                yield from self.of_views(a[name], b[name_b], at, at_b)

    def _is_ignored(self, name: str) -> bool:
        if name in _FOLLOWING and not self._strictly:
            return True
        if self._ignored.times and (name.endswith("_ms") or name == "output_tps"):
            return True
        return self._ignored.ids and name in _IDS


def _paired(a: list[str], b: list[str]) -> Iterator[tuple[str | None, str | None]]:
    """Yield pairs of ids: equal ones, then those left over in their order."""
    known = set(b)
    ours = set(a)
    right = iter([each for each in b if each not in ours])
    for name in a:
        yield name, name if name in known else next(right, None)
    yield from ((None, name) for name in right)


def _json(item: Item | None) -> Any:
    return ABSENT if item is None else item_json(item)


def _label(item: Item | None) -> str:
    if item is None:
        return ""
    name: str = getattr(item, "name", "")
    return f"{item.kind} {name}" if name else item.kind
