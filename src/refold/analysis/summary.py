"""What a person asks of one trace or of many: a summary that adds up.

Rules of this file:

- ``summary_of`` looks at one analysis, ``merged_summaries`` at any number of summaries; merging in
  any grouping gives the same, so many files can be summed on many cores.
- Sums are exact. Of what is listed one by one, one trace keeps all and many keep the largest.
- Time is that of main sessions: a child runs while its parent waits for it, and would count twice.
  Tokens, money and counts are those of the whole trees.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import attrgetter

from refold.analysis.costs import Cost, total_cost
from refold.analysis.findings import Analysis, SessionFigures
from refold.analysis.marks import Reconnect, Request
from refold.analysis.summary_lines import (
    Counts,
    DoubtLine,
    RetryLine,
    SessionLine,
    TaskLine,
    ToolLine,
    ToolUse,
)
from refold.analysis.sums import summed
from refold.analysis.task_figures import Times
from refold.analysis.tokens import ModelTokens, by_model
from refold.analysis.tool_marks import Tool
from refold.records import record

__all__ = ["Summary", "merged_summaries", "summary_of"]

_KEPT = 20


@record
class Summary:
    """Sums over traces, and what is worth a look in them.

    Args:
        counts: how many there are of what.
        times: where the time of the main sessions went.
        untold_ms: how much of the idle time is of rows that don't tell when the model was asked.
        models: tokens by model.
        cost: what all cost, if prices were given.
        uses: tool calls by tool, the longest first.
        retries: failed requests by how they failed.
        sessions: sessions; of many traces the main ones that took longest.
        tasks: tasks, compactions and what ran outside; of many traces those that took longest.
        slowest: the tool calls that ran longest.
        doubts: sessions whose tokens don't add up.
    """

    counts: Counts = Counts()
    times: Times = Times()
    untold_ms: int = 0
    models: tuple[ModelTokens, ...] = ()
    cost: Cost | None = None
    uses: tuple[ToolUse, ...] = ()
    retries: tuple[RetryLine, ...] = ()
    sessions: tuple[SessionLine, ...] = ()
    tasks: tuple[TaskLine, ...] = ()
    slowest: tuple[ToolLine, ...] = ()
    doubts: tuple[DoubtLine, ...] = ()


def summary_of(analysis: Analysis, *, file: str = "") -> Summary:
    """Summarise one trace.

    Args:
        analysis: of it.
        file: its name, for people.
    """
    places = list(enumerate(analysis.sessions))
    tools = [(place, tool) for place, session in places for tool in session.tools]
    retries = [each for session in analysis.sessions for each in session.reconnects]
    return Summary(
        counts=_counts(analysis),
        times=analysis.main.all_times,
        untold_ms=_untold_ms(analysis.main),
        models=analysis.main.subtree.models,
        cost=analysis.cost,
        uses=_uses([_use(tool) for _, tool in tools]),
        retries=_retries([_retry(each) for each in retries]),
        sessions=tuple([_session_line(session, file) for session in analysis.sessions]),
        tasks=tuple(
            [
                TaskLine(file=file, place=place, task=row)
                for place, session in places
                for row in session.rows
            ]
        ),
        slowest=_slowest([ToolLine(file=file, place=place, tool=tool) for place, tool in tools]),
        doubts=tuple([DoubtLine(file=file, doubt=doubt) for doubt in analysis.conservation.doubts]),
    )


def merged_summaries(summaries: Iterable[Summary]) -> Summary:
    """Return one summary of many."""
    many = [summary for summary in summaries if summary.counts.traces]
    if len(many) == 1:
        return many[0]
    costs = [summary.cost for summary in many if summary.cost is not None]
    return Summary(
        counts=summed(Counts, [summary.counts for summary in many]),
        times=summed(Times, [summary.times for summary in many]),
        untold_ms=sum(summary.untold_ms for summary in many),
        models=by_model([each for summary in many for each in summary.models]),
        cost=total_cost(costs) if costs else None,
        uses=_uses([each for summary in many for each in summary.uses]),
        retries=_retries([each for summary in many for each in summary.retries]),
        sessions=_longest_sessions([each for summary in many for each in summary.sessions]),
        tasks=_longest_tasks([each for summary in many for each in summary.tasks]),
        slowest=_slowest([each for summary in many for each in summary.slowest]),
        doubts=tuple([each for summary in many for each in summary.doubts]),
    )


def _untold_ms(session: SessionFigures) -> int:
    return sum(row.times.idle_ms for row in session.rows if not row.llm_known)


def _counts(analysis: Analysis) -> Counts:
    sessions = analysis.sessions
    rows = [row for session in sessions for row in session.rows]
    requests = [request for session in sessions for request in session.requests]
    tools = [tool for session in sessions for tool in session.tools]
    return Counts(
        traces=1,
        messages=analysis.messages,
        sessions=len(sessions),
        tasks=sum(row.kind == "task" for row in rows),
        nested_tasks=sum(
            row.kind == "task" for session in sessions if session.depth for row in session.rows
        ),
        compactions=sum(row.kind == "compaction" for row in rows),
        requests=len(requests),
        begun_requests=sum(request.begun for request in requests),
        timed_requests=sum(row.timed_requests for row in rows),
        unfinished_requests=sum(request.status is None for request in requests),
        retries=sum(row.retries for row in rows),
        tools=len(tools),
        refused_tools=sum(not tool.dispatched for tool in tools),
        aborts=sum(len(session.aborts) for session in sessions),
        timed_output=sum(
            row.usage.tokens.output for row in analysis.main.rows if row.kind != "compaction"
        ),
    )


def _session_line(session: SessionFigures, file: str) -> SessionLine:
    return SessionLine(
        file=file,
        name=session.session_id,
        depth=session.depth,
        model=session.model,
        elapsed_ms=session.all_times.elapsed_ms,
        requests=_told(session.requests),
        tools=len(session.tools),
        own=session.own.tokens,
        subtree=session.subtree.tokens,
        cost=session.subtree.cost,
    )


def _told(requests: Sequence[Request]) -> int | None:
    """Return how many requests there were; None if the stream tells no begin, so nobody knows."""
    known = not requests or any(request.begun for request in requests)
    return len(requests) if known else None


def _use(tool: Tool) -> ToolUse:
    run_ms = tool.run_ms
    return ToolUse(
        name=tool.name,
        calls=1,
        failed=int(tool.output_stop_reason not in (None, "completed")),
        timed=int(run_ms is not None),
        run_ms=run_ms or 0,
        longest_ms=run_ms or 0,
    )


def _uses(uses: Iterable[ToolUse]) -> tuple[ToolUse, ...]:
    names = groupby(sorted(uses, key=attrgetter("name")), key=attrgetter("name"))
    summed_up = [_summed_use(name, list(group)) for name, group in names]
    return tuple(sorted(summed_up, key=lambda use: (-use.run_ms, use.name)))


def _summed_use(name: str, uses: Sequence[ToolUse]) -> ToolUse:
    return ToolUse(
        name=name,
        calls=sum([use.calls for use in uses]),
        failed=sum([use.failed for use in uses]),
        timed=sum([use.timed for use in uses]),
        run_ms=sum([use.run_ms for use in uses]),
        longest_ms=max([use.longest_ms for use in uses]),
    )


def _retry(reconnect: Reconnect) -> RetryLine:
    return RetryLine(
        status=reconnect.status,
        times=1,
        given_up=int(reconnect.gave_up),
        wait_ms=reconnect.wait_ms or 0,
    )


def _retries(lines: Iterable[RetryLine]) -> tuple[RetryLine, ...]:
    statuses = groupby(sorted(lines, key=attrgetter("status")), key=attrgetter("status"))
    return tuple([_summed_retry(status, list(group)) for status, group in statuses])


def _summed_retry(status: str, lines: Sequence[RetryLine]) -> RetryLine:
    return RetryLine(
        status=status,
        times=sum([line.times for line in lines]),
        given_up=sum([line.given_up for line in lines]),
        wait_ms=sum([line.wait_ms for line in lines]),
    )


def _longest_sessions(lines: Iterable[SessionLine]) -> tuple[SessionLine, ...]:
    mains = [line for line in lines if line.depth == 0]
    return tuple(sorted(mains, key=lambda line: (-line.elapsed_ms, line.file))[:_KEPT])


def _longest_tasks(lines: Iterable[TaskLine]) -> tuple[TaskLine, ...]:
    def order(line: TaskLine) -> tuple[int, str, int, int]:
        return -line.task.times.elapsed_ms, line.file, line.place, line.task.ordinal

    return tuple(sorted(lines, key=order)[:_KEPT])


def _slowest(lines: Iterable[ToolLine]) -> tuple[ToolLine, ...]:
    def order(line: ToolLine) -> tuple[int, str, int, int]:
        return -(line.tool.run_ms or 0), line.file, line.place, line.tool.ordinal

    ran = [line for line in lines if line.tool.run_ms]
    return tuple(sorted(ran, key=order)[:_KEPT])
