"""Many traces: each counted once, whatever is wrong with the others."""

from __future__ import annotations

import io
import shutil
import sys
from pathlib import Path

import pytest

from refold import bulk
from refold.analysis import price_table
from refold.analysis.summary import merged_summaries
from refold.bulk import Outcome, Task, count, count_all, repeated, short_names, workers
from tests.analysis.streams import GOLDEN

INPUTS = Path(__file__).parents[1] / "golden" / "analysis" / "inputs"
PRICES = price_table({"deepseek-v4-flash": {"cache_read": 1, "cache_write": 2, "output": 3}})


def _tasks(*paths: str | Path) -> list[Task]:
    return [Task(path=str(path), by="tool", prices=PRICES) for path in paths]


ALL = _tasks(*[INPUTS / f"{name}.jsonl" for name in GOLDEN])


def test_processes_give_what_one_process_gives_in_the_same_order() -> None:
    steps: list[tuple[int, int]] = []
    alone = count_all(ALL)
    together = count_all(ALL, processes=2, progress=lambda *step: steps.append(step))
    assert together == alone
    assert [outcome.path for outcome in alone] == [task.path for task in ALL]
    assert steps == [(done, len(ALL)) for done in range(len(ALL) + 1)]


@pytest.mark.parametrize("processes", [1, 2])
def test_standard_input_can_be_one_of_many(processes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    piped = io.TextIOWrapper(io.BytesIO((INPUTS / "forbidden_call.jsonl").read_bytes()))
    monkeypatch.setattr(sys, "stdin", piped)
    first, second = count_all([ALL[0], *_tasks("-")], processes=processes)
    assert (first.path, second.path) == (ALL[0].path, "-")
    assert second.summary is not None
    assert second.summary.counts.messages == 16


def test_one_bad_file_is_reported_and_the_rest_counted(tmp_path: Path) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text("no trace\n")
    torn = tmp_path / "torn.jsonl"
    torn.write_bytes((INPUTS / "parallel_tools.jsonl").read_bytes()[:-40])
    missing = tmp_path / "missing.jsonl"
    good = INPUTS / "forbidden_call.jsonl"
    outcomes = count_all(_tasks(bad, missing, torn, good))
    assert [outcome.failed for outcome in outcomes] == [True, True, False, False]
    assert [len(outcome.problems) for outcome in outcomes] == [1, 1, 1, 0]
    assert str(missing) in outcomes[1].problems[0]
    assert "line 26" in outcomes[2].problems[0]
    summary = outcomes[2].summary
    assert summary is not None
    assert summary.counts.messages == 25


def test_a_fault_of_ours_in_one_file_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RecursionError("too deep")

    monkeypatch.setattr(bulk, "analyse", broken)
    outcome = count(ALL[0])
    assert outcome.failed
    assert outcome.problems == (f"{ALL[0].path}: RecursionError: 'too deep'",)


def test_many_problems_of_one_file_are_cut(tmp_path: Path) -> None:
    worn = tmp_path / "worn.jsonl"
    whole = (INPUTS / "parallel_tools.jsonl").read_text()
    worn.write_text(whole + "{\n" * 50)
    outcome = count(_tasks(worn)[0])
    assert len(outcome.problems) == 21
    assert outcome.problems[-1] == "… and 30 more"


def test_parts_of_one_trace_are_counted_once(tmp_path: Path) -> None:
    lines = (INPUTS / "compaction_inside_a_task.jsonl").read_text().splitlines(keepends=True)
    for number in (1, 2):
        part = lines[:22] if number == 1 else [lines[0], *lines[22:]]
        (tmp_path / f"trace_{number:03}.jsonl").write_text("".join(part))
    first, second = tmp_path / "trace_001.jsonl", tmp_path / "trace_002.jsonl"
    (outcome,) = count_all(_tasks(second, first, second))
    assert outcome.path == str(second)
    assert [Path(file).name for file in outcome.files] == [first.name, second.name]
    assert outcome.summary is not None
    assert outcome.summary.counts.tasks == 2


def test_a_child_given_beside_its_parent_is_counted_within_it(tmp_path: Path) -> None:
    parent, child = tmp_path / "parent.jsonl", tmp_path / "child.jsonl"
    shutil.copy(INPUTS / "two_parallel_subagents_live.jsonl", parent)
    lines = parent.read_text().splitlines()
    own = [line for line in lines if '"origin":["session-2026-11-30-19-24-29-f0552f7a"]' in line]
    stripped = [
        line.replace(',"origin":["session-2026-11-30-19-24-29-f0552f7a"]', "") for line in own
    ]
    child.write_text("\n".join(stripped) + "\n")
    outcomes = count_all(_tasks(child, parent))
    assert [outcome.within for outcome in outcomes] == [str(parent), None]


def test_two_traces_that_hold_each_other_are_not_both_left_out() -> None:
    one = Outcome(path="one", sessions=frozenset("ab"), nested=frozenset("ab"))
    other = Outcome(path="other", sessions=frozenset("ab"), nested=frozenset("ab"))
    empty = Outcome(path="empty")
    assert [outcome.within for outcome in repeated([one, other, empty])] == [None, "one", None]


def test_summaries_and_prices_cross_processes() -> None:
    outcomes = count_all(ALL, processes=2)
    summary = merged_summaries(each.summary for each in outcomes if each.summary is not None)
    assert summary.counts.traces == len(ALL)
    assert summary.cost is not None
    assert summary.cost.usd is not None


def test_processes_are_started_where_they_are_worth_it(tmp_path: Path) -> None:
    small = [task.path for task in ALL]
    assert workers(small) == 1
    assert workers(small, 2) == 2
    assert workers(small[:1], 8) == 1
    large = tmp_path / "large"
    with large.open("wb") as file:
        file.truncate(10_000_000)
    assert workers([str(large)] * 3) >= 1
    assert workers(["-"]) == 1


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["/a/b/c.jsonl"], ["c.jsonl"]),
        (["/a/b/c", "/a/d/c"], ["b/c", "d/c"]),
        (["x", "/a/x"], ["x", "/a/x"]),
        (["-"], ["-"]),
        ([], []),
    ],
)
def test_people_see_paths_without_what_they_have_in_common(
    paths: list[str], names: list[str]
) -> None:
    assert short_names(paths) == names
