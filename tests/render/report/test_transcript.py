"""The transcript: every kind of item, tasks, and sessions inside sessions."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from refold.items import (
    AbortItem,
    AssistantTextItem,
    CompactionItem,
    Item,
    McpConnectItem,
    McpResult,
    McpTool,
    NoticeItem,
    ReconnectItem,
    Stats,
    SubagentItem,
    TaskStatsItem,
    ThinkingItem,
    TokenBuckets,
    ToolCallItem,
    UserImageItem,
    UserSteeringItem,
    UserTextItem,
)
from refold.json_values import JsonObject
from refold.render.report.scenes import Scene
from refold.render.report.subject import subject_of
from refold.render.report.transcript import RENDERERS
from tests.analysis.streams import at, call, decision, golden_stream, meta, output, said, user
from tests.render.report.pages import Page, page_of, parsed

SCENE = Scene(subject=subject_of([]), session=0, bars={}, rows=frozenset(), longest=300)
MS = 1_783_209_600_000
PNG = "data:image/png;base64,AAAA"


def shown(item: Item, scene: Scene = SCENE) -> Page:
    return parsed(RENDERERS[type(item)](item, scene))


def test_every_kind_of_item_is_shown() -> None:
    assert set(RENDERERS) == set(get_args(Item))


ITEMS: list[tuple[Item, str]] = [
    (UserTextItem(key="k", text="Do *it*", at_ms=MS), "User 00:00:00Do *it*"),
    (UserTextItem(key="k", text=""), "User (nothing)"),
    (UserSteeringItem(key="k", text="faster"), "User, meanwhile faster"),
    (UserImageItem(key="k", image_url=PNG), "User "),
    (
        UserImageItem(key="k", image_url="https://a.example/x.png"),
        "User Image from the user, not loaded: https://a.example/x.png",
    ),
    (AssistantTextItem(key="k", text="Done."), "Assistant Done."),
    (AssistantTextItem(key="k", text="Do", stop_reason="aborted"), "Assistant, aborted Do"),
    (AssistantTextItem(key="k", text="Do", streaming=True), "Assistant, unfinished Do"),
    (
        ThinkingItem(key="k", thinking="**Plan**\nmore", started_at_ms=MS, duration_ms=1200),
        "ThinkingPlan1.2 s**Plan**\nmore00:00:00",
    ),
    (AbortItem(key="k", reason="enough"), "Aborted enough"),
    (
        ReconnectItem(key="k", status="timeout", attempt=2, retrying=True, planned_delay_ms=500),
        "Request failed timeout · attempt 2 · to wait 500 ms · tried again",
    ),
    (
        ReconnectItem(key="k", status="failed", attempt=1, gave_up=True),
        "Request failed failed · attempt 1 · given up",
    ),
    (
        CompactionItem(
            key="k",
            reason="context",
            mode="summarize",
            status="completed",
            duration_ms=30,
            summary_text="So far so good",
        ),
        "Compactioncompleted · context · summarize · 30 msSo far so good",
    ),
    (
        CompactionItem(
            key="k", reason="manual", mode="discard", status="failed", error_message="no"
        ),
        "Compaction failed · manual · discard · no",
    ),
    (
        McpConnectItem(
            key="k",
            servers=("a", "b"),
            duration_ms=20,
            failed=("b",),
            results=(
                McpResult(server="a", status="completed", duration_ms=5, tools=1200),
                McpResult(server="b", status="failed", duration_ms=15, error="refused"),
            ),
            tools=(McpTool(name="mcp__a__x", description="does x"),),
        ),
        (
            "MCP serversa, b · 20 msa completed · 5 ms · 1,200 toolsb failed · 15 ms · refused"
            "mcp__a__x does x"
        ),
    ),
    (NoticeItem(key="k", name="hook", text="said\nmore"), "hooksaidsaid\nmore"),
    (
        NoticeItem(key="k", name="plan", data=JsonObject({"step": (1, 2), "text": "a\nb"})),
        "planstep[\n  1,\n  2\n]texta\nb",
    ),
    (TaskStatsItem(key="k"), "Task ended "),
    (
        TaskStatsItem(
            key="k",
            stats=Stats(
                context=50,
                context_delta=50,
                tokens=60,
                tokens_delta=60,
                elapsed_ms=70,
                elapsed_delta_ms=70,
                tokens_by_bucket=TokenBuckets(cache_read=10, cache_write=20, output=30),
                output_tps=12.5,
            ),
        ),
        "Task ended 60 tokens (10 cached, 30 out) · 12.5/s · 70 ms · context 50 (+50)",
    ),
    (SubagentItem(key="k", session_id="s"), "s"),
]


@pytest.mark.parametrize(("item", "text"), ITEMS)
def test_an_item_says_what_it_is(item: Item, text: str) -> None:
    page = shown(item)
    assert page.text == text
    assert page.elements[0].attributes["id"] == "k"


def card(**changes: Any) -> ToolCallItem:
    fields = {
        "key": "tool_call:c",
        "tool_call_id": "c",
        "name": "exec",
        "arguments_text": '{"command": "ls", "timeout": 5}',
        "call_complete": True,
        "output": "a\nb",
        "output_complete": True,
        "duration_ms": 40,
    }
    return ToolCallItem(**{**fields, **changes})


CARDS: list[tuple[ToolCallItem, str, str]] = [
    (card(), "good", "●execls40 msArgumentscommandlstimeout5Outputa\nbcall c"),
    (
        card(output="", output_complete=False, duration_ms=None),
        "open",
        "○execlsno outputArgumentscommandlstimeout5Output(none yet)call c",
    ),
    (
        card(decision="forbidden", output="", output_stop_reason="aborted", duration_ms=None),
        "bad",
        "✕execlsforbidden · abortedArgumentscommandlstimeout5Output(empty)call c",
    ),
    (
        card(arguments_text='["bash"', name="", output_stop_reason="failed"),
        "bad",
        '✕(no name)["bash"failed · 40 msArguments["bash"Outputa\nbcall c',
    ),
    (
        card(arguments_text='{"command": ["bash", "-lc", "ls"]}'),
        "good",
        '●execls40 msArgumentscommand[\n  "bash",\n  "-lc",\n  "ls"\n]Outputa\nbcall c',
    ),
    (
        card(arguments_text='{"deep": {"n": 1}}'),
        "good",
        '●exec{"deep": {"n": 1}}40 msArgumentsdeep{\n  "n": 1\n}Outputa\nbcall c',
    ),
    (card(arguments_text=""), "good", "●exec40 msArguments(no arguments)Outputa\nbcall c"),
]


@pytest.mark.parametrize(("item", "outcome", "text"), CARDS)
def test_a_tool_card_says_what_was_called_and_how_it_went(
    item: ToolCallItem, outcome: str, text: str
) -> None:
    page = shown(item)
    assert page.elements[0].attributes["class"] == f"item call {outcome}"
    assert page.text == text
    assert all("open" not in fold.attributes for fold in page.all("details"))


def test_a_card_s_images_are_shown_with_words_for_who_can_t_see_them() -> None:
    page = shown(card(output="", images=(PNG, "data:image/svg+xml;base64,AAAA")))
    (image,) = page.all("img")
    assert image.attributes["src"] == PNG
    assert image.attributes["alt"] == "Image from exec, image/png, 3 bytes"
    assert "Image from exec, not loaded: data:image/svg+xml" in page.text


def test_a_very_long_output_is_cut_in_its_middle_and_says_so() -> None:
    page = shown(card(output="a" * 1000 + "b" * 1000))
    assert "a" * 200 + "\n… 1,700 characters left out …\n" + "b" * 100 in page.text
    whole = Scene(subject=SCENE.subject, session=0, bars={}, rows=frozenset(), longest=0)
    assert "a" * 1000 + "b" * 1000 in shown(card(output="a" * 1000 + "b" * 1000), whole).text


def test_a_long_text_of_the_user_s_is_folded() -> None:
    whole = Scene(subject=SCENE.subject, session=0, bars={}, rows=frozenset(), longest=0)
    page = shown(UserTextItem(key="k", text="first\n" + "line\n" * 50), whole)
    assert len(page.all("summary")) == 1
    assert page.text.startswith("User first256 characters")


def test_tasks_have_headings_with_their_figures_which_lead_to_their_rows() -> None:
    page = page_of(golden_stream("abort_during_a_tool"))
    headings = page.text.split("Transcript", 2)[2]
    assert headings.startswith("Task 12026-11-30 · ")
    assert "Task 2" in headings
    assert {"#row:user_text:1", "#row:user_text:2"} <= set(page.values("href"))


def test_a_nested_session_stands_behind_its_card() -> None:
    page = page_of(golden_stream("two_parallel_subagents_live"))
    order = [name for name in page.values("id") if name.startswith(("tool_call:call_s", "session"))]
    assert order == ["tool_call:call_s1", "session2", "tool_call:call_s2", "session1"]


def test_a_nested_session_says_if_its_call_is_only_inferred() -> None:
    allowed = [at(0, user()), at(1, call("a", "run_subagent")), at(2, decision("a"))]
    inferred = page_of([*allowed, at(3, said(), "c")])
    named = page_of([*allowed, at(3, meta("c", call_id="a"), "c"), at(4, said(), "c")])
    assert "its call is inferred" in inferred.text
    assert "its call is inferred" not in named.text


def test_sessions_very_deep_inside_others_stand_behind_the_rest() -> None:
    stream = [at(0, user())]
    stream += [at(each, said(f"depth {each}"), *["c"] * each) for each in range(1, 40)]
    page = page_of(stream)
    assert max(element.depth for element in page.elements) < 80
    assert page.dangling() == page.repeated_ids() == []
    assert [f"depth {each}" in page.text for each in range(1, 40)] == [True] * 39


def test_calls_that_share_an_id_are_two_items() -> None:
    stream = [at(0, user()), at(1, call("a")), at(2, output("a")), at(3, call("a"))]
    assert {"tool_call:a", "tool_call:a%232"} <= set(page_of(stream).values("id"))
