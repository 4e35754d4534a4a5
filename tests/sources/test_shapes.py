"""Which shape a file's text has, and the values in it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from refold.errors import DecodeError
from refold.sources.shapes import Shape, shape_of, values_in

A, B = {"type": "a"}, {"type": "b", "c": [1]}
LINES = f"{json.dumps(A)}\n{json.dumps(B)}\n"
PRINTED = f"{json.dumps(A, indent=2)}\n{json.dumps(B, indent=2)}\n"
EVENTS = "".join(f"event: {each['type']}\ndata: {json.dumps(each)}\n\n" for each in (A, B))


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        (LINES, "lines"),
        ("\ufeff\n" + LINES, "lines"),
        ("2026-07-05 IN: {\n" + LINES, "lines"),
        ("[12 ms] <- {}\n" + LINES, "lines"),
        ("[DEBUG] x\n" + LINES, "lines"),
        ("", "lines"),
        (json.dumps([A, B]), "document"),
        (json.dumps([A, B], indent=2), "document"),
        ("\ufeff" + json.dumps([A, B], indent=2), "document"),
        ("[\n" + LINES, "document"),
        (PRINTED, "document"),
        (EVENTS, "events"),
        ("## a heading\n\n" + EVENTS, "events"),
        ("data: {}\r\n\r\n", "events"),
    ],
)
def test_the_first_line_that_has_a_say_tells_the_shape(text: str, shape: Shape) -> None:
    assert shape_of([text]) == shape
    assert shape_of([text.encode()]) == shape


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (LINES, [1, 2]),
        (PRINTED, [1, 4]),
        (json.dumps([A, B]), [1, 1]),
        (json.dumps([A, B], indent=2), [2, 5]),
        ("\ufeff" + json.dumps([A, B], indent=2), [2, 5]),
        (EVENTS, [1, 4]),
    ],
)
@pytest.mark.parametrize("chunk", [7, 10_000])
def test_every_shape_gives_its_values_with_their_lines(
    text: str, lines: list[int], chunk: int
) -> None:
    whole = text.encode()
    chunks = [whole[at : at + chunk] for at in range(0, len(whole), chunk)]
    found = list(values_in(chunks, shape_of([whole])))
    assert found == list(zip(lines, [A, B], strict=True))


def errors_in(values: list[tuple[int | None, Any]]) -> list[str]:
    return [str(each) for _, each in values if isinstance(each, DecodeError)]


def test_what_cant_be_read_has_its_place_in_every_shape() -> None:
    torn = '{"type": "c"'
    lines = list(values_in([LINES + torn], "lines", name="f"))
    events = list(values_in([EVENTS + f"data: {torn}\n\n"], "events", name="f"))
    document = list(values_in([f"[{json.dumps(A)},\n{torn}\n]"], "document", name="f"))
    assert errors_in(lines) == [f"f, line 3: expected a JSON value at $, got {torn!r}"]
    assert errors_in(events) == [f"f, line 7: expected a JSON value at $, got {torn!r}"]
    assert errors_in(document)[0].startswith("f, line 2: expected a JSON value at $, got ")


def test_a_document_over_the_limit_is_refused_unread() -> None:
    asked: list[int] = []

    def chunks() -> Any:
        for at in range(100):
            asked.append(at)
            yield "[" + "1, " * 100

    ((line, error),) = values_in(chunks(), "document", max_document_bytes=1000)
    assert (line, len(asked)) == (1, 4)
    assert str(error).startswith("line 1: expected a document of at most 1000 bytes at $, got '[1")


def test_bytes_that_are_no_text_cost_a_document_only_themselves() -> None:
    values = list(values_in([b'[{"type": "\xff"}, {"type": "b"}]'], "document", name="f"))
    assert errors_in(values) == [
        'f: expected UTF-8 at $, got b\'[{"type": "\\xff"}, {"type": "b"}]\''
    ]
    assert [each for _, each in values[1:]] == [{"type": "\ufffd"}, {"type": "b"}]


def test_a_log_gives_what_is_no_record_as_text() -> None:
    assert list(values_in(["started\n" + LINES], "lines")) == [(1, "started"), (2, A), (3, B)]
