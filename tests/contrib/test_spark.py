"""Folds on a real local Spark give what one process gives.

Few queries, each of them asked much: starting Spark and its workers is what takes time here.
"""

from __future__ import annotations

import json
import random
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from refold import digest, replay, settled, to_json
from refold.analysis import analyse, price_table
from refold.analysis.rows import Table, table_of
from refold.bulk import Task, count_all
from refold.cli import main
from refold.contrib.spark import (
    PROBLEM,
    fold_groups,
    fold_stream,
    rows_of_files,
    rows_of_groups,
)
from tests.analysis.streams import GOLDEN, golden_stream
from tests.analysis.test_docs import MANY, blocks, lay_out

pyspark_sql = pytest.importorskip("pyspark.sql")

pytestmark = [
    pytest.mark.spark,
    pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs Java"),
]

INPUTS = Path(__file__).parents[2] / "golden" / "analysis" / "inputs"
PRICES = price_table(
    {"deepseek-v4-flash": {"cache_read": "0.028", "cache_write": "0.28", "output": "0.42"}}
)
COLUMNS = {"key": "trace", "order": "number", "line": "text"}


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        session = (
            pyspark_sql.SparkSession.builder.master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.ui.showConsoleProgress", "false")
            .config("spark.sql.shuffle.partitions", "2")
            .config("spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
            .config("spark.sql.warehouse.dir", str(tmp_path_factory.mktemp("warehouse")))
            .getOrCreate()
        )
        session.sparkContext.setLogLevel("ERROR")
        yield session
        session.stop()


@pytest.fixture(scope="module")
def messages(spark: Any) -> Any:
    """One row per message of all golden streams, in no order, and two that are none."""
    rows = [
        (name, number, line)
        for name in GOLDEN
        for number, line in enumerate((INPUTS / f"{name}.jsonl").read_text("utf-8").splitlines())
    ]
    rows += [("forbidden_call", 999, "{"), ("forbidden_call", 1000, '{"type": "odd"}')]
    random.Random(7).shuffle(rows)
    return spark.createDataFrame(rows, "trace string, number int, text string").repartition(4)


def _rows(frame: Any, *keys: str) -> tuple[list[tuple[Any, ...]], list[str]]:
    """Collect a frame's good rows, sorted, and its problems."""
    collected = [row.asDict() for row in frame.collect()]
    problems = [row.pop(PROBLEM) for row in collected]
    good = [row for row, problem in zip(collected, problems, strict=True) if problem is None]
    good.sort(key=lambda row: tuple(row[key] for key in keys))
    return [tuple(row.values()) for row in good], [each for each in problems if each is not None]


def test_files_give_the_rows_of_one_process_and_a_bad_one_costs_no_other(
    spark: Any, tmp_path: Path
) -> None:
    bad = tmp_path / "bad.jsonl"
    bad.write_text("no trace\n")
    paths = [str(bad), *[str(INPUTS / f"{name}.jsonl") for name in GOLDEN]]
    alone = count_all([Task(path=path, by="session", prices=PRICES) for path in paths])
    rows, problems = _rows(
        rows_of_files(spark, paths, by="session", prices=PRICES), "file", "session"
    )
    assert rows == [row for each in alone[1:] if each.rows is not None for row in each.rows.rows]
    assert problems == list(alone[0].problems)


def test_groups_of_messages_give_the_rows_of_one_process(messages: Any) -> None:
    rows, problems = _rows(
        rows_of_groups(messages, **COLUMNS, by="tool", prices=PRICES), "file", "session", "tool"
    )
    tables: list[Table] = [
        table_of(analyse(golden_stream(name), prices=PRICES), "tool", file=name) for name in GOLDEN
    ]
    assert rows == [row for table in tables for row in table.rows]
    assert len(problems) == 2


def test_groups_of_messages_give_the_views_of_one_process(messages: Any) -> None:
    found = {row["key"]: row for row in fold_groups(messages, **COLUMNS).collect()}
    assert sorted(found) == GOLDEN
    for name in GOLDEN:
        view = settled(replay(golden_stream(name), now_ms=0))
        assert found[name]["digest"] == digest(view)
        assert json.loads(found[name]["view"]) == to_json(view)
        assert found[name]["messages"] == len(golden_stream(name))
    assert [name for name in GOLDEN if found[name][PROBLEM]] == ["forbidden_call"]


def test_a_stream_folds_what_comes_and_goes_on_from_its_checkpoints(
    spark: Any, tmp_path: Path
) -> None:
    arriving, names = tmp_path / "arriving", ["compaction_inside_a_task", "parallel_tools"]
    arriving.mkdir()
    seen: dict[str, Any] = {}

    def run() -> None:
        """Start the query, let it take what is there, and end it: the next one starts anew."""
        frame = (
            spark.readStream.schema("trace string, number int, text string")
            .option("maxFilesPerTrigger", 1)
            .json(str(arriving))
        )
        query = (
            fold_stream(frame, **COLUMNS)
            .writeStream.outputMode("update")
            .option("checkpointLocation", str(tmp_path / "checkpoints"))
            .foreachBatch(
                lambda batch, _: seen.update({row["key"]: row for row in batch.collect()})
            )
            .trigger(availableNow=True)
            .start()
        )
        query.awaitTermination()

    for number, (begin, end) in enumerate([(0, 9), (9, 20), (20, 99)]):
        rows = [
            {"trace": name, "number": place, "text": line}
            for name in names
            for place, line in enumerate((INPUTS / f"{name}.jsonl").read_text("utf-8").splitlines())
            if begin <= place < end
        ]
        random.Random(number).shuffle(rows)
        path = arriving / f"{number}.json"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        if number != 1:
            run()
    for name in names:
        stream = golden_stream(name)
        assert seen[name]["messages"] == len(stream)
        assert seen[name]["digest"] == digest(settled(replay(stream, now_ms=0)))


def _absolute(code: str, folder: Path) -> str:
    """Return code whose files lie in a folder: Spark's own process has another one."""
    for name in ("tools.parquet", "tools-of-spark.parquet", "log.json", "arriving", "checkpoints"):
        code = code.replace(f'"{name}"', f'"{folder / name}"')
    return code


def test_the_how_to_runs(
    spark: Any, messages: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    lay_out(tmp_path)
    paths = sorted(str(path) for path in tmp_path.glob("traces/*.jsonl"))
    assert main(["stats", *paths, "--by", "tool", "--parquet", "tools.parquet"]) == 0
    lines = [
        json.dumps({"session_key": row["trace"], "number": row["number"], "line": row["text"]})
        for row in messages.collect()
    ]
    (tmp_path / "log.json").write_text("\n".join(lines), "utf-8")
    (tmp_path / "arriving").mkdir()
    shutil.copy(tmp_path / "log.json", tmp_path / "arriving")
    scope: dict[str, Any] = {"spark": spark}
    for block in blocks(MANY, "python spark"):
        exec(_absolute(block, tmp_path), scope)
    assert sorted(row["name"] for row in scope["longest"]) == [
        "exec_command",
        "read_file",
        "run_subagent",
    ]
    assert scope["unread"] == []
    written = spark.read.parquet(str(tmp_path / "tools-of-spark.parquet"))
    assert sorted(written.collect()) == sorted(scope["tools"].collect())
    assert len([row for row in scope["tasks"] if row[PROBLEM] is None]) == sum(
        len(table_of(analyse(golden_stream(name)), "task").rows) for name in GOLDEN
    )
    assert {row["key"]: row["digest"] for row in scope["views"]} == scope["grown"]
