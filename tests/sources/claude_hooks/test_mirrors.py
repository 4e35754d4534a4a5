"""Mirroring the model and the effort."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.json_values import Json, JsonObject
from refold.messages import Message, Notice, Text
from refold.sources.claude_hooks import mirrors
from refold.sources.claude_hooks.mirrors import (
    EFFORT_CLEARS,
    EFFORTS,
    Change,
    Delivered,
    Mirror,
    MirrorEvent,
    Observed,
    alias,
    effort_change,
)


def run(*events: MirrorEvent, start: Mirror | None = None) -> list[str]:
    state, told = start or Mirror(), []
    for each in events:
        state, changes = mirrors.step(state, each)
        told += [each.value for each in changes]
    return told


@pytest.mark.parametrize(
    ("model", "tier"),
    [
        ("claude-opus-4-8", "opus"),
        ("anthropic/claude-opus-4-7", "opus"),
        ("databricks-claude-sonnet-4-6", "sonnet"),
        ("claude-haiku-4-5", "haiku"),
        ("Claude-Fable-5", "fable"),
        ("anthropic/claude-sonnet-5", "sonnet_5"),
        ("claude_sonnet_5", "sonnet_5"),
        ("gpt-5-4-mini", None),
        ("", None),
        (None, None),
    ],
)
def test_a_model_ids_alias_is_its_tier(model: str | None, tier: str | None) -> None:
    assert alias(model) == tier


def test_the_first_model_is_taken_in_silence_where_the_host_set_it_and_a_switch_told_once() -> None:
    events = [Observed(value="opus"), Observed(value="opus"), Observed(value="sonnet")]
    assert run(*events, Delivered(value="sonnet"), Observed(), start=Mirror(seeds=True)) == [
        "sonnet"
    ]


def test_the_first_model_is_told_as_it_stands() -> None:
    assert run(
        Observed(value="claude-opus-4-8"), Delivered(value="claude-opus-4-8"), Observed()
    ) == ["claude-opus-4-8"]


def test_a_report_that_was_lost_comes_again_without_a_new_observation() -> None:
    lost = [Observed(value="opus"), Observed(value="sonnet"), Observed()]
    assert run(*lost, start=Mirror(seeds=True)) == ["sonnet", "sonnet"]
    assert run(*lost, Delivered(value="sonnet"), Observed(), start=Mirror(seeds=True)) == [
        "sonnet",
        "sonnet",
    ]


def test_observing_nothing_forgets_nothing() -> None:
    assert mirrors.step(Mirror(observed="a", delivered="a"), Observed()) == (
        Mirror(observed="a", delivered="a"),
        (),
    )


@given(st.lists(st.builds(Observed, value=st.sampled_from([None, "a", "b"])), max_size=8))
def test_what_is_told_is_always_what_was_seen_last(events: list[Observed]) -> None:
    state = Mirror()
    for each in events:
        state, changes = mirrors.step(state, each)
        assert all(change.value == state.observed for change in changes)


def command(name: Json, arguments: Json, *, notice: str = "slash_command") -> Message:
    return Message(
        payload=Notice(name=notice, data=JsonObject({"name": name, "arguments": arguments}))
    )


@pytest.mark.parametrize("level", EFFORTS)
def test_an_effort_command_with_a_level_is_one_change(level: str) -> None:
    assert effort_change(command("effort", f" {level.upper()} ")) == Change(value=level)


@pytest.mark.parametrize("word", EFFORT_CLEARS)
def test_an_effort_command_with_a_word_that_clears_is_one_change(word: str) -> None:
    assert effort_change(command("effort", word)) == Change(value=word, clears=True)


@pytest.mark.parametrize(
    "message",
    [
        command("effort", "turbo"),
        command("effort", ""),
        command("effort", None),
        command("model", "opus"),
        command("effort", "low", notice="shell_command"),
        Message(payload=Notice(name="slash_command", text="/effort low")),
        Message(payload=Text(role="user", text="/effort low")),
    ],
)
def test_anything_else_changes_no_effort(message: Message) -> None:
    assert effort_change(message) is None
