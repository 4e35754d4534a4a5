"""What runs at a moment, in few lines."""

from __future__ import annotations

from hypothesis import given

from refold.folding import apply
from refold.messages import Message, ToolCallOutput
from refold.render.terminal.cells import columns
from refold.render.terminal.layout import Layout
from refold.render.terminal.running import running_lines
from refold.session import Session
from refold.sources.files import read
from tests.render.terminal.showing import PENGUIN, seen
from tests.render.terminal.test_tailing import piece, said
from tests.strategies import any_streams, timed

LAYOUT = Layout(width=80)


def running(messages: list[Message], now_ms: int = 12_300, most: int = 12) -> list[str]:
    session = Session()
    for message in messages:
        session = apply(session, message, now_ms=0)
    return seen(running_lines(session, LAYOUT, now_ms=now_ms, most=most))


def test_the_end_of_what_streams_is_shown() -> None:
    text = "\n".join(map(str, range(20)))
    lines = running(timed([said("hi", "user"), piece("start", text)]))
    assert lines == ["", "  16", "  17", "  18", "  19", "⠇ 12.3 s · 0 tokens · context 0"]


def test_nothing_that_is_done_is_shown() -> None:
    assert running(timed([said("hi", "user"), said("done")]))[:-1] == [""]


def test_a_session_at_rest_has_no_clock() -> None:
    assert running([]) == ["", "· 0 tokens · context 0"]


def test_calls_that_run_are_shown_with_what_runs_under_them() -> None:
    messages = list(read(PENGUIN / "live_streams" / "subagent.ndjson"))
    at = next(
        at
        for at, message in enumerate(messages)
        if isinstance(message.payload, ToolCallOutput) and message.origin
    )
    lines = running(messages[:at])
    assert sum(line.startswith("○ run_subagent") for line in lines) == 2
    assert any(line.startswith("│ ○ exec_command") for line in lines)


@given(any_streams())
def test_any_session_fits(messages: list[Message]) -> None:
    for most in (3, 12):
        lines = running(messages, most=most)
        assert len(lines) <= most
        assert all(columns(line) <= 80 for line in lines)
