"""What a source says about a record, before it is told where the record stands.

Rules of this file:

- A draft is a payload with its time and its session; ``messages_of`` makes messages of all drafts
  of one record, numbering them (sources/README.md: ``source`` = format, lane, id, ordinal, line).
- Nothing here knows a format.
"""

from __future__ import annotations

from collections.abc import Iterable

from refold.json_values import EMPTY
from refold.messages import Message, Payload, SourcePosition, Transport
from refold.records import positional, record
from refold.sources.source import Record

__all__ = ["Draft", "Drafts", "draft", "messages_of"]


@record
class Draft:
    """A payload on its way to a message.

    Args:
        payload: what it says.
        at: its timestamp, None if the record has none.
        started_at: the timestamp of its fragment's start, for a complete (laws.md, law 4).
        origin: the nested sessions it came through, outer to inner.
    """

    payload: Payload
    at: str | None = None
    started_at: str | None = None
    origin: tuple[str, ...] = ()


Drafts = tuple[Draft, ...]

_new_draft = positional(Draft)
_new_message = positional(Message)
_new_transport = positional(Transport)
_new_position = positional(SourcePosition)


def draft(
    payload: Payload,
    at: str | None = None,
    started_at: str | None = None,
    origin: tuple[str, ...] = (),
) -> Draft:
    """Return a draft; the fields are those of ``Draft``."""
    return _new_draft(payload, at, started_at, origin)


def messages_of(
    drafts: Iterable[Draft], source: str, record: Record, record_id: str | None
) -> tuple[Message, ...]:
    """Return the messages of one record.

    Args:
        drafts: what it says, in order.
        source: the format's name.
        record: the record.
        record_id: the id the format gives it, if any.
    """
    return tuple(
        [
            _new_message(
                each.payload,
                each.at,
                each.origin,
                _new_transport(
                    None,
                    each.started_at,
                    _new_position(source, record.lane, record_id, ordinal, record.line),
                ),
                EMPTY,
            )
            for ordinal, each in enumerate(drafts)
        ]
    )
