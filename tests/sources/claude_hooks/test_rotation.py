"""Rotation on clear and fork: exactly once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from refold.messages import Message, Notice
from refold.sources.claude_hooks import rotation as rotations
from refold.sources.claude_hooks.hooks import Annotations, Hook
from refold.sources.claude_hooks.rotation import (
    Failed,
    Redirect,
    Rotate,
    Rotated,
    Rotation,
    Told,
)
from refold.sources.claude_hooks.status import Edge

OLD = Rotation(session_id="old", native="n1")
CLEAR = Hook(
    event="SessionStart",
    source="clear",
    at_ms=5,
    session_id="n2",
    transcript_path="/p/n2.jsonl",
)
RESUME = Hook(
    event="SessionStart",
    source="resume",
    at_ms=5,
    session_id="n2",
    transcript_path="/p/n2.jsonl",
    annotations=Annotations(previous="n1", was_seen=False),
)


def adopted(hook: Hook, annotations: Annotations) -> Hook:
    return Hook(
        event=hook.event,
        source=hook.source,
        at_ms=hook.at_ms,
        session_id=hook.session_id,
        transcript_path=hook.transcript_path,
        annotations=annotations,
    )


def test_a_clear_rotates_once_to_a_transcript_read_from_its_start() -> None:
    state, asked = rotations.step(OLD, CLEAR)
    assert asked == (
        Rotate(kind="clear", native="n2", previous="n1", transcript_path="/p/n2.jsonl"),
    )
    state, _ = rotations.step(state, Rotated(session_id="new"))
    assert state.session_id == "new"
    assert rotations.step(state, CLEAR) == (state, ())


def test_a_clean_up_that_fails_behind_the_rotation_neither_undoes_nor_repeats_it() -> None:
    state, _ = rotations.step(OLD, CLEAR)
    state, _ = rotations.step(state, Rotated(session_id="new"))
    after, asked = rotations.step(state, Failed())
    assert (after, asked) == (state, ())
    assert rotations.step(after, CLEAR)[1] == ()


def test_a_rotation_that_failed_is_used_up_and_leaves_the_old_session() -> None:
    state, _ = rotations.step(OLD, CLEAR)
    state, asked = rotations.step(state, Failed())
    assert (state.session_id, state.asked, asked) == ("old", None, ())
    assert rotations.step(state, CLEAR)[1] == ()


def test_a_log_read_again_from_its_start_asks_for_nothing_twice() -> None:
    state, first = rotations.step(OLD, CLEAR)
    second_clear = adopted(CLEAR, Annotations())
    assert len(first) == 1
    assert rotations.step(state, second_clear)[1] == ()


def test_two_clears_rotate_twice() -> None:
    later = Hook(event="SessionStart", source="clear", at_ms=6, session_id="n2")
    state, _ = rotations.step(OLD, CLEAR)
    assert len(rotations.step(state, later)[1]) == 1


def test_the_old_session_is_told_idle_then_a_notice_then_a_redirect() -> None:
    state, _ = rotations.step(OLD, CLEAR)
    _, told = rotations.step(state, Rotated(session_id="new"))
    assert [each.session_id for each in told if isinstance(each, Told)] == ["old"] * 3
    idle, notice, redirect = [each.what for each in told if isinstance(each, Told)]
    assert idle == Edge(state="idle")
    assert isinstance(notice, Message) and isinstance(notice.payload, Notice)
    assert dict(notice.payload.data) == {"session_id": "new"}  # type: ignore[call-overload]
    assert redirect == Redirect(session_id="new")


def test_nobody_is_told_when_a_session_follows_itself() -> None:
    state, _ = rotations.step(OLD, CLEAR)
    assert rotations.step(state, Rotated(session_id="old"))[1] == ()


def test_a_clear_that_a_synchronous_hook_rotated_adopts_its_session() -> None:
    hook = adopted(CLEAR, Annotations(cleared_to="new"))
    state, asked = rotations.step(OLD, hook)
    assert isinstance(asked[0], Rotate) and asked[0].adopt == "new"
    assert (state.session_id, state.asked) == ("new", None)
    assert len(asked) == 4
    assert rotations.step(state, hook)[1] == ()


def test_a_session_that_is_active_already_is_adopted_in_silence() -> None:
    hook = adopted(CLEAR, Annotations(cleared_to="new"))
    _, asked = rotations.step(Rotation(session_id="new"), hook)
    assert [type(each) for each in asked] == [Rotate]


def test_a_resume_of_an_unseen_fork_rotates_to_a_transcript_read_from_its_end() -> None:
    state, asked = rotations.step(OLD, RESUME, evidence=True)
    assert asked == (
        Rotate(
            kind="fork",
            native="n2",
            previous="n1",
            transcript_path="/p/n2.jsonl",
            read_from="end",
        ),
    )
    after, told = rotations.step(state, Rotated(session_id="new"))
    assert (after.session_id, told) == ("new", ())
    assert rotations.step(after, RESUME, evidence=True)[1] == ()


def test_a_fork_that_a_synchronous_hook_made_is_adopted_and_its_copy_skipped() -> None:
    hook = adopted(RESUME, Annotations(fork_detected=True, forked_to="new"))
    state, asked = rotations.step(OLD, hook)
    assert [(each.adopt, each.read_from) for each in asked if isinstance(each, Rotate)] == [
        ("new", "end")
    ]
    assert state.session_id == "new"
    assert rotations.step(state, hook)[1] == ()


def test_a_resume_of_a_fork_that_was_seen_is_an_ordinary_resume() -> None:
    seen = adopted(RESUME, Annotations(previous="n1", was_seen=True))
    state, asked = rotations.step(OLD, seen, evidence=True)
    assert (state.session_id, asked) == ("old", ())


def test_whether_a_session_was_seen_is_known_without_annotations() -> None:
    bare = adopted(RESUME, Annotations())
    assert len(rotations.step(OLD, bare, evidence=True)[1]) == 1
    start = Hook(event="SessionStart", source="startup", at_ms=1, session_id="n2")
    back = Hook(event="SessionStart", source="resume", at_ms=2, session_id="n1")
    state, _ = rotations.step(OLD, start)
    state, _ = rotations.step(state, back)
    assert rotations.step(state, bare, evidence=True)[1] == ()


def test_a_resume_without_evidence_rotates_nothing() -> None:
    assert rotations.step(OLD, RESUME)[1] == ()


def test_a_start_and_a_compaction_rotate_nothing_nor_does_a_subagents_hook() -> None:
    for source in ("startup", "compact", "odd", None):
        hook = Hook(event="SessionStart", source=source, at_ms=5)
        assert rotations.step(OLD, hook)[1] == ()
    child = Hook(event="SessionStart", source="clear", at_ms=5, agent=True)
    assert rotations.step(OLD, child) == (OLD, ())


def test_an_outcome_nobody_waits_for_changes_nothing() -> None:
    assert rotations.step(OLD, Rotated(session_id="new")) == (OLD, ())
    assert rotations.step(OLD, Failed())[0] is OLD


clears = st.builds(
    Hook,
    event=st.just("SessionStart"),
    source=st.just("clear"),
    at_ms=st.integers(0, 5),
    session_id=st.sampled_from(["n1", "n2"]),
)


@given(st.lists(clears, max_size=10))
def test_however_often_and_in_whatever_order_clears_are_read_each_rotates_once(
    hooks: list[Hook],
) -> None:
    state, asked = OLD, []
    for each in hooks:
        state, more = rotations.step(state, each)
        asked += more
    assert len(asked) == len({(each.at_ms, each.session_id) for each in hooks})
