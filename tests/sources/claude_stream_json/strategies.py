"""Records of headless and duplex runs: builders, and whole generated runs.

A generated run is disciplined: every block that streams gets its complete record, every turn its
result, and what the result counts is what the messages used.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from hypothesis import strategies as st

from refold import Session, replay
from refold.messages import Message, Payload
from refold.sources.claude_stream_json import SOURCE
from refold.sources.source import Record

JsonRecord = dict[str, Any]


def assistant(message_id: str | None, *blocks: JsonRecord, **fields: Any) -> JsonRecord:
    """Return a complete record of a message; ``usage``, ``model``, ``stop_reason`` go inside it."""
    inner = {each: fields.pop(each) for each in ("usage", "model", "stop_reason") if each in fields}
    message = {"role": "assistant", "content": list(blocks), **inner}
    if message_id is not None:
        message["id"] = message_id
    return {"type": "assistant", "message": message, "parent_tool_use_id": None, **fields}


def user(content: Any, **fields: Any) -> JsonRecord:
    """Return a user record."""
    message = {"role": "user", "content": content}
    return {"type": "user", "message": message, "parent_tool_use_id": None, **fields}


def tool_result(call_id: str, output: Any = "ok", **fields: Any) -> JsonRecord:
    """Return the record of a tool's result; ``is_error`` goes into its block."""
    block = {"type": "tool_result", "tool_use_id": call_id, "content": output}
    if "is_error" in fields:
        block["is_error"] = fields.pop("is_error")
    return user([block], **fields)


def system(subtype: str, **fields: Any) -> JsonRecord:
    """Return a system record."""
    return {"type": "system", "subtype": subtype, "session_id": "s", **fields}


def result(**fields: Any) -> JsonRecord:
    """Return a result that is a success unless it says otherwise."""
    return {"type": "result", "subtype": "success", "is_error": False, **fields}


def event(kind: str, parent: str | None = None, **fields: Any) -> JsonRecord:
    """Return a stream event."""
    inner = {"type": kind, **fields}
    return {"type": "stream_event", "event": inner, "parent_tool_use_id": parent, "uuid": "e"}


def text(words: str) -> JsonRecord:
    """Return a text block."""
    return {"type": "text", "text": words}


def thinking(words: str, signature: str = "c2ln") -> JsonRecord:
    """Return a thinking block."""
    return {"type": "thinking", "thinking": words, "signature": signature}


def tool_use(call_id: str, name: str = "Bash", **arguments: Any) -> JsonRecord:
    """Return a tool_use block."""
    return {"type": "tool_use", "id": call_id, "name": name, "input": arguments}


def usage(fresh: int = 0, output: int = 0, read: int = 0, written: int = 0) -> dict[str, int]:
    """Return a usage object."""
    return {
        "input_tokens": fresh,
        "cache_read_input_tokens": read,
        "cache_creation_input_tokens": written,
        "output_tokens": output,
    }


def messages_of(values: Iterable[Any], lane: str | None = None) -> list[Message]:
    """Return what the source makes of records."""
    return run(values, lane)[0]


def payloads_of(values: Iterable[Any], lane: str | None = None) -> list[Payload]:
    """Return the payloads of what the source makes of records."""
    return [message.payload for message in messages_of(values, lane)]


def fold(values: Iterable[Any]) -> Session:
    """Return the session that records fold to."""
    return replay(messages_of(values), now_ms=0)


def run(values: Iterable[Any], lane: str | None = None) -> tuple[list[Message], dict[str, int]]:
    """Return what the source makes of records, and what it didn't understand."""
    state = SOURCE.start()
    messages: list[Message] = []
    for line, value in enumerate(values, 1):
        state, more = SOURCE.step(state, Record(value=value, line=line, lane=lane), None)
        messages.extend(more)
    messages.extend(SOURCE.finish(state))
    return messages, SOURCE.counts(state)


def without_partials(values: Sequence[JsonRecord]) -> list[JsonRecord]:
    """Return a run as it is recorded without ``--include-partial-messages``."""
    return [value for value in values if value.get("type") != "stream_event"]


def streamed(
    message_id: str,
    blocks: Sequence[JsonRecord],
    used: dict[str, int],
    parent: str | None,
    size: int,
) -> list[JsonRecord]:
    """Return a message as the client writes it with partials.

    Args:
        message_id: its id.
        blocks: its blocks; each has a record of its own, in front of its stop.
        used: what it used in the end; its records tell a stale output of 1.
        parent: the call that spawned its session, if it is nested.
        size: how many characters a delta holds.
    """
    stale = {**used, "output_tokens": 1}
    shared: Any = {"usage": stale, "parent_tool_use_id": parent}
    start = {"id": message_id, "usage": stale, "content": []}
    found = [event("message_start", parent, message=start)]
    for index, block in enumerate(blocks):
        opening, deltas = _pieces(block, size)
        found.append(event("content_block_start", parent, index=index, content_block=opening))
        found += [event("content_block_delta", parent, index=index, delta=each) for each in deltas]
        found.append(assistant(message_id, block, **shared))
        found.append(event("content_block_stop", parent, index=index))
    found.append(event("message_delta", parent, delta={"stop_reason": "end_turn"}, usage=used))
    return [*found, event("message_stop", parent)]


