"""Recorded streams, cut and delivered in a thousand ways, end in one digest."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from refold.folding import replay
from refold.laws.comparing import timeless
from refold.live import HistoryLoaded
from refold.messages import Message
from refold.recording import record
from refold.session import Session
from refold.sources.files import open_trace
from refold.views import settled, to_json
from tests.laws.deliveries import delivered, once

STREAMS = sorted(Path("golden/penguin/inputs/live_streams").glob("*.ndjson"))
CUTS = 1_000 // len(STREAMS) + 1


@pytest.mark.parametrize("path", STREAMS, ids=lambda path: path.stem)
def test_a_recorded_stream_ends_in_one_view_however_it_is_cut(path: Path) -> None:
    stream = once(open_trace(str(path)).messages)
    whole = _told(replay(record(stream), now_ms=0))
    assert CUTS * len(STREAMS) >= 1_000
    for number in range(CUTS):
        chosen = random.Random(f"{path.name} {number}")
        assert _told(_cut(stream, chosen)) == whole, f"cut {number}"


def _cut(stream: list[Message], chosen: random.Random) -> Session:
    begin, end = sorted(chosen.randrange(len(stream) + 1) for _ in range(2))
    history = HistoryLoaded(messages=tuple(record(stream[:end])))
    live = list(enumerate(stream))[begin:]
    behind = chosen.randrange(len(live) + 1)
    return delivered(live, history, behind=behind, ids=chosen.random() < 0.5).session


def _told(session: Session) -> dict[str, Any]:
    """Return what is shown at rest, but for what streamed of a summary that no complete confirmed."""
    view = timeless(to_json(settled(session)))
    for item in view["items"]:
        item.pop("summary_text", None)
    return view
