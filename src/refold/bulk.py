"""Many traces at once: on all cores, one bad file reported and the rest counted.

Rules of this file:

- A trace is counted once: files that are parts of one session are one trace, and a trace whose
  sessions all stand nested in another one that is given too is left out and named.
- Whatever goes wrong with a file becomes an ``Outcome`` with words; nothing ends the run but the
  caller.
- Workers get paths and send back summaries and rows, never messages.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from pathlib import Path

from refold.analysis import Analysis, PriceTable, analyse
from refold.analysis.rows import Table, table_of
from refold.analysis.summary import Summary, summary_of
from refold.analysis.tables import By
from refold.errors import DecodeError, RefoldError, shorten, told
from refold.processes import pool_of, run
from refold.records import evolve, record
from refold.sources.files import open_trace
from refold.sources.files.inputs import is_pipe

__all__ = ["Outcome", "Task", "count", "count_all", "repeated", "short_names", "workers"]

_STANDARD_INPUT = "-"
_SMALL = 4_000_000
_REPORTED = 20


@record
class Task:
    """What to count.

    Args:
        path: a file, as the user named it.
        name: what people see of that; the whole if None.
        format: its format; told from its records if None.
        by: which rows to make; None for none.
        prices: USD per million tokens, if anything is to be priced.
    """

    path: str
    name: str | None = None
    format: str | None = None
    by: By | None = None
    prices: PriceTable | None = None


@record
class Outcome:
    """What came of a task.

    Args:
        path: the file, as the user named it.
        files: what was read for it.
        problems: what couldn't be read, in words; the last may say how many more there were.
        failed: whether nothing could be.
        summary: of the trace; None if it failed.
        rows: its rows, if they were asked for.
        sessions: ids of sessions in it that did something.
        nested: ids of the nested ones.
        within: the file that holds all its sessions, nested, if one does.
    """

    path: str
    files: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    failed: bool = False
    summary: Summary | None = None
    rows: Table | None = None
    sessions: frozenset[str] = frozenset()
    nested: frozenset[str] = frozenset()
    within: str | None = None


# --- one trace --------------------------------------------------------------------------------


def count(task: Task) -> Outcome:
    """Analyse one trace.

    Args:
        task: which, and what is wanted of it.
    """
    problems: list[str] = []

    def report(error: DecodeError) -> None:
        problems.append(told(error))

    try:
        trace = open_trace(task.path, format=task.format, errors=report, positions=False)
        analysis = analyse(trace.messages, prices=task.prices)
        return _outcome(task, trace.files, problems, analysis)
    except (RefoldError, OSError) as error:
        problems.append(told(error))
    except Exception as error:  # noqa: BLE001 - a fault of ours in one file must not cost the rest
        problems.append(f"{task.path}: {type(error).__name__}: {shorten(str(error))}")
    return Outcome(path=task.path, problems=_some(problems), failed=True)


def _outcome(
    task: Task, files: tuple[str, ...], problems: list[str], analysis: Analysis
) -> Outcome:
    active = [
        (session.depth, session.session_id)
        for session in analysis.sessions
        if session.session_id is not None and (session.rows or session.segments)
    ]
    return Outcome(
        path=task.path,
        files=files,
        problems=_some(problems),
        summary=summary_of(analysis, file=task.name or task.path),
        rows=None if task.by is None else table_of(analysis, task.by, file=task.path),
        sessions=frozenset(name for _, name in active),
        nested=frozenset(name for depth, name in active if depth),
    )


def _some(problems: Sequence[str]) -> tuple[str, ...]:
    left = len(problems) - _REPORTED
    if left <= 0:
        return tuple(problems)
    return (*problems[:_REPORTED], f"… and {left} more")


def _files_of(task: Task) -> tuple[str, ...]:
    """Return which files make up the trace that a file is of; itself if that can't be told."""
    if task.path == _STANDARD_INPUT or is_pipe(Path(task.path)):
        return (task.path,)
    try:
        return open_trace(task.path, format=task.format, errors="skip").files
    except Exception:  # noqa: BLE001 - ``count`` says what is wrong
        return (task.path,)


# --- many -------------------------------------------------------------------------------------


def short_names(paths: Sequence[str]) -> list[str]:
    """Return paths without the directories they have in common, for people."""
    places = [Path(path).parts for path in paths]
    common = 0
    while all(len(place) - 1 > common for place in places) and (
        len({place[common] for place in places}) == 1
    ):
        common += 1
    return [str(Path(*place[common:])) for place in places]


def workers(paths: Sequence[str], most: int | None = None) -> int:
    """Return how many processes are worth starting; 1 is this one.

    Args:
        paths: what is to be read.
        most: the most there may be; as many as there are cores if None.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    size = sum([Path(path).stat().st_size for path in paths if Path(path).is_file()])
    wanted = most or cores or 1
    return 1 if most is None and size < _SMALL else max(1, min(wanted, len(paths)))


def count_all(
    tasks: Sequence[Task],
    *,
    processes: int = 1,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[Outcome]:
    """Analyse many traces, each once, in the order they were given.

    Args:
        tasks: what to count; of several files of one trace the first stands for it.
        processes: how many to use.
        progress: called with how many are done and how many there are.
    """
    with pool_of(processes if len(tasks) > 1 else 1) as pool:
        once = _once(tasks, pool)
        progress(0, len(once))
        done: dict[Task, Outcome] = {}
        for task, outcome in _counted(once, pool):
            done[task] = outcome
            progress(len(done), len(once))
    return repeated([done[task] for task in once])


def repeated(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Mark traces whose sessions all stand nested in another; the others are left as they are."""
    order = sorted(range(len(outcomes)), key=lambda place: -len(outcomes[place].nested))
    holders: list[Outcome] = []
    marked = list(outcomes)
    for place in order:
        mine = outcomes[place].sessions
        holder = next((each for each in holders if mine and mine <= each.nested), None)
        if holder is None:
            holders += [outcomes[place]] if outcomes[place].nested else []
        else:
            marked[place] = evolve(outcomes[place], within=holder.path)
    return marked


def _counted(tasks: Sequence[Task], pool: Executor | None) -> Iterator[tuple[Task, Outcome]]:
    """Yield each task with what came of it; standard input is this process's own."""
    yield from ((task, count(task)) for task in tasks if task.path == _STANDARD_INPUT)
    files = [task for task in tasks if task.path != _STANDARD_INPUT]
    yield from ((files[place], outcome) for place, outcome in run(count, files, pool, _lost))


def _once(tasks: Sequence[Task], pool: Executor | None) -> list[Task]:
    if len(tasks) == 1:
        return list(tasks)
    files: dict[int, tuple[str, ...]] = dict(run(_files_of, tasks, pool, lambda task: (task.path,)))
    first: dict[frozenset[str], Task] = {}
    for place, task in enumerate(tasks):
        first.setdefault(frozenset(map(os.path.realpath, files[place])), task)
    return list(first.values())


def _lost(task: Task) -> Outcome:
    problem = f"{task.path}: its process ended before it was read"
    return Outcome(path=task.path, problems=(problem,), failed=True)
