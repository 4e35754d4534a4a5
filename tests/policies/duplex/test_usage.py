from __future__ import annotations

from typing import get_args

from refold.maps import EMPTY_MAP
from refold.policies.duplex.usage import (
    STEPS,
    USAGES,
    Counted,
    LaneLeft,
    Seen,
    TurnSettled,
    UsageInput,
    step,
)
from refold.sources.claude_stream_json.tokens import Usage


def run(*events: UsageInput) -> list[Counted]:
    ledger, counted = USAGES, []
    for event in events:
        ledger, more = step(ledger, event)
        counted.extend(more)
    return counted


def test_every_input_has_a_transition() -> None:
    assert set(STEPS) == set(get_args(UsageInput))


def test_a_message_is_counted_when_its_lane_goes_on_to_another() -> None:
    first = Seen(lane="", message="m1", usage=Usage(fresh=9, output=1))
    grown = Seen(lane="", message="m1", usage=Usage(fresh=9, output=41))
    second = Seen(lane="", message="m2", usage=Usage(fresh=1))

    assert run(first, grown, second) == [Counted(lane="", usage=Usage(fresh=9, output=41))]


def test_lanes_are_counted_apart() -> None:
    main = Seen(lane="", message="m", usage=Usage(output=1))
    child = Seen(lane="t1", message="m", usage=Usage(output=2))

    assert run(main, child, LaneLeft(lane="t1"), LaneLeft(lane="")) == [
        Counted(lane="t1", usage=Usage(output=2)),
        Counted(lane="", usage=Usage(output=1)),
    ]


def test_a_result_counts_what_the_messages_did_not_know() -> None:
    stale = Seen(lane="", message="m", usage=Usage(fresh=2, output=3))

    assert run(stale, TurnSettled(total=Usage(fresh=2, output=17))) == [
        Counted(lane="", usage=Usage(fresh=2, output=17))
    ]


def test_a_result_without_figures_counts_the_messages() -> None:
    stale = Seen(lane="", message="m", usage=Usage(fresh=2, output=3))

    assert run(stale, TurnSettled(models=EMPTY_MAP)) == [
        Counted(lane="", usage=Usage(fresh=2, output=3))
    ]


def test_a_lane_with_no_message_has_nothing_to_count() -> None:
    assert run(LaneLeft(lane="x"), TurnSettled()) == []
