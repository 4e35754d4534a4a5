"""Law 10: patch(json(a), diff(a, b)) == json(b), at the cost of what changed."""

from __future__ import annotations

import copy
import json
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from refold.folding import apply, idle
from refold.laws.of_deliveries import patches_lead_on
from refold.messages import Message, PartialText, Text
from refold.patches import diff, patch
from refold.session import Session
from refold.views import settled, to_json
from tests.laws.folds import fold
from tests.strategies import any_streams, chaotic_streams, disciplined_streams

_RFC_6902 = {"add", "remove", "replace", "move", "copy", "test"}


def _leads(before: Any, after: Any, *, pure: bool) -> None:
    document = to_json(before)
    untouched = copy.deepcopy(document)
    operations = diff(before, after, pure=pure)
    carried = json.loads(json.dumps(operations))
    assert patch(document, carried) == to_json(after)
    assert document == untouched
    assert {each["op"] for each in operations} <= _RFC_6902 | (set() if pure else {"append"})


@given(chaotic_streams(), st.booleans())
def test_a_diff_leads_from_each_version_to_the_next(stream: list[Message], pure: bool) -> None:
    """Between neighbours, at rest and not."""
    session = Session()
    for index, message in enumerate(stream):
        after = apply(session, message, now_ms=index)
        _leads(session, after, pure=pure)
        _leads(after, idle(after), pure=pure)
        session = idle(after) if index % 5 == 4 else after


@given(disciplined_streams(), st.booleans(), st.data())
def test_a_diff_leads_from_any_version_to_any_other(
    stream: list[Message], pure: bool, data: st.DataObject
) -> None:
    """Forwards and backwards, over any distance."""
    places = st.integers(0, len(stream))
    one, other = fold(stream[: data.draw(places)]), fold(stream[: data.draw(places)])
    _leads(one, other, pure=pure)


@given(chaotic_streams(), disciplined_streams(), st.booleans())
def test_a_diff_leads_from_any_session_to_any_other(
    one: list[Message], other: list[Message], pure: bool
) -> None:
    """Sessions that have nothing in common, as sessions, as settled views and as JSON."""
    before, after = fold(one), fold(other)
    _leads(before, after, pure=pure)
    _leads(settled(before), settled(after), pure=pure)
    documents = to_json(before), to_json(after)
    assert patch(documents[0], diff(*documents, pure=pure)) == documents[1]


@given(any_streams())
def test_equal_versions_need_no_operation(stream: list[Message]) -> None:
    """diff(a, a) is empty, also of two that were folded apart."""
    assert diff(fold(stream), fold(stream)) == []


@given(disciplined_streams(), st.integers(1, 2_000), st.text(min_size=1, max_size=8))
def test_a_token_is_one_small_append(stream: list[Message], length: int, token: str) -> None:
    """In a session of any size, to a message of any length."""
    opened = Text(role="user", text="go on")
    start = PartialText(role="assistant", event_type="start", text="x" * length)
    delta = PartialText(role="assistant", event_type="delta", text=token)
    before = fold([*stream, Message(payload=opened), Message(payload=start)])
    assume(before.compacting is None)
    operations = diff(before, apply(before, Message(payload=delta), now_ms=9))
    assert len(operations) == 1
    assert operations[0]["op"] == "append"
    assert operations[0]["value"] == token
    assert len(json.dumps(operations)) < 120 + 12 * len(token)


@given(any_streams())
def test_the_law_holds_as_users_run_it(stream: list[Message]) -> None:
    """``refold verify`` finds nothing."""
    assert patches_lead_on(stream) is None
