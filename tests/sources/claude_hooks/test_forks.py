"""Whether a resumed session is a fork: what its transcript tells."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from refold.sources.claude_hooks.forks import NEAR, tells_of_fork
from refold.sources.claude_hooks.hooks import Hook
from refold.times import parse_ms
from tests.sources.claude_hooks.strategies import any_json

AT_MS = parse_ms("2026-07-05T00:00:10Z")
RESUME = Hook(event="SessionStart", source="resume", at_ms=AT_MS, session_id="fork")
COPIED = {"type": "attachment", "sessionId": "fork", "forkedFrom": {"sessionId": "old"}}
COMMAND = {
    "type": "system",
    "subtype": "local_command",
    "sessionId": "fork",
    "timestamp": "2026-07-05T00:00:01Z",
    "content": "<command-name>/fork</command-name>",
}
OTHER = {"type": "user", "sessionId": "fork", "message": {"role": "user", "content": "hi"}}


def test_a_record_that_was_forked_from_the_session_before_is_evidence() -> None:
    assert tells_of_fork(RESUME, "old", [COPIED])


def test_a_fork_of_another_session_or_in_another_sessions_record_is_none() -> None:
    assert not tells_of_fork(RESUME, "elsewhere", [COPIED])
    assert not tells_of_fork(RESUME, "old", [{**COPIED, "sessionId": "other"}])


def test_only_the_two_ends_of_a_transcript_are_looked_at() -> None:
    far = [*[OTHER] * NEAR, COPIED, *[OTHER] * NEAR]
    assert not tells_of_fork(RESUME, "old", far)
    assert tells_of_fork(RESUME, "old", far[1:])
    assert tells_of_fork(RESUME, "old", far[:-1])


def test_its_own_fork_command_shortly_before_is_evidence() -> None:
    assert tells_of_fork(RESUME, "old", [COMMAND])
    branch = {**COMMAND, "content": "<command-name>/branch</command-name>"}
    assert tells_of_fork(RESUME, "old", [branch])


def test_a_fork_command_of_long_ago_or_another_command_is_none() -> None:
    assert not tells_of_fork(RESUME, "old", [{**COMMAND, "timestamp": "2026-07-04T23:59:59Z"}])
    assert not tells_of_fork(RESUME, "old", [{**COMMAND, "timestamp": None}])
    assert not tells_of_fork(
        RESUME, "old", [{**COMMAND, "content": "<command-name>/forks</command-name>"}]
    )


def test_without_both_ids_or_with_equal_ones_there_is_no_fork() -> None:
    assert not tells_of_fork(RESUME, None, [COPIED])
    assert not tells_of_fork(RESUME, "fork", [COPIED])
    assert not tells_of_fork(Hook(event="SessionStart"), "old", [COPIED])


@given(st.lists(any_json | st.sampled_from([COPIED, COMMAND]), max_size=5))
def test_records_of_any_shape_are_looked_at(records: list[Any]) -> None:
    assert tells_of_fork(RESUME, "old", records) == any(
        each in (COPIED, COMMAND) for each in records
    )
