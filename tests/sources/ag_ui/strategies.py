"""AG-UI conversations, as a stream of events and as a snapshot, and events without discipline."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

__all__ = ["chaos", "conversations", "live", "split", "stored"]

Event = dict[str, Any]

_TEXTS = st.sampled_from(["a", "hello", "two\nlines", "é🌟", " x ", "a" * 40])
_PARTS = st.sampled_from(
    [
        {"type": "text", "text": "look"},
        {"type": "image", "source": {"type": "url", "value": "https://a.example/x.png"}},
        {"type": "image", "source": {"type": "data", "value": "AAAA", "mimeType": "image/png"}},
    ]
)


def _user(ident: str) -> st.SearchStrategy[Event]:
    return _TEXTS.map(lambda text: {"id": ident, "role": "user", "content": text})


def _spoken(role: str, ident: str) -> st.SearchStrategy[Event]:
    return _TEXTS.map(lambda text: {"id": ident, "role": role, "content": text})


def _call(ident: str) -> st.SearchStrategy[list[Event]]:
    arguments = st.dictionaries(st.sampled_from("ab"), st.integers(0, 9)).map(json.dumps)
    return st.tuples(arguments, _TEXTS | st.lists(_PARTS, min_size=1, max_size=2)).map(
        lambda drawn: [
            {
                "id": f"m{ident}",
                "role": "assistant",
                "toolCalls": [
                    {
                        "id": ident,
                        "type": "function",
                        "function": {"name": "f", "arguments": drawn[0]},
                    }
                ],
            },
            {"id": f"r{ident}", "role": "tool", "toolCallId": ident, "content": drawn[1]},
        ]
    )


@st.composite
def conversations(draw: st.DrawFn) -> list[Event]:
    """Draw the messages of a conversation: a user's, then thinking, calls and texts, and so on."""
    messages: list[Event] = []
    for turn in range(draw(st.integers(0, 2))):
        messages.append(draw(_user(f"u{turn}")))
        for step in range(draw(st.integers(0, 3))):
            ident = f"{turn}.{step}"
            kind = draw(st.sampled_from(["assistant", "reasoning", "system", "call"]))
            messages += draw(_call(ident)) if kind == "call" else [draw(_spoken(kind, ident))]
    return messages


def stored(messages: list[Event]) -> list[Event]:
    """Return a conversation as one run's snapshot."""
    return _run([{"type": "MESSAGES_SNAPSHOT", "messages": messages}])


def live(messages: list[Event]) -> list[Event]:
    """Return a conversation as the events that stream it, a delta each."""
    return _run([event for message in messages for event in _streamed(message)])


def _run(events: list[Event]) -> list[Event]:
    names = {"threadId": "t", "runId": "r"}
    usage = [{"inputTokens": 7, "outputTokens": 5, "cachedInputTokens": 2}]
    start, end = {"type": "RUN_STARTED", **names}, {"type": "RUN_FINISHED", **names, "usage": usage}
    return [start, *events, end]


def _streamed(message: Event) -> list[Event]:
    if message["role"] == "tool":
        return [
            {
                "type": "TOOL_CALL_RESULT",
                "messageId": message["id"],
                "toolCallId": message["toolCallId"],
                "content": message["content"],
            }
        ]
    if "toolCalls" in message:
        return [event for call in message["toolCalls"] for event in _call_events(call)]
    medium = "REASONING_MESSAGE" if message["role"] == "reasoning" else "TEXT_MESSAGE"
    named = {"messageId": message["id"]}
    return [
        {"type": f"{medium}_START", **named, "role": message["role"]},
        {"type": f"{medium}_CONTENT", **named, "delta": message["content"]},
        {"type": f"{medium}_END", **named},
    ]


def _call_events(call: Event) -> list[Event]:
    named, function = {"toolCallId": call["id"]}, call["function"]
    return [
        {"type": "TOOL_CALL_START", **named, "toolCallName": function["name"]},
        {"type": "TOOL_CALL_ARGS", **named, "delta": function["arguments"]},
        {"type": "TOOL_CALL_END", **named},
    ]


@st.composite
def split(draw: st.DrawFn, events: list[Event]) -> list[Event]:
    """Draw the same events with their deltas cut into pieces."""
    pieces: list[Event] = []
    for event in events:
        whole = event.get("delta")
        if not isinstance(whole, str):
            pieces.append(event)
            continue
        cuts = sorted(draw(st.lists(st.integers(0, len(whole)), max_size=3)))
        for start, end in zip([0, *cuts], [*cuts, len(whole)], strict=True):
            pieces.append({**event, "delta": whole[start:end]})
    return pieces


_IDS = st.sampled_from(["m1", "m2", "c1", ""])
_PATCH = st.lists(
    st.fixed_dictionaries(
        {
            "op": st.sampled_from(["add", "replace", "remove"]),
            "path": st.sampled_from(["/a", "", "/b/0"]),
        },
        optional={"value": st.sampled_from([1, [], {"b": [0]}])},
    ),
    max_size=2,
)


def _event(kind: str) -> st.SearchStrategy[Event]:
    return st.fixed_dictionaries(
        {"type": st.just(kind)},
        optional={
            "messageId": _IDS,
            "toolCallId": _IDS,
            "toolCallName": st.just("f"),
            "role": st.sampled_from(["assistant", "user", "system", "reasoning"]),
            "delta": _TEXTS | _PATCH,
            "content": _TEXTS | st.lists(_PARTS, max_size=2) | st.just({"a": 1}),
            "threadId": st.just("t"),
            "runId": st.just("r"),
            "subagentRunId": st.sampled_from(["s1", "s2"]),
            "parentSubagentRunId": st.sampled_from(["s1", "s2", "s3"]),
            "parentToolCallId": _IDS,
            "snapshot": st.just({"a": 1, "b": [1]}),
            "patch": _PATCH,
            "activityType": st.just("PLAN"),
            "messages": conversations(),
            "stepName": _TEXTS,
            "message": _TEXTS,
            "outcome": st.sampled_from(
                [{"type": "cancelled"}, {"type": "interrupt", "interrupts": [{}]}]
            ),
            "usage": st.just([{"inputTokens": 1}]),
            "timestamp": st.sampled_from([0, 1_783_209_600_000, 1e300, "x"]),
        },
    )


def chaos(kinds: list[str]) -> st.SearchStrategy[list[Event]]:
    """Draw events of the given types in any order, their ids colliding."""
    return st.lists(st.sampled_from([*kinds, "NEW"]).flatmap(_event), max_size=12)
