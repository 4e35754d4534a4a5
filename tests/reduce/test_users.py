"""What the user says (reducer.md rules 16-18)."""

from __future__ import annotations

from typing import Any

import pytest

from refold.folding import idle
from refold.items import UserImageItem, UserSteeringItem, UserTextItem
from refold.messages import Text
from tests.notation import RB, RE, C, I, K, O, S, T, U, X, at, fold, items, later, of, pT, untimed


def _keys(*payloads: Any) -> list[str]:
    return [item.key for item in items(*payloads)]


# --- rule 16: a task's start ----------------------------------------------------------------------


def test_a_user_text_starts_a_task() -> None:
    session = fold(U("q"), now_ms=77)
    assert list(session.items) == [UserTextItem(key="user_text:1", text="q", at_ms=at(0))]
    assert (session.task_open, session.task_start_local_ms) == (True, 77)


def test_an_image_starts_a_task() -> None:
    session = fold(I("data:x"))
    assert list(session.items) == [
        UserImageItem(key="user_image:1", image_url="data:x", at_ms=at(0))
    ]
    assert session.task_open


def test_an_image_behind_a_text_starts_a_task_of_its_own() -> None:
    assert _keys(U("q"), T("a"), I()) == [
        "user_text:1",
        "assistant_text:1",
        "task_stats:1",
        "user_image:1",
    ]


@pytest.mark.parametrize(
    "text", ["", " ", "hi [context_summary]", "mentions [user_steering]\nx\n[/user_steering]"]
)
def test_an_ordinary_text_starts_a_task_whatever_it_mentions(text: str) -> None:
    assert fold(U(text)).task_open


def test_who_sent_a_text_makes_no_difference() -> None:
    assert fold(Text(role="user", text="q", sender="parent_agent")).task_open


def test_a_start_of_unknown_time_has_none() -> None:
    assert items(untimed(U("q"))) == [UserTextItem(key="user_text:1", text="q")]


def test_a_start_gives_up_a_waiting_reconnect() -> None:
    session = fold(U("q"), RB, RE("timeout", retry_in_ms=500), U("next"), now_ms=5)
    reconnect = session.items[1]
    assert (reconnect.gave_up, reconnect.arrived_at_ms) == (True, None)  # type: ignore[union-attr]


def test_a_start_resets_the_attempts() -> None:
    assert items(U("q"), RE("failed"), RE("failed"), U("n"), RE("failed"))[-1].attempt == 1  # type: ignore[union-attr]


def test_a_start_resets_request_timing() -> None:
    from tests.notation import TU

    ran = (U("q"), RB, U("n"), later(9, RE()), TU(9, 9, output=9), U("m"))
    rows = [item for item in items(*ran) if item.kind == "task_stats"]
    assert rows[-1].stats.output_tps is None  # type: ignore[union-attr]


def test_the_starting_message_is_not_part_of_the_task_before() -> None:
    assert fold(U("q"), T("a"), later(50, U("next"))).stats.session_elapsed_ms == 1000


# --- rule 17: summaries ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["[context_summary]\nso far", "<context_summary>x", "[context_summary]"]
)
def test_a_compaction_summary_adds_nothing_and_starts_nothing(text: str) -> None:
    session = fold(U(text))
    assert list(session.items) == []
    assert not session.task_open


# --- rule 18: steering ----------------------------------------------------------------------------


def test_a_steering_is_placed_inside_the_running_task() -> None:
    session = fold(U("q"), S("turn\nleft"), T("ok"))
    assert session.items[1] == UserSteeringItem(
        key="user_steering:1", text="turn\nleft", at_ms=at(1)
    )
    assert [item.kind for item in session.items] == ["user_text", "user_steering", "assistant_text"]


def test_images_directly_behind_a_steering_join_it() -> None:
    assert items(U("q"), S("look"), I("a"), I("b"))[1:] == [
        UserSteeringItem(key="user_steering:1", text="look", images=("a", "b"), at_ms=at(1))
    ]


@pytest.mark.parametrize("other", [T("a"), K("b"), C("1"), O("1"), RB, X(), U("[context_summary]")])
def test_any_other_complete_or_event_closes_the_window(other: Any) -> None:
    assert _keys(U("q"), S("look"), other, I())[-1] == "user_image:1"


@pytest.mark.parametrize("other", [pT("start", "x"), of("c", T("a")), of("c", U("x"))])
def test_partials_and_other_sessions_messages_leave_the_window_open(other: Any) -> None:
    session = fold(U("q"), S("look"), other, I("a"))
    assert session.items[1].images == ("a",)  # type: ignore[union-attr]


def test_a_steering_closes_the_window_of_the_one_before() -> None:
    session = fold(U("q"), S("one"), S("two"), I("a"))
    assert [item.images for item in session.items[1:]] == [None, ("a",)]  # type: ignore[union-attr]


def test_a_steering_without_a_task_is_placed_and_starts_none() -> None:
    session = fold(S("left"))
    assert [item.key for item in session.items] == ["user_steering:1"]
    assert not session.task_open


def test_an_idle_leaves_the_window_open() -> None:
    session = fold(later(2, I("a")), session=idle(fold(U("q"), S("look"))))
    assert session.items[1].images == ("a",)  # type: ignore[union-attr]
