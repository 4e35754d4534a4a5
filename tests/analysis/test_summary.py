"""Summaries: what they count, and what many of them keep."""

from __future__ import annotations

from refold.analysis import analyse
from refold.analysis.summary import merged_summaries, summary_of
from refold.analysis.summary_lines import Counts, RetryLine, ToolUse
from refold.messages import Abort, Message
from tests.analysis.streams import (
    at,
    call,
    decision,
    golden_stream,
    output,
    request_begin,
    request_end,
    said,
    usage,
    user,
)

STREAM = [
    at(0, user()),
    at(0, request_begin()),
    at(10, call("a", "read")),
    at(10, call("b", "exec")),
    at(10, call("c", "exec")),
    at(20, decision("c", "deny")),
    at(30, usage(1, 2, 3, 6)),
    at(30, request_end("timeout")),
    at(40, output("a")),
    at(60, output("b", "failed")),
    at(70, output("c")),
    at(80, request_begin()),
    at(90, said()),
    at(90, Abort()),
]


def test_a_summary_counts_everything_once() -> None:
    summary = summary_of(analyse(STREAM), file="f")
    assert summary.counts == Counts(
        traces=1,
        messages=14,
        sessions=1,
        tasks=1,
        requests=2,
        begun_requests=2,
        timed_requests=1,
        unfinished_requests=1,
        retries=1,
        tools=3,
        refused_tools=1,
        aborts=1,
        timed_output=3,
    )
    assert summary.uses == (
        ToolUse(name="exec", calls=2, failed=1, timed=1, run_ms=50, longest_ms=50),
        ToolUse(name="read", calls=1, failed=0, timed=1, run_ms=30, longest_ms=30),
    )
    assert summary.retries == (RetryLine(status="timeout", times=1, given_up=0, wait_ms=50),)
    assert [line.tool.tool_call_id for line in summary.slowest] == ["b", "a"]
    assert {line.file for line in (*summary.slowest, *summary.tasks, *summary.sessions)} == {"f"}


def test_time_is_that_of_main_sessions_and_tokens_of_whole_trees() -> None:
    analysis = analyse(golden_stream("two_parallel_subagents_live"))
    summary = summary_of(analysis)
    assert summary.times == analysis.main.all_times
    assert sum(each.tokens.total for each in summary.models) == 3 * 2_571
    assert [line.depth for line in summary.sessions] == [0, 1, 1]


def test_many_summaries_add_up_and_keep_the_longest() -> None:
    def stream(number: int) -> list[Message]:
        return [at(0, user()), at(0, call("c")), at(10 * number, output("c"))]

    many = [summary_of(analyse(stream(number)), file=str(number)) for number in range(1, 31)]
    summary = merged_summaries(many)
    assert summary.counts.traces == 30
    assert summary.times.elapsed_ms == 10 * sum(range(1, 31))
    longest = [str(number) for number in range(30, 10, -1)]
    assert [line.file for line in summary.slowest] == longest
    assert [line.file for line in summary.tasks] == longest
    assert [line.file for line in summary.sessions] == longest
    assert summary.uses == (
        ToolUse(name="exec", calls=30, failed=0, timed=30, run_ms=4_650, longest_ms=300),
    )


def test_requests_without_any_begin_are_not_known_rather_than_counted() -> None:
    ends = [at(0, user()), at(10, said()), at(20, request_end())]
    summary = summary_of(analyse(ends))
    assert (summary.counts.requests, summary.counts.begun_requests) == (1, 0)
    assert [line.requests for line in summary.sessions] == [None]
    both = summary_of(analyse([*ends, at(30, request_begin()), at(40, request_end())]))
    assert (both.counts.requests, both.counts.begun_requests) == (2, 1)
    assert [line.requests for line in both.sessions] == [2]


def test_tasks_of_nested_sessions_are_told_apart() -> None:
    summary = summary_of(analyse(golden_stream("two_parallel_subagents_live")))
    assert (summary.counts.tasks, summary.counts.nested_tasks) == (2, 2)


def test_idle_time_of_what_does_not_tell_its_requests_is_known_apart() -> None:
    timed = [at(0, user()), at(0, request_begin()), at(60, said()), at(100, request_end())]
    untimed = [at(0, user()), at(70, call("c"))]
    one, other = (summary_of(analyse(each)) for each in (timed, untimed))
    assert (one.times.idle_ms, one.untold_ms) == (0, 0)
    assert (other.times.idle_ms, other.untold_ms) == (70, 70)
    both = merged_summaries([one, other])
    assert (both.times.idle_ms, both.untold_ms) == (70, 70)
