"""The view: what a session shows, as a value of its own and as JSON.

Rules of this file (view.md, laws.md law 4):

- A view is what two sessions must agree on to look the same; it carries nothing for the reducer.
- ``settled`` is finalized and without what belongs to a client's own clock.
- In JSON, None and empty ``subagents`` and ``facts`` are left out; zeros, "" and false stay.
- How a record becomes JSON is written out once for each kind of record: a large session is large.
- How deep sessions nest is bounded by decoding, and so is the recursion here.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, cast

import attrs

from refold.figures import SessionStats
from refold.folding import finalize
from refold.items import Item, ReconnectItem
from refold.json_values import JsonObject, thaw
from refold.maps import EMPTY_MAP, Map
from refold.records import evolver, field_names, record
from refold.session import Session
from refold.state import Binding, Meta
from refold.texts import Rope

__all__ = [
    "View",
    "digest",
    "frame_json",
    "item_json",
    "plain",
    "settled",
    "to_json",
    "view_of",
]

_DIGEST_CHARACTERS = 16


@record
class View:
    """What one version of a session shows, field by field as in view.md."""

    items: Sequence[Item] = ()
    subagents: Mapping[str, View] = attrs.field(factory=lambda: MappingProxyType({}), hash=False)
    stats: SessionStats = SessionStats()
    task_open: bool = False
    nested: bool = False
    task_start_local_ms: int | None = None
    binding: Binding | None = None
    meta: Meta | None = None
    first_ts_ms: int | None = None
    last_activity_ts_ms: int | None = None
    first_seen_local_ms: int | None = None
    last_activity_local_ms: int | None = None
    last_auth_failure_ms: int | None = None
    goal: JsonObject | None = None
    facts: Map[Any] = EMPTY_MAP


_NAMES = tuple(field_names(View))
_OPTIONAL = _NAMES.index("task_start_local_ms")
_PLAIN = frozenset({bool, int, float, str})
_not_arrived = evolver(ReconnectItem, "arrived_at_ms")


def view_of(session: Session) -> View:
    """Return what a session shows."""
    fields = {name: getattr(session, name) for name in _NAMES if name != "subagents"}
    return View(**fields, subagents=_mapped(session, view_of))


def settled(session: Session) -> View:
    """Return what a session shows at rest, without what belongs to a client's own clock.

    Two sessions that took in the same messages, live or replayed, are settled equal (law 4).
    """
    return _clockless(finalize(session))


def to_json(session: Session | View) -> dict[str, Any]:
    """Return a session's view as plain JSON values, in the shapes of view.md."""
    view = view_of(session) if isinstance(session, Session) else session
    shown: dict[str, Any] = {"items": [item_json(item) for item in view.items]}
    if view.subagents:
        shown["subagents"] = {name: to_json(each) for name, each in view.subagents.items()}
    return {**shown, **frame_json(view)}


def frame_json(session: Session | View) -> dict[str, Any]:
    """Return what ``to_json`` gives but for ``items`` and ``subagents``."""
    shown: dict[str, Any] = {"stats": plain(session.stats), "task_open": session.task_open}
    if session.nested:
        shown["nested"] = True
    for name in _NAMES[_OPTIONAL:]:
        value = getattr(session, name)
        if value is not None and value != EMPTY_MAP:
            shown[name] = plain(value)
    return shown


def item_json(item: Item) -> dict[str, Any]:
    """Return an item as plain JSON values, ``kind`` first."""
    cls: Any = type(item)
    return _writer(cls, item.kind)(item)


def digest(session: Session | View) -> str:
    """Return a short stable hash of what a session shows at rest.

    Args:
        session: a session, which is settled first, or a settled view.

    Returns:
        16 hexadecimal digits; equal if and only if the settled views are, collisions aside.
    """
    view = settled(session) if isinstance(session, Session) else session
    text = json.dumps(to_json(view), sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGEST_CHARACTERS]


def _clockless(session: Session) -> View:
    fields = {name: getattr(session, name) for name in _NAMES if name != "subagents"}
    for name in _NAMES:
        if name.endswith("_local_ms"):
            fields[name] = None
    items = tuple([_without_arrival(item) for item in session.items])
    return View(**{**fields, "items": items}, subagents=_mapped(session, _clockless))


def _mapped(session: Session, make: Any) -> Mapping[str, View]:
    return MappingProxyType({name: make(each) for name, each in session.subagents.items()})


def _without_arrival(item: Item) -> Item:
    return _not_arrived(item, None) if type(item) is ReconnectItem else item


def plain(value: Any) -> Any:
    """Return a record as a dict without its unset fields; what is no record is plain already."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is Rope:
        return str(value)
    if kind is tuple:
        return [plain(each) for each in value]
    if kind is Map:
        return {name: thaw(value[name]) for name in value}
    return _writer(kind, None)(value) if attrs.has(kind) else thaw(value)


@cache
def _writer(cls: type[Any], kind: str | None) -> Callable[[Any], dict[str, Any]]:
    """Write the function that makes a record a dict, ``kind`` first if there is one."""
    first = {} if kind is None else {"kind": kind}
    lines = ["def write(record):", f"    shown = {first!r}"]
    for field in attrs.fields(cls):
        lines += [
            f"    value = record.{field.name}",
            "    if value is not None:",
            f"        shown[{field.alias!r}] = value if type(value) in as_is else plain(value)",
        ]
    scope: dict[str, Any] = {"as_is": _PLAIN, "plain": plain}
    exec("\n".join([*lines, "    return shown"]), scope)  # noqa: S102 - our own field names
    return cast("Callable[[Any], dict[str, Any]]", scope["write"])
