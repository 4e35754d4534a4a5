"""Messages of the Messages API, streamed and whole, and events without discipline."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

__all__ = ["chaos", "live", "messages", "split"]

Event = dict[str, Any]

_TEXTS = st.sampled_from(["a", "hello", "two\nlines", "é🌟", " x ", "a" * 40])
_INPUTS = st.dictionaries(st.sampled_from("ab"), st.sampled_from([1, "x", [1], None]), max_size=2)
_TOKENS = st.sampled_from([0, 1, 17, 1000])
_USAGE = st.fixed_dictionaries(
    {"input_tokens": _TOKENS, "output_tokens": _TOKENS},
    optional={"cache_read_input_tokens": _TOKENS, "cache_creation_input_tokens": _TOKENS},
)
_STOPS = st.sampled_from(["end_turn", "tool_use", "max_tokens", "refusal", "stop_sequence"])


@st.composite
def _blocks(draw: st.DrawFn, number: int) -> list[Event]:
    blocks: list[Event] = []
    for index in range(draw(st.integers(0, 4))):
        kind = draw(st.sampled_from(["text", "thinking", "tool_use", "server", "compaction"]))
        ident = f"toolu_{number}_{index}"
        if kind == "text":
            blocks.append({"type": "text", "text": draw(_TEXTS)})
        elif kind == "thinking":
            blocks.append({"type": "thinking", "thinking": draw(_TEXTS), "signature": "sig"})
        elif kind == "compaction":
            blocks.append({"type": "compaction", "content": draw(_TEXTS)})
        elif kind == "tool_use":
            blocks.append({"type": "tool_use", "id": ident, "name": "f", "input": draw(_INPUTS)})
        else:
            blocks += _server_tool(ident, draw(_INPUTS), draw(_TEXTS))
    return blocks


def _server_tool(ident: str, given: Any, printed: str) -> list[Event]:
    result = {"type": "bash_code_execution_result", "stdout": printed, "stderr": ""}
    return [
        {"type": "server_tool_use", "id": ident, "name": "bash", "input": given},
        {"type": "bash_code_execution_tool_result", "tool_use_id": ident, "content": result},
    ]


@st.composite
def messages(draw: st.DrawFn) -> list[Event]:
    """Draw a few whole messages."""
    return [
        {
            "id": f"msg_{number}",
            "type": "message",
            "role": "assistant",
            "model": "m",
            "content": draw(_blocks(number)),
            "stop_reason": draw(_STOPS),
            "usage": draw(_USAGE),
        }
        for number in range(draw(st.integers(0, 3)))
    ]


def live(whole: list[Event]) -> list[Event]:
    """Return whole messages as the events that stream them, a delta each."""
    return [event for message in whole for event in _streamed(message)]


def _streamed(message: Event) -> list[Event]:
    begun = {
        **message,
        "content": [],
        "stop_reason": None,
        "usage": {"input_tokens": 3, "output_tokens": 1},
    }
    events: list[Event] = [{"type": "message_start", "message": begun}]
    for index, block in enumerate(message["content"]):
        events += _block_events(index, block)
    delta = {"stop_reason": message["stop_reason"]}
    events.append({"type": "message_delta", "delta": delta, "usage": message["usage"]})
    return [*events, {"type": "message_stop"}]


def _block_events(index: int, block: Event) -> list[Event]:
    start, deltas = block, list[Event]()
    if block["type"] == "text":
        start = {**block, "text": ""}
        deltas = [{"type": "text_delta", "text": block["text"]}]
    elif block["type"] == "thinking":
        start = {**block, "thinking": "", "signature": ""}
        deltas = [
            {"type": "thinking_delta", "thinking": block["thinking"]},
            {"type": "signature_delta", "signature": block["signature"]},
        ]
    elif block["type"] == "compaction":
        start = {**block, "content": None}
        deltas = [{"type": "compaction_delta", "content": block["content"]}]
    elif "input" in block:
        start = {**block, "input": {}}
        given = json.dumps(block["input"], ensure_ascii=False)
        deltas = [{"type": "input_json_delta", "partial_json": given}] if block["input"] else []
    return [
        {"type": "content_block_start", "index": index, "content_block": start},
        *[{"type": "content_block_delta", "index": index, "delta": each} for each in deltas],
        {"type": "content_block_stop", "index": index},
    ]


@st.composite
def split(draw: st.DrawFn, events: list[Event]) -> list[Event]:
    """Draw the same events with their deltas cut into pieces, pings between."""
    pieces: list[Event] = []
    for event in events:
        delta = event.get("delta", {})
        (field,) = [each for each in delta if each not in ("type", "stop_reason")] or [""]
        whole = delta.get(field, "")
        cuts = sorted(draw(st.lists(st.integers(0, len(whole)), max_size=3))) if field else []
        for start, end in zip([0, *cuts], [*cuts, len(whole)], strict=True):
            cut = {**event, "delta": {**delta, field: whole[start:end]}} if field else event
            pieces += [cut, {"type": "ping"}] if draw(st.booleans()) else [cut]
    return pieces


_INDEX = st.integers(0, 2)
_BLOCK = st.sampled_from(
    [
        {"type": "text", "text": "a"},
        {"type": "thinking", "thinking": ""},
        {"type": "redacted_thinking", "data": "x"},
        {"type": "tool_use", "id": "t1", "name": "f", "input": {}},
        {"type": "tool_use", "name": "f", "input": {"a": 1}},
        {"type": "server_tool_use", "id": "t2", "name": "g", "input": {}},
        {"type": "web_search_tool_result", "tool_use_id": "t2", "content": []},
        {"type": "compaction", "content": None},
        {"type": "fallback", "from": {}, "to": {}},
        {"type": "new"},
    ]
)
_DELTA = st.sampled_from(
    [
        {"type": "text_delta", "text": "b"},
        {"type": "thinking_delta", "thinking": "b"},
        {"type": "signature_delta", "signature": "s"},
        {"type": "input_json_delta", "partial_json": '{"a":'},
        {"type": "compaction_delta", "content": "c"},
        {"type": "citations_delta", "citation": {}},
        {"type": "new_delta"},
    ]
)
_EVENT = st.one_of(
    st.fixed_dictionaries(
        {"type": st.just("content_block_start"), "index": _INDEX, "content_block": _BLOCK}
    ),
    st.fixed_dictionaries(
        {"type": st.just("content_block_delta"), "index": _INDEX, "delta": _DELTA}
    ),
    st.fixed_dictionaries({"type": st.just("content_block_stop"), "index": _INDEX}),
    st.fixed_dictionaries(
        {"type": st.just("message_start")},
        optional={
            "message": st.fixed_dictionaries(
                {"id": st.sampled_from(["m1", "m2"])},
                optional={
                    "content": st.lists(_BLOCK, max_size=2),
                    "usage": _USAGE,
                    "model": st.just("m"),
                },
            )
        },
    ),
    st.fixed_dictionaries(
        {"type": st.just("message_delta")},
        optional={"delta": st.fixed_dictionaries({"stop_reason": _STOPS}), "usage": _USAGE},
    ),
    st.just({"type": "message_stop"}),
    st.just({"type": "ping"}),
    st.just({"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}),
    st.just({"type": "new"}),
)

chaos: st.SearchStrategy[list[Event]] = st.lists(_EVENT, max_size=14)
