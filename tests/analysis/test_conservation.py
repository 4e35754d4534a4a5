"""Tokens are neither lost nor counted twice, and what doesn't add up is named."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from refold.analysis import Conservation, Doubt, Tokens, analyse
from refold.analysis.tokens import total_of
from refold.messages import Message
from tests.analysis.streams import at, meta, usage, user
from tests.strategies import chaotic_streams, disciplined_streams

PARENT = [at(0, user()), at(10, usage(0, 60, 40, 100))]
CHILD = [at(20, user(), "c"), at(30, usage(0, 30, 20, 50), "c")]


def test_what_adds_up_is_in_no_doubt() -> None:
    analysis = analyse([*PARENT, *CHILD, at(40, usage(0, 6, 4, 110))])
    total = Tokens(cache_write=96, output=64, total=160)
    assert analysis.conservation == Conservation(root_subtree=total, sum_of_own=total, doubts=())
    assert analysis.conservation.holds
    main, child = analysis.sessions
    assert (main.own.tokens.total, main.subtree.tokens.total) == (110, 160)
    assert (child.own.tokens.total, child.subtree.tokens.total) == (50, 50)
    assert main.tasks[0].nested.tokens.total == 50


def test_grandchildren_count_in_each_task_around_them_and_once_in_the_sum() -> None:
    main, child, grandchild = analyse(
        [
            *PARENT,
            *CHILD,
            at(35, user(), "c", "d"),
            at(40, usage(0, 3, 4, 7), "c", "d"),
        ]
    ).sessions
    assert [session.subtree.tokens.total for session in (main, child, grandchild)] == [157, 57, 7]
    assert main.tasks[0].nested.tokens.total == 57
    assert child.tasks[0].nested.tokens.total == 7
    assert (grandchild.parent, grandchild.depth) == (1, 2)


def test_a_parent_whose_total_includes_its_children_is_reported() -> None:
    conservation = analyse([*PARENT, *CHILD, at(40, usage(0, 6, 4, 160))]).conservation
    assert conservation.doubts == (Doubt(session=0, kind="total_includes_children", tokens=50),)
    assert not conservation.holds
    assert conservation.root_subtree.total == 160


def test_a_total_that_grows_by_something_else_is_reported() -> None:
    conservation = analyse([*PARENT, at(40, usage(0, 6, 4, 113))]).conservation
    assert conservation.doubts == (Doubt(session=0, kind="total_differs", tokens=3),)


def test_a_total_that_falls_begins_anew() -> None:
    assert analyse([*PARENT, at(40, usage(0, 6, 4, 10))]).conservation.holds


def test_a_parent_that_repeats_its_childs_reports_is_reported() -> None:
    repeated = [at(30, usage(0, 30, 20, 150))]
    conservation = analyse([*PARENT, *CHILD, *repeated]).conservation
    assert conservation.doubts == (Doubt(session=0, kind="repeats_children", tokens=50),)


def test_a_model_that_changes_is_priced_as_it_was_then() -> None:
    session = analyse(
        [
            at(0, meta(model="old")),
            at(0, user()),
            at(1, usage(0, 0, 10, 10)),
            at(2, meta(model="new")),
            at(3, usage(0, 0, 5, 15)),
        ]
    ).main
    assert [(each.model, each.tokens.output) for each in session.own.models] == [
        ("old", 10),
        ("new", 5),
    ]


@settings(max_examples=80)
@given(st.one_of(disciplined_streams(), chaotic_streams(max_size=60)))
def test_the_two_ways_to_count_agree_on_any_stream(messages: list[Message]) -> None:
    analysis = analyse(messages)
    assert analysis.conservation.root_subtree == analysis.conservation.sum_of_own
    assert analysis.main.subtree.tokens == total_of(
        session.own.tokens for session in analysis.sessions
    )
