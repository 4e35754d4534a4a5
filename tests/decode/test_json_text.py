"""JSON texts, strictly, and the same with the ``fast`` extra and without."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from refold.decode.json_lines import values_on
from refold.decode.json_text import MAX_DEPTH, line_parser, parse, scan, text_of, within_depth
from refold.errors import DecodeError

DEEP = 100_000
LONG_INTEGER = "1" * 5000

PARSERS = [pytest.param(fast, id="fast" if fast else "plain") for fast in (True, False)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": [1, 2.5, null, true]}', {"a": [1, 2.5, None, True]}),
        (" \t\r\n 1 \n", 1),
        ('{"a": 1, "a": 2}', {"a": 2}),
        (b'"\xc3\xa9"', "é"),
        (r'"\ud83d"', "\ud83d"),
        (r'"\ud83d\ude00"', "\U0001f600"),
        (b'"\xed\xa0\xbd"', "\ud83d"),
        ("-0", 0),
        ("1e-999", 0.0),
        ("1" * 4300, int("1" * 4300)),
    ],
)
def test_a_value_is_parsed(text: str | bytes, value: object) -> None:
    assert repr(parse(text)) == repr(value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a JSON value at $, got ''"),
        ("nul", "expected a JSON value at $, got 'nul'"),
        ('{"a": }', "expected a JSON value at $, got '{\"a\": }'"),
        ("'a'", "expected a JSON value at $, got \"'a'\""),
        ('"a\nb"', "expected a JSON value at $, got '\"a\\nb\"'"),
        ("[1] [2]", "expected the end of the JSON value at $, got ' [2]'"),
        ("NaN", "expected a finite number at $, got 'NaN'"),
        ("[-Infinity]", "expected a finite number at $, got '-Infinity'"),
        ('{"a": 1e999}', "expected a finite number at $, got '1e999'"),
        ("-1" + "0" * 309 + ".5", f"expected a finite number at $, got '-1{'0' * 58}'…"),
        (LONG_INTEGER, f"expected an integer of at most 4000 digits at $, got '{'1' * 60}'…"),
        ("[" * DEEP, f"expected at most 128 levels of nesting at $, got '{'[' * 60}'…"),
        (
            '{"a":' * DEEP,
            "expected at most 128 levels of nesting at $, got '" + '{"a":' * 12 + "'…",
        ),
        ("[" * 129 + "]" * 129, f"expected at most 128 levels of nesting at $, got '{'[' * 60}'…"),
        (b'"\xff"', "expected UTF-8 at $, got b'\"\\xff\"'"),
        (
            b'{"a long line": "of which only the end", "is": "torn \xe4\xbd',
            'expected UTF-8 at $, got b\'e end", "is": "torn \\xe4\\xbd\'',
        ),
        (b'"\xc0\x80"', "expected UTF-8 at $, got b'\"\\xc0\\x80\"'"),
    ],
)
def test_what_json_has_not_is_refused(text: str | bytes, message: str) -> None:
    with pytest.raises(DecodeError) as caught:
        parse(text)
    assert str(caught.value) == message


def test_the_deepest_nesting_is_parsed() -> None:
    text = "[" * MAX_DEPTH + "]" * MAX_DEPTH
    assert parse(text) == json.loads(text)


def test_brackets_in_strings_are_no_nesting() -> None:
    value = ["[{" * 1000]
    assert parse(json.dumps(value)) == value


def test_wide_is_not_deep() -> None:
    value = [[[]]] * 1000
    assert parse(json.dumps(value)) == value


def test_scanning_tells_where_a_value_ends() -> None:
    assert scan('x {"a": 1}{"b": 2}', 2) == ({"a": 1}, 10)


def test_text_is_itself_and_bytes_are_utf8() -> None:
    assert text_of("\ud800") == "\ud800"
    assert text_of("é".encode()) == "é"


@pytest.mark.parametrize("fast", PARSERS)
@pytest.mark.parametrize("line", ['{"a": 1}', b'{"a": 1}', b'{"a": 1}\r', b'{"a": 1} \t'])
def test_a_plain_line_is_parsed_either_way(line: str | bytes, fast: bool) -> None:
    assert line_parser(fast=fast)(line) == {"a": 1}


json_trees = st.recursive(
    st.none() | st.booleans() | st.text(max_size=5) | st.integers() | st.floats(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=6,
)
tokens = st.sampled_from(
    [
        b"{",
        b"}",
        b"[",
        b"]",
        b",",
        b":",
        b'"',
        b'"a"',
        b"1",
        b"-",
        b"0",
        b".5",
        b"e5",
        b"E999",
        b" ",
    ]
    + [
        b"\\",
        b"\\ud83d",
        b"\\ude00",
        b"\\n",
        b"\xc3\xa9",
        b"\xed\xa0\xbd",
        b"\xff",
        b"\xef\xbb\xbf",
    ]
    + [b"\x00", b"\t", b"\r", b"null", b"true", b"NaN", b"Infinity", b"9" * 20, b"9" * 400, b"\x0c"]
)
written = st.builds(
    lambda value, ascii_only: json.dumps(value, ensure_ascii=ascii_only).encode(
        errors="surrogatepass"
    ),
    json_trees,
    st.booleans(),
)
lines = st.one_of(
    written,
    st.lists(tokens, max_size=8).map(b"".join),
    st.builds(
        lambda line, at, token: line[:at] + token + line[at:], written, st.integers(0, 9), tokens
    ),
)


@settings(max_examples=500)
@given(lines)
@example(b"1e400")
@example(b'"\\ud800"')
@example(b"1" * 5000)
@example(b"[" * 2000)
@example(b"[" * 129 + b"]" * 129)
@example(b"18446744073709551616")
@example(b"-9223372036854775809.0")
def test_what_a_fast_parser_accepts_it_reads_as_the_strict_one_does(line: bytes) -> None:
    strict = [_shown(each) for each in values_on(line)]
    for fast in (True, False):
        try:
            value = within_depth(line_parser(fast=fast)(line), line)
        except Exception:  # noqa: BLE001 - then the strict one decides
            continue
        assert [_shown(value)] == strict


def _shown(value: Any) -> str:
    return str(value) if isinstance(value, DecodeError) else repr(value)
