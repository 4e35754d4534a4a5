"""A session's items as the turns its model would be told."""

from __future__ import annotations

from typing import Any, get_args

import attrs
import pytest

from refold.items import (
    AbortItem,
    AssistantTextItem,
    CompactionItem,
    Item,
    McpConnectItem,
    NoticeItem,
    ReconnectItem,
    SubagentItem,
    TaskStatsItem,
    ThinkingItem,
    ToolCallItem,
    UserImageItem,
    UserSteeringItem,
    UserTextItem,
)
from refold.policies.history import (
    AssistantTurn,
    Call,
    History,
    HistoryItem,
    Image,
    PlainText,
    ToolResult,
    UserTurn,
    prompt,
    steering,
    summary,
)
from refold.policies.projection.from_items import TURNS, history_of

ASK = UserTextItem(key="user_text:1", text="ask")
PICTURE = UserImageItem(key="user_image:1", image_url="data:,p")
STEER = UserSteeringItem(key="user_steering:1", text="faster", images=("data:,s",))
REPLY = AssistantTextItem(key="assistant_text:1", text="reply", stop_reason="completed")
THOUGHT = ThinkingItem(key="thinking:1", thinking="hm")
NESTED = SubagentItem(key="subagent:s", session_id="s")
ABORT = AbortItem(key="abort:1")
STATS = TaskStatsItem(key="task_stats:1")
RETRY = ReconnectItem(key="reconnect:1", status="timeout", attempt=1)
SERVERS = McpConnectItem(key="mcp_connect:1", servers=())
NOTICE = NoticeItem(key="notice:1", name="slash_command", text="/help")
SUMMED = CompactionItem(
    key="compaction:1",
    reason="context",
    mode="summarize",
    status="completed",
    summary_text="[summary]so far[/summary]",
)


def card(call_id: str, **changes: Any) -> ToolCallItem:
    done = ToolCallItem(
        key=f"tool_call:{call_id}",
        tool_call_id=call_id,
        name="run",
        arguments_text="{}",
        call_complete=True,
        output="out",
        output_complete=True,
        output_stop_reason="completed",
    )
    names = {"_output" if name == "output" else name for name in changes}
    assert names <= {field.name for field in attrs.fields(ToolCallItem)}
    return attrs.evolve(done, **changes)


def turn(*call_ids: str, text: str = "") -> AssistantTurn:
    calls = [Call(call_id=each, name="run", arguments="{}") for each in call_ids]
    return AssistantTurn(text=text, calls=tuple(calls))


def gave(call_id: str, text: str = "out", *, is_error: bool = False) -> ToolResult:
    return ToolResult(call_id=call_id, parts=(PlainText(text=text),), is_error=is_error)


ASKED = prompt("ask")
CASES: dict[str, tuple[list[Item], list[HistoryItem]]] = {
    "a prompt and a reply": ([ASK, REPLY], [ASKED, AssistantTurn(text="reply")]),
    "an image joins the prompt beside it": (
        [ASK, PICTURE, PICTURE],
        [
            UserTurn(
                parts=(PlainText(text="ask"), Image(url="data:,p"), Image(url="data:,p")),
            )
        ],
    ),
    "in front of it too, past connecting servers": (
        [PICTURE, SERVERS, ASK],
        [UserTurn(parts=(Image(url="data:,p"), PlainText(text="ask")))],
    ),
    "two texts are two prompts": (
        [ASK, PICTURE, ASK],
        [
            UserTurn(parts=(PlainText(text="ask"), Image(url="data:,p"))),
            ASKED,
        ],
    ),
    "a prompt whose task came to nothing stays": ([ASK, ABORT, ASK], [ASKED, ASKED]),
    "steering is framed, with its images": ([STEER], [steering("faster", ("data:,s",))]),
    "a summary is framed, without the engine's own frame": (
        [ASK, SUMMED, REPLY],
        [summary("so far"), AssistantTurn(text="reply")],
    ),
    "calls belong to the text in front of them": (
        [REPLY, card("a"), card("b")],
        [turn("a", "b", text="reply"), gave("a"), gave("b")],
    ),
    "a text behind calls is the next turn": (
        [card("a"), REPLY, card("b")],
        [turn("a"), gave("a"), turn("b", text="reply"), gave("b")],
    ),
    "thinking behind calls starts the next turn": (
        [card("a"), THOUGHT, card("b")],
        [turn("a"), gave("a"), turn("b"), gave("b")],
    ),
    "thinking in front of calls doesn't": (
        [THOUGHT, REPLY, THOUGHT, card("a"), NESTED, card("b")],
        [turn("a", "b", text="reply"), gave("a"), gave("b")],
    ),
    "a retry starts the next turn": (
        [card("a"), RETRY, card("b")],
        [turn("a"), gave("a"), turn("b"), gave("b")],
    ),
    "what nobody said doesn't enter": (
        [THOUGHT, NESTED, ABORT, STATS, RETRY, SERVERS, NOTICE],
        [],
    ),
    "what the user aborted enters": (
        [attrs.evolve(REPLY, stop_reason="aborted")],
        [AssistantTurn(text="reply")],
    ),
    "a failed attempt's text doesn't": (
        [attrs.evolve(REPLY, stop_reason="timeout"), RETRY, REPLY],
        [AssistantTurn(text="reply")],
    ),
    "nor does one that is streaming, or whose complete never came": (
        [attrs.evolve(REPLY, streaming=True), attrs.evolve(REPLY, key="assistant_text:2~1")],
        [],
    ),
    "nor a call that isn't complete, or an output without a call": (
        [card("a", call_complete=False, call_streaming=True), card("b", call_complete=False)],
        [],
    ),
    "a call that was never run doesn't, unless somebody answered it": (
        [
            card("a", call_stop_reason="aborted", output="", output_stop_reason="aborted"),
            card("b", call_stop_reason="malformed", output="no JSON", output_stop_reason="failed"),
        ],
        [turn("b"), gave("b", "no JSON", is_error=True)],
    ),
    "a refusal in words is a reply": (
        [ASK, NoticeItem(key="notice:1", name="refusal", text="I won't.")],
        [ASKED, AssistantTurn(text="I won't.")],
    ),
    "an id used again is another pair": (
        [card("a", output="1"), REPLY, card("a", output="2")],
        [turn("a"), gave("a", "1"), turn("a", text="reply"), gave("a", "2")],
    ),
}


