from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.maps import EMPTY_MAP
from refold.sources.claude_stream_json.tokens import (
    NO_USAGE,
    Usage,
    added,
    model_usage_of,
    usage_of,
)
from refold.sources.claude_stream_json.usage import Ledger, left, settled, used

usages = st.builds(
    Usage, fresh=st.integers(0, 9), read=st.integers(0, 9), written=st.integers(0, 9)
)


def at(message: str, usage: Usage, ledger: Ledger | None = None, *, whole: bool = False) -> Ledger:
    return used(ledger or Ledger(), "", message, usage, recorded=True, whole=whole)


def total(parts: tuple[Usage, ...]) -> Usage:
    whole = NO_USAGE
    for part in parts:
        whole = added(whole, part)
    return whole


def test_a_usage_object_is_read_and_an_empty_one_says_nothing() -> None:
    told = {
        "input_tokens": 1,
        "cache_read_input_tokens": 2,
        "cache_creation_input_tokens": 3,
        "output_tokens": 4,
    }

    assert usage_of(told) == Usage(fresh=1, read=2, written=3, output=4)
    for nothing in ({}, None, [], "x", {"input_tokens": 0}, {"output_tokens": "4"}):
        assert usage_of(nothing) is None


def test_the_account_by_model_is_read() -> None:
    told: Any = {"m": {"inputTokens": 1, "outputTokens": 2}, "n": None}

    assert dict(model_usage_of(told)) == {"m": Usage(fresh=1, output=2), "n": NO_USAGE}


def test_the_highest_figures_of_a_message_count_once() -> None:
    ledger = at("m", Usage(fresh=9, output=1))
    ledger = at("m", Usage(fresh=9, output=41), ledger)
    ledger = at("m", Usage(fresh=9, output=1), ledger)

    assert left(ledger, "")[1] == Usage(fresh=9, output=41)


def test_a_message_that_comes_back_adds_only_what_it_knows_more() -> None:
    ledger, _ = left(at("m", Usage(fresh=9, output=1)), "")
    ledger, more = left(at("m", Usage(fresh=9, output=3), ledger), "")

    assert more == Usage(output=2)
    assert left(at("m", Usage(fresh=9, output=3), ledger), "")[1] == NO_USAGE


def test_one_message_id_in_two_lanes_is_two_messages() -> None:
    ledger = used(at("m", Usage(output=1)), "t", "m", Usage(output=2), recorded=True)
    ledger, main = left(ledger, "")

    assert (main, left(ledger, "t")[1]) == (Usage(output=1), Usage(output=2))


def test_the_result_has_the_last_word_on_a_turn_of_one_message() -> None:
    ledger = at("m", Usage(fresh=2, written=12069, output=3))
    whole = Usage(fresh=2, written=12069, output=17)

    assert settled(ledger, whole, EMPTY_MAP, None)[1] == (whole,)


def test_the_last_part_is_the_last_request() -> None:
    ledger, counted = left(at("m1", Usage(fresh=3, written=3617, read=17057, output=6)), "")
    ledger = at("m2", Usage(fresh=1, written=127, read=20674, output=4), ledger)
    whole = Usage(fresh=4, written=3744, read=37731, output=122)
    last = Usage(fresh=1, written=127, read=20674, output=18)

    _, told = settled(ledger, whole, EMPTY_MAP, last)
    assert told == (Usage(output=98), last)
    assert added(counted, total(told)) == whole

    _, untold = settled(ledger, whole, EMPTY_MAP, None)
    assert untold[-1] == Usage(fresh=1, written=127, read=20674, output=4)
    assert added(counted, total(untold)) == whole


def test_messages_without_figures_leave_the_context_to_the_last_that_had_some() -> None:
    ledger, _ = left(at("m1", Usage(fresh=401, read=31552, output=191)), "")
    ledger = at("m2", NO_USAGE, ledger)
    _, parts = settled(ledger, Usage(fresh=9000, read=90000, output=900), EMPTY_MAP, None)

    assert parts == (
        Usage(fresh=8198, read=26896, output=518),
        Usage(fresh=401, read=31552, output=191),
    )


