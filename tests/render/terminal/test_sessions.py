"""Sessions: tasks, nested sessions, totals; whatever they hold, harmless and not too wide."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.folding import apply, finalize, replay
from refold.messages import Fact, Message, Text, ToolCall, ToolCallOutput
from refold.render.terminal import coloured, plain
from refold.render.terminal.cells import columns
from refold.render.terminal.layout import Layout
from refold.render.terminal.sessions import session_lines
from refold.session import Session
from refold.views import settled
from tests.render.terminal.showing import golden_session, penguin, seen
from tests.render.terminal.strategies import HOSTILE, texts
from tests.strategies import any_streams, timed

ESCAPES = "\x1b\r\x07\x08\x7f\x9b\u202e\u2066"


def session_of(*payloads: Any, origin: tuple[str, ...] = ()) -> Session:
    return finalize(replay(timed(list(payloads), origin), now_ms=0))


def shown(session: Any, width: int = 60) -> list[str]:
    return seen(session_lines(session, Layout(width=width)))


def said(text: str, role: str = "assistant") -> Text:
    return Text(role=role, text=text, stop_reason="completed")


def test_tasks_are_numbered_and_the_day_is_told_when_it_changes() -> None:
    days = ["2026-07-05T23:59:59Z", "2026-07-06T00:00:01Z", "2026-07-06T09:00:00Z", None]
    messages = [Message(payload=said(f"task {at}", "user"), timestamp=at) for at in days]
    session = finalize(replay(messages, now_ms=0))
    assert [line for line in shown(session, 40) if line.startswith("── ")] == [
        "── 1 ──────────── 2026-07-05 23:59:59 ──",
        "── 2 ──────────── 2026-07-06 00:00:01 ──",
        "── 3 ─────────────────────── 09:00:00 ──",
        "── 4 ───────────────────────────────────",
    ]


def test_what_is_known_of_a_session_stands_above_it() -> None:
    facts = [Fact(name="title", value="Fix\x1b it"), Fact(name="model", value="m-1")]
    lines = shown(session_of(*facts, Fact(name="cwd", value=7), said("Hi.")), 30)
    assert lines == ["Fix␛ it", "m-1", "", "  Hi.", "", "─" * 30, "1 item"]


def test_an_empty_session_has_no_items() -> None:
    assert shown(Session(), 30) == ["─" * 30, "no items"]


def test_messages_that_changed_nothing_are_counted_of_a_session() -> None:
    session = replay(timed([ToolCallOutput(role="user", output="x", tool_call_id="9")]), now_ms=0)
    assert shown(session)[-1] == "messages that changed nothing: 1 orphan"
    assert shown(settled(session))[-1] == "1 tool call"


def test_a_nested_session_stands_under_its_card_behind_a_bar() -> None:
    lines = shown(golden_session(penguin("subagent")), 100)
    card = next(at for at, line in enumerate(lines) if line.startswith("● run_subagent"))
    assert lines[card + 1].startswith("  ╭ default_agent · deepseek-v4-flash · ")
    assert lines[card + 2].startswith("  │ ❯ ")
    assert "  │ ● exec_command  ls" in lines[card + 4]
    assert "  ╰" in lines[card:]


def test_a_nested_session_without_a_card_stands_by_itself() -> None:
    lines = shown(session_of(said("Hi."), origin=("child", "grandchild")))
    assert lines[:5] == ["╭ child · 0 ms", "│ ╭ grandchild · 0 ms", "│ │   Hi.", "│ ╰", "╰"]


@pytest.mark.parametrize("depth", [3, 20, 60])
def test_deep_sessions_are_indented_as_far_as_there_is_room(depth: int) -> None:
    chain = tuple(f"s{number}" for number in range(depth))
    lines = shown(session_of(said("the deepest words"), origin=chain))
    assert any("the deepest words" in line for line in lines)
    assert max(map(columns, lines)) <= 60 + 8


def test_a_view_is_shown_as_its_session_is() -> None:
    session = golden_session(penguin("parallel"))
    assert shown(settled(session)) == shown(session)


@given(any_streams(), st.sampled_from([60, 100]))
def test_any_session_is_shown_and_fits(messages: list[Message], width: int) -> None:
    session = Session()
    for message in messages:
        session = apply(session, message, now_ms=0)
    for version in (session, finalize(session)):
        assert all(columns(line) <= width for line in shown(version, width))


@given(st.lists(texts(), min_size=5, max_size=5))
def test_no_text_reaches_a_terminal_as_it_is(parts: list[str]) -> None:
    text, name, arguments, output, title = parts
    lines = shown(
        session_of(
            Fact(name="title", value=title),
            said(text, "user"),
            said(text),
            ToolCall(role="assistant", name=name, arguments=arguments, tool_call_id=title),
            ToolCallOutput(role="user", output=output, tool_call_id=title, stop_reason=name),
        )
    )
    assert not any(character in line for line in lines for character in ESCAPES)
    assert all(columns(line) <= 60 for line in lines)


def test_hostile_texts_are_still_read() -> None:
    lines = "\n".join(shown(session_of(*[said(text) for text in HOSTILE]), 80))
    assert "␛[31mred␛[0m" in lines
    assert "user\\u202egnp.exe" in lines
    assert "tag\\U000e0041\\U000e0042" in lines


@given(any_streams())
def test_colours_carry_no_words(messages: list[Message]) -> None:
    lines = list(session_lines(finalize(replay(messages, now_ms=0)), Layout(width=80)))
    for line in lines:
        painted = coloured(line)
        assert uncoloured(painted) == plain(line)


def uncoloured(text: str) -> str:
    kept, *rest = text.split("\x1b[")
    return kept + "".join(each.partition("m")[2] for each in rest)
