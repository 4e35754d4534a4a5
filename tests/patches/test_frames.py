"""What changed between two sessions beside their items and nested sessions."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from refold.folding import credentials_updated, idle, register_decision, replay
from refold.json_values import JsonObject
from refold.maps import EMPTY_MAP
from refold.messages import Fact, GoalFinished, Message, RequestEnd
from refold.patches import patch
from refold.patches.fields import shown_fields
from refold.patches.frames import NEST_FIELDS, diff_frames
from refold.records import field_names
from refold.session import Session
from refold.state import Aside, Draft, Marks
from refold.views import View, frame_json
from tests.laws.folds import fold as folded
from tests.notation import RB, TU, T, U, fold, meta, of, stream
from tests.strategies import any_streams


def _diff(before: Session, after: Session, *, pure: bool = False) -> list[dict[str, Any]]:
    operations: list[dict[str, Any]] = []
    diff_frames(before, after, "", pure, operations)
    assert patch(frame_json(before), operations) == frame_json(after)
    return operations


def _paths(before: Session, after: Session) -> list[tuple[str, str]]:
    return [(each["op"], each["path"]) for each in _diff(before, after)]


@given(any_streams(), any_streams(), st.booleans())
def test_the_frame_of_any_version_leads_to_that_of_any_other(
    one: list[Message], other: list[Message], pure: bool
) -> None:
    versions = [folded(one), idle(folded(one)), folded([*one, *other]), idle(folded(other))]
    nested = [each for version in versions for each in version.subagents.values()]
    for before in [*versions, *nested[:4]]:
        for after in [*versions, *nested[:4]]:
            _diff(before, after, pure=pure)


def test_every_member_that_a_session_shows_is_compared() -> None:
    """What is shown comes from these parts and no others; a new member belongs here, too."""
    derived = {"items", "subagents", "stats", "task_open", "task_start_local_ms", "nested"}
    marks = {*shown_fields(Marks, "local_decisions")}
    assert set(field_names(View)) == derived | marks | {*NEST_FIELDS}


def test_the_parts_that_are_compared_are_where_they_are_looked_for() -> None:
    parts = {"placed", "floating", "subagents", "task", "totals", "aside"}
    assert parts <= set(field_names(Draft))
    assert {"nest", "marks"} <= set(field_names(Aside))


def test_figures_and_the_task_are_told_where_they_changed() -> None:
    before = fold(U("q"))
    after = fold(TU(9, 8), session=before)
    assert _diff(before, after) == [
        {"op": "replace", "path": "/stats/context_now", "value": 8},
        {"op": "replace", "path": "/stats/session_total", "value": 9},
    ]
    assert _paths(after, idle(after)) == [
        ("replace", "/task_open"),
        ("remove", "/task_start_local_ms"),
    ]


def test_the_time_of_a_task_counts_once_it_is_at_rest() -> None:
    before = replay(stream(U("q"), RB, T("a")), now_ms=9)
    assert ("replace", "/stats/session_elapsed_ms") in _paths(before, idle(before))


def test_what_a_task_carries_unseen_needs_no_operation() -> None:
    before = fold(U("q"), RB)
    assert _diff(before, fold(RequestEnd(status="completed"), session=before)) == []
    assert _diff(before, register_decision(before, "1")) == []


def test_a_failed_credential_comes_and_goes() -> None:
    before = fold(U("q"), RB)
    failed = fold(RequestEnd(status="auth"), session=before)
    assert _paths(before, failed) == [("add", "/last_auth_failure_ms")]
    assert _paths(failed, credentials_updated(failed)) == [("remove", "/last_auth_failure_ms")]


def test_facts_are_told_one_by_one() -> None:
    none = fold(U("q"))
    one = fold(Fact(name="a/b", value=1), session=none)
    more = fold(Fact(name="c", value=JsonObject({"x": 1})), session=one)
    other = fold(Fact(name="c", value=JsonObject({"x": 2})), session=more)
    assert _diff(none, one) == [{"op": "add", "path": "/facts", "value": {"a/b": 1}}]
    assert _paths(one, more) == [("add", "/facts/c")]
    assert _paths(more, other) == [("replace", "/facts/c/x")]
    assert _paths(more, one) == [("remove", "/facts/c")]
    assert _paths(one, none) == [("remove", "/facts")]
    assert other.facts != EMPTY_MAP


def test_a_goal_is_told() -> None:
    before = fold(U("q"))
    goal = GoalFinished(outcome="reached", rounds=1, tokens_used=2)
    assert _paths(before, fold(goal, session=before)) == [("add", "/goal")]


def test_what_a_nested_session_says_of_itself_is_told() -> None:
    before = fold(of("a", T("x")))
    after = fold(of("a", meta()), session=before)
    assert ("add", "/meta") in _paths(before.subagents["a"], after.subagents["a"])


def test_a_session_that_is_nested_differs_from_one_that_is_not() -> None:
    nested = fold(of("a", T("x"))).subagents["a"]
    assert ("add", "/nested") in _paths(Session(), nested)
    assert ("remove", "/nested") in _paths(nested, Session())
