"""A call's arguments as a JSON object."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from refold.policies.projection.arguments import arguments_object, arguments_text
from tests.policies.strategies import arguments

DEEP = '{"a":' * 101 + "1" + "}" * 101


def unparsed(text: str) -> dict[str, Any]:
    return {"unparsed_arguments": text}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", {}),
        (" \n", {}),
        ("null", {}),
        ('{"a": 1}', {"a": 1}),
        ('{"a":{"unparsed_arguments":[]}}', {"a": {"unparsed_arguments": []}}),
        ("[1]", unparsed("[1]")),
        ('"text"', unparsed('"text"')),
        ("0", unparsed("0")),
        ('{"a": "to', unparsed('{"a": "to')),
        ('{"a":NaN}', unparsed('{"a":NaN}')),
        ('{"a":1e999}', unparsed('{"a":1e999}')),
        ('{"n":' + "9" * 5000 + "}", unparsed('{"n":' + "9" * 5000 + "}")),
        (DEEP, unparsed(DEEP)),
        (DEEP[5:-1], json.loads(DEEP[5:-1])),
        ("[" * 100_000, unparsed("[" * 100_000)),
        ('{"a":"\\ud800"}', {"a": "\ufffd"}),
        ('{"\\ud800":["\\ud83d\\ude00"]}', {"\ufffd": ["😀"]}),
        ("torn \ud800", unparsed("torn \ufffd")),
    ],
)
def test_arguments_are_an_object_whatever_was_written(text: str, value: dict[str, Any]) -> None:
    assert arguments_object(text) == value


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ('{"b" : 1,\n "a": 2}', '{"b" : 1,\n "a": 2}'),
        ('{"a":"é"}', '{"a":"é"}'),
        ('{"a":"\\u00e9"}', '{"a":"\\u00e9"}'),
        ("", "{}"),
        (" null ", "{}"),
        ('{"a":"\\ud800"}', '{"a":"\ufffd"}'),
        ("oops", '{"unparsed_arguments":"oops"}'),
    ],
)
def test_an_object_goes_out_as_it_was_written(text: str, sent: str) -> None:
    assert arguments_text(text) == sent


@given(arguments)
def test_text_and_object_say_the_same(text: str) -> None:
    assert json.loads(arguments_text(text)) == arguments_object(text)
