"""Windows of a view: its end, and pages in front of it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from refold.folding import replay
from refold.messages import Message
from refold.session import Session
from refold.views import frame_json, to_json
from refold.web.windowed import nested_at, page, windowed
from tests.strategies import any_streams


@given(any_streams(), st.integers(0, 6))
def test_a_window_is_the_end_of_the_view_and_says_where_it_begins(
    messages: list[Message], most: int
) -> None:
    session = replay(messages, now_ms=0)
    shown = windowed(session, most)
    whole = to_json(session)
    assert shown["items"] == whole["items"][shown["start"] :]
    assert len(shown["items"]) == min(most, len(whole["items"]))
    assert frame_json(session).items() <= shown.items()


@given(any_streams())
def test_nested_sessions_come_without_items_and_say_how_many_they_have(
    messages: list[Message],
) -> None:
    session = replay(messages, now_ms=0)
    shown = windowed(session).get("subagents", {})
    assert {name: (each["start"], each["items"]) for name, each in shown.items()} == {
        name: (len(each.items), []) for name, each in session.subagents.items()
    }


@given(any_streams(), st.integers(1, 5))
def test_pages_from_the_end_to_the_beginning_are_the_whole(
    messages: list[Message], most: int
) -> None:
    session = replay(messages, now_ms=0)
    before, items = len(session.items), []
    while before > 0:
        older = page(session, before, most)
        items = older["items"] + items
        before = older["start"]
    assert items == to_json(session)["items"]


def test_a_page_stops_at_its_size_but_holds_one_item() -> None:
    session = _said("a" * 1000, "b" * 1000, "c" * 1000)
    assert page(session, 3, size=10)["start"] == 2
    assert page(session, 3, size=1100)["start"] == 1
    assert page(session, 0) == {"start": 0, "items": []}
    assert page(session, 99)["start"] == 0


def test_a_nested_session_is_found_by_its_chain() -> None:
    inner = {"type": "text", "role": "user", "text": "x"}
    raw = {"timestamp": "", "type": "model_msg", "payload": inner, "origin": ["a", "b"]}
    session = replay([raw], now_ms=0)
    assert nested_at(session, []) is session
    assert nested_at(session, ["a", "b"]) is session.subagents["a"].subagents["b"]
    assert nested_at(session, ["b"]) is None
    assert nested_at(session, ["b", "a"]) is None


def _said(*texts: str) -> Session:
    payloads = ({"type": "text", "role": "user", "text": text} for text in texts)
    raw = ({"timestamp": "", "type": "model_msg", "payload": each} for each in payloads)
    return replay(raw, now_ms=0)
