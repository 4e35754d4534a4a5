"""A history as the messages of Anthropic's Messages API.

Rules of this file (sources/stream-json-and-acp.md 5.2):

- User and assistant alternate: neighbours of one role become one message. The user is first; where
  the history begins with the assistant, a text says that the beginning is missing.
- No text block is blank: a blank text has no block, a turn without blocks no message.
- All results of a turn open the user message behind it. A failed result holds only text, so its
  images come behind the results.
- A message of the assistant's that ends the request doesn't end in white space.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter
from typing import Any, TypeAlias

from refold.markers import is_blank
from refold.policies.history import AssistantTurn, Call, History, Image, Part, ToolResult, UserTurn
from refold.policies.projection.arguments import arguments_object
from refold.policies.projection.images import WebImage, image_source, left_out
from refold.policies.utf8 import sendable
from refold.policies.wire_names import wire_name

__all__ = ["anthropic_request"]

Block: TypeAlias = dict[str, Any]

_NO_BEGINNING = "[the beginning of this conversation was not recorded]"


def anthropic_request(history: History, system: str | None) -> dict[str, Any]:
    """Return the part of a Messages request that says what went before.

    Args:
        history: paired turns.
        system: the system prompt, if any; a blank one is left out.
    """
    messages = [
        {"role": role, "content": [block for _, block in blocks]}
        for role, blocks in groupby(_blocks(history), key=itemgetter(0))
    ]
    if messages and messages[0]["role"] == "assistant":
        opening = {"type": "text", "text": _NO_BEGINNING}
        messages.insert(0, {"role": "user", "content": [opening]})
    _trim_last(messages)
    told = {} if system is None or _is_blank(system) else {"system": sendable(system)}
    return {**told, "messages": messages}


def _blocks(history: History) -> Iterator[tuple[str, Block]]:
    """Yield each block with its role; the images of failed results behind the run of results."""
    late: list[Part] = []
    for item in history:
        if isinstance(item, ToolResult):
            yield "user", _tool_result(item)
            late += [part for part in item.parts if item.is_error and isinstance(part, Image)]
            continue
        yield from (("user", block) for block in _contents(late))
        late = []
        yield from _turn_blocks(item)
    yield from (("user", block) for block in _contents(late))


def _turn_blocks(turn: UserTurn | AssistantTurn) -> Iterator[tuple[str, Block]]:
    match turn:
        case UserTurn():
            yield from (("user", block) for block in _contents(turn.parts))
        case AssistantTurn():
            yield from (("assistant", block) for block in _texts(turn.text))
            yield from (("assistant", _tool_use(call)) for call in turn.calls)


def _tool_use(call: Call) -> Block:
    name, arguments = wire_name(call.name), arguments_object(call.arguments)
    return {"type": "tool_use", "id": call.call_id, "name": name, "input": arguments}


def _tool_result(result: ToolResult) -> Block:
    parts = [part for part in result.parts if not (result.is_error and isinstance(part, Image))]
    content = list(_contents(parts))
    filled = {"content": content} if content else {}
    head = {"type": "tool_result", "tool_use_id": result.call_id}
    return {**head, **filled, "is_error": result.is_error}


def _contents(parts: tuple[Part, ...] | list[Part]) -> Iterator[Block]:
    for part in parts:
        if isinstance(part, Image):
            yield _image(part.url)
        else:
            yield from _texts(part.text)


def _image(url: str) -> Block:
    source = image_source(url)
    if source is None:
        return {"type": "text", "text": left_out(url)}
    if isinstance(source, WebImage):
        return {"type": "image", "source": {"type": "url", "url": source.url}}
    inline = {"type": "base64", "media_type": source.media_type, "data": source.data}
    return {"type": "image", "source": inline}


def _texts(text: str) -> Iterator[Block]:
    if not _is_blank(text):
        yield {"type": "text", "text": sendable(text)}


def _is_blank(text: str) -> bool:
    # The provider strips as Python does, which is not quite what protocol.md calls blank.
    return not text.strip() or is_blank(text)


def _trim_last(messages: list[dict[str, Any]]) -> None:
    if messages and messages[-1]["role"] == "assistant":
        last = messages[-1]["content"][-1]
        last["text"] = last["text"].rstrip()
