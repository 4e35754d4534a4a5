"""A transcript and the logs beside it: the laws, and what the facts say."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from refold import Session, apply, settled
from refold.decode import encode
from refold.json_values import thaw
from refold.messages import (
    Fact,
    Message,
    PartialText,
    PartialThinking,
    PartialToolCall,
    PartialToolCallOutput,
    Text,
)
from refold.sources.claude_code import SOURCE
from refold.sources.claude_hooks import SOURCE as HOOKS
from refold.sources.claude_hooks import beside
from refold.sources.omni import SOURCE as OMNI
from refold.sources.source import Record, Source
from refold.views import View
from tests.sources.claude_hooks.strategies import (
    any_json,
    chunked,
    deltas_of,
    hook,
    hook_logs,
)
from tests.strategies import chaotic_streams, disciplined_streams

PARTIALS = (PartialText, PartialThinking, PartialToolCall, PartialToolCallOutput)


def run(source: Source, records: Sequence[Any], *, finish: bool = True) -> list[Message]:
    state, messages = source.start(), []
    for line, value in enumerate(records, 1):
        state, more = source.step(state, Record(value=value, line=line), 5_000 + line)
        messages += more
    return messages + list(source.finish(state)) if finish else messages


def fold(messages: Sequence[Message]) -> Session:
    session = Session()
    for message in messages:
        session = apply(session, message, now_ms=0)
    return session


def view_without_live_facts(messages: Sequence[Message]) -> View:
    durable = [
        each
        for each in messages
        if not (isinstance(each.payload, Fact) and each.payload.name.startswith("live."))
    ]
    with_facts, without = settled(fold(messages)), settled(fold(durable))
    assert with_facts.items == without.items, "a live fact changed an item"
    return without


def facts(messages: Sequence[Message]) -> list[tuple[str, Any]]:
    return [
        (each.payload.name, thaw(each.payload.value))
        for each in messages
        if isinstance(each.payload, Fact)
    ]


def delta_records(text: str, message_id: str, pieces: tuple[str, ...]) -> list[dict[str, Any]]:
    del text
    return [
        {
            "message_id": each.message_id,
            "index": each.index,
            "final": each.final,
            "delta": each.text,
        }
        for each in deltas_of(message_id, pieces)
    ]


@st.composite
def logs(draw: st.DrawFn, texts: list[str]) -> list[Any]:
    """Deltas of some of the texts and of others, cut anywhere, with hooks and snapshots among them."""
    records: list[Any] = []
    for number, text in enumerate([*texts, "never said"]):
        pieces = delta_records(text, f"m{number}", draw(chunked(text)))
        records += draw(
            st.sampled_from([pieces, pieces, pieces[:-1], pieces[::-1], [*pieces, *pieces], []])
        )
    records += draw(st.lists(hook_logs(), max_size=4))
    records += draw(st.lists(st.just({"cost": {"total_cost_usd": 1.5}, "model": "m"}), max_size=1))
    return records


@st.composite
def interleaved(draw: st.DrawFn, transcript: list[Any], texts: list[str]) -> list[Any]:
    """The transcript in its order, the logs anywhere among it and behind it."""
    places = draw(logs(texts)) if draw(st.booleans()) else draw(logs(texts[:2]))
    merged: list[tuple[float, Any]] = [(float(n), each) for n, each in enumerate(transcript)]
    merged += [(draw(st.integers(0, len(transcript))) - 0.5, each) for each in places]
    return [value for _, value in sorted(merged, key=lambda pair: pair[0])]


def omni_transcript(stream: list[Message]) -> tuple[list[Any], list[str]]:
    durable = [each for each in stream if not isinstance(each.payload, PARTIALS)]
    texts = [
        each.payload.text
        for each in durable
        if isinstance(each.payload, Text) and each.payload.role == "assistant" and not each.origin
    ]
    return [encode(each) for each in durable], texts


@settings(max_examples=50)
@given(st.data(), disciplined_streams() | chaotic_streams())
def test_law_12_live_and_stored_settle_the_same_beside_any_transcript(
    data: st.DataObject, stream: list[Message]
) -> None:
    transcript, texts = omni_transcript(stream)
    live = data.draw(interleaved(transcript, texts))
    stored = run(OMNI, transcript)
    assert view_without_live_facts(run(beside(OMNI), live)) == settled(fold(stored))


CLAUDE = [
    {"type": "user", "uuid": "u1", "message": {"role": "user", "content": "go"}},
    {"type": "assistant", "uuid": "a1", "text": "Sure."},
    {"type": "assistant", "uuid": "a2", "tool": "t1"},
    {"type": "user", "uuid": "r1", "result": "t1"},
    {"type": "assistant", "uuid": "a3", "text": "Sure."},
    {"type": "assistant", "uuid": "a4", "text": "I will look"},
    {
        "type": "user",
        "uuid": "i1",
        "message": {"role": "user", "content": "[Request interrupted by user]"},
    },
    {"type": "user", "uuid": "u2", "message": {"role": "user", "content": "again"}},
    {"type": "assistant", "uuid": "a5", "text": "I will"},
    {
        "type": "system",
        "subtype": "compact_boundary",
        "uuid": "k1",
        "compactMetadata": {"trigger": "auto"},
    },
    {
        "type": "user",
        "uuid": "k2",
        "isCompactSummary": True,
        "message": {"role": "user", "content": "so far"},
    },
    {"type": "assistant", "uuid": "a6", "text": "OK"},
]


def claude_record(number: int, sketch: dict[str, Any]) -> dict[str, Any]:
    """Return a whole transcript record of a sketch."""
    block: Any = {"type": "text", "text": sketch.get("text", "")}
    if "tool" in sketch:
        block = {"type": "tool_use", "id": sketch["tool"], "name": "Bash", "input": {}}
    message = {"id": f"msg{number}", "role": "assistant", "model": "m", "content": [block]}
    if "result" in sketch:
        result = {"type": "tool_result", "tool_use_id": sketch["result"], "content": "done"}
        message = {"role": "user", "content": [result]}
    timed = {
        "sessionId": "s1",
        "timestamp": f"2026-07-05T00:00:{number:02d}.000Z",
        "message": message,
    }
    return {
        **timed,
        **{key: each for key, each in sketch.items() if key not in ("text", "tool", "result")},
    }


TRANSCRIPT = [claude_record(number, sketch) for number, sketch in enumerate(CLAUDE)]
SAID = [each["text"] for each in CLAUDE if "text" in each]


@settings(max_examples=50)
@given(st.data())
def test_law_12_live_and_stored_settle_the_same_beside_a_claude_code_transcript(
    data: st.DataObject,
) -> None:
    live = data.draw(interleaved(TRANSCRIPT, SAID))
    stored = settled(fold(run(SOURCE, TRANSCRIPT)))
    assert view_without_live_facts(run(beside(SOURCE), live)) == stored


@given(st.data())
def test_law_5_how_the_deltas_are_cut_changes_nothing_in_the_end(data: st.DataObject) -> None:
    def read() -> View:
        pieces = [
            delta_records(each, f"m{n}", data.draw(chunked(each)))
            for n, each in enumerate(SAID[:2])
        ]
        records = [TRANSCRIPT[0], *pieces[0], *TRANSCRIPT[1:4], *pieces[1], *TRANSCRIPT[4:]]
        return settled(fold(run(beside(SOURCE), records)))

    assert read() == read()


@given(st.lists(any_json | hook_logs() | st.sampled_from(TRANSCRIPT), max_size=12))
def test_law_3_no_record_of_any_shape_raises_and_none_is_lost(records: list[Any]) -> None:
    source = beside(SOURCE)
    state = source.start()
    for record in records:
        state, _ = source.step(state, Record(value=record), None)
    assert all(count > 0 for count in source.counts(state).values())
    fold(run(source, records))


@given(st.lists(any_json | hook_logs() | st.sampled_from(TRANSCRIPT), max_size=8))
def test_law_1_the_same_records_give_the_same_messages(records: list[Any]) -> None:
    source = beside(SOURCE)
    assert run(source, records) == run(source, records)


@given(st.lists(hook_logs(), max_size=6), hook_logs())
def test_a_state_that_is_stepped_stays_as_it_was(records: list[Any], one: dict[str, Any]) -> None:
    state = HOOKS.start()
    for record in records:
        state, _ = HOOKS.step(state, Record(value=record), None)
    assert HOOKS.step(state, Record(value=one), None) == HOOKS.step(state, Record(value=one), None)


STEERED = {
    "type": "attachment",
    "uuid": "q1",
    "attachment": {"type": "queued_command", "prompt": "STOP", "commandMode": "prompt"},
}
IMAGE = {"type": "base64", "media_type": "image/png", "data": "AA"}
PICTURE = {
    "type": "user",
    "uuid": "u9",
    "message": {"role": "user", "content": [{"type": "image", "source": IMAGE}]},
}


def test_a_fact_waits_while_an_image_may_still_join_a_steering() -> None:
    source = beside(SOURCE)
    records = [*TRANSCRIPT[:2], STEERED, hook("Stop", at=60), hook("PreCompact", at=61)]
    held = run(source, records, finish=False)
    assert "live.compacting" not in dict(facts(held))
    told = dict(facts(run(source, [*records, PICTURE, TRANSCRIPT[4]], finish=False)))
    assert told["live.compacting"] is True
    assert told["live.status"]["state"] == "running"
    assert dict(facts(run(source, records)))["live.status"]["state"] == "idle"


def test_no_preview_is_taken_back_while_an_image_may_still_join_a_steering() -> None:
    first, second = delta_records("", "m1", ("Half", "!")), delta_records("", "m2", ("Whole", "!"))
    records = [*TRANSCRIPT[:1], first[0], STEERED, second[0], PICTURE, TRANSCRIPT[2]]
    session = fold(run(beside(SOURCE), records, finish=False))
    assert [item.kind for item in session.items] == [
        "user_text",
        "user_steering",
        "tool_call",
        "assistant_text",
    ]
    assert str(session.items[-1].text) == "Whole"


def test_a_delta_log_alone_shows_each_text_as_it_streamed() -> None:
    records = [
        *delta_records("", "m1", ("Su", "re.")),
        *delta_records("", "m2", ("Do", "ne")),
    ]
    items = fold(run(HOOKS, records, finish=False)).items
    assert [str(each.text) for each in items if each.kind == "assistant_text"] == ["Done"]


def test_the_worked_example_of_the_study() -> None:
    first, second = (
        delta_records("", "m", ("Su", "re.")),
        delta_records("", "m2", ("I will ", "look")),
    )
    records = [
        TRANSCRIPT[0],
        first[0],
        first[1],
        TRANSCRIPT[1],
        second[0],
        TRANSCRIPT[2],
        TRANSCRIPT[3],
        second[1],
        TRANSCRIPT[5],
        hook("Stop", at=60, session_id="s1"),
    ]
    session = fold(run(beside(SOURCE), records, finish=False))
    assert [item.kind for item in session.items if item.kind != "task_stats"] == [
        "user_text",
        "assistant_text",
        "tool_call",
        "assistant_text",
    ]
    assert not any(getattr(item, "streaming", False) for item in session.items)
    assert thaw(session.facts["live.status"])["state"] == "idle"


def test_the_preview_of_a_text_stands_behind_a_tool_card_that_came_later() -> None:
    second = delta_records("", "m2", ("I will ", "look"))
    session = fold(run(beside(SOURCE), [TRANSCRIPT[0], second[0], TRANSCRIPT[2]], finish=False))
    assert [item.kind for item in session.items] == ["user_text", "tool_call", "assistant_text"]


def test_status_facts_tell_the_badge_and_only_what_is_known() -> None:
    records = [
        TRANSCRIPT[0],
        TRANSCRIPT[1],
        hook("Stop", at=60, session_id="s1", background_tasks=[{"status": "running"}]),
    ]
    told = [value for name, value in facts(run(beside(SOURCE), records)) if name == "live.status"]
    assert told == [
        {"state": "running", "turn": "a1", "background": 0},
        {"state": "waiting", "turn": "a1", "background": 1, "at_ms": 1_783_209_660_000},
    ]


def test_running_stands_in_front_of_what_shows_it() -> None:
    messages = run(beside(SOURCE), TRANSCRIPT[:2], finish=False)
    names = [getattr(each.payload, "name", each.payload.kind) for each in messages]
    assert names.index("live.status") < names.index("text", names.index("live.status"))


def test_hook_facts_have_no_time_of_their_own() -> None:
    records = [
        hook("SessionStart", at=0, session_id="s1"),
        hook("Stop", at=1),
        hook("PreCompact", at=2),
    ]
    assert {each.timestamp for each in run(HOOKS, records)} == {None}


def test_a_clear_takes_the_preview_back_and_forgets_the_todos() -> None:
    records = [
        hook("TaskCreated", at=0, task_id="1", task_subject="old"),
        *delta_records("", "m1", ("Half", " done"))[:1],
        hook("SessionStart", at=1, source="clear", session_id="s2", transcript_path="/p/s2.jsonl"),
        hook("TaskCreated", at=2, task_id="9", task_subject="new"),
    ]
    messages = run(HOOKS, records)
    assert list(settled(fold(messages)).items) == []
    told = dict(facts(messages))
    assert told["live.rotation"]["kind"] == "clear"
    assert [each["content"] for each in told["live.todos"]] == ["new"]


def test_a_snapshot_tells_its_figures_once() -> None:
    snapshot = {"context_window": {"context_window_size": 200_000}, "cost": {"total_cost_usd": 0.5}}
    told = facts(run(HOOKS, [snapshot, snapshot, {**snapshot, "model": {"id": "m"}}]))
    assert told == [
        ("live.usage", {"context_window": 200_000, "cumulative_cost_usd": 0.5}),
        ("live.usage", {"context_window": 200_000, "cumulative_cost_usd": 0.5, "model": "m"}),
    ]


def test_an_unknown_hook_is_counted_and_a_late_delta_too() -> None:
    source = HOOKS
    state = source.start()
    late = delta_records("", "m", ("a", "b"))[0]
    for record in [{"payload": {"hook_event_name": "NextYear"}}, late, late, {"odd": 1}]:
        state, _ = source.step(state, Record(value=record), None)
    assert source.counts(state) == {
        "unknown hook: NextYear": 1,
        "late delta": 1,
        "unknown: record None": 1,
    }


def test_logs_and_transcripts_are_recognised_and_nothing_else() -> None:
    log, deltas = [hook("Stop", at=0)], delta_records("", "m", ("a", "b"))
    assert HOOKS.recognises(log) and HOOKS.recognises(deltas) and HOOKS.recognises([*log, *deltas])
    assert not HOOKS.recognises([]) and not HOOKS.recognises([{"type": "user"}, 3])
    assert not HOOKS.recognises([{"payload": {"hook_event_name": "order.created"}}])
    assert beside(SOURCE).recognises(TRANSCRIPT) and beside(SOURCE).recognises(log)


def test_messages_of_a_merged_log_are_json_after_all() -> None:
    records = [*TRANSCRIPT[:3], hook("Stop", at=9), *delta_records("", "m", ("a", "\ud83d"))]
    assert json.dumps([encode(each) for each in run(beside(SOURCE), records)])
