"""What a result line says.

Rules of this file (sources/stream-json-and-acp.md 2.4, "accessors"):

- Every field is optional; one of the wrong type is as good as absent.
- The total cost is a running total of the session, not the turn's (``costs`` tells them apart). A
  ``total_cost_usd`` that is there, whatever it holds, hides the older ``cost_usd``.
- The text is what the agent repeats of its last message: absent behind an interrupt, and possibly
  only the first piece of a message in several.
"""

from __future__ import annotations

from decimal import Decimal, InvalidOperation

from refold.json_values import Json, JsonObject
from refold.records import record

__all__ = ["OUTCOMES", "TurnSummary", "dollars", "summary_of"]

OUTCOMES = frozenset(
    {
        "success",
        "error_during_execution",
        "error_max_turns",
        "error_max_budget_usd",
        "error_max_structured_output_retries",
    }
)


@record
class TurnSummary:
    """A result, read.

    Args:
        text: the final text, if there is one.
        session_id: the session the turn belongs to.
        total_cost_usd: what the session has cost so far, in US dollars.
        duration_ms: how long the turn took by the agent's clock.
        subtype: how it ended, in the agent's words.
        is_error: whether the agent calls it an error.
        terminal_reason: why it ended, where newer agents say so.
    """

    text: str | None = None
    session_id: str | None = None
    total_cost_usd: Decimal | None = None
    duration_ms: int | None = None
    subtype: str | None = None
    is_error: bool = False
    terminal_reason: str | None = None

    @property
    def outcome(self) -> str | None:
        """The subtype if it is a known one, else ``other``; None if there is none."""
        return self.subtype if self.subtype is None or self.subtype in OUTCOMES else "other"


def summary_of(result: Json) -> TurnSummary:
    """Read a result line.

    Args:
        result: the line, of any JSON type.
    """
    fields = result if isinstance(result, JsonObject) else JsonObject()
    name = "total_cost_usd" if "total_cost_usd" in fields else "cost_usd"
    return TurnSummary(
        text=_text(fields.get("result")),
        session_id=_text(fields.get("session_id")),
        total_cost_usd=dollars(fields.get(name)),
        duration_ms=_count(fields.get("duration_ms")),
        subtype=_text(fields.get("subtype")),
        is_error=fields.get("is_error") is True,
        terminal_reason=_text(fields.get("terminal_reason")),
    )


def dollars(value: Json) -> Decimal | None:
    """Return an amount as the wire's own digits say it, or None if it is no finite number.

    Args:
        value: any JSON value; a boolean is no number.
    """
    if type(value) is not int and type(value) is not float:
        return None
    try:
        amount = Decimal(repr(value))
    except (InvalidOperation, ValueError):
        return None
    return amount if amount.is_finite() else None


def _text(value: Json) -> str | None:
    return value if isinstance(value, str) else None


def _count(value: Json) -> int | None:
    return value if type(value) is int and value >= 0 else None
