"""Edges folded into what a client shows."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from refold.sources.claude_hooks.badge import Badge, folded, for_parent, to_json
from refold.sources.claude_hooks.status import Edge

RUNNING = Edge(state="running", turn="a1")


def fold(*edges: Edge, start: Badge | None = None) -> Badge:
    badge = start or Badge()
    for each in edges:
        badge = folded(badge, each)
    return badge


def test_a_turn_opens_with_running_and_closes_with_its_own_idle() -> None:
    assert fold(RUNNING) == Badge(state="running", turn="a1")
    assert fold(RUNNING, Edge(state="idle", turn="a1")) == Badge(state="idle")


def test_the_end_of_another_turn_does_not_end_this_one() -> None:
    assert fold(RUNNING, Edge(state="idle", turn="a0", background=2)) == Badge(
        state="running", turn="a1", background=2
    )


def test_an_idle_that_names_no_turn_does_not_end_one_that_streams() -> None:
    assert fold(RUNNING, Edge(state="idle")) == Badge(state="running", turn="a1")
    assert fold(Edge(state="idle")) == Badge(state="idle")


def test_failed_stays_through_an_idle_and_ends_with_running_or_waiting() -> None:
    failed = fold(RUNNING, Edge(state="failed", turn="a1", reason="broke"))
    assert failed == Badge(state="failed", reason="broke")
    assert fold(Edge(state="idle"), start=failed) == failed
    assert fold(Edge(state="running", turn="a2"), start=failed) == Badge(state="running", turn="a2")
    assert fold(Edge(state="waiting", background=1), start=failed).state == "waiting"


def test_the_tally_is_what_was_counted_last_and_outlives_a_new_turn() -> None:
    waiting = fold(RUNNING, Edge(state="waiting", turn="a1", background=2))
    assert waiting == Badge(state="waiting", turn="a1", background=2)
    assert fold(Edge(state="running", turn="a2"), start=waiting).background == 2
    assert fold(Edge(state="idle", turn="a1", background=0), start=waiting).background == 0
    assert fold(Edge(state="failed", turn="a1"), start=waiting).background == 0


def test_running_clears_the_tally_where_that_is_asked_for() -> None:
    start = Badge(running_clears=True, state="waiting", background=2)
    assert fold(RUNNING, start=start).background == 0


def test_a_childs_waiting_is_idle_to_its_parent() -> None:
    assert for_parent(Edge(state="waiting", background=2)) == Edge(state="idle", background=2)
    assert for_parent(RUNNING) is RUNNING


def test_an_edge_that_changes_nothing_returns_the_same_badge() -> None:
    badge = fold(RUNNING)
    assert folded(badge, RUNNING) is badge


def test_json_has_no_key_for_what_is_not_known() -> None:
    assert dict(to_json(Badge())) == {"background": 0}


edges = st.builds(
    Edge,
    state=st.sampled_from(["running", "idle", "waiting", "failed"]),
    turn=st.sampled_from([None, "a1", "a2"]),
    background=st.sampled_from([None, 0, 2]),
)


@given(st.lists(edges, max_size=8), edges)
def test_an_edge_told_again_changes_nothing(before: list[Edge], edge: Edge) -> None:
    badge = fold(*before, edge)
    assert folded(badge, edge) == badge
