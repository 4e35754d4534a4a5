"""Wires for properties: disciplined conversations, and messages broken in any place."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import strategies as st

from tests.sources.acp.wire import (
    asks,
    call,
    cancelled,
    change,
    chooses,
    ended,
    prompt,
    request,
    result,
    said,
    shown,
    thought,
    update,
    user,
)

__all__ = ["anything", "broken_wires", "conversations", "wires"]

_LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(["", "t", "completed", "session/update", "\ud83d", "text"])
)
anything: st.SearchStrategy[Any] = st.recursive(
    _LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["type", "text", "id", "content", "_meta"]), inner)
    ),
    max_leaves=6,
)
_words = st.sampled_from(["a", "hello ", "\n", "", "é\ud83d"])
_ids = st.sampled_from(["t", "u", ""])
_sessions = st.sampled_from(["ses", "ses", "kid", None])
_statuses = st.sampled_from(["pending", "in_progress", "completed", "failed", "cancelled", "odd"])


@st.composite
def _messages(draw: st.DrawFn) -> Any:
    words, identity, session = draw(_words), draw(_ids), draw(_sessions)
    status, number = draw(_statuses), draw(st.integers(0, 2))
    tool = {"toolCallId": identity, "title": words}
    meta = draw(
        st.sampled_from(
            [
                {},
                {"claudeCode": {"parentToolUseId": "t", "toolName": "Read"}},
                {"codex": {"phase": "commentary", "subagent": {"threadId": "kid"}}},
                {"terminal_output_delta": {"terminal_id": "x", "data": words}},
                {"contextCompaction": {}},
            ]
        )
    )
    return draw(
        st.sampled_from(
            [
                said(words, session=session),
                said(words, session=session, messageId="m"),
                thought(words, session=session, _meta=meta),
                user(words, session=session),
                update("agent_message", session, messageId="m", content=[{"text": words}]),
                update("user_message", session, messageId="u", content=None),
                call(identity, session=session, status=status, title=words, _meta=meta),
                call(identity, session=session, rawInput={}, content=shown(words)),
                change(identity, session=session, status=status, _meta=meta),
                change(
                    identity, session=session, content=shown(words), rawOutput={"isError": True}
                ),
                update(
                    "tool_call_content_chunk", session, toolCallId=identity, content={"text": "c"}
                ),
                update("compaction_update", session, compactionId=identity, status=status),
                update("plan_update", session, plan={"planId": identity, "content": words}),
                update("usage_update", session, used=number, size=10),
                update("notice", session, severity="info", title=words),
                update("state_update", session, state="idle", stopReason="end_turn"),
                update("terminal_output_chunk", session, terminalId="x", data="QUJD"),
                update("subagent_update", "kid"),
                prompt(words, number),
                ended("end_turn", number),
                ended("cancelled", number),
                ended("refusal", number, usage={"totalTokens": 5, "inputTokens": 5}),
                {"jsonrpc": "2.0", "id": number, "error": {"code": -1, "message": words}},
                asks(number, tool),
                chooses(number, "y"),
                cancelled(),
                request(number, "session/new", cwd="/w"),
                request(number, "session/load", sessionId="ses"),
                request(number, "elicitation/create", message=words),
                result(number, sessionId="ses", modes={"currentModeId": words}),
                words,
            ]
        )
    )


wires: st.SearchStrategy[list[Any]] = st.lists(_messages(), max_size=25)


@st.composite
def _broken(draw: st.DrawFn) -> Any:
    """Return a message with something else in one of its places."""
    message = copy.deepcopy(draw(_messages()))
    place, key = None, None
    holder = message
    while isinstance(holder, dict | list) and holder and draw(st.integers(0, 3)):
        keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        place, key = holder, draw(st.sampled_from(keys))
        holder = place[key]
    if place is None:
        return draw(anything)
    place[key] = draw(anything)
    return message


broken_wires: st.SearchStrategy[list[Any]] = st.lists(_broken() | _messages(), max_size=20)


@st.composite
def conversations(draw: st.DrawFn) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return prompts, each with what the agent says and does: kinds and texts, no two alike in a row."""
    turns = []
    for turn in range(draw(st.integers(1, 3))):
        kinds = draw(
            st.lists(st.sampled_from(["agent", "thought", "call"]), min_size=1, max_size=5)
        )
        steps = [
            (kind, draw(st.text("ab \n", min_size=1, max_size=8)))
            for place, kind in enumerate(kinds)
            if kind == "call" or place == 0 or kinds[place - 1] != kind
        ]
        turns.append((f"prompt {turn}", steps))
    return turns
