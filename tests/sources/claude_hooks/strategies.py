"""Turns as Claude Code writes them: texts in records, the same texts in pieces, hooks around them."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from hypothesis import strategies as st

from refold.sources.claude_hooks.deltas import Delta
from refold.sources.claude_hooks.join import JoinEvent, Said

__all__ = [
    "EPOCH_MS",
    "any_json",
    "chunked",
    "deltas_of",
    "hook",
    "hook_logs",
    "shuffled_turns",
    "texts",
]

EPOCH_MS = 1_783_209_600_000

# Texts that begin alike, are equal, hold halves of characters, or are blank.
texts = st.sampled_from(
    [
        "I",
        "I will",
        "I will look",
        "OK",
        "OK",
        "Sure.",
        "S",
        "a\U0001f600b",
        "a\U0001f600",
        "x" * 300,
    ]
)


def chunked(text: str) -> st.SearchStrategy[tuple[str, ...]]:
    """The text in pieces, which may cut a surrogate pair; at least one piece."""
    units = _halves(text)
    cuts = st.lists(st.integers(0, len(units)), max_size=4)
    return cuts.map(lambda at: _pieces(units, sorted(at)))


def deltas_of(message_id: str, pieces: tuple[str, ...]) -> tuple[Delta, ...]:
    """Return the deltas of a text in pieces."""
    last = len(pieces) - 1
    return tuple(
        Delta(message_id=message_id, index=index, final=index == last, text=piece)
        for index, piece in enumerate(pieces)
    )


@st.composite
def shuffled_turns(draw: st.DrawFn, *, losses: bool = False) -> tuple[list[JoinEvent], ...]:
    """Two arrival orders of one turn: its texts as records, and as deltas.

    Args:
        losses: whether deltas may be missing, repeated, or of a text no record brings.
    """
    said = draw(st.lists(texts, max_size=4))
    events: list[JoinEvent] = [Said(text=each) for each in said]
    streamed = said + (draw(st.lists(texts, max_size=2)) if losses else [])
    for number, text in enumerate(streamed):
        deltas = list(deltas_of(f"m{number}", draw(chunked(text))))
        if losses:
            deltas = draw(st.lists(st.sampled_from(deltas), max_size=2 * len(deltas)))
        events += deltas
    return draw(st.permutations(events)), draw(st.permutations(events))


any_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 10**30)
    | st.floats()
    | st.sampled_from(
        ["", "s1", "running", "completed", "main", "a/subagents/agent-x.jsonl", "\ud83d"]
    ),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
    ),
    max_leaves=8,
)

_EVENTS = st.sampled_from(
    [
        *["SessionStart", "Stop", "StopFailure", "UserPromptSubmit", "PreCompact", "PostToolUse"],
        *["TaskCreated", "TaskCompleted", "SubagentStop", "Nobody knows", ""],
    ]
)
_FIELDS = st.sampled_from(
    [
        *["session_id", "transcript_path", "source", "task_id", "task_subject", "tool_name"],
        *["tool_input", "background_tasks", "agent_id", "agent_transcript_path"],
        *["omnigent_clear_rotated_to", "omnigent_claude_session_was_seen"],
        "omnigent_fork_detected",
    ]
)
_LIKELY = st.fixed_dictionaries(
    {},
    optional={
        "session_id": st.sampled_from(["s1", "s2"]),
        "source": st.sampled_from(["startup", "resume", "clear", "compact"]),
        "task_id": st.sampled_from(["1", "2"]),
        "task_subject": st.sampled_from(["write", "test"]),
        "tool_name": st.sampled_from(["TodoWrite", "TaskUpdate", "Bash"]),
        "tool_input": st.sampled_from(
            [{"taskId": "1", "status": "in_progress"}, {"todos": [{"content": "a"}, 7]}]
        ),
        "background_tasks": st.just([{"status": "running"}, {"status": "killed"}, 3]),
        "transcript_path": st.sampled_from(["/p/s1.jsonl", "/p/s1/subagents/agent-a.jsonl"]),
    },
)


@st.composite
def hook_logs(draw: st.DrawFn) -> dict[str, Any]:
    """A hook record, likely or with any JSON in any field."""
    likely = draw(_LIKELY)
    odd = draw(st.dictionaries(_FIELDS, any_json, max_size=2))
    payload = {"hook_event_name": draw(_EVENTS), **likely, **odd}
    seconds = EPOCH_MS / 1000 + draw(st.integers(0, 50)) / 10
    return {"recorded_at": draw(st.just(seconds) | any_json), "payload": payload}


def hook(event: str, *, at: float | None = None, **payload: Any) -> dict[str, Any]:
    """Return a hook record, recorded ``at`` seconds behind the start."""
    recorded = {} if at is None else {"recorded_at": EPOCH_MS / 1000 + at}
    return {**recorded, "payload": {"hook_event_name": event, **payload}}


def _halves(text: str) -> list[bytes]:
    units = text.encode("utf-16-le", "surrogatepass")
    return [units[at : at + 2] for at in range(0, len(units), 2)]


def _pieces(units: list[bytes], cuts: list[int]) -> tuple[str, ...]:
    bounds = [0, *cuts, len(units)]
    pieces = [b"".join(units[a:b]) for a, b in pairwise(bounds)]
    return tuple(each.decode("utf-16-le", "surrogatepass") for each in pieces)
