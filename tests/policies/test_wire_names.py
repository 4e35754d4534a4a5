"""Ids and names of calls as every provider takes them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.policies.wire_names import wire_ids, wire_name
from tests.policies.strategies import call_ids, names, texts


@pytest.mark.parametrize(
    ("recorded", "sent"),
    [
        (("a", "b"), ("a", "b")),
        (("a", "a", "a"), ("a", "a_2", "a_3")),
        (("a", "a_2", "a"), ("a", "a_2", "a_3")),
        (("a", "a", "a_2"), ("a", "a_2", "a_2_2")),
        (("", ""), ("call", "call_2")),
        (("a b", "a/b"), ("a_b", "a_b_2")),
        (("x" * 50, "x" * 41), ("x" * 40, "x" * 38 + "_2")),
        (("toolu_01-A",), ("toolu_01-A",)),
    ],
)
def test_ids_are_usable_and_told_apart(recorded: tuple[str, ...], sent: tuple[str, ...]) -> None:
    assert wire_ids(recorded) == sent


@given(st.lists(call_ids, max_size=12), st.lists(call_ids, max_size=3))
def test_ids_are_unique_usable_and_depend_on_those_before_alone(
    first: list[str], more: list[str]
) -> None:
    sent = wire_ids(first + more)
    assert len(set(sent)) == len(first) + len(more)
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,40}", each) for each in sent)
    assert sent[: len(first)] == wire_ids(first)


@given(st.lists(call_ids, max_size=12))
def test_usable_ids_stay_as_they_are(recorded: list[str]) -> None:
    sent = wire_ids(recorded)
    assert wire_ids(sent) == sent


def test_ten_thousand_equal_ids_are_told_apart_in_one_pass() -> None:
    assert len(set(wire_ids(["call"] * 10_000))) == 10_000


@given(names | texts)
def test_a_name_is_usable(name: str) -> None:
    assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", wire_name(name))


def test_a_usable_name_stays_as_it_is() -> None:
    assert wire_name("fs__read-file") == "fs__read-file"
