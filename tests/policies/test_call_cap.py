"""How many of a response's tool calls are taken."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.policies.call_cap import MAX_CALLS, CappedCalls, cap_calls
from refold.policies.history import AssistantTurn, Call
from refold.policies.pairing import paired
from tests.policies.strategies import calls


def numbered(count: int) -> list[Call]:
    return [Call(call_id=f"c{n}", name="many__tool_0") for n in range(count)]


@pytest.mark.parametrize(
    ("made", "limit", "kept", "dropped"),
    [
        (100, 64, 64, 36),
        (64, 64, 64, 0),
        (65, 64, 64, 1),
        (0, 64, 0, 0),
        (3, 0, 0, 3),
        (3, -1, 0, 3),
    ],
)
def test_the_first_calls_up_to_the_limit_are_kept(
    made: int, limit: int, kept: int, dropped: int
) -> None:
    offered = numbered(made)
    assert cap_calls(offered, limit) == CappedCalls(kept=tuple(offered[:kept]), dropped=dropped)


def test_a_hundred_calls_in_one_response_are_64_distinct_ones() -> None:
    """Document 004, test 8 (per_turn_tool_call_cap_enforced)."""
    kept = cap_calls(numbered(100)).kept
    assert len({call.call_id for call in kept}) == MAX_CALLS == 64


@given(st.lists(calls, max_size=6), st.integers(-1, 8))
def test_what_was_dropped_needs_no_result(offered: list[Call], limit: int) -> None:
    capped = cap_calls(offered, limit)
    assert [*capped.kept] == offered[: max(0, limit)]
    assert len(paired([AssistantTurn(calls=capped.kept)])) == 1 + len(capped.kept)