def test_a_turn_of_which_only_the_total_is_known_is_one_part() -> None:
    whole = Usage(fresh=9, output=9)

    assert settled(Ledger(), whole, EMPTY_MAP, None)[1] == (whole,)
    assert settled(at("m", NO_USAGE), whole, EMPTY_MAP, None)[1] == (whole,)


def test_a_message_that_only_streamed_is_counted_and_is_no_message_of_the_turn() -> None:
    ledger, _ = left(at("m1", Usage(fresh=9, output=41)), "")
    ledger = used(ledger, "", "m2", Usage(fresh=1, read=50, output=1), recorded=False)
    ledger, parts = settled(ledger, Usage(fresh=10, read=50, output=45), EMPTY_MAP, None)

    assert parts == (Usage(fresh=1, read=50, output=4),)


def test_a_result_never_takes_back_what_was_counted() -> None:
    ledger, _ = left(at("m1", Usage(fresh=10, output=10)), "")

    assert settled(ledger, Usage(fresh=1, output=1), EMPTY_MAP, None)[1] == ()


def test_a_result_without_figures_leaves_the_messages_as_they_are() -> None:
    assert settled(at("m", Usage(output=3)), None, EMPTY_MAP, None)[1] == (Usage(output=3),)
    assert settled(Ledger(), None, EMPTY_MAP, None)[1] == ()


def test_every_turn_is_counted_from_zero() -> None:
    ledger, first = settled(at("m1", Usage(output=1)), Usage(output=5), EMPTY_MAP, None)
    _, second = settled(at("m2", Usage(output=1), ledger), Usage(output=7), EMPTY_MAP, None)

    assert (first, second) == ((Usage(output=5),), (Usage(output=7),))


def whole_message(models: dict[str, Usage]) -> tuple[Usage, ...]:
    ledger, _ = left(at("m1", Usage(fresh=100, output=10), whole=True), "")
    ledger = at("m2", Usage(fresh=7, output=1), ledger)
    account = EMPTY_MAP
    for name, usage in models.items():
        account = account.put(name, usage)
    return settled(ledger, Usage(fresh=300, output=50), account, None)[1]


def test_a_message_that_came_whole_is_added_where_the_account_says_so() -> None:
    assert total(whole_message({"m": Usage(fresh=400, output=60)})) == Usage(fresh=300, output=50)


@pytest.mark.parametrize(
    "account", [{}, {"m": Usage(fresh=300, output=50)}, {"m": Usage(fresh=401, output=60)}]
)
def test_without_an_exact_account_the_result_stands(account: dict[str, Usage]) -> None:
    assert total(whole_message(account)) == Usage(fresh=200, output=40)


def test_the_account_is_a_running_total() -> None:
    ledger = at("m1", Usage(fresh=5))
    first = EMPTY_MAP.put("m", Usage(fresh=1000))
    ledger, _ = settled(ledger, Usage(fresh=5), first, None)
    ledger, _ = left(at("m2", Usage(fresh=100), ledger, whole=True), "")
    second = EMPTY_MAP.put("m", Usage(fresh=1400))

    assert total(settled(ledger, Usage(fresh=300), second, None)[1]) == Usage(fresh=300)


@given(st.lists(st.tuples(st.sampled_from("abc"), usages), max_size=8), usages)
def test_what_is_counted_in_a_turn_is_never_less_than_its_result(
    seen: list[tuple[str, Usage]], whole: Usage
) -> None:
    ledger, counted, before = Ledger(), NO_USAGE, None
    for message, usage in seen:
        if before not in (None, message):
            ledger, more = left(ledger, "")
            counted = added(counted, more)
        ledger, before = at(message, usage, ledger), message
    _, parts = settled(ledger, whole, EMPTY_MAP, None)
    counted = added(counted, total(parts))

    best = {}
    for message, usage in seen:
        known = best.get(message, NO_USAGE)
        best[message] = Usage(
            fresh=max(known.fresh, usage.fresh),
            read=max(known.read, usage.read),
            written=max(known.written, usage.written),
        )
    expected = total(tuple(best.values()))
    assert counted == Usage(
        fresh=max(expected.fresh, whole.fresh),
        read=max(expected.read, whole.read),
        written=max(expected.written, whole.written),
    )
