from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given

from refold.json_values import freeze
from refold.policies.duplex.results import OUTCOMES, TurnSummary, dollars, summary_of
from tests.policies.duplex.strategies import json_values


def test_a_result_is_read() -> None:
    result = {
        "type": "result",
        "subtype": "success",
        "result": "hello",
        "session_id": "sess-123",
        "total_cost_usd": 0.0042,
        "duration_ms": 1234,
        "is_error": False,
        "terminal_reason": "completed",
    }

    assert summary_of(freeze(result)) == TurnSummary(
        text="hello",
        session_id="sess-123",
        total_cost_usd=Decimal("0.0042"),
        duration_ms=1234,
        subtype="success",
        is_error=False,
        terminal_reason="completed",
    )


def test_the_older_cost_field_counts_where_the_newer_is_absent() -> None:
    assert summary_of(freeze({"cost_usd": 0.5})).total_cost_usd == Decimal("0.5")


@pytest.mark.parametrize("total", [None, "0.5", True, []])
def test_the_newer_cost_field_hides_the_older_whatever_it_holds(total: Any) -> None:
    result = freeze({"total_cost_usd": total, "cost_usd": 0.5})

    assert summary_of(result).total_cost_usd is None


@pytest.mark.parametrize("result", [{}, [], None, "result"])
def test_what_is_missing_is_unknown_and_no_error(result: Any) -> None:
    assert summary_of(freeze(result)) == TurnSummary()


def test_an_interrupted_turn_has_a_subtype_an_error_and_no_text() -> None:
    result = {"subtype": "error_during_execution", "is_error": True, "total_cost_usd": 0.0004}

    assert summary_of(freeze(result)) == TurnSummary(
        subtype="error_during_execution", is_error=True, total_cost_usd=Decimal("0.0004")
    )


@pytest.mark.parametrize("flag", [1, "true", None, []])
def test_only_true_is_an_error(flag: Any) -> None:
    assert summary_of(freeze({"is_error": flag})).is_error is False


@pytest.mark.parametrize("duration", [1.0, -1, True, "5"])
def test_a_duration_is_a_count(duration: Any) -> None:
    assert summary_of(freeze({"duration_ms": duration})).duration_ms is None


def test_an_outcome_nobody_knows_is_other() -> None:
    assert summary_of(freeze({"subtype": "error_moon_phase"})).outcome == "other"
    assert summary_of(freeze({})).outcome is None
    assert {TurnSummary(subtype=each).outcome for each in OUTCOMES} == OUTCOMES


def test_amounts_are_what_the_wire_says() -> None:
    assert dollars(0.1) == Decimal("0.1")
    assert dollars(3) == Decimal(3)
    assert dollars(float("nan")) is None
    assert dollars(10**5000) is None


@given(json_values)
def test_any_result_is_read(value: Any) -> None:
    assert isinstance(summary_of(freeze(value)), TurnSummary)
