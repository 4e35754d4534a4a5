"""The output items of the Responses API: what each says when it is whole.

Rules of this file:

- Pure and total: an item is any JSON object.
- Input that is no JSON of its own (a free text, code, shell commands) is wrapped in an object, as
  a call's arguments are a JSON text.
- An item of a kind that isn't known and is named a call is a call all the same, its arguments its
  fields.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from refold.json_values import JsonObject
from refold.messages import Notice
from refold.sources.anthropic_blocks import json_text
from refold.sources.fields import frozen_object, listing, mapping, name, text

__all__ = [
    "FIRST_PIECES",
    "arguments_of",
    "call_name",
    "first_piece",
    "is_call",
    "item_notice",
    "message_text",
    "quoted",
    "reasoning_fidelity",
    "reasoning_text",
    "refusal_of",
]

Item = dict[str, Any]

_ENVELOPE = frozenset({"id", "type", "status", "call_id", "created_by", "caller", "name"})
_RESULTS = frozenset({"outputs", "results", "result", "output", "error"})
_TEXTS = {"output_text": "text", "output_audio": "transcript"}
_FIRST_PIECE = {
    "custom_tool_call": '{"input": "',
    "code_interpreter_call": '{"code": "',
    "shell_call": '{"commands": [',
}
FIRST_PIECES = frozenset({"", *_FIRST_PIECE.values()})
_NAMED_CALLS = frozenset({"function_call", "custom_tool_call"})


def message_text(item: Item) -> str | None:
    """Return the text of a message item, or None if it holds neither texts nor spoken ones."""
    parts = [mapping(each) for each in listing(item.get("content"))]
    fields = [(each, _TEXTS.get(text(each.get("type")))) for each in parts]
    texts = [text(each.get(field)) for each, field in fields if field is not None]
    return "".join(texts) if texts else None


def refusal_of(item: Item) -> str | None:
    """Return what a message item refuses with, or None."""
    parts = [mapping(each) for each in listing(item.get("content"))]
    said = [text(each.get("refusal")) for each in parts if each.get("type") == "refusal"]
    return "".join(said) if said else None


def reasoning_text(item: Item) -> str | None:
    """Return the summaries and contents of a reasoning item, or None if it has none."""
    parts = [mapping(each) for each in listing(item.get("summary"))]
    parts += [mapping(each) for each in listing(item.get("content"))]
    texts = [text(each.get("text")) for each in parts]
    return "\n\n".join(texts) if texts else None


def reasoning_fidelity(item: Item) -> JsonObject | None:
    """Return what the provider wants back of a reasoning item, or None."""
    kept = {each: name(item.get(each)) for each in ("encrypted_content", "id")}
    if kept["encrypted_content"] is None:
        return None
    return JsonObject({each: value for each, value in kept.items() if value is not None})


def is_call(item: Item) -> bool:
    """Tell whether an item calls a tool."""
    kind = text(item.get("type"))
    return kind.endswith("_call") or kind == "program"


def call_name(item: Item) -> str:
    """Return the tool that an item calls."""
    kind = text(item.get("type"))
    if kind in _NAMED_CALLS:
        return text(item.get("name"))
    if kind == "mcp_call":
        return f"mcp__{text(item.get('server_label'))}__{text(item.get('name'))}"
    return kind.removesuffix("_call")


def arguments_of(item: Item) -> str | None:
    """Return the arguments of a call as a JSON text, or None if the item doesn't hold them."""
    return _ARGUMENTS.get(text(item.get("type")), _fields)(item)


def item_notice(item: Item) -> Notice | None:
    """Return an item that is neither said nor called as a notice, or None if it isn't known."""
    kind = text(item.get("type"))
    if kind not in ("mcp_list_tools", "mcp_approval_request", "mcp_approval_response"):
        return None
    label = name(item.get("server_label")) or name(item.get("name"))
    rest = {each: item[each] for each in item if each not in ("type", "id")}
    return Notice(name=kind, text=label, data=frozen_object(rest))


def first_piece(kind: str) -> str:
    """Return what the arguments of a kind of call begin with before anything has streamed."""
    return _FIRST_PIECE.get(kind, "")


def quoted(piece: str) -> str:
    """Return a piece of a text as a piece of a JSON string; pieces join to the whole's."""
    return json.dumps(piece, ensure_ascii=False)[1:-1]


# --- arguments ------------------------------------------------------------------------------


def _given(item: Item) -> str | None:
    arguments = item.get("arguments")
    if isinstance(arguments, str):
        return arguments
    return json_text(arguments) if isinstance(arguments, dict) else None


def _wrapped(field: str) -> Callable[[Item], str | None]:
    def case(item: Item) -> str | None:
        value = item.get(field)
        return json_text({field: value}) if isinstance(value, str) else None

    return case


def _action(item: Item) -> str | None:
    action = mapping(item.get("action"))
    kept = {each: action[each] for each in action if action[each] is not None}
    return json_text(kept) if kept else None


def _queries(item: Item) -> str | None:
    return json_text({"queries": listing(item.get("queries"))})


def _prompt(item: Item) -> str | None:
    prompt = name(item.get("revised_prompt"))
    return json_text({} if prompt is None else {"prompt": prompt})


def _fields(item: Item) -> str | None:
    kept = {each: item[each] for each in item if each not in _ENVELOPE and each not in _RESULTS}
    return json_text(kept)


_ARGUMENTS: dict[str, Callable[[Item], str | None]] = {
    "function_call": _given,
    "mcp_call": _given,
    "tool_search_call": _given,
    "custom_tool_call": _wrapped("input"),
    "code_interpreter_call": _wrapped("code"),
    "program": _wrapped("code"),
    "shell_call": _action,
    "local_shell_call": _action,
    "web_search_call": _action,
    "file_search_call": _queries,
    "image_generation_call": _prompt,
}
