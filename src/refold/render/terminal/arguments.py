"""A tool call's arguments as a person reads them.

Rules of this file:

- The argument that says most stands on the card's title, the others too if there is room. Which
  one that is, is told by the names that tools in the wild use; of a single one, there is no doubt.
- What doesn't fit is a block: short fields packed into lines, long ones on lines of their own.
- Text that is no JSON object, or none yet, is shown as it is: it may still stream.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final, TypeAlias

from refold.items import ToolCallItem
from refold.render.commands import command_text
from refold.render.terminal.cells import columns
from refold.render.terminal.harmless import one_line
from refold.render.terminal.layout import Layout, elided, narrowed
from refold.render.terminal.lines import Line, Span, behind, line, text_of

__all__ = ["ArgumentLines", "argument_lines"]

ArgumentLines: TypeAlias = tuple[Line, Iterator[Line]]
Field: TypeAlias = tuple[str, str]

_TELLING: Final = (
    "command",
    "cmd",
    "pattern",
    "query",
    "url",
    "file_path",
    "path",
    "filename",
    "skill",
    "description",
    "prompt",
)
_COMMANDS: Final = ("command", "cmd")
_VALUE_ROWS: Final = 4
_LONGEST_SHORT: Final = 1000


def argument_lines(card: ToolCallItem, room: int, layout: Layout) -> ArgumentLines:
    """Return what of a call's arguments stands on the title, and the lines below it.

    Args:
        card: the call.
        room: how many columns are left on the title.
        layout: the layout below it.
    """
    fields = _fields(card)
    if fields is None:
        return _text_lines(card.arguments_text, room, layout)
    first = _telling(fields)
    if first is None or not _fits(first[1], room):
        return (), _block(fields, layout)
    rest = [field for field in fields if field is not first]
    title = (Span(one_line(first[1])),)
    if all(_is_short(value) for _, value in rest):
        whole = (*title, *[span for field in rest for span in (Span("  "), *_packed(field))])
        if columns(text_of(whole)) <= room:
            return whole, iter(())
    return title, _block(rest, layout)


def _text_lines(text: str, room: int, layout: Layout) -> ArgumentLines:
    if _fits(text, room):
        return line(one_line(text)), iter(())
    return (), map(line, elided(text, layout, _VALUE_ROWS))


def _telling(fields: list[Field]) -> Field | None:
    if len(fields) == 1:
        return fields[0]
    found = (field for name in _TELLING for field in fields if field[0] == name)
    return next((field for field in found if _is_short(field[1]) and field[1] != "null"), None)


def _block(fields: list[Field], layout: Layout) -> Iterator[Line]:
    """Yield fields, those that are short several to a line."""
    row: Line = ()
    for field in fields:
        packed = _packed(field) if _is_short(field[1]) else ()
        size = columns(text_of(packed))
        if packed and row and columns(text_of(row)) + 2 + size <= layout.width:
            row = (*row, Span("  "), *packed)
            continue
        if row:
            yield row
        row = packed if 0 < size <= layout.width else ()
        if not row:
            yield from _field_lines(field, layout)
    if row:
        yield row


def _field_lines(field: Field, layout: Layout) -> Iterator[Line]:
    yield (Span(f"{one_line(field[0])}:", "faint"),)
    indent = (Span("  "),)
    shown = elided(field[1], narrowed(layout, 2), _VALUE_ROWS)
    yield from behind(indent, indent, map(line, shown))


def _packed(field: Field) -> Line:
    return Span(f"{one_line(field[0])}: ", "faint"), Span(one_line(field[1]))


def _fits(text: str, room: int) -> bool:
    return _is_short(text) and columns(one_line(text)) <= room


def _is_short(text: str) -> bool:
    return len(text) <= _LONGEST_SHORT and "\n" not in text.strip()


def _fields(card: ToolCallItem) -> list[Field] | None:
    arguments = card.parsed_arguments
    if type(arguments) is not dict:
        return None
    try:
        return [(name, _field_text(name, value)) for name, value in arguments.items()]
    except RecursionError:
        return None


def _field_text(name: str, value: Any) -> str:
    if name in _COMMANDS and type(value) is list and all(type(each) is str for each in value):
        return command_text(value)
    return _value_text(value)


def _value_text(value: Any) -> str:
    """Return a value as it is read: a text as it is, a list of objects an object a line."""
    if type(value) is str:
        return value
    if type(value) is list and value and all(type(each) is dict for each in value):
        return "\n".join(["  ".join(map(_entry_text, each.items())) for each in value])
    return json.dumps(value, ensure_ascii=False)


def _entry_text(entry: tuple[str, Any]) -> str:
    name, value = entry
    return f"{name}: {value if type(value) is str else json.dumps(value, ensure_ascii=False)}"
