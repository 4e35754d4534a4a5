"""Folds on Apache Spark, with the extra ``spark``: many traces in batch, growing ones in streams.

Rules of this file (analysis.md, "Where one machine isn't enough"):

- A session is a fold keyed by session id, so an existing engine runs it: Spark brings each session's
  messages together, in order, and this file folds them. Nothing here schedules, shuffles or retries.
- In batch a group is folded as its rows pass by: memory is bounded by one session, not by one group
  of rows. In a stream the state of a key is a checkpoint (``refold.dumps``), which is JSON.
- What can't be read is a row with ``_problem`` set, as Spark does it with corrupt records; the rest
  is folded. The clock is the messages' own, so results don't depend on when a batch ran.
- Spark is never imported: frames and sessions come as arguments. ``refold`` must be installed where
  Spark's Python workers run.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from itertools import groupby
from operator import itemgetter
from typing import Any

from refold.analysis import Analysis, PriceTable, Tally, finish, steps
from refold.analysis.arrow import ColumnError, arrow_schema, arrow_table
from refold.analysis.columns import Column, Kind
from refold.analysis.rows import Table, table_of
from refold.analysis.tables import COLUMNS, By
from refold.bulk import Task, count
from refold.checkpoints import dumps, loads
from refold.decode import decode
from refold.errors import DecodeError, MissingExtraError
from refold.folding import apply
from refold.messages import Message
from refold.session import Session
from refold.times import parse_ms
from refold.views import digest, settled, to_json

__all__ = ["PROBLEM", "fold_groups", "fold_stream", "rows_of_files", "rows_of_groups"]

PROBLEM = "_problem"

_MOST_PARTITIONS = 1_000
_TYPES: dict[Kind, str] = {
    "text": "string",
    "integer": "bigint",
    "number": "double",
    "decimal": "decimal(38,18)",
    "flag": "boolean",
}
_VIEW = "key string, messages bigint, digest string, view string, _problem string"
_STATE = "messages bigint, checkpoint string"


# --- batch: files -----------------------------------------------------------------------------


def rows_of_files(
    spark: Any,
    paths: Sequence[str],
    *,
    by: By = "session",
    prices: PriceTable | None = None,
    source_format: str | None = None,
) -> Any:
    """Return a frame with the rows of many traces, one fold per trace.

    Args:
        spark: a ``SparkSession``.
        paths: traces, each readable under its path where the workers run: of a trace in parts the
            first, of a tree of sessions the outermost.
        by: what a row is; the columns are those of ``refold stats --by``, and ``_problem``.
        prices: USD per million tokens, if anything is to be priced.
        source_format: the traces' format; told from their records if None.
    """
    tasks = [Task(path=path, format=source_format, by=by, prices=prices) for path in paths]
    frame = spark.createDataFrame([(task.path,) for task in tasks], "path string")
    spread = frame.repartition(min(len(tasks), _MOST_PARTITIONS) or 1)
    by_path = {task.path: task for task in tasks}

    def counted(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            for path in batch.column("path").to_pylist():
                outcome = count(by_path[path])
                yield from _batches(by, path, outcome.rows, outcome.problems)

    return spread.mapInArrow(counted, _schema(by))


# --- batch: groups of messages ------------------------------------------------------------------


def rows_of_groups(
    frame: Any,
    *,
    key: str,
    order: str,
    line: str,
    by: By = "session",
    prices: PriceTable | None = None,
) -> Any:
    """Return a frame with the rows of many sessions whose messages are rows themselves.

    Args:
        frame: one row per message.
        key: the column that says which session's trace it belongs to; text.
        order: the column that orders a session's messages: a number or a time.
        line: the column with the message as JSON text.
        by: what a row is; ``file`` is the key.
        prices: USD per million tokens, if anything is to be priced.
    """

    def analysed(name: str, lines: Iterable[str]) -> Iterator[Any]:
        problems: list[str] = []
        tally = steps(Tally(), _decoded(lines, problems))
        analysis: Analysis = finish(tally, prices=prices)
        yield from _batches(by, name, table_of(analysis, by, file=name), problems)

    return _grouped(frame, key, order, line, analysed, _schema(by))


def fold_groups(frame: Any, *, key: str, order: str, line: str) -> Any:
    """Return a frame with the settled view of many sessions whose messages are rows themselves.

    Args:
        frame: one row per message.
        key: the column that says which session's trace it belongs to; text.
        order: the column that orders a session's messages: a number or a time.
        line: the column with the message as JSON text.

    Returns:
        A row per key: ``key``, ``messages`` (how many), ``digest``, ``view`` (JSON text) and
        ``_problem`` (what couldn't be read, if anything).
    """

    def folded(name: str, lines: Iterable[str]) -> Iterator[Any]:
        problems: list[str] = []
        session, messages = _folded(Session(), 0, _decoded(lines, problems))
        arrow = _arrow()
        row = _view_row(name, messages, session, problems)
        yield arrow.RecordBatch.from_pylist([row], schema=_view_schema(arrow))

    return _grouped(frame, key, order, line, folded, _VIEW)


def _grouped(
    frame: Any,
    key: str,
    order: str,
    line: str,
    made: Callable[[str, Iterable[str]], Iterator[Any]],
    schema: str,
) -> Any:
    """Bring the rows of a key together, in order, and fold them as they pass by."""
    chosen = frame.select(
        frame[key].cast("string").alias("key"),
        frame[order].alias("order"),
        frame[line].alias("line"),
    )
    sorted_by_key = chosen.repartition("key").sortWithinPartitions("key", "order")

    def of_partition(batches: Iterator[Any]) -> Iterator[Any]:
        rows = (
            row
            for batch in batches
            for row in zip(
                batch.column("key").to_pylist(), batch.column("line").to_pylist(), strict=True
            )
        )
        for name, group in groupby(rows, key=itemgetter(0)):
            yield from made(name, (text for _, text in group))

    return sorted_by_key.mapInArrow(of_partition, schema)


# --- streams ----------------------------------------------------------------------------------


def fold_stream(frame: Any, *, key: str, order: str, line: str) -> Any:
    """Return a streaming frame with the settled view of each session, whenever it grew.

    The state of a key is a checkpoint: a restarted query goes on where it was. Within a micro-batch
    a key's rows are sorted; a row that comes in a later batch than it should is folded late, as a
    message is that comes late on a wire.

    Args:
        frame: a streaming frame, one row per message.
        key: the column that says which session's trace it belongs to; text.
        order: the column that orders a session's messages: a number or a time.
        line: the column with the message as JSON text.

    Returns:
        A frame for output mode ``update``; its rows are those of ``fold_groups``.
    """
    chosen = frame.select(
        frame[key].cast("string").alias("key"),
        frame[order].alias("order"),
        frame[line].alias("line"),
    )
    return chosen.groupBy("key").applyInPandasWithState(
        _grown, _VIEW, _STATE, "update", "NoTimeout"
    )


def _grown(key: tuple[str], frames: Iterator[Any], state: Any) -> Iterator[Any]:
    """Fold a micro-batch of one key into its checkpoint."""
    pandas = import_module("pandas")
    batch = pandas.concat(list(frames)).sort_values("order", kind="stable")
    messages, session = 0, Session()
    if state.exists:
        messages, checkpoint = state.get
        session = loads(checkpoint)
    problems: list[str] = []
    session, messages = _folded(session, messages, _decoded(batch["line"], problems))
    state.update((messages, dumps(session)))
    yield pandas.DataFrame([_view_row(key[0], messages, session, problems)])


# --- what both do -----------------------------------------------------------------------------


def _decoded(lines: Iterable[str], problems: list[str]) -> Iterator[Message]:
    for number, text in enumerate(lines, 1):
        try:
            yield decode(json.loads(text))
        except DecodeError as error:
            problems.append(str(error.at(line=number, source=None)))
        except (ValueError, TypeError, RecursionError):
            problems.append(str(DecodeError("a JSON text", value=text, line=number)))


def _folded(session: Session, count: int, messages: Iterable[Message]) -> tuple[Session, int]:
    now_ms = 0
    for message in messages:
        now_ms = max(now_ms, parse_ms(message.timestamp) or 0)
        session = apply(session, message, now_ms=now_ms)
        count += 1
    return session, count


def _view_row(key: str, messages: int, session: Session, problems: Sequence[str]) -> dict[str, Any]:
    view = settled(session)
    return {
        "key": key,
        "messages": messages,
        "digest": digest(view),
        "view": json.dumps(to_json(view), allow_nan=False),
        PROBLEM: "; ".join(problems) or None,
    }


def _schema(by: By) -> str:
    columns = [f"{column.name} {_TYPES[column.kind]}" for column in COLUMNS[by]]
    return ", ".join([*columns, f"{PROBLEM} string"])


def _view_schema(arrow: Any) -> Any:
    texts = [arrow.field(name, arrow.string()) for name in ("digest", "view", PROBLEM)]
    return arrow.schema(
        [arrow.field("key", arrow.string()), arrow.field("messages", arrow.int64()), *texts]
    )


def _batches(by: By, name: str, rows: Table | None, problems: Sequence[str]) -> Iterator[Any]:
    """Yield rows as Arrow batches, and a row for each problem."""
    arrow = _arrow()
    columns = COLUMNS[by]
    schema = arrow_schema((*columns, _PROBLEM_COLUMN))
    found = list(problems)
    if rows is not None:
        try:
            table = arrow_table(rows)
        except ColumnError as error:
            found.append(f"{name}: {error}")
        else:
            empty = arrow.nulls(table.num_rows, arrow.string())
            yield from table.append_column(schema.field(PROBLEM), empty).to_batches()
    if found:
        listed = [{"file": name, PROBLEM: problem} for problem in found]
        yield arrow.RecordBatch.from_pylist(listed, schema=schema)


_PROBLEM_COLUMN = Column(
    name=PROBLEM, kind="text", meaning="what couldn't be read", value=lambda row: None
)


def _arrow() -> Any:
    try:
        return import_module("pyarrow")
    except ImportError as error:
        raise MissingExtraError("Spark", "spark") from error
