"""Responses and completions, streamed and whole, and events without discipline."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

__all__ = [
    "chat_chaos",
    "chat_live",
    "completions",
    "response_chaos",
    "response_live",
    "responses",
    "split",
]

Event = dict[str, Any]

_TEXTS = st.sampled_from(["a", "hello", "two\nlines", "é🌟", " x ", 'q"uo\\te', "a" * 40])
_ARGUMENTS = st.sampled_from(["{}", '{"a": 1}', '{"b": "x"}'])
_TOKENS = st.sampled_from([0, 1, 17, 1000])


# --- Responses API --------------------------------------------------------------------------


@st.composite
def _item(draw: st.DrawFn, ident: str) -> Event:
    kind = draw(
        st.sampled_from(
            ["message", "reasoning", "function_call", "custom_tool_call", "shell_call", "mcp_call"]
        )
    )
    named: Event = {"id": ident, "type": kind, "status": "completed"}
    if kind == "message":
        texts = draw(st.lists(_TEXTS, min_size=1, max_size=2))
        return {
            **named,
            "role": "assistant",
            "content": [{"type": "output_text", "text": each} for each in texts],
        }
    if kind == "reasoning":
        texts = draw(st.lists(_TEXTS, min_size=1, max_size=2))
        return {**named, "summary": [{"type": "summary_text", "text": each} for each in texts]}
    if kind == "shell_call":
        return {
            **named,
            "call_id": f"c{ident}",
            "action": {"commands": draw(st.lists(_TEXTS, max_size=2))},
        }
    if kind == "custom_tool_call":
        return {**named, "call_id": f"c{ident}", "name": "f", "input": draw(_TEXTS)}
    call = {**named, "call_id": f"c{ident}", "name": "f", "arguments": draw(_ARGUMENTS)}
    return {**call, "server_label": "s", "output": draw(_TEXTS)} if kind == "mcp_call" else call


@st.composite
def responses(draw: st.DrawFn) -> list[Event]:
    """Draw a few whole responses."""
    return [
        {
            "object": "response",
            "id": f"resp_{number}",
            "created_at": 1_783_209_600 + number,
            "status": draw(st.sampled_from(["completed", "completed", "incomplete", "cancelled"])),
            "model": "m",
            "output": [draw(_item(f"{number}_{each}")) for each in range(draw(st.integers(0, 3)))],
            "usage": draw(
                st.fixed_dictionaries(
                    {"input_tokens": _TOKENS, "output_tokens": _TOKENS},
                    optional={"input_tokens_details": st.just({"cached_tokens": 1})},
                )
            ),
        }
        for number in range(draw(st.integers(0, 3)))
    ]


def response_live(whole: list[Event]) -> list[Event]:
    """Return whole responses as the events that stream them, a delta each."""
    return [event for response in whole for event in _response_events(response)]


def _response_events(response: Event) -> list[Event]:
    begun = {**response, "status": "in_progress", "output": [], "usage": None}
    events: list[Event] = [{"type": "response.created", "response": begun}]
    for index, item in enumerate(response["output"]):
        bare = {
            **item,
            "content": [],
            "summary": [],
            "arguments": "",
            "input": "",
            "action": {},
            "output": None,
        }
        kept = {
            name: bare[name] if name in bare and name not in ("id", "type") else item[name]
            for name in item
        }
        at = {"output_index": index}
        events.append(
            {"type": "response.output_item.added", **at, "item": {**kept, "status": "in_progress"}}
        )
        events += [{**each, **at} for each in _item_events(item)]
        events.append({"type": "response.output_item.done", **at, "item": item})
    return [*events, {"type": f"response.{response['status']}", "response": response}]


def _item_events(item: Event) -> list[Event]:
    if item["type"] == "message":
        return [
            {"type": "response.output_text.delta", "content_index": index, "delta": each["text"]}
            for index, each in enumerate(item["content"])
        ]
    if item["type"] == "reasoning":
        return [
            {
                "type": "response.reasoning_summary_text.delta",
                "summary_index": index,
                "delta": each["text"],
            }
            for index, each in enumerate(item["summary"])
        ]
    if item["type"] == "shell_call":
        return [event for each in item["action"]["commands"] for event in _command_events(each)]
    kind = {"custom_tool_call": "custom_tool_call_input", "mcp_call": "mcp_call_arguments"}
    named = kind.get(item["type"], "function_call_arguments")
    whole = item.get("input", item.get("arguments"))
    return [{"type": f"response.{named}.delta", "delta": whole}]


def _command_events(command: str) -> list[Event]:
    return [
        {"type": "response.shell_call_command.added", "command": ""},
        {"type": "response.shell_call_command.delta", "delta": command},
        {"type": "response.shell_call_command.done", "command": command},
    ]


# --- Chat Completions -----------------------------------------------------------------------


@st.composite
def _choice(draw: st.DrawFn, index: int, ident: str) -> Event:
    message: Event = {"role": "assistant", "content": draw(st.none() | _TEXTS)}
    if draw(st.booleans()):
        message["reasoning_content"] = draw(_TEXTS)
    if draw(st.integers(0, 3)) == 0:
        message["refusal"] = draw(_TEXTS)
    calls = draw(st.lists(_ARGUMENTS, max_size=2))
    if calls:
        message["tool_calls"] = [
            {
                "id": f"{ident}_{index}_{number}",
                "type": "function",
                "function": {"name": "f", "arguments": each},
            }
            for number, each in enumerate(calls)
        ]
    reason = draw(st.sampled_from(["stop", "tool_calls", "length", "content_filter"]))
    return {"index": index, "message": message, "finish_reason": reason}


@st.composite
def completions(draw: st.DrawFn) -> list[Event]:
    """Draw a few whole completions."""
    return [
        {
            "object": "chat.completion",
            "id": f"chatcmpl_{number}",
            "created": 1_783_209_600 + number,
            "model": "m",
            "choices": [
                draw(_choice(each, str(number))) for each in range(draw(st.integers(1, 2)))
            ],
            "usage": draw(
                st.fixed_dictionaries(
                    {"prompt_tokens": _TOKENS, "completion_tokens": _TOKENS},
                    optional={"prompt_tokens_details": st.just({"cached_tokens": 1})},
                )
            ),
        }
        for number in range(draw(st.integers(0, 3)))
    ]


def chat_live(whole: list[Event]) -> list[Any]:
    """Return whole completions as the chunks that stream them, a delta each."""
    return [chunk for completion in whole for chunk in _chunks(completion)]


def _chunks(completion: Event) -> list[Any]:
    chunks: list[Any] = []
    for choice in completion["choices"]:
        deltas = [{"role": "assistant"}, *_deltas(choice["message"])]
        chunks += [_chunk(completion, choice["index"], each) for each in deltas]
        chunks.append(_chunk(completion, choice["index"], {}, choice["finish_reason"]))
    last = {**_chunk(completion, 0, {}), "choices": [], "usage": completion["usage"]}
    return [*chunks, last, "[DONE]"]


def _deltas(message: Event) -> list[Event]:
    fields = [each for each in ("reasoning_content", "content", "refusal") if message.get(each)]
    deltas: list[Event] = [{each: message[each]} for each in fields]
    for index, call in enumerate(message.get("tool_calls", [])):
        function = call["function"]
        opening = {**call, "index": index, "function": {**function, "arguments": ""}}
        piece = {"index": index, "function": {"arguments": function["arguments"]}}
        deltas += [{"tool_calls": [opening]}, {"tool_calls": [piece]}]
    return deltas


def _chunk(completion: Event, index: int, delta: Event, reason: str | None = None) -> Event:
    choice = {"index": index, "delta": delta, "finish_reason": reason}
    kept = {name: completion[name] for name in ("id", "created", "model")}
    return {**kept, "object": "chat.completion.chunk", "choices": [choice], "usage": None}


# --- both -----------------------------------------------------------------------------------


@st.composite
def split(draw: st.DrawFn, events: list[Any]) -> list[Any]:
    """Draw the same events with their deltas cut into pieces."""
    pieces: list[Any] = []
    for event in events:
        text = json.dumps(event)
        found = _growing(event)
        if found is None:
            pieces.append(event)
            continue
        cuts = sorted(draw(st.lists(st.integers(0, len(found)), max_size=3)))
        for start, end in zip([0, *cuts], [*cuts, len(found)], strict=True):
            pieces.append(_with_piece(json.loads(text), found[start:end]))
    return pieces


def _growing(event: Any) -> str | None:
    if not isinstance(event, dict):
        return None
    if isinstance(event.get("delta"), str):
        return str(event["delta"])
    for choice in event.get("choices", []):
        for value in choice["delta"].values():
            if isinstance(value, str) and "role" not in choice["delta"]:
                return value
            if isinstance(value, list) and "id" not in value[0]:
                return str(value[0]["function"]["arguments"])
    return None


def _with_piece(event: Event, piece: str) -> Event:
    if "delta" in event:
        return {**event, "delta": piece}
    (delta,) = [each["delta"] for each in event["choices"]]
    for name, value in delta.items():
        if isinstance(value, list):
            value[0]["function"]["arguments"] = piece
        else:
            delta[name] = piece
    return event


def response_chaos(kinds: list[str]) -> st.SearchStrategy[list[Event]]:
    """Draw events of the given types in any order, their indices colliding."""
    return st.lists(st.sampled_from([*kinds, "response.new"]).flatmap(_response_event), max_size=12)


def _response_event(kind: str) -> st.SearchStrategy[Event]:
    return st.fixed_dictionaries(
        {"type": st.just(kind)},
        optional={
            "output_index": st.integers(0, 2),
            "item_id": st.sampled_from(["a", "b"]),
            "item": st.sampled_from(["x", "y"]).flatmap(_item),
            "delta": _TEXTS,
            "text": _TEXTS,
            "arguments": _ARGUMENTS,
            "command": _TEXTS,
            "partial_image_b64": st.just("AAAA"),
            "summary_index": st.integers(0, 1),
            "response": responses().map(lambda drawn: drawn[0] if drawn else {}),
            "code": st.just("server_error"),
            "message": _TEXTS,
        },
    )


_CALL = st.fixed_dictionaries(
    {},
    optional={
        "index": st.integers(0, 1),
        "id": st.sampled_from(["c1", "c2"]),
        "function": st.fixed_dictionaries({}, optional={"name": st.just("f"), "arguments": _TEXTS}),
        "custom": st.just({"name": "g", "input": "x"}),
    },
)
_DELTA = st.fixed_dictionaries(
    {},
    optional={
        "role": st.just("assistant"),
        "content": _TEXTS | st.just([{"type": "text", "text": "a"}]),
        "reasoning": _TEXTS,
        "refusal": _TEXTS,
        "tool_calls": st.lists(_CALL, max_size=2),
        "function_call": st.just({"name": "h", "arguments": "{"}),
    },
)
_CHUNK = st.fixed_dictionaries(
    {
        "choices": st.lists(
            st.fixed_dictionaries(
                {"delta": _DELTA},
                optional={
                    "index": st.integers(0, 1),
                    "finish_reason": st.sampled_from(["stop", "length"]),
                },
            ),
            max_size=2,
        )
    },
    optional={
        "id": st.sampled_from(["x", "y", ""]),
        "usage": st.just({"prompt_tokens": 1}),
        "created": _TOKENS,
    },
)
chat_chaos: st.SearchStrategy[list[Any]] = st.lists(
    _CHUNK | st.sampled_from(["[DONE]", {"error": {"message": "no", "code": 401}}]), max_size=12
)
