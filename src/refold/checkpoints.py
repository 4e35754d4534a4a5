"""Checkpoints: a session as a JSON text, and back.

Rules of this file (laws.md law 9, live.md "What a checkpoint must carry"):

- ``loads(dumps(session)) == session``, and going on from either is the same.
- The text is flat: nested sessions stand in one list, each under its origin, so that no nesting of
  sessions nests the JSON.
- A text of another version, or one that is no checkpoint, is refused with what was expected.
- Fields at their defaults are left out; every other field is checked for its type.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, cast, get_args, get_origin

import attrs
from cattrs import Converter
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override

from refold.errors import CheckpointError, shorten
from refold.items import Item
from refold.json_values import JsonObject, freeze, thaw
from refold.maps import EMPTY_MAP, Map
from refold.recents import EMPTY_RECENT, Recent
from refold.sequels import EMPTY_SEQUEL, Sequel
from refold.session import Session, freeze_session
from refold.state import Aside, Calls, Draft, Pointers
from refold.texts import GrownText, Rope
from refold.vectors import Vector, vector_of

__all__ = ["VERSION", "dumps", "loads"]

VERSION = 1
_SEPARATORS = (",", ":")
_ITEMS = {cls.kind: cls for cls in get_args(Item)}


def dumps(session: Session) -> str:
    """Return a session as a JSON text that ``loads`` reads.

    Args:
        session: any session; what streams in it streams on after loading.
    """
    sessions = [
        {"origin": list(origin), **_CONVERTER.unstructure(each, Draft)}
        for origin, each in _walk(session)
    ]
    checkpoint = {"refold_checkpoint": VERSION, "sessions": sessions}
    return json.dumps(checkpoint, separators=_SEPARATORS, allow_nan=False)


def loads(text: str) -> Session:
    """Return the session that ``dumps`` wrote.

    Args:
        text: a checkpoint.

    Raises:
        CheckpointError: it is no checkpoint, or one of a version this one can't read.
    """
    try:
        return _read(json.loads(text))
    except CheckpointError:
        raise
    except Exception as error:
        # What can be wrong with a foreign text has no end, and cattrs' errors no common base.
        raise CheckpointError(f"expected a refold checkpoint, got {shorten(text)}") from error


def _read(checkpoint: dict[str, Any]) -> Session:
    version = checkpoint["refold_checkpoint"]
    if type(version) is not int or version != VERSION:
        raise CheckpointError(
            f"expected a checkpoint of version {VERSION}, got version {shorten(version)}"
        )
    return _assembled([_load(fields) for fields in checkpoint["sessions"]])


def _walk(session: Session) -> Iterator[tuple[tuple[str, ...], Session]]:
    """Yield a session and those nested in it, each parent in front of its children."""
    waiting: list[tuple[tuple[str, ...], Session]] = [((), session)]
    while waiting:
        origin, each = waiting.pop()
        yield origin, each
        nested = [((*origin, name), child) for name, child in each.subagents.items()]
        waiting += reversed(nested)


def _load(fields: dict[str, Any]) -> tuple[tuple[str, ...], Draft]:
    origin = tuple([_text(each, str) for each in _list(fields.pop("origin"), list)])
    aside = fields.get("aside") or {}
    named = (aside, "standing"), (fields.get("calls"), "spawning")
    for part, name in (*named, (aside.get("pointers"), "mcp_running")):
        if any(slot >= len(fields["placed"]) for slot in (part or {}).get(name, ())):
            raise ValueError(f"{name} where nothing is placed")
    return origin, _CONVERTER.structure(fields, Draft)


def _assembled(drafts: list[tuple[tuple[str, ...], Draft]]) -> Session:
    """Put nested sessions into their parents, the deepest first."""
    nested: dict[tuple[str, ...], list[tuple[str, Session]]] = {}
    session = None
    for origin, draft in reversed(drafts):
        children: Sequel[Session] = EMPTY_SEQUEL
        for name, child in reversed(nested.pop(origin, [])):
            children = children.put(name, child)
        draft.subagents = children
        session = freeze_session(draft)
        if origin:
            nested.setdefault(origin[:-1], []).append((origin[-1], session))
    if session is None or nested or len(dict(drafts)) < len(drafts):
        raise ValueError("nested sessions without their parent, or two of one origin")
    return session


# --- the converter ------------------------------------------------------------------------------


def _strict(*kinds: type[Any]) -> Callable[[Any, Any], Any]:
    def check(value: Any, _: Any) -> Any:
        if type(value) not in kinds:
            raise ValueError(f"expected {kinds[0].__name__}, got {shorten(value)}")
        return value

    return check


_text = _strict(str)
_list = _strict(list)


def _is(generic: Any) -> Callable[[Any], bool]:
    return lambda cls: get_origin(cls) is generic


def _make_converter() -> Converter:
    converter = Converter(omit_if_default=True, forbid_extra_keys=True, detailed_validation=False)
    for kind in (int, str, bool):
        converter.register_structure_hook(kind, _strict(kind))
    converter.register_structure_hook(float, _strict(float, int))
    _register_records(converter)
    _register_collections(converter)
    _register_values(converter)
    return converter


def _register_records(converter: Converter) -> None:
    def structure(cls: type[Any]) -> Callable[[Any, Any], Any]:
        make = make_dict_structure_fn(
            cls, converter, _cattrs_use_alias=True, _cattrs_forbid_extra_keys=True, **_special(cls)
        )
        if cls not in _ITEMS.values():
            return make
        return lambda fields, kind: make(_without_kind(fields), kind)

    def unstructure(cls: type[Any]) -> Callable[[Any], Any]:
        take = make_dict_unstructure_fn(
            cls, converter, _cattrs_use_alias=True, _cattrs_omit_if_default=True, **_special(cls)
        )
        if cls not in _ITEMS.values():
            return take
        return lambda item: {"kind": item.kind, **take(item)}

    converter.register_structure_hook_factory(attrs.has, structure)
    converter.register_unstructure_hook_factory(attrs.has, unstructure)


def _without_kind(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if name != "kind"}


def _special(cls: type[Any]) -> dict[str, Any]:
    special = dict.fromkeys(_MASKS.get(cls, ()), _AS_SLOTS)
    return {"subagents": override(omit=True), **special} if cls is Draft else special


def _register_collections(converter: Converter) -> None:
    def vector(value: list[Any], cls: Any) -> Vector[Any]:
        (kind,) = get_args(cls)
        return vector_of(
            None if each is None else converter.structure(each, kind) for each in value
        )

    def mapping(value: dict[str, Any], cls: Any) -> Map[Any]:
        (kind,) = get_args(cls)
        loaded: Map[Any] = EMPTY_MAP
        for name, each in value.items():
            loaded = loaded.put(name, converter.structure(each, kind))
        return loaded

    def recent(value: dict[str, Any], cls: Any) -> Recent[Any]:
        loaded: Recent[Any] = EMPTY_RECENT
        for name, each in mapping(value, cls).items():
            loaded = loaded.put(name, each)
        return loaded

    def sequel(value: list[Any], cls: Any) -> Sequel[Any]:
        (kind,) = get_args(cls)
        loaded: Sequel[Any] = EMPTY_SEQUEL
        for name, each in value:
            loaded = loaded.put(name, converter.structure(each, kind))
        return loaded

    unstructure = converter.unstructure
    converter.register_structure_hook_func(_is(Vector), vector)
    converter.register_structure_hook_func(_is(Map), mapping)
    converter.register_structure_hook_func(_is(Recent), recent)
    converter.register_structure_hook_func(_is(Sequel), sequel)
    converter.register_unstructure_hook_func(
        _is(Vector), lambda each: [None if v is None else unstructure(v) for v in each.raw()]
    )
    for kind in (Map, Recent):
        converter.register_unstructure_hook_func(
            _is(kind), lambda each: {name: unstructure(value) for name, value in each.items()}
        )
    converter.register_unstructure_hook_func(
        _is(Sequel), lambda each: [[name, unstructure(value)] for name, value in each.items()]
    )


def _register_values(converter: Converter) -> None:
    def item(value: dict[str, Any], _: Any) -> Item:
        return cast("Item", converter.structure(value, _ITEMS[value["kind"]]))

    def optional_text(value: Any, _: Any) -> Any:
        return value if value is None else _strict(str)(value, str)

    converter.register_structure_hook_func(lambda cls: cls == Item, item)
    converter.register_structure_hook_func(lambda cls: cls == GrownText, _strict(str))
    converter.register_structure_hook_func(lambda cls: cls == GrownText | None, optional_text)
    converter.register_structure_hook_func(_is_json, lambda value, _: freeze(value))
    converter.register_structure_hook(
        JsonObject, lambda value, cls: freeze(_strict(dict)(value, cls))
    )
    converter.register_unstructure_hook(JsonObject, thaw)
    converter.register_unstructure_hook(Rope, str)


def _is_json(cls: Any) -> bool:
    """Tell the union of all JSON values, however it was resolved."""
    return {bool, JsonObject} <= set(get_args(cls))


def _mask(slots: list[int]) -> int:
    digits = bytearray(b"0" * (max(slots, default=0) + 1))
    for slot in slots:
        digits[_natural(slot)] = _ONE
    return int(digits[::-1], 2)


def _natural(slot: Any) -> int:
    if type(slot) is not int or slot < 0:
        raise ValueError(f"expected a slot, got {shorten(slot)}")
    return slot


def _bits(mask: int) -> list[int]:
    return [slot for slot, digit in enumerate(bin(mask)[:1:-1]) if digit == "1"]


_ONE = ord("1")
_MASKS: dict[type[Any], tuple[str, ...]] = {
    Aside: ("standing",),
    Calls: ("spawning",),
    Pointers: ("mcp_running",),
}
_AS_SLOTS = override(struct_hook=lambda slots, _: _mask(slots), unstruct_hook=_bits)

_CONVERTER = _make_converter()
