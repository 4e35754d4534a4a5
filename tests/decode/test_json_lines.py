"""JSON Lines as they really are: nothing good is lost, everything bad has its place."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.decode.json_lines import json_lines
from refold.errors import DecodeError


def values(text: str | bytes, **options: Any) -> list[tuple[int, Any]]:
    return [
        (number, str(value) if isinstance(value, DecodeError) else value)
        for number, value in json_lines([text], name="f.jsonl", **options)
    ]


A, B = {"timestamp": "1", "a": 1}, {"timestamp": "2", "b": [2]}
TEXT_A, TEXT_B = json.dumps(A), json.dumps(B)


def wrong(line: int, got: str) -> tuple[int, str]:
    return line, f"f.jsonl, line {line}: expected a JSON value at $, got {got}"


@pytest.mark.parametrize(
    "text",
    [
        f"{TEXT_A}\n{TEXT_B}\n",
        f"{TEXT_A}\n{TEXT_B}",
        f"{TEXT_A}\r\n{TEXT_B}\r\n",
        f"\ufeff{TEXT_A}\n\ufeff{TEXT_B}\n",
        f"  {TEXT_A}\t\n{TEXT_B}  \n",
        f"{TEXT_A}\n{TEXT_B}\n\n \t\r\n\n",
    ],
    ids=["plain", "no last line feed", "CRLF", "byte order marks", "white space", "blank lines"],
)
def test_what_doesnt_matter_doesnt_matter(text: str) -> None:
    assert values(text) == [(1, A), (2, B)]
    assert values(text.encode()) == [(1, A), (2, B)]


def test_blank_lines_count_as_lines() -> None:
    assert values(f"\n\n{TEXT_A}\n\n{TEXT_B}") == [(3, A), (5, B)]


def test_a_torn_last_line_is_reported_and_costs_nothing_else() -> None:
    assert values(f'{TEXT_A}\n{{"timestamp": "2", "b') == [
        (1, A),
        wrong(2, """'{"timestamp": "2", "b'"""),
    ]


def test_a_torn_line_in_the_middle_is_reported_and_costs_nothing_else() -> None:
    assert values(f'{TEXT_A}\n{{"timestamp": \n{TEXT_B}\n') == [
        (1, A),
        wrong(2, """'{"timestamp":'"""),
        (3, B),
    ]


@pytest.mark.parametrize("between", ["", " ", "\t\r", "\ufeff"])
def test_values_glued_on_one_line_are_all_read(between: str) -> None:
    assert values(f"{TEXT_A}{between}{TEXT_B}{between}{TEXT_A}\n{TEXT_B}") == [
        (1, A),
        (1, B),
        (1, A),
        (2, B),
    ]


def test_what_is_glued_behind_a_torn_line_is_read() -> None:
    torn = '{"timestamp": "0", "text": "he said {'
    assert values(f"{TEXT_A}\n{torn}{TEXT_B}\n{TEXT_A}") == [
        (1, A),
        (2, f"f.jsonl, line 2: expected a JSON value at $, got {torn + TEXT_B!r:.61}'…"),
        (2, B),
        (3, A),
    ]


def test_a_value_inside_a_torn_one_is_not_taken_for_a_line() -> None:
    torn = '{"type": "a", "inner": {"type": "b"}, "rest'
    assert [type(value) for _, value in json_lines([torn])] == [DecodeError]


def test_what_is_glued_in_front_of_a_torn_line_is_read() -> None:
    assert values(f'{TEXT_A}{{"timestamp"') == [(1, A), wrong(1, "'{\"timestamp\"'")]


def test_many_torn_beginnings_on_one_line_take_no_time() -> None:
    assert len(values('{"a":[1,' * 100_000)) == 1


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('{"a": NaN}', "expected a finite number at $, got 'NaN'"),
        ('{"a": -Infinity}', "expected a finite number at $, got '-Infinity'"),
        ('{"a": 1e999}', "expected a finite number at $, got '1e999'"),
        ('{"a": ' + "9" * 5000 + "}", "expected an integer of at most 4000 digits at $, got "),
        ("[" * 500 + "]" * 500, "expected at most 128 levels of nesting at $, got "),
        ("[" * 100_000, "expected at most 128 levels of nesting at $, got "),
        (b'{"a": "\xff"}', 'expected UTF-8 at $, got b\'{"a": "\\xff"}\''),
        ("hello", "expected a JSON value at $, got 'hello'"),
    ],
    ids=["NaN", "Infinity", "1e999", "5,000 digits", "deep", "deep and torn", "bytes", "prose"],
)
def test_a_hostile_line_is_an_error_between_its_neighbours(line: Any, expected: str) -> None:
    line = line if isinstance(line, bytes) else line.encode()
    first, error, last = values(TEXT_A.encode() + b"\n" + line + b"\n" + TEXT_B.encode())
    assert (first, last) == ((1, A), (3, B))
    assert error[1].startswith(f"f.jsonl, line 2: {expected}")


def test_lone_surrogates_are_kept() -> None:
    escaped = rb'{"a": "\ud800"}'
    encoded = b'{"a": "\xed\xa0\x80"}'
    assert values(escaped + b"\n" + encoded) == [(1, {"a": "\ud800"}), (2, {"a": "\ud800"})]


def test_a_line_over_the_limit_is_an_error_between_its_neighbours() -> None:
    long = json.dumps({"a": "x" * 1000})
    assert values(f"{TEXT_A}\n{long}\n{TEXT_B}", max_line_bytes=500) == [
        (1, A),
        (2, f"f.jsonl, line 2: expected a line of at most 500 bytes at $, got {long[:60]!r}…"),
        (3, B),
    ]


def test_a_line_of_many_megabytes_is_read() -> None:
    value = {"a": "x" * 20_000_000}
    assert values(json.dumps(value) + "\n" + TEXT_B) == [(1, value), (2, B)]


def test_whoever_takes_a_value_may_look_at_its_depth_alone() -> None:
    deep = "[" * 200 + "]" * 200
    assert values(deep, bounded=False) == [(1, json.loads(deep))]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("12:01 INFO starting", ["12:01 INFO starting"]),
        ('  "a": 1,', ['  "a": 1,']),
        ("{", ["{"]),
        ("  {}", ["  {}"]),
        ("[]", ["[]"]),
        ("17", ["17"]),
        ("[DEBUG] x\r", ["[DEBUG] x"]),
        (f"[12 ms] <- {TEXT_A}", [f"[12 ms] <- {TEXT_A}"]),
        (f"  {TEXT_A}", [A]),
        (f"{TEXT_A}{TEXT_B}", [A, B]),
        ("[1, 2]", [[1, 2]]),
        ("{}", [{}]),
        ("  ", []),
    ],
)
def test_in_a_log_a_line_that_is_no_record_is_given_as_its_text(
    line: str, found: list[Any]
) -> None:
    assert values(line, prose=True) == [(1, each) for each in found]


@pytest.mark.parametrize(
    "line", ['{"timestamp": "2', b'{"a": "\xff"}', b"12:01 caf\xe9", "[" * 999]
)
def test_in_a_log_a_broken_line_is_an_error_still(line: Any) -> None:
    found = list(json_lines([line], prose=True))
    assert [type(value) for _, value in found] == [DecodeError if line != "[" * 999 else str]


def test_lines_are_read_one_by_one() -> None:
    taken: list[int] = []

    def chunks() -> Iterator[str]:
        for at in range(3):
            taken.append(at)
            yield f"{at}\n"

    lines = json_lines(chunks())
    assert (next(lines), taken) == ((1, 0), [0])


@given(st.lists(st.sampled_from([TEXT_A, TEXT_B, "", " ", '{"a', "x", "\ufeff"]), max_size=6))
def test_every_good_line_comes_with_its_number(lines: list[str]) -> None:
    good = {TEXT_A: A, TEXT_B: B}
    expected = [(number, good[line]) for number, line in enumerate(lines, 1) if line in good]
    found = json_lines(["\n".join(lines)])
    assert [each for each in found if not isinstance(each[1], DecodeError)] == expected
