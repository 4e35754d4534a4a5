"""A session in one line of a list."""

from __future__ import annotations

import json

import pytest

from refold.decode import decode
from refold.folding import replay
from refold.session import Session
from refold.web.summaries import summary_json, title_of
from tests.web.lines import event, said, user


def _session(*lines: str) -> Session:
    return replay([decode(json.loads(each)) for each in lines], now_ms=0)


def test_an_empty_session_has_no_title() -> None:
    assert summary_json(Session()) == {
        "title": None, "model": None, "task_open": False, "items": 0,
    }  # fmt: skip


def test_a_session_is_called_by_its_title_else_by_its_beginning() -> None:
    begun = [said(0, "welcome"), user(1, "  \n"), user(2, "do\n\tthis  now"), user(3, "and that")]
    assert title_of(_session(*begun)) == "do this now"
    assert title_of(_session(*begun, event(4, "fact", name="title", value=" A\nname "))) == "A name"


@pytest.mark.parametrize("value", [None, 7, [], {}, " "])
def test_a_title_that_is_none_doesn_t_count(value: object) -> None:
    assert title_of(_session(user(0, "x"), event(1, "fact", name="title", value=value))) == "x"


def test_a_long_title_is_cut() -> None:
    title = title_of(_session(user(0, "word " * 1000)))
    assert title is not None
    assert len(title) <= 120
    assert title.endswith("…")


def test_a_model_that_is_no_text_is_left_out() -> None:
    facts = [event(0, "fact", name="model", value={"id": "m"})]
    assert summary_json(_session(*facts))["model"] is None
    assert summary_json(_session(event(0, "fact", name="model", value="m")))["model"] == "m"
