from __future__ import annotations

from refold.messages import Fact, Notice
from refold.sources.claude_stream_json.knowledge import learn, notice
from refold.sources.claude_stream_json.state import START, Entry

ENTRY = Entry(value={}, at="2026-01-01T00:00:00Z")


def test_a_fact_is_said_when_it_changes() -> None:
    state, first = learn(START, ENTRY, "model", "m")
    again, nothing = learn(state, ENTRY, "model", "m")
    _, other = learn(state, ENTRY, "model", None)

    assert [each.payload for each in (*first, *other)] == [
        Fact(name="model", value="m"),
        Fact(name="model", value=None),
    ]
    assert again is state
    assert nothing == ()


def test_a_notice_has_the_time_of_its_record() -> None:
    (draft,) = notice(START, ENTRY, "hook", "no")

    assert (draft.payload, draft.at) == (Notice(name="hook", text="no"), "2026-01-01T00:00:00Z")
