"""Plain JSON data for decoding: awkward values first, then messages with and without faults.

``envelopes`` are messages that decode; ``faulty_envelopes`` are of the same shape with anything in
any place, so that most of them are nearly right.
"""

from __future__ import annotations

import copy
from typing import Any

import attrs
from hypothesis import strategies as st

from refold.decode.kinds import CLASSES
from refold.messages import McpServerResult, SessionMeta, TokenCounts, ToolDescription

__all__ = ["envelopes", "faulty_envelopes", "json_values", "texts"]

texts = st.sampled_from(
    ["", "a", "user", "\ud800", "\udc00\ud83d", "\U0001f600", "\u2028\x00\ufeff", '"\\', "start"]
)
counts = st.sampled_from([0, 1, 7, 2.0, 2**53, 10**30, 1e300])
_leaves: list[Any] = [None, True, False, "", "a", "\ud800", 0, 2.0, 10**30, -1, -0.0, 0.5, -5e-324]
_trees: list[Any] = [
    *_leaves,
    [],
    {},
    [1, [2.5, None]],
    {"a": {"b": []}, "": [{}]},
    ["a"],
    {"total": 1},
]
json_values = st.sampled_from(_trees)
not_json = st.sampled_from([float("nan"), float("inf"), (), {1: 2}, {"a": b""}, 10**4001, object])

_RECORDS = {each.__name__: each for each in (McpServerResult, TokenCounts, ToolDescription)}
_ENVELOPE_EXTRAS = st.fixed_dictionaries(
    {},
    optional={
        "origin": st.lists(texts, max_size=2) | st.none(),
        "trace_position": st.fixed_dictionaries({"file_index": counts, "ordinal": counts}),
        "tracePosition": st.fixed_dictionaries({"fileIndex": counts, "ordinal": counts}),
        "started_at": texts | st.none(),
        "source": st.fixed_dictionaries({"format": texts}, optional={"line": counts, "id": texts}),
        "future": json_values,
    },
)


def _of(annotation: str) -> st.SearchStrategy[Any]:
    """Return what a field of an annotation may hold on the wire."""
    if annotation.endswith(" | None"):
        return st.none() | _of(annotation.removesuffix(" | None"))
    if annotation.startswith("tuple["):
        return st.lists(_of(annotation.removeprefix("tuple[").partition(",")[0]), max_size=2)
    if annotation in _RECORDS:
        return _record(_RECORDS[annotation])
    known = {"str": texts, "int": counts, "Json": json_values}
    return known.get(annotation, st.dictionaries(texts, json_values, max_size=2))


def _record(cls: type[Any]) -> st.SearchStrategy[dict[str, Any]]:
    fields = [each for each in attrs.fields(cls) if each.name != "extra"]
    wire = {each.name: _of(cls.__annotations__[each.name]) for each in fields}
    required = {each.name for each in fields if each.default is attrs.NOTHING}
    known = st.fixed_dictionaries(
        {name: wire[name] for name in wire if name in required},
        optional={name: wire[name] for name in wire if name not in required},
    )
    extras = st.just({}) | st.dictionaries(st.sampled_from(["future", "x"]), json_values)
    return st.builds(lambda unknown, fields: unknown | fields, extras, known)


def _envelope(cls: type[Any]) -> st.SearchStrategy[dict[str, Any]]:
    tag = {} if cls is SessionMeta else {"type": cls.kind}
    outer = st.fixed_dictionaries(
        {"type": st.just(cls.category), "payload": _record(cls).map(lambda fields: tag | fields)},
        optional={"timestamp": st.none() | st.just("2026-07-05T00:00:00.000Z") | texts},
    )
    return st.builds(lambda extras, known: extras | known, _ENVELOPE_EXTRAS, outer)


_unknown = st.fixed_dictionaries(
    {
        "type": st.sampled_from(["model_msg", "event_msg", "future_msg"]),
        "payload": st.dictionaries(texts, json_values, max_size=2).map(
            lambda each: {"type": "new"} | each
        ),
    }
)
envelopes: st.SearchStrategy[dict[str, Any]] = st.one_of(
    *[_envelope(cls) for cls in CLASSES.values()], _unknown
)


@st.composite
def _broken(draw: st.DrawFn) -> Any:
    """Put anything in any place of a message, or leave something out."""
    envelope = copy.deepcopy(draw(envelopes))
    for _ in range(draw(st.integers(1, 2))):
        place, name = draw(st.sampled_from(_places(envelope)))
        if isinstance(place, dict) and draw(st.booleans()):
            del place[name]
        else:
            place[name] = copy.deepcopy(draw(json_values | not_json))
    return envelope


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Return every place in a message, as what holds it and the key or index there."""
    if not isinstance(value, dict | list):
        return []
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    return [place for key in keys for place in [(value, key), *_places(value[key])]]


faulty_envelopes: st.SearchStrategy[Any] = _broken() | json_values
