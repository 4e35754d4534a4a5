"""Versions by event id, and what changed from each to the next."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from refold.folding import apply
from refold.messages import Message
from refold.patches import patch
from refold.session import Session
from refold.views import to_json
from refold.web.chronicle import Chronicle, begin, extend, since, version_at
from tests.strategies import any_streams


@given(any_streams(), st.data())
def test_whoever_has_a_version_is_patched_to_the_last_one(
    messages: list[Message], data: st.DataObject
) -> None:
    chronicle = begin("e", Session())
    seen = [(chronicle.event_id, to_json(Session()))]
    for message in messages:
        session = apply(chronicle.latest.session, message, now_ms=0)
        chronicle = extend(chronicle, session)
        seen.append((chronicle.event_id, to_json(session)))
    event_id, document = data.draw(st.sampled_from(seen))
    assert _patched(document, chronicle, event_id) == to_json(chronicle.latest.session)


def test_ids_count_on_within_an_epoch() -> None:
    chronicle = _of(3)
    assert [chronicle.id_of(each) for each in chronicle.versions] == ["e-0", "e-1", "e-2", "e-3"]
    assert since(chronicle, "e-3") == ()
    assert since(chronicle, "e-1") == chronicle.versions[2:]


def test_ids_of_others_and_no_ids_get_a_snapshot() -> None:
    chronicle = _of(3)
    for event_id in (None, "", "e", "e-", "e-4", "e--1", "f-1", "e-1-1", "e-01x", "-1"):
        assert since(chronicle, event_id) is None
        assert version_at(chronicle, event_id) is None


def test_what_is_kept_is_bounded_and_the_rest_gets_a_snapshot() -> None:
    chronicle = _of(600)
    assert len(chronicle.versions) == 512
    assert since(chronicle, "e-88") is None
    assert len(since(chronicle, "e-89") or ()) == 511


def test_many_large_changes_leave_no_room_for_old_ones() -> None:
    chronicle = begin("e", Session())
    for _ in range(12):
        chronicle = extend(chronicle, _saying(chronicle.latest.session, "x" * 900_000))
    sizes = [len(each.operations or "") for each in chronicle.versions]
    assert sum(sizes) <= 8 << 20
    assert len(sizes) == 9


def test_a_change_as_large_as_a_snapshot_is_a_gap() -> None:
    chronicle = extend(begin("e", Session()), _saying(Session(), "x" * 2_000_000))
    assert since(chronicle, "e-0") is None
    chronicle = extend(chronicle, _saying(chronicle.latest.session, "y"))
    assert since(chronicle, "e-0") is None
    assert len(since(chronicle, "e-1") or ()) == 1


def test_versions_that_look_the_same_are_one() -> None:
    chronicle = _of(1)
    looks_the_same = apply(chronicle.latest.session, _event("unheard_of"), now_ms=0)
    later = extend(chronicle, looks_the_same)
    assert later.event_id == chronicle.event_id
    assert later.latest.session is looks_the_same
    assert extend(later, looks_the_same) is later


@given(any_streams())
def test_a_window_holds_what_its_neighbour_was_patched_with(messages: list[Message]) -> None:
    chronicle = begin("e", Session())
    for message in messages:
        chronicle = extend(chronicle, apply(chronicle.latest.session, message, now_ms=0))
    for before, after in pairwise(chronicle.versions):
        operations = json.loads(after.operations or "null")
        assert patch(to_json(before.session), operations) == to_json(after.session)


def _patched(document: Any, chronicle: Chronicle, event_id: str) -> Any:
    versions = since(chronicle, event_id)
    assert versions is not None
    for version in versions:
        document = patch(document, json.loads(version.operations or ""))
    return document


def _of(number: int) -> Chronicle:
    chronicle = begin("e", Session())
    for at in range(number):
        chronicle = extend(chronicle, _saying(chronicle.latest.session, str(at)))
    return chronicle


def _saying(session: Session, text: str) -> Session:
    payload = {"type": "text", "role": "user", "text": text}
    message = {"timestamp": "", "type": "model_msg", "payload": payload}
    return apply(session, message, now_ms=0)


def _event(type: str) -> dict[str, Any]:
    return {"timestamp": "", "type": "event_msg", "payload": {"type": type}}
