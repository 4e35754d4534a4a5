"""What changed between two versions of a session."""

from __future__ import annotations

import json
from typing import Any

import pytest

from refold.folding import apply, idle
from refold.messages import Message
from refold.patches import diff, patch
from refold.session import Session
from refold.views import to_json, view_of
from tests.notation import RB, RE, TU, A, C, O, T, U, X, fold, meta, of, pC, pO, pT


def _diff(before: Session, after: Session, *, pure: bool = False) -> list[dict[str, Any]]:
    operations = diff(before, after, pure=pure)
    assert patch(to_json(before), operations) == to_json(after)
    return operations


def _next(before: Session, payload: Any) -> list[dict[str, Any]]:
    message = payload if isinstance(payload, Message) else Message(payload=payload)
    return _diff(before, apply(before, message, now_ms=0))


def test_a_delta_is_one_append_at_its_item() -> None:
    before = fold(U("q"), C("1"), pT("start", "a"))
    assert _next(before, pT("delta", "b")) == [
        {"op": "append", "path": "/items/2/text", "value": "b"}
    ]


def test_a_delta_costs_the_same_in_a_long_session_as_in_a_short_one() -> None:
    """Whatever its length, and that of the text."""
    for count, length in ((1, 1), (1, 50_000), (4_000, 50_000)):
        before = fold(*[U("q")] * count, pT("start", "x" * length))
        (operation,) = _next(before, pT("delta", "token"))
        assert operation["op"] == "append"
        assert len(json.dumps(operation)) < 80


def test_a_settled_fragment_keeps_its_element() -> None:
    before = fold(U("q"), pT("start", "a"), pT("stop"))
    assert {each["op"] for each in _next(before, T("a", "completed"))} == {"add", "remove"}
    assert all(each["path"].startswith("/items/1/") for each in _next(before, T("a", "completed")))


def test_a_settled_fragment_moves_in_front_of_what_still_streams() -> None:
    before = fold(pC("1", "start"), pT("start", "a"), pT("stop"))
    operations = _next(before, T("a"))
    assert operations[0] == {"op": "move", "from": "/items/1", "path": "/items/0"}


def test_an_output_is_appended_to_a_card_anywhere() -> None:
    before = fold(C("1"), *[T("a")] * 100, C("2"))
    streamed = apply(before, Message(payload=pO("1", "start", "a")), now_ms=0)
    assert _next(streamed, pO("1", "delta", "b")) == [
        {"op": "append", "path": "/items/0/output", "value": "b"}
    ]


def test_a_new_item_is_one_addition() -> None:
    before = fold(U("q"), RB)
    (operation,) = [each for each in _next(before, X()) if each["path"].startswith("/items")]
    assert operation == {
        "op": "add",
        "path": "/items/1",
        "value": {"kind": "abort", "key": "abort:1"},
    }


def test_a_card_that_opens_again_behind_a_rest_is_changed_in_place() -> None:
    from tests.notation import S

    before = idle(fold(U("q"), C("1"), T("a")))
    operations = _next(before, S("go on"))
    assert {"op": "replace", "path": "/items/1/output_complete", "value": False} in operations
    assert {"op": "replace", "path": "/task_open", "value": True} in operations


def test_figures_change_at_their_places() -> None:
    before = fold(U("q"), TU(9, 9))
    assert _next(before, TU(12, 3)) == [
        {"op": "replace", "path": "/stats/context_now", "value": 3},
        {"op": "replace", "path": "/stats/session_total", "value": 12},
    ]


def test_a_nested_delta_is_one_append_at_its_place() -> None:
    before = fold(of("a/b~1", T("x")), of("a/b~1", pT("start", "y")))
    operations = [
        each for each in _next(before, of("a/b~1", pT("delta", "z"))) if each["op"] == "append"
    ]
    assert operations == [
        {"op": "append", "path": "/subagents/a/subagents/b~01/items/1/text", "value": "z"}
    ]


def test_the_first_nested_session_brings_the_mapping() -> None:
    before, after = fold(U("q")), fold(U("q"), of("c", T("a")))
    added = [each for each in _diff(before, after) if each["path"] == "/subagents"]
    assert [each["op"] for each in added] == ["add"]
    assert [each for each in _diff(after, before) if each["path"] == "/subagents"] == [
        {"op": "remove", "path": "/subagents"}
    ]


def test_only_the_nested_session_that_changed_is_looked_at() -> None:
    before = fold(*[of(f"c{number}", T("a")) for number in range(50)])
    operations = _next(before, of("c7", T("b")))
    paths = {each["path"].split("/")[2] for each in operations if "subagents" in each["path"]}
    assert paths == {"c7"}


@pytest.mark.parametrize("payload", [RB, of("c", RE()), meta(), A("9"), of("c", pT("delta", "x"))])
def test_a_message_that_shows_nothing_needs_no_operation_on_items(payload: Any) -> None:
    before = fold(U("q"), T("a"), of("c", T("b")))
    assert [each for each in _next(before, payload) if each["path"].startswith("/items")] == []


def test_a_version_and_itself_need_none() -> None:
    session = fold(U("q"), pT("start", "a"), of("c", T("b")))
    assert diff(session, session) == []


def test_views_and_documents_are_compared_whole() -> None:
    before, after = fold(U("q")), fold(U("q"), O("1"))
    expected = to_json(after)
    assert patch(to_json(before), diff(view_of(before), after)) == expected
    assert patch(to_json(before), diff(to_json(before), view_of(after))) == expected


def test_pure_operations_are_rfc_6902s() -> None:
    before, after = fold(pT("start", "a")), fold(pT("start", "a"), pT("delta", "b"))
    assert _diff(before, after, pure=True) == [
        {"op": "replace", "path": "/items/0/text", "value": "ab"}
    ]
