"""What a column of a table is, and the ones that several tables have.

Rules of this file:

- A column says its name, its type, what it means with its unit, and where a row gets it from.
- A unit is part of a name where there is one: ``…_ms`` (Unix ms for moments, ms for durations),
  ``…_usd``, ``…_tps`` (tokens per second). Tokens are counts. None is unknown.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any, Literal, TypeAlias

from refold.analysis.costs import Cost
from refold.analysis.findings import Analysis, SessionFigures
from refold.analysis.task_figures import Times
from refold.analysis.tokens import Tokens
from refold.records import record

__all__ = ["Column", "Kind", "Subject", "Value", "column", "cost", "field", "times", "tokens"]

_OF_THE_MODEL = ("llm_ms", "busy_ms", "idle_ms")

Kind: TypeAlias = Literal["text", "integer", "number", "decimal", "flag"]
Value: TypeAlias = str | int | float | bool | Decimal | None


@record
class Subject:
    """What a row is about.

    Args:
        file: the name of the trace.
        analysis: of that trace.
        place: the session's.
        session: the session.
        index: the row's place in the session.
        row: the task, request or tool; the session itself for a session.
        extra: what can't be told from it alone: a request's segments, a tool's lane.
    """

    file: str
    analysis: Analysis
    place: int
    session: SessionFigures
    index: int
    row: Any
    extra: Any = None


@record
class Column:
    """One column of a table.

    Args:
        name: its name.
        kind: its type.
        meaning: what it says, with its unit.
        value: where a row gets it from.
    """

    name: str
    kind: Kind
    meaning: str
    value: Callable[[Subject], Value]


def column(name: str, kind: Kind, meaning: str, value: Callable[[Subject], Value]) -> Column:
    """Return a column with a value of its own."""
    return Column(name=name, kind=kind, meaning=meaning, value=value)


def field(name: str, kind: Kind, meaning: str, attribute: str | None = None) -> Column:
    """Return a column that shows an attribute of the row.

    Args:
        name: its name.
        kind: its type.
        meaning: what it says.
        attribute: the attribute's name, if it is another.
    """
    attribute = name if attribute is None else attribute
    return column(name, kind, meaning, lambda subject: getattr(subject.row, attribute))


def times(
    whose: Callable[[Subject], Times], llm_known: Callable[[Subject], bool]
) -> tuple[Column, ...]:
    """Return columns for where the time went.

    Args:
        whose: how a row gets its times.
        llm_known: whether a row's LLM time is known, and with it what was idle.
    """
    meanings = {
        "elapsed_ms": "ms from begin to end, task by task",
        "llm_ms": "ms in requests outside compaction, approval waits taken out",
        "tools_ms": "ms in which at least one tool ran",
        "tools_sum_ms": "ms of all tools, those at the same time counted each",
        "busy_ms": "ms of the elapsed in which the model or a tool worked",
        "idle_ms": "ms of the elapsed in which neither did",
        "waiting_ms": "ms of the elapsed in which a human was asked",
    }

    def part(name: str, meaning: str) -> Column:
        def value(subject: Subject) -> Value:
            unknown = name in _OF_THE_MODEL and not llm_known(subject)
            return None if unknown else getattr(whose(subject), name)

        return column(name, "integer", meaning, value)

    return tuple([part(name, meaning) for name, meaning in meanings.items()])


def tokens(whose: str, of: Callable[[Subject], Tokens], *, prefix: str = "") -> tuple[Column, ...]:
    """Return columns for tokens by bucket."""
    meanings = {
        "cache_read": f"input tokens {whose} read from a cache",
        "cache_write": f"input tokens {whose} not read from a cache",
        "output": f"tokens {whose} written by the model",
        "total": f"all tokens {whose}, as their sender sums them",
    }

    def bucket(name: str, meaning: str) -> Column:
        named = f"{prefix}{name}_tokens"
        return column(named, "integer", meaning, lambda subject: getattr(of(subject), name))

    return tuple([bucket(name, meaning) for name, meaning in meanings.items()])


def cost(
    whose: str, of: Callable[[Subject], Cost | None], *, prefix: str = ""
) -> tuple[Column, ...]:
    """Return columns for what tokens cost, and how many have no price."""

    def part(attribute: str) -> Callable[[Subject], Value]:
        return lambda subject: getattr(of(subject), attribute, None)

    priced = f"USD for the priced tokens {whose}; None where nothing is priced"
    unpriced = f"tokens {whose} without a price; None where no prices were given"
    return (
        column(f"{prefix}cost_usd", "decimal", priced, part("usd")),
        column(f"{prefix}unpriced_tokens", "integer", unpriced, part("unpriced_tokens")),
    )
