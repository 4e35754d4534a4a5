from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given

from refold.json_values import JsonObject, freeze, thaw
from refold.policies.duplex.wire_json import (
    DEEPEST,
    Blank,
    Malformed,
    Parsed,
    line_bytes,
    parse,
)
from tests.policies.duplex.strategies import json_values


@pytest.mark.parametrize("text", ["", " ", "\t \r", "\x0c"])
def test_ascii_white_space_is_blank(text: str) -> None:
    assert parse(text) == Blank()


@pytest.mark.parametrize("text", ["\u00a0", "\u2028", "\x0b", "\x85", "\ufeff"])
def test_other_white_space_is_a_broken_line(text: str) -> None:
    assert parse(text) == Malformed(length=1, error="syntax")


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("not json", "syntax"),
        ('{"a":1} x', "syntax"),
        ('\ufeff{"a":1}', "syntax"),
        ('{"a":NaN}', "number"),
        ("[-Infinity]", "number"),
        ("[1e999]", "number"),
        (r'"\ud800"', "surrogate"),
        (r'{"a":"\udc00x"}', "surrogate"),
        ("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1), "depth"),
        ("[" * 200_000, "depth"),
    ],
)
def test_what_strict_parsers_refuse_is_refused(text: str, error: Any) -> None:
    assert parse(text) == Malformed(length=len(text), error=error)


def test_nesting_up_to_the_bound_is_read() -> None:
    text = "[" * DEEPEST + "]" * DEEPEST

    assert isinstance(parse(text), Parsed)


def test_a_surrogate_pair_is_one_character() -> None:
    assert parse(r'"\ud83d\ude00"') == Parsed(value="\U0001f600")


def test_any_json_value_is_read() -> None:
    assert parse(' {"a":[1,2.5,null,true,"x"]} ') == Parsed(
        value=JsonObject({"a": (1, 2.5, None, True, "x")})
    )


@given(json_values)
def test_what_is_written_is_one_line_that_reads_as_it_was(value: Any) -> None:
    written = line_bytes(freeze(value))

    assert written.endswith(b"\n")
    assert written.count(b"\n") == 1
    assert written.isascii()
    assert json.loads(written) == value


@given(json_values)
def test_what_json_writes_is_read(value: Any) -> None:
    parsed = parse(json.dumps(value))

    if isinstance(parsed, Parsed):
        assert thaw(parsed.value) == value
    else:
        assert parsed == Malformed(length=len(json.dumps(value)), error="number")
        assert _has_infinity(value)


def _has_infinity(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_has_infinity, value.values()))
    if isinstance(value, list):
        return any(map(_has_infinity, value))
    return isinstance(value, float) and math.isinf(value)
