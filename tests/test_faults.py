"""What goes wrong elsewhere doesn't here: each fault live and, where it makes sense, replayed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from refold import Message, Session, apply, diff, digest, idle, record, replay, settled, to_json
from refold.items import AssistantTextItem, Item, ToolCallItem
from refold.json_values import JsonObject
from refold.live import HistoryLoaded, Received, connect, step
from refold.messages import (
    Abort,
    ApprovalDecision,
    PartialText,
    PartialToolCall,
    PartialToolCallOutput,
    RequestBegin,
    RequestEnd,
    Text,
    Thinking,
    TokenCounts,
    TokenUsage,
    ToolCall,
    ToolCallOutput,
)
from refold.times import format_ms

START_MS = 1_783_209_600_000


def user(text: str) -> Text:
    return Text(role="user", text=text)


def said(text: str) -> Text:
    return Text(role="assistant", text=text, stop_reason="completed")


def piece(event: str, text: str = "") -> PartialText:
    return PartialText(role="assistant", event_type=event, text=text)


def call(name: str, tool: str = "exec") -> ToolCall:
    return ToolCall(role="assistant", name=tool, arguments="{}", tool_call_id=name)


def call_piece(name: str, event: str, text: str = "") -> PartialToolCall:
    return PartialToolCall(
        role="assistant", event_type=event, name="exec", arguments=text, tool_call_id=name
    )


def output(name: str, text: str = "done") -> ToolCallOutput:
    return ToolCallOutput(role="user", output=text, tool_call_id=name, stop_reason="completed")


def usage(session: int, request: int) -> TokenUsage:
    return TokenUsage(session=TokenCounts(total=session), request=TokenCounts(total=request))


def stream(*payloads: Any, origin: tuple[str, ...] = ()) -> list[Message]:
    """Return payloads as messages 100 ms apart."""
    return [
        Message(payload=each, timestamp=format_ms(START_MS + 100 * index), origin=origin)
        for index, each in enumerate(payloads)
    ]


def live(messages: list[Message]) -> Session:
    session = Session()
    for index, message in enumerate(messages):
        session = apply(session, message, now_ms=index)
    return session


def replayed(messages: list[Message]) -> Session:
    return replay(record(messages), now_ms=0)


def shown(session: Session) -> list[tuple[str, str]]:
    """Return kinds and texts."""
    return [(each.kind, _text(each)) for each in session.items]


def _text(item: Item) -> str:
    match item:
        case ToolCallItem():
            return item.output
        case _:
            return getattr(item, "text", "")


both = pytest.mark.parametrize("fold", [live, replayed])
Fold = Callable[[list[Message]], Session]


def test_a_resume_that_replays_what_is_persisted_shows_it_once() -> None:
    history = stream(user("u"), said("hello"))
    state, _ = step(connect(), HistoryLoaded(messages=tuple(history)))
    pieces = stream(piece("start"), piece("delta", "hello"), piece("stop"))
    for message in [*pieces, history[1]]:
        state, _ = step(state, Received(message=message))
    assert shown(state.session) == [("user_text", "u"), ("assistant_text", "hello")]


def test_a_stream_joined_inside_a_part_shows_the_whole_once_it_is_complete() -> None:
    session = live(stream(user("u"), piece("delta", "llo"), piece("stop"), said("hello")))
    assert shown(session) == [("user_text", "u"), ("assistant_text", "hello")]
    assert session.diagnostics.orphan == 2


def test_a_buffer_replayed_twice_leaves_nothing_streaming() -> None:
    session = live(
        stream(
            piece("start"),
            piece("delta", "a"),
            piece("start"),
            piece("delta", "a"),
            piece("delta", "b"),
            piece("stop"),
            said("ab"),
        )
    )
    assert [each.streaming for each in session.items if type(each) is AssistantTextItem] == [
        False,
        False,
    ]
    assert session.items[-1].key == "assistant_text:1"


def test_a_late_tool_start_leaves_a_complete_card_as_it_is() -> None:
    whole = live(stream(call("1")))
    late = live(
        stream(
            call("1"),
            call_piece("1", "start"),
            call_piece("1", "delta", "x"),
            call_piece("1", "stop"),
        )
    )
    assert late.items == whole.items
    assert late.diagnostics.late == 3


@both
def test_an_orphan_result_is_kept_on_a_nameless_card_and_counted(fold: Fold) -> None:
    session = fold(stream(user("u"), output("99"), said("ok")))
    assert shown(session) == [
        ("user_text", "u"),
        ("tool_call", "done"),
        ("assistant_text", "ok"),
    ]
    assert session.diagnostics.orphan == 1


def test_updates_for_an_unknown_id_make_no_entry() -> None:
    delta = PartialToolCallOutput(role="user", event_type="delta", output="x", tool_call_id="77")
    session = live(stream(*[delta] * 1000))
    assert len(session.items) == 0
    assert session.diagnostics.orphan == 1000


def test_what_arrives_while_history_loads_is_kept_in_either_order() -> None:
    history = stream(user("u"), said("old"))
    new = stream(user("u"), said("old"), said("new"))[2]
    first, _ = step(connect(), Received(message=new))
    first, _ = step(first, HistoryLoaded(messages=tuple(history)))
    second, _ = step(connect(), HistoryLoaded(messages=tuple(history)))
    second, _ = step(second, Received(message=new))
    assert to_json(settled(first.session)) == to_json(settled(second.session))
    assert shown(first.session)[-1] == ("assistant_text", "new")


def test_a_reconnect_that_sends_everything_three_times_changes_nothing() -> None:
    messages = stream(user("u"), piece("start"), piece("delta", "hi"), piece("stop"), said("hi"))
    state, _ = step(connect(), HistoryLoaded())
    once = None
    for _ in range(3):
        for index, message in enumerate(messages):
            state, _ = step(state, Received(message=message, event_id=f"e-{index}"))
        once = digest(state.session) if once is None else once
        assert digest(state.session) == once
    assert state.redelivered == 2 * len(messages)


@both
def test_a_turn_that_never_ended_hides_none_behind_it(fold: Fold) -> None:
    session = fold(stream(user("a"), RequestBegin(), call("1"), user("b"), said("t")))
    assert shown(session) == [
        ("user_text", "a"),
        ("tool_call", ""),
        ("user_text", "b"),
        ("assistant_text", "t"),
    ]
    (card,) = [each for each in session.items if type(each) is ToolCallItem]
    assert (card.output_complete, card.output_stop_reason) == (True, "aborted")


def test_usage_delivered_three_times_under_its_id_counts_once() -> None:
    messages = stream(user("u"), usage(10, 10))
    state, _ = step(connect(), HistoryLoaded())
    for index, message in [(0, messages[0]), *[(1, messages[1])] * 3]:
        state, _ = step(state, Received(message=message, event_id=f"e-{index}"))
    (row,) = [each for each in settled(state.session).items if each.kind == "task_stats"]
    assert row.stats is not None
    assert row.stats.tokens_delta == 10


@both
def test_running_totals_are_not_summed(fold: Fold) -> None:
    session = idle(fold(stream(user("u"), usage(10, 10), usage(30, 20), usage(60, 30))))
    assert session.stats.session_total == 60
    row = session.items[-1]
    assert row.kind == "task_stats"
    assert row.stats is not None
    assert (row.stats.tokens, row.stats.tokens_delta) == (60, 60)


def test_a_delta_costs_the_same_patch_in_a_long_history_as_in_none() -> None:
    long = replay(stream(user("u"), *[said(str(index)) for index in range(4000)]), now_ms=0)
    for session in (Session(), long):
        opened = apply(session, Message(payload=piece("start")), now_ms=0)
        for _ in range(500):
            after = apply(opened, Message(payload=piece("delta", "x")), now_ms=0)
            assert len(diff(opened, after)) == 1
            opened = after


def test_tool_arguments_grow_by_pieces_and_read_whole() -> None:
    session = live(stream(call_piece("1", "start")))
    delta = Message(payload=call_piece("1", "delta", "x"))
    for _ in range(117_000):
        session = apply(session, delta, now_ms=0)
    (card,) = session.items
    assert type(card) is ToolCallItem
    assert card.arguments_text == "x" * 117_000


def test_a_childs_message_leaves_the_parents_items_alone() -> None:
    before = live(stream(user("u"), piece("start"), piece("delta", "a")))
    (message,) = stream(said("child"), origin=("s1",))
    after = apply(before, message, now_ms=0)
    assert after.items[0] is before.items[0]
    assert after.items[-1] is before.items[-1]
    assert shown(after.subagents["s1"]) == [("assistant_text", "child")]


def _spawned(first: str, second: str, *, named: bool) -> Session:
    calls = [call("A", "run_subagent"), call("B", "run_subagent")]
    allowed = [ApprovalDecision(decision="allow", tool_call_id=name) for name in "AB"]
    session = live(stream(user("u"), *calls, *allowed))
    for child in (first, second):
        extra = JsonObject({"parent_tool_call_id": child} if named else {})
        words = Text(role="user", text="go", extra=extra)
        session = apply(session, Message(payload=words, origin=(f"s{child}",)), now_ms=0)
    return session


@pytest.mark.parametrize("order", ["AB", "BA"])
def test_parallel_children_that_name_their_calls_stand_on_their_own_cards(order: str) -> None:
    session = _spawned(*order, named=True)
    cards = [each for each in session.items if type(each) is ToolCallItem]
    assert [each.subagent_session_id for each in cards] == ["sA", "sB"]
    assert {each.binding for each in session.subagents.values()} == {"explicit"}


def test_children_that_name_no_call_are_said_to_be_inferred() -> None:
    session = _spawned("A", "B", named=False)
    assert {each.binding for each in session.subagents.values()} == {"inferred"}


def test_a_failed_attempt_keeps_its_text_apart_from_the_retry() -> None:
    session = live(
        stream(
            RequestBegin(),
            piece("start", "Half"),
            RequestEnd(status="timeout"),
            RequestBegin(),
            piece("start", "Half"),
            piece("delta", " done"),
            piece("stop"),
            said("Half done"),
            RequestEnd(status="completed"),
        )
    )
    texts = [each for each in session.items if type(each) is AssistantTextItem]
    assert [(each.text, each.stop_reason, each.streaming) for each in texts] == [
        ("Half", "timeout", False),
        ("Half done", "completed", False),
    ]


@both
def test_backward_times_give_no_negative_duration(fold: Fold) -> None:
    times = ["2026-07-05T00:00:09Z", "2026-07-05T02:00:03+02:00", None, "2026-07-05T00:00:01"]
    payloads = [
        user("u"),
        call("1"),
        ApprovalDecision(decision="allow", tool_call_id="1"),
        output("1"),
    ]
    messages = [
        Message(payload=payload, timestamp=time)
        for payload, time in zip(payloads, times, strict=True)
    ]
    session = idle(fold(messages))
    (card,) = [each for each in session.items if type(each) is ToolCallItem]
    assert card.call_started_at_ms == START_MS + 3000
    assert card.duration_ms == 0
    assert session.stats.session_elapsed_ms == 0


@both
def test_blank_bubbles_never_show(fold: Fold) -> None:
    blank = Thinking(role="assistant", thinking="")
    session = fold(stream(said(""), said("  "), blank, said("x")))
    assert [each.key for each in session.items] == ["assistant_text:1"]
    assert session.diagnostics.blank == 3


def test_an_abort_ends_what_streams() -> None:
    session = idle(live(stream(user("u"), RequestBegin(), piece("start", "a"), Abort())))
    assert not session.task_open
    assert not any(getattr(each, "streaming", False) for each in session.items)


@both
def test_a_genuine_repetition_shows_twice(fold: Fold) -> None:
    (message,) = stream(user("ok"))
    assert shown(fold([message, message])) == [("user_text", "ok")] * 2


@both
def test_a_card_is_a_function_of_its_complete_messages(fold: Fold) -> None:
    session = fold(
        stream(
            user("u"),
            call_piece("1", "start"),
            call_piece("1", "delta", "{}"),
            call_piece("1", "stop"),
            call("1"),
            ApprovalDecision(decision="allow", tool_call_id="1"),
            output("1"),
        )
    )
    assert session.items[1] == ToolCallItem(
        key="tool_call:1",
        tool_call_id="1",
        name="exec",
        arguments_text="{}",
        call_complete=True,
        output="done",
        output_complete=True,
        output_stop_reason="completed",
        decision="allow",
        decision_source="remote",
        arg_started_at_ms=START_MS + 100,
        call_started_at_ms=START_MS + 400,
        approval_at_ms=START_MS + 500,
        duration_ms=400,
    )


@both
def test_parallel_tools_settle_apart_and_stay_in_call_order(fold: Fold) -> None:
    session = fold(stream(user("u"), call("1"), call("2"), call("3"), output("3"), output("1")))
    cards = [each for each in session.items if type(each) is ToolCallItem]
    assert [(each.tool_call_id, each.output_complete) for each in cards] == [
        ("1", True),
        ("2", False),
        ("3", True),
    ]


def test_tokens_per_second_leave_the_humans_wait_out() -> None:
    def at(seconds: float, payload: Any) -> Message:
        return Message(payload=payload, timestamp=format_ms(START_MS + int(seconds * 1000)))

    counted = TokenUsage(session=TokenCounts(), request=TokenCounts(output=100))
    session = idle(
        live(
            [
                at(0, user("u")),
                at(0, RequestBegin()),
                at(5, call("1")),
                at(60, ApprovalDecision(decision="allow", tool_call_id="1")),
                at(60, counted),
                at(60, RequestEnd(status="completed")),
            ]
        )
    )
    row = session.items[-1]
    assert row.kind == "task_stats"
    assert row.stats is not None
    assert row.stats.output_tps == 20.0
