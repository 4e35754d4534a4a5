"""Drafts become messages that say where they came from."""

from refold.messages import Message, RequestBegin, SourcePosition, Text, Transport
from refold.sources.drafts import draft, messages_of
from refold.sources.source import Record


def test_messages_of_a_record_are_numbered_and_point_to_their_line() -> None:
    drafts = (
        draft(RequestBegin(), "2026-01-01T00:00:00Z"),
        draft(Text(role="assistant", text="a"), None, "2026-01-01T00:00:01Z", ("c1",)),
    )
    record = Record(value={}, line=7, lane="in")
    assert messages_of(drafts, "format", record, "r1") == (
        Message(payload=RequestBegin(), timestamp="2026-01-01T00:00:00Z"),
        Message(payload=Text(role="assistant", text="a"), origin=("c1",)),
    )
    transports = [each.transport for each in messages_of(drafts, "format", record, "r1")]
    assert transports == [
        Transport(
            started_at=None,
            source=SourcePosition(format="format", lane="in", id="r1", ordinal=0, line=7),
        ),
        Transport(
            started_at="2026-01-01T00:00:01Z",
            source=SourcePosition(format="format", lane="in", id="r1", ordinal=1, line=7),
        ),
    ]
