"""The text of an event stream, as the package's own reader of such streams reads it."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from refold.sources.sse import SseEvent, feed, framer
from refold.web.server_events import HEARTBEAT, RETRY, event_text
from refold.web.windowed import json_text

TEXTS = st.text(st.characters(exclude_categories=()), max_size=20)


def _read(text: str) -> list[SseEvent]:
    _, found = feed(framer(), text.encode())
    return [each for each in found if isinstance(each, SseEvent)]


@given(st.dictionaries(TEXTS, TEXTS, max_size=3))
def test_whatever_is_in_its_data_an_event_is_one_event(value: dict[str, str]) -> None:
    (read,) = _read(event_text("patch", json_text(value), "e-1"))
    assert (read.event, read.id, json.loads(read.data)) == ("patch", "e-1", value)


def test_an_event_without_an_id_leaves_the_last_one() -> None:
    text = event_text("patch", "[]", "e-1") + event_text("status", "{}")
    assert [(each.event, each.id) for each in _read(text)] == [("patch", "e-1"), ("status", "e-1")]


def test_heartbeats_and_waiting_times_are_no_events() -> None:
    assert _read(RETRY + HEARTBEAT + HEARTBEAT) == []
