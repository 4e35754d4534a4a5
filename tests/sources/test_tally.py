"""What a source didn't understand is counted, and counting is bounded."""

from refold.sources.tally import NOTHING_COUNTED, counted, totals, unknown


def test_reasons_are_counted() -> None:
    tally = counted(counted(counted(NOTHING_COUNTED, "b"), "a", 2), "b")
    assert totals(tally) == {"a": 2, "b": 2}
    assert totals(NOTHING_COUNTED) == {}


def test_an_unknown_kind_is_named() -> None:
    tally = unknown(unknown(NOTHING_COUNTED, "event", "NEW"), "event", 5)
    assert totals(tally) == {"unknown event: NEW": 1, "unknown event: without a type": 1}


def test_a_thousand_kinds_are_not_a_thousand_entries() -> None:
    tally = NOTHING_COUNTED
    for number in range(1000):
        tally = unknown(tally, "event", "x" * number)
    assert len(totals(tally)) <= 65
    assert sum(totals(tally).values()) == 1000
    assert max(map(len, totals(tally))) <= 80
