"""What a summariser is asked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.policies.handoff_prompt import (
    HandoffPrompt,
    PromptLimits,
    handoff_prompt,
    history_room,
)
from refold.policies.history import (
    AssistantTurn,
    Call,
    History,
    Image,
    PlainText,
    ToolResult,
    UserTurn,
    prompt,
)
from refold.policies.utf8 import utf8_length
from tests.policies.strategies import histories, texts

NOTICE = "older items left out"


def asked(history: History, room: int, **options: bool) -> HandoffPrompt:
    """Ask with ``room`` bytes for the history."""
    empty = handoff_prompt((), limits=PromptLimits(window=0, summary_output=0), number=1, task="t")
    limits = PromptLimits(window=utf8_length(empty.text) + room, summary_output=0)
    return handoff_prompt(history, limits=limits, number=1, task="t", **options)


@pytest.mark.parametrize(
    ("window", "summary", "frame", "room"),
    [(25_000, 8192, 1000, 15_808), (1000, 8192, 10, 0)],
)
def test_the_history_gets_what_frame_and_summary_leave(
    window: int, summary: int, frame: int, room: int
) -> None:
    assert history_room(PromptLimits(window=window, summary_output=summary), frame) == room


def test_a_history_that_fits_is_there_whole_oldest_first() -> None:
    """Document 004, test 16 (handoff_summary_prompt_includes_full_history_within_...)."""
    history = (prompt("early"), AssistantTurn(text="ack-0"), prompt("late"))
    written = asked(history, 100)
    places = [written.text.index(each) for each in ("oldest first", "early", "ack-0", "late")]
    assert places == sorted(places)
    assert NOTICE not in written.text
    assert (written.kept, written.omitted, written.truncated) == (3, 0, False)


def test_an_item_above_the_budget_is_kept_short_if_it_is_the_newest() -> None:
    """Document 004, test 17 (handoff_summary_prompt_keeps_latest_item_when_one_item_...)."""
    written = asked((prompt("early"), prompt("oversize " + "x" * 12_000)), 800)
    assert "User: oversize xxx" in written.text
    assert "early" not in written.text
    assert f"{NOTICE} or cut short: 2]" in written.text
    assert (written.kept, written.omitted, written.truncated) == (1, 2, True)


@pytest.mark.parametrize(("skip", "kept"), [(False, 1), (True, 2)])
def test_the_first_misfit_ends_the_search_unless_asked_otherwise(skip: bool, kept: int) -> None:
    history = (prompt("small"), prompt("x" * 500), prompt("newest"))
    written = asked(history, 100, skip_misfits=skip)
    assert ("small" in written.text) is skip
    assert (written.kept, written.omitted) == (kept, 3 - kept)


def test_without_room_only_the_frame_is_sent() -> None:
    written = asked((prompt("a"), prompt("b")), 3)
    assert written == HandoffPrompt(text=asked((), 0).text, kept=0, omitted=2)


def test_the_frame_names_number_task_and_twenty_tools() -> None:
    written = handoff_prompt(
        (),
        limits=PromptLimits(window=0, summary_output=0),
        number=3,
        task="t" * 20_000,
        tools=[f"tool{n}" for n in range(23)],
    )
    assert "# Handoff 3\n" in written.text
    assert "t" * 16_378 + "\n[cut]\n" in written.text
    assert "tool19 +3 more" in written.text
    assert "tool20" not in written.text


def test_every_turn_reads_as_what_it_is() -> None:
    call = Call(call_id="c1", name="run", arguments="{}")
    history = (
        UserTurn(parts=(PlainText(text="look"), Image(url="data:"))),
        AssistantTurn(text="ok", calls=(call,)),
        ToolResult(call_id="c1", parts=(PlainText(text="no"),), is_error=True),
        AssistantTurn(calls=(call,)),
        ToolResult(call_id="c1", parts=()),
        AssistantTurn(),
    )
    shown = (
        "User: look\n[image]\nAssistant: ok\nCall c1: run {}\nResult of c1 (failed): no\n"
        "Call c1: run {}\nResult of c1: \nAssistant: \n"
    )
    assert shown in asked(history, 500).text


@given(histories, st.integers(0, 150), texts, st.booleans())
def test_a_prompt_never_exceeds_its_budget(
    history: History, room: int, task: str, skip: bool
) -> None:
    limits = PromptLimits(window=500 + room, summary_output=0)
    frame = handoff_prompt((), limits=limits, number=1, task=task)
    written = handoff_prompt(history, limits=limits, number=1, task=task, skip_misfits=skip)
    assert utf8_length(written.text) <= max(500 + room, utf8_length(frame.text))
    assert written.kept + written.omitted == len(history) + written.truncated
    assert (NOTICE in written.text) <= (written.omitted > 0)
