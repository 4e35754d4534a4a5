"""Tool calls: phases, endings, lanes, and the sessions they start."""

from __future__ import annotations

import pytest

from refold.analysis import (
    Approvals,
    SessionFigures,
    Tally,
    Tool,
    analyse,
    finish,
    step,
    steps,
)
from refold.analysis.intervals import lanes
from refold.messages import (
    Abort,
    CompactionBegin,
    CompactionEnd,
    Message,
    PartialToolCall,
    Transport,
)
from refold.records import evolve
from refold.times import format_ms
from tests.analysis.streams import (
    START_MS,
    at,
    call,
    decision,
    meta,
    output,
    request_begin,
    said,
    user,
)


def _tools(*messages: Message) -> tuple[Tool, ...]:
    return analyse(messages).main.tools


def _start(tool_call_id: str) -> PartialToolCall:
    return PartialToolCall(
        role="assistant",
        event_type="start",
        name="exec",
        arguments="",
        tool_call_id=tool_call_id,
    )


def test_a_tool_has_all_its_phases() -> None:
    (tool,) = _tools(
        at(0, user()),
        at(10, request_begin()),
        at(100, _start("c")),
        at(400, call("c")),
        at(1_400, decision("c")),
        at(3_400, output("c")),
    )
    assert tool == Tool(
        tool_call_id="c",
        name="exec",
        ordinal=3,
        task=0,
        request=0,
        called=True,
        call_stop_reason="completed",
        args_begin_ms=START_MS + 100,
        call_ms=START_MS + 400,
        decision="allow",
        approval_ms=START_MS + 1_400,
        end_ms=START_MS + 3_400,
        ended_by="output",
        output_stop_reason="completed",
        output_characters=2,
    )
    assert (tool.arguments_ms, tool.wait_ms, tool.run_ms) == (300, 1_000, 2_000)
    assert tool.duration_ms == 2_300
    assert tool.interval == (START_MS + 1_400, START_MS + 3_400)
    assert tool.waiting == (START_MS + 400, START_MS + 1_400)


def test_arguments_begin_where_a_trace_says_else_at_the_previous_time() -> None:
    told = Transport(started_at=format_ms(START_MS + 200))
    first, second = _tools(
        at(100, user()),
        evolve(at(400, call("c")), transport=told),
        at(500, call("d")),
    )
    assert (first.args_begin_ms, second.args_begin_ms) == (START_MS + 200, START_MS + 400)


def test_a_call_without_a_decision_runs_from_its_call() -> None:
    (tool,) = _tools(at(0, user()), at(100, call("c")), at(400, output("c")))
    assert (tool.wait_ms, tool.run_ms, tool.decision) == (None, 300, None)


@pytest.mark.parametrize("reason", ["failed", "aborted", "malformed"])
def test_a_call_that_was_never_dispatched_is_listed_and_takes_no_lane(reason: str) -> None:
    (tool,) = _tools(at(0, user()), at(100, call("c", stop_reason=reason)))
    assert (tool.output_stop_reason, tool.dispatched) == (reason, False)
    assert (tool.interval, tool.run_ms) == (None, None)
    assert lanes([tool.interval]) == (None,)


@pytest.mark.parametrize("decided", ["deny", "forbidden"])
def test_a_refused_call_takes_no_lane_though_it_has_an_output(decided: str) -> None:
    (tool,) = _tools(
        at(0, user()),
        at(100, call("c")),
        at(200, decision("c", decided)),
        at(300, output("c", "aborted")),
    )
    assert (tool.dispatched, tool.interval, tool.run_ms) == (False, None, None)
    assert (tool.end_ms, tool.duration_ms) == (START_MS + 300, 200)


def test_an_abort_ends_what_runs_and_a_late_output_has_the_last_word() -> None:
    aborted = [at(0, user()), at(0, call("c")), at(0, call("d")), at(500, Abort())]
    first, second = _tools(*aborted, at(900, output("d", "failed")))
    assert (first.ended_by, first.run_ms, first.duration_ms) == ("abort", 500, None)
    assert (second.ended_by, second.run_ms, second.output_stop_reason) == ("output", 900, "failed")


@pytest.mark.parametrize("behind", [[at(500, user())], []], ids=["the next task", "the stream"])
def test_what_only_the_end_of_its_task_closes_has_no_end(behind: list[Message]) -> None:
    (tool,) = _tools(at(0, user()), at(0, call("c")), *behind)
    assert (tool.output_stop_reason, tool.end_ms, tool.run_ms) == ("aborted", None, None)


def test_what_runs_outside_any_task_is_not_closed_by_the_end_of_the_stream() -> None:
    (tool,) = _tools(at(0, call("c")), at(100, said()))
    assert (tool.output_stop_reason, tool.ended_by) == (None, None)


def test_the_end_of_the_stream_closes_nothing_for_what_comes_later() -> None:
    tally = steps(Tally(), [at(0, user()), at(0, call("c"))])
    assert finish(tally).main.tools[0].output_stop_reason == "aborted"
    later = step(tally, at(300, output("c")))
    assert finish(later).main.tools[0].output_stop_reason == "completed"


