"""Structuring of the kinds that make up most of a stream, generated from their classes.

Rules of this file:

- A builder knows the plain case only: everything there, nothing converted. Whatever else it meets,
  it gives up (None, or any of ``GIVES_UP``), and the strict converter says what the message is or
  what is wrong with it. So there is one place for errors, and both agree on every input.
- The text is made of this package's own class definitions. It is compiled when a kind first comes,
  and makes its objects in place: on this path a call costs as much as five fields.
- Frozen objects are filled by plain assignment through the twin that ``positional`` makes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import attrs

from refold.decode.kinds import wire_tag
from refold.decode.transport import hops, surroundings
from refold.decode.values import HUGE, frozen, frozen_object, remainder, strings
from refold.errors import DecodeError
from refold.json_values import EMPTY
from refold.messages import (
    ApprovalDecision,
    Message,
    PartialText,
    PartialThinking,
    PartialToolCall,
    PartialToolCallOutput,
    RequestBegin,
    RequestEnd,
    SourcePosition,
    Text,
    Thinking,
    TokenCounts,
    TokenUsage,
    ToolCall,
    ToolCallOutput,
    ToolDescription,
    ToolListReady,
    Transport,
)
from refold.records import unfrozen

__all__ = ["BUILDERS", "GIVES_UP", "HOT", "compiled", "making", "placer", "twins"]

HOT: Final = (
    PartialText,
    PartialThinking,
    PartialToolCall,
    PartialToolCallOutput,
    Text,
    Thinking,
    ToolCall,
    ToolCallOutput,
    RequestBegin,
    RequestEnd,
    ApprovalDecision,
    TokenUsage,
    ToolListReady,
)

GIVES_UP: Final = (KeyError, DecodeError)

Builder: TypeAlias = Callable[[dict[str, Any], dict[str, Any], Transport | None], Message | None]

# What must hold of a field, by its annotation.
_HOLDS: Final = {
    "str": "type({0}) is str",
    "str | None": "({0} is None or type({0}) is str)",
    "int": "type({0}) is int and 0 <= {0} < HUGE",
    "int | None": "({0} is None or type({0}) is int and 0 <= {0} < HUGE)",
    "TokenCounts": "({0} := token_counts({0})) is not None",
    "JsonObject | None": "({0} is None or ({0} := frozen_object({0})) is not None)",
    "tuple[str, ...] | None": "({0} is None or ({0} := strings({0})) is not None)",
    "tuple[ToolDescription, ...]": "({0} := tuple_of(tool_description, {0})) is not None",
    "Json": "(({0} := frozen({0})) is None or True)",
}


# The records in a payload, by the name that its conditions call their builder.
_INNER: Final[dict[type[Any], dict[str, type[Any]]]] = {
    TokenUsage: {"token_counts": TokenCounts},
    ToolListReady: {"tool_description": ToolDescription},
}


class _Builders(dict[str, Builder]):
    """Builders by payload type, each made when it is first asked for."""

    def __missing__(self, kind: str) -> Builder:
        builder = self[kind] = _message_builder(_HOT_BY_KIND[kind])
        return builder


BUILDERS: Final = _Builders()

_HOT_BY_KIND: Final[dict[str, type[Any]]] = {cls.kind: cls for cls in HOT}


def placer(source_format: str, lane: str | None) -> Callable[[int | None], Transport]:
    """Return a function from a line's number to where a message of that line stands.

    Args:
        source_format: the format's name.
        lane: the name of the file.
    """
    lines = [
        "def place(line):",
        *making(SourcePosition, "source", id="None", ordinal="0"),
        *making(Transport, "transport", trace_position="None", started_at="None"),
        "    return transport",
    ]
    names = {"format": source_format, "lane": lane, **twins(SourcePosition, Transport)}
    return compiled(lines, names)


def _message_builder(cls: type[Any]) -> Builder:
    lines = [
        "def build(envelope, payload, transport):",
        "    timestamp = envelope['timestamp']",
        *_reading(
            cls, "payload", f"envelope['type'] == {cls.category!r} and type(timestamp) is str"
        ),
        "    origin, outer_extra = (), EMPTY",
        "    if len(envelope) == 4 and 'origin' in envelope:",
        "        origin = hops(envelope['origin'])",
        "    elif len(envelope) != 3:",
        "        origin, transport, outer_extra = surroundings(envelope, transport)",
        *making(cls, "content"),
        *making(Message, "message", payload="content", extra="outer_extra"),
        "    return message",
    ]
    inner = {name: _record_builder(each) for name, each in _INNER.get(cls, {}).items()}
    return compiled(lines, inner | _known(cls) | twins(cls, Message))


def _record_builder(cls: type[Any]) -> Callable[[Any], Any]:
    lines = [
        "def build(value):",
        "    if type(value) is not dict: return None",
        *_reading(cls, "value", "True"),
        *making(cls, "made"),
        "    return made",
    ]
    return compiled(lines, _known(cls) | twins(cls))


def _reading(cls: type[Any], owner: str, condition: str) -> list[str]:
    """Return the lines that read a record's fields and leave if they aren't the plain case.

    With as many fields as are required there are no others. A count is read as if it were required.
    """
    optional = [field for field in _fields(cls) if field.default is None]
    required = [field for field in _fields(cls) if field.default is not None]
    size = len(required) + len(wire_tag(cls))
    lines = [f"{each.name} = {owner}[{each.name!r}]" for each in required]
    lines += [
        f"if not ({_all_hold(cls, required, condition)}): return None",
        *(f"{each.name} = None" for each in optional),
        "extra = EMPTY",
        f"if len({owner}) != {size}:",
        *_reading_others(cls, owner, optional, size),
    ]
    return [f"    {line}" for line in lines]


def _reading_others(cls: type[Any], owner: str, optional: list[Any], size: int) -> list[str]:
    """Return the lines that read what is there beside the required fields.

    Nearly always that is ``stop_reason`` alone, so it is tried alone first.
    """
    present = "".join(f" + ({field.name} is not None)" for field in optional)
    usual = [each.name for each in optional if each.name == "stop_reason"]
    lines = [f"{each.name} = {owner}.get({each.name!r})" for each in optional]
    lines += [
        f"if not ({_all_hold(cls, optional, 'True')}): return None",
        f"if len({owner}) != {size}{present}: extra = remainder({owner}, known)",
    ]
    if not usual:
        return [f"    {line}" for line in lines]
    return [
        f"    stop_reason = {owner}.get('stop_reason')",
        f"    if type(stop_reason) is not str or len({owner}) != {size + 1}:",
        *[f"        {line}" for line in lines],
    ]


def _all_hold(cls: type[Any], fields: list[Any], condition: str) -> str:
    # The annotations as they were written: cattrs resolves those of attrs' fields in place.
    written = cls.__annotations__
    holds = [_HOLDS[written[each.name]].format(each.name) for each in fields]
    return " and ".join([condition, *holds])


def making(cls: type[Any], target: str, **other: str) -> list[str]:
    """Return the lines that make a record of the variables named like its fields."""
    return [
        f"    {target} = {cls.__name__}Twin()",
        *[
            f"    {target}.{field.name} = {other.get(field.name, field.name)}"
            for field in attrs.fields(cls)
        ],
        f"    {target}.__class__ = {cls.__name__}",
    ]


def _fields(cls: type[Any]) -> list[Any]:
    return [field for field in attrs.fields(cls) if field.name != "extra"]


def _tuple_of(build: Callable[[Any], Any], value: Any) -> tuple[Any, ...] | None:
    if type(value) is not list:
        return None
    made = tuple(map(build, value))
    return None if None in made else made


def _known(cls: type[Any]) -> dict[str, Any]:
    return {"known": frozenset(field.name for field in _fields(cls)) | wire_tag(cls)}


def twins(*classes: type[Any]) -> dict[str, Any]:
    """Return the names by which the lines of ``making`` call some records."""
    made = {cls.__name__: cls for cls in classes}
    return made | {f"{cls.__name__}Twin": unfrozen(cls) for cls in classes}


def compiled(lines: list[str], names: dict[str, Any]) -> Callable[..., Any]:
    """Return the function that lines define.

    Args:
        lines: its text, made of this package's own names.
        names: what it calls by name.
    """
    scope = _CALLED | names
    exec("\n".join(lines), scope)  # noqa: S102 - the text is made of this package's field names
    made: Callable[..., Any] = scope[lines[0].partition("(")[0].removeprefix("def ")]
    return made


_CALLED: Final[dict[str, Any]] = {
    "EMPTY": EMPTY,
    "HUGE": HUGE,
    "frozen": frozen,
    "frozen_object": frozen_object,
    "hops": hops,
    "remainder": remainder,
    "strings": strings,
    "surroundings": surroundings,
    "tuple_of": _tuple_of,
}
