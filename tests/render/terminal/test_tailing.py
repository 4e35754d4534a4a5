"""A session that goes on: everything that is settled is told once, in order, and as it comes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.folding import apply, finalize, replay
from refold.messages import (
    Abort,
    Message,
    PartialText,
    RequestEnd,
    Text,
    ToolCall,
    ToolCallOutput,
)
from refold.render.terminal.items import nested_of
from refold.render.terminal.layout import Layout
from refold.render.terminal.news import is_settled, news, standing_news
from refold.render.terminal.tailing import advanced, opened
from refold.session import Session
from refold.sources.files import read
from tests.render.terminal.showing import PENGUIN, golden_session, penguin, seen
from tests.strategies import any_streams, disciplined_streams, timed

LAYOUT = Layout(width=100)


def told(messages: list[Message], *, brief: bool, start: int = 0) -> list[str]:
    """Return what is told of messages, those behind ``start`` one by one."""
    session = replay(messages[:start], now_ms=0)
    tail, lines = opened(session, LAYOUT, brief=brief, tasks=None)
    for message in messages[start:]:
        session = apply(session, message, now_ms=0)
        tail, more = advanced(tail, session, LAYOUT)
        lines += more
    return seen(lines)


def settled_keys(session: Session, chain: tuple[str, ...] = ()) -> Iterator[tuple[Any, ...]]:
    placed = len(session.items) - len(session.floating)
    for item in session.items[:placed]:
        if is_settled(item):
            yield (chain, item.key)
    for name, nested in session.subagents.items():
        yield from settled_keys(nested, (*chain, name))


def said(text: str, role: str = "assistant") -> Text:
    return Text(role=role, text=text, stop_reason="completed")


def piece(event_type: str, text: str) -> PartialText:
    return PartialText(role="assistant", event_type=event_type, text=text)


# --- news -------------------------------------------------------------------------------------


@given(disciplined_streams(interruptions=False), st.integers(0, 20))
def test_everything_settled_is_news_once(messages: list[Message], start: int) -> None:
    session = replay(messages[:start], now_ms=0)
    found = [(each.chain, each.item.key) for each in standing_news(session, 0, whole=False)]
    for message in messages[start:]:
        later = apply(session, message, now_ms=0)
        found += [(each.chain, each.item.key) for each in news(session, later)]
        session = later
    # An item that another takes the place of was told, too; so nothing is missing, and what is
    # there isn't there twice.
    counts = Counter(found)
    assert set(settled_keys(session)) <= set(counts)
    assert all(counts[each] == 1 for each in settled_keys(session))


@given(any_streams())
def test_any_versions_have_news(messages: list[Message]) -> None:
    session = Session()
    tail, _ = opened(session, LAYOUT, brief=False, tasks=None)
    for message in messages:
        session = apply(session, message, now_ms=0)
        tail, _ = advanced(tail, session, LAYOUT)
    assert not list(news(session, session))


def test_what_streams_is_no_news_until_its_complete() -> None:
    pieces = [piece("start", "Hel"), piece("delta", "lo"), piece("stop", ""), said("Hello")]
    found = []
    session = Session()
    for message in timed([said("hi", "user"), *pieces]):
        later = apply(session, message, now_ms=0)
        found.append([each.item.key for each in news(session, later)])
        session = later
    assert found == [["user_text:1"], [], [], [], ["assistant_text:1"]]


def test_a_fragment_that_was_cut_off_is_told_once() -> None:
    cut = [piece("start", "Half"), RequestEnd(status="aborted"), said("Half"), Abort()]
    lines = told(timed([said("hi", "user"), *cut]), brief=True)
    assert sum("Half" in line for line in lines) == 1


def test_a_call_is_news_when_its_output_is_whole() -> None:
    call = ToolCall(role="assistant", name="Bash", arguments="{}", tool_call_id="1")
    output = ToolCallOutput(role="user", output="done", tool_call_id="1")
    before = replay(timed([said("hi", "user"), call]), now_ms=0)
    after = apply(before, timed([output])[0], now_ms=0)
    assert [each.item.key for each in news(before, after)] == ["tool_call:1"]


# --- lines ------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", ["basic", "subagent", "parallel", "compact", "deny", "abort"])
def test_a_stream_told_bit_by_bit_says_what_it_says_at_once(case: str) -> None:
    messages = list(read(PENGUIN / "live_streams" / f"{case}.ndjson"))
    at_once = told(messages, brief=True, start=len(messages))
    assert sorted(told(messages, brief=True)) == sorted(at_once)


def test_in_brief_a_nested_session_is_named_on_each_line() -> None:
    lines = told(list(read(PENGUIN / "live_streams" / "subagent.ndjson")), brief=True)
    nested = [line for line in lines if "│ " in line]
    assert len(nested) == 6
    assert all("│ 7d91ddba  " in line or "│ f0552f7a  " in line for line in nested)


def test_at_length_a_nested_session_is_named_whenever_it_takes_over() -> None:
    def at(text: str, *origin: str) -> list[Message]:
        return timed([said(text)], origin)

    messages = [*at("one", "a"), *at("two", "a"), *at("three", "b"), *at("four"), *at("five", "b")]
    assert told(messages, brief=False) == [
        "",
        "╭ a · 0 ms",
        "│   one",
        "│",
        "│   two",
        "",
        "╭ b · 0 ms",
        "│   three",
        "",
        "  four",
        "",
        "╭ b · 0 ms",
        "│   five",
    ]


def test_a_nested_session_inside_another_has_two_bars() -> None:
    lines = told(timed([said("deep")], ("a", "b")), brief=False)
    assert lines == ["", "│ ╭ b · 0 ms", "│ │   deep"]


@pytest.mark.parametrize(
    ("tasks", "rules"), [(None, ["── 1", "── 2"]), (2, ["── 1", "── 2"]), (1, ["── 2"]), (0, [])]
)
def test_it_begins_with_the_last_tasks_and_their_numbers(
    tasks: int | None, rules: list[str]
) -> None:
    _, lines = opened(golden_session(penguin("compact")), LAYOUT, brief=False, tasks=tasks)
    assert [line[:4] for line in seen(lines) if line.startswith("── ")] == rules


def test_tasks_that_come_are_numbered_on() -> None:
    session = golden_session(penguin("compact"))
    tail, _ = opened(session, LAYOUT, brief=False, tasks=0)
    later = apply(session, timed([said("more", "user")])[0], now_ms=0)
    _, lines = advanced(tail, later, LAYOUT)
    assert seen(lines)[1].startswith("── 3 ──")


def test_a_card_is_told_whole_if_nothing_of_it_was_told_before() -> None:
    session = golden_session(penguin("subagent"))
    _, lines = opened(session, LAYOUT, brief=False, tasks=None)
    card = next(at for at, line in enumerate(seen(lines)) if line.startswith("● run_subagent"))
    assert seen(lines)[card + 1].startswith("  ╭ ")


def test_what_runs_under_a_card_that_runs_is_told_at_the_beginning() -> None:
    messages = list(read(PENGUIN / "live_streams" / "subagent.ndjson"))
    at = next(
        at
        for at, message in enumerate(messages)
        if isinstance(message.payload, ToolCallOutput) and message.origin
    )
    session = replay(messages[: at + 1], now_ms=0)
    running = [item for item in session.items if nested_of(item) and not is_settled(item)]
    _, lines = opened(session, LAYOUT, brief=True, tasks=None)
    assert len(running) == 2
    assert any("│ " in line and "exec_command" in line for line in seen(lines))


def test_the_figures_of_a_task_are_told_when_it_is_over() -> None:
    messages = list(read(penguin("basic")))
    session = replay(messages, now_ms=0)
    tail, lines = opened(session, LAYOUT, brief=True, tasks=None)
    assert not any("∑" in line for line in seen(lines))
    _, more = advanced(tail, finalize(session), LAYOUT)
    assert [line[:19] for line in seen(more)] == ["19:24:20  ∑ 2,571 t"]
