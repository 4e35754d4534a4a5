"""Folding records of a foreign stream, as every test of a stream source needs it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from refold import Session, View, replay, settled
from refold.errors import DecodeError
from refold.messages import Message
from refold.sources.event_streams import event_records
from refold.sources.source import Record, Source

GOLDEN = Path(__file__).parents[2] / "golden"


def messages_from(source: Source, values: Iterable[Any]) -> list[Message]:
    """Return all messages of a stream of records, those due at its end included."""
    state = source.start()
    messages: list[Message] = []
    for line, value in enumerate(values, 1):
        state, more = source.step(state, Record(value=value, line=line), None)
        messages += more
    return [*messages, *source.finish(state)]


def folded(source: Source, values: Iterable[Any]) -> Session:
    """Return the session that a stream of records folds to."""
    return replay(messages_from(source, values), now_ms=0)


def view(source: Source, values: Iterable[Any]) -> View:
    """Return the settled view of a stream of records."""
    return settled(folded(source, values))


def counted(source: Source, values: Iterable[Any]) -> dict[str, int]:
    """Return what a source didn't understand of a stream."""
    state = source.start()
    for value in values:
        state, _ = source.step(state, Record(value=value), None)
    return source.counts(state)


def read(path: Path) -> list[Record]:
    """Return the records of a recorded stream; what can't be read is left out."""
    records = event_records([path.read_bytes()])
    return [each for each in records if not isinstance(each, DecodeError)]


def recorded_view(source: Source, path: Path) -> View:
    """Return the settled view of a recorded stream."""
    return view(source, [each.value for each in read(path)])


def inputs_of(area: str) -> Sequence[Path]:
    """Return the recorded streams of an area."""
    return sorted((GOLDEN / area / "inputs").iterdir())


def view_path(path: Path) -> Path:
    """Return where the view of a recorded stream is kept."""
    return path.parents[1] / "views" / f"{path.stem}.json"


def said(session: Session | View) -> list[tuple[str, str]]:
    """Return the kinds and texts of a session's items, in order, for tests about content."""
    shown = []
    for item in session.items:
        for name in ("text", "thinking", "image_url", "arguments_text"):
            if hasattr(item, name):
                shown.append((item.kind, str(getattr(item, name))))
                break
        else:
            shown.append((item.kind, ""))
    return shown
