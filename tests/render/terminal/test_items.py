"""Items: every kind has its lines, and the text is there."""

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
    NoticeItem,
    ReconnectItem,
    Stats,
    SubagentItem,
    TaskStatsItem,
    ThinkingItem,
    TokenBuckets,
    UserImageItem,
    UserSteeringItem,
    UserTextItem,
)
from refold.json_values import freeze
from refold.render.terminal.items import RENDERERS, item_lines
from refold.render.terminal.layout import Layout
from refold.render.terminal.lines import line
from tests.render.terminal.showing import seen

PNG = "data:image/png;base64,AAAA"
STATS = Stats(
    context=151_000,
    context_delta=-451,
    tokens=20_000,
    tokens_delta=2571,
    elapsed_ms=90_000,
    elapsed_delta_ms=61_000,
    tokens_by_bucket=TokenBuckets(cache_read=300, cache_write=7, output=121),
    output_tps=24.2,
)


def shown(item: Any, *, full: bool = False) -> list[str]:
    return seen(item_lines(item, Layout(width=60, full=full)))


def test_the_table_covers_every_kind() -> None:
    assert set(RENDERERS) == {kind.kind for kind in get_args(Item)}


@pytest.mark.parametrize(
    ("item", "lines"),
    [
        (UserTextItem(key="k", text="one\ntwo"), ["❯ one", "  two"]),
        (UserImageItem(key="k", image_url=PNG), ["❯ [image image/png, 3 bytes]"]),
        (
            UserSteeringItem(key="k", text="wait", images=(PNG,)),
            ["» wait", "  [image image/png, 3 bytes]"],
        ),
        (AssistantTextItem(key="k", text="Hello.\n"), ["  Hello."]),
        (AssistantTextItem(key="k", text="Hel", streaming=True), ["  Hel", "  …"]),
        (AssistantTextItem(key="k", text="Hel", stop_reason="aborted"), ["  Hel", "  (aborted)"]),
        (AssistantTextItem(key="k", text="", stop_reason="timeout"), ["  (timeout)"]),
        (AssistantTextItem(key="k", text="all", stop_reason="completed"), ["  all"]),
        (ThinkingItem(key="k", thinking="Hm."), ["✻ Hm."]),
        (
            ThinkingItem(key="k", thinking="a\nb\nc\nd\ne\nf"),
            ["✻ a", "  b", "  c", "  d", "  … 3 more characters"],
        ),
        (SubagentItem(key="k", session_id="s"), []),
        (AbortItem(key="k"), ["■ aborted"]),
        (AbortItem(key="k", reason="by user"), ["■ aborted: by user"]),
        (
            ReconnectItem(key="k", status="timeout", attempt=2, planned_delay_ms=2000),
            ["↻ request failed: timeout · attempt 2 · planned wait 2.0 s"],
        ),
        (
            ReconnectItem(key="k", status="failed", attempt=1, retrying=True),
            ["↻ request failed: failed · attempt 1 · tried again"],
        ),
        (
            ReconnectItem(key="k", status="failed", attempt=3, gave_up=True),
            ["↻ request failed: failed · attempt 3 · given up"],
        ),
        (
            CompactionItem(key="k", reason="context", mode="summarize", running=True),
            ["◇ compacting… · context · summarize"],
        ),
        (
            CompactionItem(
                key="k",
                reason="manual",
                mode="summarize",
                status="completed",
                duration_ms=4400,
                summary_text="We did it.",
            ),
            ["◇ compaction completed · manual · summarize · 4.4 s", "  We did it."],
        ),
        (
            CompactionItem(
                key="k", reason="context", mode="summarize", status="completed", duration_ms=0
            ),
            ["◇ compaction completed · context · summarize"],
        ),
        (
            CompactionItem(
                key="k", reason="turns", mode="discard", status="failed", error_message="no"
            ),
            ["◇ compaction failed · turns · discard · no"],
        ),
        (
            McpConnectItem(key="k", servers=("a", "b"), running=True),
            ["⇄ connecting to MCP servers… · a, b"],
        ),
        (
            McpConnectItem(
                key="k",
                servers=("a", "b"),
                results=(
                    McpResult(server="a", status="completed", duration_ms=1, tools=12),
                    McpResult(server="b", status="failed", duration_ms=1, error="refused"),
                ),
                failed=("b",),
                duration_ms=1200,
            ),
            ["⇄ MCP servers · a (12 tools) · b failed: refused · 1.2 s"],
        ),
        (McpConnectItem(key="k", servers=("a",), aborted=True), ["⇄ MCP servers, aborted · a"]),
        (NoticeItem(key="k", name="command", text="/clear"), ["· command: /clear"]),
        (NoticeItem(key="k", name="hook", data=freeze({"a": 1})), ["· hook", '    {"a": 1}']),
        (
            TaskStatsItem(key="k", stats=STATS),
            [
                "∑ 2,571 tokens (300 cached, 121 out) · 24.2/s · 1 min 01 s ·",
                "  context 151 k (−451)",
            ],
        ),
        (TaskStatsItem(key="k"), []),
    ],
)
def test_an_item_is_shown(item: Any, lines: list[str]) -> None:
    assert shown(item) == lines


def test_a_stand_alone_nested_session_is_what_is_shown_of_it() -> None:
    item = SubagentItem(key="k", session_id="s")
    assert seen(item_lines(item, Layout(), [line("nested")])) == ["nested"]


def test_full_is_everything() -> None:
    thinking = ThinkingItem(key="k", thinking="\n".join("abcdefgh"))
    assert shown(thinking, full=True) == ["✻ a", *[f"  {each}" for each in "bcdefgh"]]


def test_figures_that_no_float_can_hold_are_shown() -> None:
    huge = 10**400
    stats = Stats(
        context=huge,
        context_delta=huge,
        tokens=huge,
        tokens_delta=huge,
        elapsed_ms=huge,
        elapsed_delta_ms=huge,
        tokens_by_bucket=TokenBuckets(cache_read=huge, cache_write=huge, output=huge),
    )
    assert shown(TaskStatsItem(key="k", stats=stats))[0].startswith("∑ ")
