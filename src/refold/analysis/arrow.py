"""Tables as Apache Arrow and Parquet, with the extra ``arrow``.

Rules of this file:

- pyarrow is imported where it is used and nowhere else; without it, the error names the extra.
- Moments and durations are 64-bit milliseconds, as everywhere; money is ``decimal128(38, 18)``,
  exact; None is null. What a type can't hold is an error with its column, never cut.
"""

from __future__ import annotations

from decimal import Decimal
from importlib import import_module
from pathlib import Path
from typing import Any

from refold.analysis.columns import Column, Value
from refold.analysis.rows import Table
from refold.errors import MissingExtraError, RefoldError

__all__ = ["ColumnError", "arrow_schema", "arrow_table", "fitting", "write_parquet"]

_LARGEST = 2**63 - 1
_DIGITS = 38
_PLACES = 18


class ColumnError(RefoldError):
    """A value that its column's type can't hold."""


def arrow_schema(columns: tuple[Column, ...]) -> Any:
    """Return a ``pyarrow.Schema`` of columns; each field's metadata says what it means.

    Raises:
        MissingExtraError: pyarrow isn't installed.
    """
    arrow = _pyarrow()
    types = {
        "text": arrow.string(),
        "integer": arrow.int64(),
        "number": arrow.float64(),
        "decimal": arrow.decimal128(_DIGITS, _PLACES),
        "flag": arrow.bool_(),
    }
    return arrow.schema(
        [
            arrow.field(column.name, types[column.kind], metadata={"meaning": column.meaning})
            for column in columns
        ]
    )


def arrow_table(table: Table) -> Any:
    """Return rows as a ``pyarrow.Table``.

    Raises:
        MissingExtraError: pyarrow isn't installed.
        ColumnError: a value doesn't fit its column.
    """
    arrow = _pyarrow()
    schema = arrow_schema(table.columns)
    arrays = [
        arrow.array([fitting(column, row[place]) for row in table.rows], schema.field(place).type)
        for place, column in enumerate(table.columns)
    ]
    return arrow.Table.from_arrays(arrays, schema=schema)


def write_parquet(table: Table, path: str | Path) -> None:
    """Write rows as a Parquet file.

    Args:
        table: the rows.
        path: where to.

    Raises:
        MissingExtraError: pyarrow isn't installed.
        ColumnError: a value doesn't fit its column.
        OSError: the file can't be written.
    """
    made = arrow_table(table)
    _pyarrow("pyarrow.parquet").write_table(made, path)


def fitting(column: Column, value: Value) -> Value:
    """Return a value as its column's Arrow type takes it.

    Raises:
        ColumnError: it doesn't fit.
    """
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if column.kind == "integer" and isinstance(value, int) and abs(value) > _LARGEST:
        raise ColumnError(f"expected 64 bits in column {column.name}, got {_shown(value)}")
    if isinstance(value, Decimal) and value.adjusted() >= _DIGITS - _PLACES:
        raise ColumnError(
            f"expected at most {_DIGITS - _PLACES} digits before the point in column "
            f"{column.name}, got {_shown(value)}"
        )
    return value


def _shown(value: int | Decimal) -> str:
    return f"about {Decimal(value):.3e}"


def _pyarrow(module: str = "pyarrow") -> Any:
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtraError("Apache Arrow", "arrow") from error