def _pieces(block: JsonRecord, size: int) -> tuple[JsonRecord, list[JsonRecord]]:
    kind = block["type"]
    if kind == "tool_use":
        body = json.dumps(block["input"], ensure_ascii=False)
        named = {"type": "input_json_delta"}
        return {**block, "input": {}}, [{**named, "partial_json": p} for p in _cut(body, size)]
    deltas = [{"type": f"{kind}_delta", kind: piece} for piece in _cut(block[kind], size)]
    return {"type": kind, kind: ""}, deltas


def _cut(body: str, size: int) -> list[str]:
    return [body[start : start + size] for start in range(0, len(body), size)]


words = st.text(alphabet="ab é\n", max_size=8)
counts = st.builds(
    usage, st.integers(0, 9), st.integers(1, 9), st.integers(0, 9), st.integers(0, 9)
)


@st.composite
def runs(draw: st.DrawFn) -> list[JsonRecord]:
    """Generate a run with partials: turns of messages, calls with results, nested sessions."""
    size = draw(st.integers(1, 5))
    found = [system("init", model="m", cwd="/w", tools=["Bash"])]
    calls = iter(range(1000))
    for turn in range(draw(st.integers(1, 2))):
        found.append(user(f"prompt {turn}", timestamp=f"2026-01-01T00:0{turn}:00Z"))
        total = usage()
        for number in range(draw(st.integers(1, 3))):
            used = draw(counts)
            total = {name: total[name] + used[name] for name in total}
            blocks = [draw(_blocks(next(calls))) for _ in range(draw(st.integers(1, 3)))]
            found += streamed(f"m{turn}.{number}", blocks, used, None, size)
            for block in blocks:
                if block["type"] == "tool_use":
                    found += draw(_answers(block["id"], size))
        found.append(draw(st.sampled_from([result(usage=total), result(usage=total, result="x")])))
    return found


def _blocks(number: int) -> st.SearchStrategy[JsonRecord]:
    return st.one_of(
        words.map(text),
        words.map(thinking),
        words.map(lambda said: tool_use(f"t{number}", command=said)),
    )


@st.composite
def _answers(draw: st.DrawFn, call_id: str, size: int) -> list[JsonRecord]:
    found: list[JsonRecord] = []
    if draw(st.booleans()):
        found.append(user(draw(words) + "go", parent_tool_use_id=call_id))
        blocks = [draw(_blocks(0)) for _ in range(draw(st.integers(0, 2)))]
        blocks = [block for block in blocks if block["type"] != "tool_use"]
        if blocks:
            # Nobody corrects a nested session's stale figures, so it has none that are.
            found += streamed(f"n{call_id}", blocks, usage(3, 1), call_id, size)
    if draw(st.integers(0, 5)):
        found.append(tool_result(call_id, draw(words), timestamp="2026-01-01T00:00:30Z"))
    return found


json_values: st.SearchStrategy[Any] = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=4)
    | st.sampled_from(["m", "t", "s", "text", "tool_use", "success", "\ud800"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "id", "content", "text", "x"]), inner, max_size=4
        )
    ),
    max_leaves=8,
)

_FIELDS = (
    "message",
    "event",
    "request",
    "response",
    "subtype",
    "uuid",
    "parent_tool_use_id",
    "session_id",
    "timestamp",
    "tool_use_result",
    "permission_denials",
    "usage",
    "modelUsage",
    "result",
    "is_error",
    "errors",
    "request_id",
    "isSynthetic",
    "isReplay",
    "error",
    "model",
    "tools",
    "data",
)
_INNER = (
    "type",
    "id",
    "content",
    "usage",
    "index",
    "delta",
    "content_block",
    "message",
    "subtype",
    "request_id",
    "response",
    "behavior",
    "tool_name",
    "input",
    "tool_use_id",
    "model",
    "stop_reason",
    "text",
)


def hostile_records(types: Iterable[str], subtypes: Iterable[str]) -> st.SearchStrategy[Any]:
    """Generate records of known types with anything in their fields."""
    inner = st.dictionaries(
        st.sampled_from(_INNER),
        json_values | st.sampled_from([*subtypes, "text_delta", "message_start", "can_use_tool"]),
        max_size=6,
    )
    fields = st.dictionaries(st.sampled_from(_FIELDS), json_values | inner, max_size=7)
    kinds = st.sampled_from([*types])
    return st.builds(lambda kind, rest: {**rest, "type": kind}, kinds, fields) | json_values