def test_an_id_that_comes_twice_is_two_tools() -> None:
    first, second = _tools(
        at(0, user()),
        at(0, call("c")),
        at(100, call("c")),
        at(300, output("c")),
    )
    assert (first.output_stop_reason, first.end_ms) == ("aborted", None)
    assert (second.output_stop_reason, second.run_ms) == ("completed", 200)


def test_an_output_without_a_call_is_kept_nameless_until_its_call_comes() -> None:
    alone = [at(0, user()), at(100, output("c"))]
    (tool,) = _tools(*alone)
    assert (tool.name, tool.called, tool.run_ms, tool.task) == ("", False, None, 0)
    (late,) = _tools(*alone, at(200, call("c")))
    assert (late.name, late.called, late.ordinal, late.run_ms) == ("exec", True, 1, 0)


def test_a_decision_that_comes_first_waits_for_its_call() -> None:
    (tool,) = _tools(
        at(0, user()),
        at(100, decision("c", "deny")),
        at(200, decision("c", "allow")),
        at(300, call("c")),
        at(500, output("c")),
    )
    assert (tool.decision, tool.approval_ms) == ("allow", START_MS + 100)
    assert (tool.wait_ms, tool.waiting, tool.run_ms) == (0, None, 400)


def test_the_summarisers_calls_are_no_tools_but_outputs_inside_end_theirs() -> None:
    (tool,) = _tools(
        at(0, user()),
        at(0, call("c")),
        at(100, CompactionBegin(reason="manual", mode="summarize", context=0, turns=0)),
        at(200, call("x")),
        at(300, output("c")),
        at(300, output("unknown")),
        at(400, CompactionEnd(reason="manual", mode="summarize", status="completed")),
    )
    assert (tool.tool_call_id, tool.run_ms) == ("c", 300)


def test_parallel_tools_count_once_in_the_union() -> None:
    times = analyse(
        [
            at(0, user()),
            at(0, call("a")),
            at(100, call("b")),
            at(300, output("a")),
            at(500, output("b")),
            at(600, said()),
        ]
    ).main.times
    assert (times.tools_ms, times.tools_sum_ms) == (500, 700)
    assert (times.elapsed_ms, times.busy_ms, times.idle_ms) == (600, 500, 100)


def test_approvals_are_summed_up() -> None:
    session = analyse(
        [
            at(0, user()),
            at(0, call("a")),
            at(0, call("b")),
            at(0, call("c")),
            at(0, call("d")),
            at(0, call("e")),
            at(300, decision("a")),
            at(400, decision("b", "deny")),
            at(500, decision("c", "forbidden")),
            at(500, decision("d", "perhaps")),
        ]
    ).main
    assert session.approvals == Approvals(
        allow=1, deny=1, forbidden=1, other=1, wait_sum_ms=1_700, wait_ms=500
    )
    assert session.times.waiting_ms == 500


# --- nested sessions --------------------------------------------------------------------------


def _family(*messages: Message) -> tuple[SessionFigures, ...]:
    return analyse(messages).sessions


def test_parallel_children_that_name_their_calls_hang_on_them_in_either_order() -> None:
    calls = [at(0, user()), at(1, call("A", "run_subagent")), at(2, call("B", "run_subagent"))]
    calls += [at(3, decision("A")), at(4, decision("B"))]
    one, two = at(5, meta("one", call_id="A"), "one"), at(6, meta("two", call_id="B"), "two")
    for order in ([one, two], [two, one]):
        main, *children = _family(*calls, *order)
        started = {child.session_id: child for child in children}
        assert {child.binding for child in children} == {"explicit"}
        assert (started["one"].tool, started["two"].tool) == (0, 1)
        sessions = [(0, "A"), (1, "B")]
        for place, tool_call_id in sessions:
            tool = main.tools[place]
            assert tool.tool_call_id == tool_call_id
            assert tool.session is not None


def test_children_that_name_no_call_are_inferred_and_say_so() -> None:
    _, child, other = _family(
        at(0, user()),
        at(1, call("A", "run_subagent")),
        at(2, decision("A")),
        at(3, user("go"), "one"),
        at(4, user("go"), "two"),
    )
    assert (child.binding, child.tool) == ("inferred", 0)
    assert (other.binding, other.tool) == ("none", None)


def test_a_child_that_comes_before_its_call_is_bound_when_the_call_comes() -> None:
    before = [at(0, user()), at(1, meta("one", call_id="A"), "one")]
    _, child = _family(*before)
    assert (child.binding, child.tool) == ("none", None)
    main, child = _family(*before, at(2, call("A", "run_subagent")))
    assert (child.binding, child.tool, main.tools[0].session) == ("explicit", 0, 1)


def test_a_late_session_meta_moves_a_child_from_where_it_was_guessed() -> None:
    main, child = _family(
        at(0, user()),
        at(1, call("A", "run_subagent")),
        at(2, call("B", "run_subagent")),
        at(3, decision("A")),
        at(4, decision("B")),
        at(5, user("go"), "one"),
        at(6, meta("one", call_id="A"), "one"),
    )
    assert (child.binding, child.tool) == ("explicit", 0)
    assert [tool.session for tool in main.tools] == [1, None]
