"""Real sessions of a real engine: pinned views, the laws, and live captures against their traces."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from refold import Message, replay, settled, to_json
from refold.laws import LAWS, Law
from refold.laws.comparing import timeless
from refold.sources.files import open_trace

INPUTS = Path(__file__).parents[2] / "golden" / "penguin" / "inputs"
TRACES = sorted(INPUTS.glob("*.jsonl"))
CAPTURES = sorted((INPUTS / "live_streams").glob("*.ndjson"))


def _messages(file: Path, *, complete: bool = True) -> list[Message]:
    return list(open_trace(file, errors="skip", complete=complete).messages)


@pytest.mark.parametrize("file", TRACES, ids=lambda file: file.name.partition("__")[0])
def test_a_real_trace_settles_in_the_pinned_view(file: Path, snapshot: SnapshotAssertion) -> None:
    assert json.dumps(to_json(settled(replay(_messages(file), now_ms=0))), indent=1) == snapshot


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name.replace(" ", "-"))
@pytest.mark.parametrize("file", [*TRACES, *CAPTURES], ids=lambda file: file.name[:24])
def test_every_law_holds_on_every_real_file(file: Path, law: Law) -> None:
    assert law.differs(_messages(file)) is None


@pytest.mark.parametrize("capture", CAPTURES, ids=lambda file: file.stem)
def test_a_live_capture_settles_like_its_trace(capture: Path) -> None:
    """What only the trace has (metas, the user's words, a summary) is put where the trace has it."""
    trace = [each for each in _traces_of(capture) if not _is_pointer(each)]
    live = _aligned(_messages(capture), trace)
    assert _shown(live) == _shown(trace)


def _traces_of(capture: Path) -> list[Message]:
    files = sorted(INPUTS.glob(f"{capture.stem}__*.jsonl"))
    return _messages(files[0])


def _is_pointer(message: Message) -> bool:
    return message.payload.kind == "subagent"


def _aligned(live: list[Message], trace: list[Message]) -> list[Message]:
    """Return a capture with the messages that only its trace has in front of their successors."""
    held = {each for each in live if each in set(trace)}
    woven: list[Message] = []
    waiting = iter(trace)
    for message in live:
        if _is_pointer(message):
            continue
        if message in held:
            for earlier in waiting:
                if earlier == message:
                    break
                woven += [earlier] if earlier not in held else []
        woven.append(message)
    return [*woven, *[each for each in waiting if each not in held]]


def _shown(messages: list[Message]) -> Any:
    return timeless(to_json(settled(replay(messages, now_ms=0))))
