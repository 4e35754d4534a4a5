"""Which native session and transcript the log is about."""

from __future__ import annotations

from refold.sources.claude_hooks import identity as identities
from refold.sources.claude_hooks.hooks import Hook
from refold.sources.claude_hooks.identity import Identity


def news(*hooks: Hook) -> tuple[Identity, list[str]]:
    state, told = Identity(), []
    for each in hooks:
        state, more = identities.step(state, each)
        told += more
    return state, told


def test_the_first_native_session_id_is_reported() -> None:
    hook = Hook(event="SessionStart", session_id="s1", transcript_path="/p/s1.jsonl")
    assert news(hook) == (Identity(session_id="s1", transcript_path="/p/s1.jsonl"), ["s1"])


def test_it_is_reported_once_however_many_hooks_name_it() -> None:
    hooks = [Hook(event=each, session_id="s1") for each in ("SessionStart", "Stop", "SessionStart")]
    assert news(*hooks)[1] == ["s1"]


def test_a_hook_that_names_no_session_reports_nothing() -> None:
    assert news(Hook(event="SessionStart", transcript_path="/p/x.jsonl"))[1] == []


def test_only_a_sessions_start_moves_on_to_another() -> None:
    start, other = Hook(event="SessionStart", session_id="s1"), Hook(event="Stop", session_id="s2")
    assert news(start, other)[1] == ["s1"]
    assert news(start, Hook(event="SessionStart", session_id="s2"))[1] == ["s1", "s2"]


def test_a_subagents_hook_never_aims_the_reader_at_its_own_transcript() -> None:
    child = Hook(
        event="Stop", session_id="s1", transcript_path="/p/subagents/agent-a.jsonl", agent=True
    )
    start = Hook(event="SessionStart", session_id="s1", transcript_path="/p/s1.jsonl")
    assert news(start, child)[0].transcript_path == "/p/s1.jsonl"
    assert news(child) == (Identity(), [])
