"""What a summary lists, one by one.

Rules of this file:

- A line names the trace it is from, for people; what it says of it is as in ``findings``.
- Lines that count can be summed with others of their name.
"""

from __future__ import annotations

from refold.analysis.costs import Cost
from refold.analysis.findings import Doubt
from refold.analysis.task_figures import TaskFigures
from refold.analysis.tokens import Tokens
from refold.analysis.tool_marks import Tool
from refold.records import record

__all__ = [
    "Counts",
    "DoubtLine",
    "RetryLine",
    "SessionLine",
    "TaskLine",
    "ToolLine",
    "ToolUse",
]


@record
class Counts:
    """How many there are of what.

    ``nested_tasks`` are among the tasks, ``begun_requests`` (whose begin the stream holds) among the
    requests; ``timed_output`` counts output tokens that LLM time belongs to.
    """

    traces: int = 0
    messages: int = 0
    sessions: int = 0
    tasks: int = 0
    nested_tasks: int = 0
    compactions: int = 0
    requests: int = 0
    begun_requests: int = 0
    timed_requests: int = 0
    unfinished_requests: int = 0
    retries: int = 0
    tools: int = 0
    refused_tools: int = 0
    aborts: int = 0
    timed_output: int = 0


@record
class SessionLine:
    """A session in its tree.

    Args:
        file: the trace.
        name: its id.
        depth: how many sessions are around it.
        model: which model it used last.
        elapsed_ms: from begin to end, task by task.
        requests: requests to the model; None if the stream holds no begin of one.
        tools: tool calls.
        own: its own tokens.
        subtree: those of it and all below.
        cost: what the subtree cost, if prices were given.
    """

    file: str
    name: str | None
    depth: int
    model: str | None
    elapsed_ms: int
    requests: int | None
    tools: int
    own: Tokens
    subtree: Tokens
    cost: Cost | None


@record
class TaskLine:
    """A row of a session: the trace, the session's place in it, and the row."""

    file: str
    place: int
    task: TaskFigures


@record
class ToolLine:
    """A tool call that ran: the trace, the session's place in it, and the tool."""

    file: str
    place: int
    tool: Tool


@record
class ToolUse:
    """All calls of one tool.

    Args:
        name: the tool's.
        calls: how many.
        failed: how many of them ended otherwise than ``completed``.
        timed: of how many it is known how long they ran.
        run_ms: how long those ran, summed.
        longest_ms: the longest of them.
    """

    name: str
    calls: int
    failed: int
    timed: int
    run_ms: int
    longest_ms: int


@record
class RetryLine:
    """Requests that failed in one way and were to be tried again.

    Args:
        status: the way.
        times: how often.
        given_up: how many of them were given up.
        wait_ms: how long it took until the next request, summed.
    """

    status: str
    times: int
    given_up: int
    wait_ms: int


@record
class DoubtLine:
    """A session whose tokens don't add up, and its trace."""

    file: str
    doubt: Doubt
