"""Requests from sessions that were really folded."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refold import Message, Session, View, replay, settled
from refold.policies.projection import DIALECTS, Dialect, project
from refold.recording import record
from tests.policies.checkers import complaints
from tests.strategies import chaotic_streams, disciplined_streams

GOLDEN = Path(__file__).parents[3] / "golden" / "policies"
SESSIONS = sorted(path.stem for path in (GOLDEN / "sessions").glob("*.jsonl"))

dialects = st.sampled_from(sorted(DIALECTS))


def folded(messages: Any) -> Session:
    return replay(messages, now_ms=0)


def tree(view: Session | View) -> Iterator[Session | View]:
    yield view
    for nested in view.subagents.values():
        yield from tree(nested)


@settings(max_examples=150)
@given(chaotic_streams(), dialects)
def test_whatever_was_folded_every_session_of_the_tree_gives_a_valid_request(
    messages: list[Message], dialect: Dialect
) -> None:
    for session in tree(folded(messages)):
        assert complaints(dialect, project(session, dialect)) == []


@settings(max_examples=100)
@given(disciplined_streams(), dialects)
def test_a_session_seen_live_and_one_replayed_give_the_same_request(
    messages: list[Message], dialect: Dialect
) -> None:
    live, replayed = settled(folded(messages)), settled(folded(list(record(messages))))
    assert project(live, dialect) == project(replayed, dialect)


def test_there_are_real_sessions() -> None:
    assert SESSIONS == ["abort", "compact", "deny", "image", "parallel", "subagent"]


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", SESSIONS)
def test_a_real_session_gives_the_request_that_was_looked_at(name: str, dialect: Dialect) -> None:
    lines = (GOLDEN / "sessions" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    expected = json.loads((GOLDEN / "requests" / f"{name}.json").read_text(encoding="utf-8"))
    request = project(folded([json.loads(line) for line in lines]), dialect)
    assert request == expected[dialect]
    assert complaints(dialect, request) == []


def say(role: str, text: str, reason: str = "completed") -> dict[str, Any]:
    return model({"type": "text", "role": role, "text": text, "stop_reason": reason})


def model(payload: dict[str, Any]) -> dict[str, Any]:
    return {"type": "model_msg", "payload": payload}


def event(kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": "event_msg", "payload": {"type": kind, **fields}}


def call(call_id: str) -> dict[str, Any]:
    named = {"name": "run", "arguments": "{}", "tool_call_id": call_id}
    return model({"type": "tool_call", "role": "assistant", **named})


def output(call_id: str, text: str) -> dict[str, Any]:
    said = {"output": text, "tool_call_id": call_id}
    return model({"type": "tool_call_output", "role": "user", **said})


def piece(event_type: str, text: str) -> dict[str, Any]:
    said = {"event_type": event_type, "text": text}
    return model({"type": "partial_text", "role": "assistant", **said})


HI, OK = {"role": "user", "content": "hi"}, {"role": "assistant", "content": "ok"}
CALLED = {
    "role": "assistant",
    "content": "",
    "tool_calls": [{"id": "1", "type": "function", "function": {"name": "run", "arguments": "{}"}}],
}

FAULTS: dict[str, tuple[list[dict[str, Any]], list[dict[str, Any]]]] = {
    "an orphan result is no result": (
        [say("user", "hi"), output("99", "x"), say("assistant", "ok")],
        [
            HI,
            OK,
        ],
    ),
    "a crash leaves a call that was cancelled": (
        [say("user", "hi"), event("request_begin"), call("1"), say("user", "hi")],
        [HI, CALLED, {"role": "tool", "tool_call_id": "1", "content": "cancelled"}, HI],
    ),
    "a failed attempt is told once, by its retry": (
        [
            say("user", "hi"),
            event("request_begin"),
            piece("start", "o"),
            event("request_end", status="timeout"),
            event("request_begin"),
            piece("start", "o"),
            piece("delta", "k"),
            piece("stop", ""),
            say("assistant", "ok"),
            event("request_end", status="completed"),
        ],
        [HI, OK],
    ),
    "a failed attempt that was recorded is told once too": (
        [say("user", "hi"), say("assistant", "o", "timeout"), say("assistant", "ok")],
        [HI, OK],
    ),
    "blank replies are none": (
        [say("user", "hi"), say("assistant", ""), say("assistant", "  "), say("user", "hi")],
        [HI, HI],
    ),
    "steering goes out framed": (
        [say("user", "hi"), say("user", "[user_steering]\nfaster\n[/user_steering]\n")],
        [HI, {"role": "user", "content": "[user_steering]\nfaster\n[/user_steering]"}],
    ),
    "a compaction stands for what it summed up": (
        [
            say("user", "hi"),
            event("compaction_begin", reason="context", mode="summarize", context=9, turns=1),
            say("assistant", "[summary]greeted[/summary]"),
            event("compaction_end", reason="context", mode="summarize", status="completed"),
            say("assistant", "ok"),
        ],
        [{"role": "user", "content": "[context_summary]\ngreeted\n[/context_summary]"}, OK],
    ),
}


@pytest.mark.parametrize(("messages", "expected"), FAULTS.values(), ids=FAULTS)
def test_what_goes_wrong_elsewhere(
    messages: list[dict[str, Any]], expected: list[dict[str, Any]]
) -> None:
    assert project(folded(messages), "openai_chat") == {"messages": expected}
