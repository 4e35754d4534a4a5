"""What a file has folded to, and when it is shown at rest."""

from __future__ import annotations

import json

from refold.decode import decode
from refold.folding import elapsed_ms, replay
from refold.messages import Message
from refold.sources.files.following import Poll
from refold.views import settled
from refold.web.growth import ANSWERED_MS, SILENT_MS, Growth, grow, shown
from tests.web.lines import begin_ms, call, event, output, said, user


def _poll(*lines: str, restarted: bool = False, more: bool = False) -> Poll:
    return Poll(messages=_messages(*lines), restarted=restarted, more=more)


def _messages(*lines: str) -> tuple[Message, ...]:
    return tuple(decode(json.loads(each)) for each in lines)


def _grown(growth: Growth, poll: Poll, second: int) -> Growth:
    return grow(growth, poll, now_ms=begin_ms() + 1000 * second, written_ms=begin_ms())


def test_history_is_caught_up_with_when_there_is_no_more() -> None:
    growth = Growth()
    assert not growth.is_catching_up
    growth = _grown(growth, _poll(user(0, "a"), more=True), 9)
    assert growth.is_catching_up
    growth = _grown(growth, _poll(said(1, "b")), 9)
    assert (growth.is_catching_up, growth.messages) == (False, 2)


def test_nothing_new_is_the_same_growth() -> None:
    for growth in (Growth(), _grown(Growth(), _poll(user(0, "a")), 1)):
        assert _grown(growth, _poll(), 5) is growth


def test_live_and_history_fold_to_the_same() -> None:
    lines = [user(0, "a"), call(1, "1", "Bash", {}), output(2, "1", "x"), said(3, "b")]
    growth = Growth()
    for each in lines:
        growth = _grown(growth, _poll(each), 5)
    assert settled(growth.session) == settled(replay(_messages(*lines), now_ms=0))


def test_a_replaced_file_begins_anew() -> None:
    growth = _grown(Growth(), _poll(user(0, "a")), 1)
    growth = _grown(growth, _poll(user(1, "b"), restarted=True, more=True), 2)
    assert growth.reading == 1
    assert growth.is_catching_up
    assert [item.key for item in growth.session.items] == ["user_text:1"]
    assert _grown(growth, _poll(restarted=True), 3) == Growth(reading=2)


def test_the_clock_of_work_in_progress_goes_on_from_its_beginning() -> None:
    growth = _grown(Growth(), _poll(user(0, "a"), call(1, "1", "Bash", {})), 30)
    assert elapsed_ms(growth.session, now_ms=begin_ms() + 31_000) == 31_000


def test_the_clock_of_work_long_gone_stands() -> None:
    growth = _grown(Growth(), _poll(user(0, "a"), call(1, "1", "Bash", {})), 10_000)
    rested = shown(growth, (), now_ms=begin_ms() + 10_001_000)
    assert elapsed_ms(rested, now_ms=begin_ms() + 10_002_000) == 1000


def test_a_session_that_gave_its_answer_is_shown_at_rest_after_a_while() -> None:
    growth = _grown(Growth(), _poll(user(0, "a"), said(1, "b")), 1)
    came_ms = growth.grown_ms or 0
    early = shown(growth, (), now_ms=came_ms + ANSWERED_MS - 1)
    late = shown(growth, (), now_ms=came_ms + ANSWERED_MS)
    assert (early.task_open, late.task_open) == (True, False)
    assert [item.kind for item in late.items] == ["user_text", "assistant_text", "task_stats"]


def test_a_session_that_may_be_at_work_is_shown_so_for_longer() -> None:
    waits = [
        _poll(user(0, "a")),
        _poll(user(0, "a"), call(1, "1", "Bash", {})),
        _poll(user(0, "a"), call(1, "1", "Bash", {}), output(2, "1", "x")),
        _poll(user(0, "a"), call(1, "1", "Bash", {}), said(2, "meanwhile")),
    ]
    for poll in waits:
        growth = _grown(Growth(), poll, 2)
        came_ms = growth.grown_ms or 0
        assert shown(growth, (), now_ms=came_ms + SILENT_MS - 1).task_open
        assert not shown(growth, (), now_ms=came_ms + SILENT_MS).task_open


def test_a_rest_that_was_guessed_wrong_leaves_no_trace() -> None:
    lines = [user(0, "a"), said(1, "b"), event(2, "request_begin"), said(3, "c")]
    growth = _grown(Growth(), _poll(*lines[:2]), 1)
    assert not shown(growth, (), now_ms=begin_ms() + 10 * SILENT_MS).task_open
    growth = _grown(growth, _poll(*lines[2:]), 5000)
    assert settled(growth.session) == settled(replay(_messages(*lines), now_ms=0))


def test_what_would_be_due_is_shown_at_rest_only() -> None:
    growth = _grown(Growth(), _poll(user(0, "a")), 0)
    due = _messages(said(1, "b"))
    assert len(shown(growth, due, now_ms=begin_ms()).items) == 1
    assert len(shown(growth, due, now_ms=begin_ms() + SILENT_MS).items) == 3