@pytest.mark.parametrize(("items", "history"), CASES.values(), ids=CASES)
def test_turns(items: list[Item], history: History) -> None:
    assert history_of(items) == tuple(history)


@pytest.mark.parametrize(
    ("changes", "result"),
    [
        ({"output": ""}, gave("a", "")),
        ({"output_stop_reason": None}, gave("a")),
        ({"output_stop_reason": "failed"}, gave("a", is_error=True)),
        ({"output": "", "output_stop_reason": "failed"}, gave("a", "failed", is_error=True)),
        ({"output": "", "output_stop_reason": "aborted"}, gave("a", "cancelled", is_error=True)),
        (
            {"output": "", "output_stop_reason": "aborted", "decision": "forbidden"},
            gave("a", "denied", is_error=True),
        ),
        (
            {"output": "", "output_complete": False, "output_stop_reason": None},
            gave("a", "no result was recorded", is_error=True),
        ),
        (
            {"output": "half", "output_complete": False, "output_stop_reason": None},
            gave("a", "half", is_error=True),
        ),
        (
            {"output": "", "images": ("data:,i",)},
            ToolResult(call_id="a", parts=(Image(url="data:,i"),)),
        ),
        (
            {"images": ("data:,i",), "output_stop_reason": "failed"},
            ToolResult(
                call_id="a",
                parts=(PlainText(text="out"), Image(url="data:,i")),
                is_error=True,
            ),
        ),
    ],
)
def test_a_result_says_what_came_out_or_why_nothing_did(
    changes: dict[str, Any], result: ToolResult
) -> None:
    assert history_of([card("a", **changes)])[1] == result


def ran(call_id: str, *, began: int | None, called: int, ended: int) -> ToolCallItem:
    written = 0 if began is None else called - began
    return card(
        call_id,
        arg_started_at_ms=began,
        call_started_at_ms=called,
        duration_ms=written + ended - called,
    )


@pytest.mark.parametrize(
    ("first", "second", "turns"),
    [
        (ran("a", began=0, called=10, ended=20), ran("b", began=25, called=30, ended=40), 2),
        (ran("a", began=0, called=10, ended=20), ran("b", began=20, called=30, ended=40), 2),
        (ran("a", began=0, called=10, ended=20), ran("b", began=15, called=30, ended=40), 1),
        (ran("a", began=0, called=10, ended=20), ran("b", began=10, called=15, ended=40), 1),
        (ran("a", began=0, called=10, ended=10), ran("b", began=10, called=10, ended=20), 1),
        (ran("a", began=None, called=10, ended=20), ran("b", began=None, called=30, ended=40), 2),
        (ran("a", began=None, called=10, ended=20), card("b"), 1),
        (card("a"), ran("b", began=None, called=30, ended=40), 1),
        (
            card("a", call_started_at_ms=10, duration_ms=10, output_complete=False),
            ran("b", began=None, called=30, ended=40),
            1,
        ),
        (
            card("a", call_started_at_ms=10, approval_at_ms=50, duration_ms=10),
            card("b", call_started_at_ms=55),
            1,
        ),
        (
            card("a", call_started_at_ms=10, approval_at_ms=50, duration_ms=10),
            card("b", call_started_at_ms=61),
            2,
        ),
    ],
)
def test_a_call_made_after_the_results_before_it_is_the_next_turns(
    first: ToolCallItem, second: ToolCallItem, turns: int
) -> None:
    history = history_of([first, second])
    assert sum(isinstance(item, AssistantTurn) for item in history) == turns


def test_a_call_made_while_one_of_those_before_it_still_ran_is_of_their_turn() -> None:
    slow = ran("a", began=None, called=10, ended=100)
    quick = ran("b", began=None, called=11, ended=20)
    third = ran("c", began=None, called=50, ended=60)
    assert history_of([slow, quick, third])[0] == turn("a", "b", "c")


def test_the_table_covers_the_union() -> None:
    assert set(TURNS) == {kind.kind for kind in get_args(Item)}


def test_a_kind_that_isnt_known_is_passed_over() -> None:
    class FutureItem:
        kind = "hologram"

    assert history_of([ASK, FutureItem(), REPLY]) == (  # type: ignore[list-item]
        ASKED,
        AssistantTurn(text="reply"),
    )
