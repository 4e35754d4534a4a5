"""Where a task starts, case by case (reducer.md rules 16 to 18 and 29)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from refold.boundaries import MOVING, PLAIN, Boundary, advance, starts_task
from refold.folding import apply
from refold.json_values import JsonObject
from refold.messages import (
    Abort,
    CompactionBegin,
    CompactionEnd,
    ImageUrl,
    InlineData,
    Message,
    PartialText,
    RequestBegin,
    RequestEnd,
    Text,
    UnknownPayload,
)
from refold.session import Session
from tests.payloads import METAS
from tests.strategies import any_streams

_DO = Text(role="user", text="do it")
_SAID = Text(role="assistant", text="done")
_LEFT = Text(role="user", text="[user_steering]\nleft\n[/user_steering]")
_SUMMARY = Text(role="user", text="[context_summary]\nso far")
_IMAGE = ImageUrl(role="user", image_url="u")
_BEGIN = CompactionBegin(reason="manual", mode="summarize", context=1, turns=1)
_END = CompactionEnd(reason="manual", mode="summarize", status="completed")
_ASKED, _ANSWERED = RequestBegin(), RequestEnd(status="completed")
_PIECE = PartialText(role="assistant", event_type="delta", text="a")
_LATER = UnknownPayload(category="model_msg", body=JsonObject({"type": "later"}))
_LATER_EVENT = UnknownPayload(category="event_msg", body=JsonObject({"type": "later"}))


def _starts(payloads: list[Any]) -> list[int]:
    boundary, starts = PLAIN, []
    for index, payload in enumerate(payloads):
        if starts_task(boundary, payload):
            starts.append(index)
        boundary = advance(boundary, payload)
    return starts


@pytest.mark.parametrize(
    ("payloads", "starts"),
    [
        ([_DO, _SAID, _DO], [0, 2]),
        ([Text(role="user", text="")], [0]),
        ([_SUMMARY, _LEFT, _SAID], []),
        ([_IMAGE, _IMAGE], [0, 1]),
        ([InlineData(role="user", data="AA", mime_type="a/b")], []),
        # An image joins the steering directly in front of it, and so do those behind it.
        ([_LEFT, _IMAGE, _IMAGE, _DO], [3]),
        ([_LEFT, _SAID, _IMAGE], [2]),
        ([_LEFT, _SUMMARY, _IMAGE], [2]),
        ([_LEFT, Abort(), _IMAGE], [2]),
        # What is neither complete nor event comes between them without parting them.
        ([_LEFT, _PIECE, _IMAGE], []),
        ([_LEFT, METAS[0], _IMAGE], []),
        ([_LEFT, _LATER, _IMAGE], []),
        ([_LEFT, _LATER_EVENT, _IMAGE], [2]),
        # Inside a compaction nothing starts a task ...
        ([_BEGIN, _DO, _IMAGE, _END, _DO], [4]),
        ([_BEGIN, _ASKED, _ANSWERED, _DO, _END], []),
        ([_BEGIN, _LEFT, _END, _IMAGE], [3]),
        ([_LEFT, _BEGIN, _END, _IMAGE], [3]),
        # ... except inside a request of its own: then it crashed, and is over.
        ([_BEGIN, _ASKED, _DO, _IMAGE], [2, 3]),
        ([_BEGIN, _ASKED, _IMAGE, _DO], [2, 3]),
        ([_BEGIN, _ASKED, _LEFT, _SUMMARY, _ANSWERED, _DO], []),
        ([_BEGIN, _ASKED, _BEGIN, _DO], []),
        # A request of the task itself doesn't make a compaction's.
        ([_ASKED, _BEGIN, _DO], []),
    ],
)
def test_tasks_start_where_the_rules_say(payloads: list[Any], starts: list[int]) -> None:
    assert _starts(payloads) == starts


def test_what_is_known_is_known_by_value() -> None:
    assert advance(PLAIN, _LEFT) == Boundary(steering=True)
    assert advance(PLAIN, _BEGIN) == Boundary(compacting=True)
    assert advance(Boundary(compacting=True), _ASKED) == Boundary(compacting=True, requesting=True)
    assert advance(Boundary(compacting=True, requesting=True), _END) == PLAIN


@given(any_streams())
def test_only_moving_kinds_move_a_plain_boundary(stream: list[Message]) -> None:
    for message in stream:
        if type(message.payload) not in MOVING:
            assert advance(PLAIN, message.payload) is PLAIN


@given(any_streams())
def test_the_reducer_carries_this_boundary(stream: list[Message]) -> None:
    """Where the fold says that a task starts is where a pass over the messages says it."""
    session, boundary = Session(), PLAIN
    for message in stream:
        session = apply(session, message, now_ms=0)
        if not message.origin:
            boundary = advance(boundary, message.payload)
        assert session.boundary == boundary
