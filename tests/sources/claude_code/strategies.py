"""Awkward records first, then plausible sessions."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tests.sources.claude_code.transcripts import (
    Raw,
    assistant,
    attachment,
    call,
    result,
    system,
    text,
    thinking,
    tokens,
    user,
)

__all__ = ["any_json", "any_records", "sessions"]

FIELDS = [
    "type",
    "subtype",
    "uuid",
    "parentUuid",
    "sessionId",
    "requestId",
    "timestamp",
    "isSidechain",
    "isMeta",
    "isCompactSummary",
    "isApiErrorMessage",
    "agentId",
    "agentType",
    "toolUseId",
    "parentToolUseID",
    "message",
    "content",
    "attachment",
    "data",
    "toolUseResult",
    "error",
    "retryInMs",
    "operation",
    "summary",
    "leafUuid",
    "customTitle",
    "compactMetadata",
    "forkedFrom",
    "effort",
]
INNER = [
    "role",
    "content",
    "id",
    "model",
    "usage",
    "type",
    "text",
    "thinking",
    "name",
    "input",
    "tool_use_id",
    "is_error",
    "source",
    "data",
    "prompt",
    "commandMode",
    "agentId",
    "message",
    "todos",
    "newTodos",
    "task",
    "statusChange",
    "taskId",
    "status",
    "trigger",
    "preTokens",
    "durationMs",
    "output_tokens",
]
WORDS = [
    "user",
    "assistant",
    "system",
    "attachment",
    "progress",
    "agent_progress",
    "summary",
    "queue-operation",
    "enqueue",
    "remove",
    "queued_command",
    "prompt",
    "text",
    "thinking",
    "tool_use",
    "tool_result",
    "image",
    "Task",
    "TodoWrite",
    "TaskCreate",
    "TaskUpdate",
    "api_error",
    "compact_boundary",
    "local_command",
    "turn_duration",
    "<bash-input>ls</bash-input>",
    "<command-name>/x</command-name>",
    "[Request interrupted by user]",
    "a",
    "b",
    "",
    "2026-01-01T00:00:00.000Z",
    "yesterday",
    "\ud800",
]


def any_json() -> st.SearchStrategy[Any]:
    """Return JSON values made of the words and fields that mean something here."""
    scalars = (
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats()
        | st.sampled_from(WORDS)
        | st.text(max_size=3)
    )
    return st.recursive(
        scalars,
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(INNER), inner, max_size=4)
        ),
        max_leaves=10,
    )


def any_records() -> st.SearchStrategy[Raw]:
    """Return objects with the fields of records, and anything in them."""
    return st.dictionaries(st.sampled_from(FIELDS), any_json(), max_size=7)


@st.composite
def sessions(draw: st.DrawFn) -> list[Raw]:
    """Draw the records of a plausible session: turns, tools, copies, compactions, errors."""
    records: list[Raw] = []
    for turn in range(draw(st.integers(1, 4))):
        records += _opening(draw, turn)
        for response in range(draw(st.integers(0, 3))):
            records += _response(draw, f"{turn}.{response}")
        records += draw(
            st.sampled_from([[], [], [user("[Request interrupted by user]", f"i{turn}")]])
        )
    copies = draw(st.lists(st.sampled_from(records), max_size=3))
    return _timed(draw, records + copies)


def _opening(draw: st.DrawFn, turn: int) -> list[Raw]:
    prompt = user(draw(st.sampled_from(["hi", "go on", "hi"])), f"u{turn}")
    boundary = [
        system("compact_boundary", f"b{turn}", compactMetadata={"trigger": "auto"}),
        user("summary", f"s{turn}", isCompactSummary=True),
    ]
    others = [
        [],
        [],
        boundary,
        [system("turn_duration", f"e{turn}")],
        [user("<bash-input>ls</bash-input>", f"sh{turn}")],
        [system("api_error", f"r{turn}", retryInMs=10, error={"status": 529})],
        [{"type": "custom-title", "customTitle": f"t{turn}"}],
    ]
    return [*draw(st.sampled_from(others)), prompt]


def _response(draw: st.DrawFn, name: str) -> list[Raw]:
    calls = draw(st.integers(0, 2))
    blocks = [
        *draw(st.sampled_from([[], [thinking(f"hm {name}")], [text(" ")]])),
        text(f"said {name}"),
        *[call(f"t{name}.{each}") for each in range(calls)],
    ]
    fresh, output = draw(st.integers(0, 9)), 0
    lines: list[Raw] = []
    for index, block in enumerate(blocks):
        output += draw(st.integers(0, 9))
        usage = tokens(output, fresh=fresh)
        lines.append(assistant(block, uuid=f"a{name}.{index}", id=f"m{name}", usage=usage))
    results = [result(f"t{name}.{each}", uuid=f"r{name}.{each}") for each in range(calls)]
    between = draw(st.booleans()) and calls == 2
    steered = [attachment(f"q{name}", type="queued_command", commandMode="prompt", prompt="and")]
    tail = draw(st.sampled_from([[], steered]))
    if between:
        return [*lines[:-1], results[0], lines[-1], results[1], *tail]
    return [*lines, *results[: draw(st.integers(0, calls))], *tail]


def _timed(draw: st.DrawFn, records: list[Raw]) -> list[Raw]:
    second = 0
    timed = []
    for record in records:
        second += draw(st.integers(-1, 5))
        stamp = f"2026-01-01T00:{max(0, second) // 60:02}:{max(0, second) % 60:02}.000Z"
        timed.append({"timestamp": stamp, **record})
    return timed
