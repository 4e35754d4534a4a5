"""Law 12: every source is a transducer: total, deterministic, the same live and stored."""

from __future__ import annotations

import copy
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.errors import RefoldError
from refold.laws import LAWS, check
from refold.messages import Message
from refold.sources.files import open_trace
from refold.sources.registry import FORMATS, source_named
from refold.sources.source import Record, Source
from refold.views import to_json
from tests.laws.folds import fold

GOLDEN = Path(__file__).parents[2] / "golden"
LONGEST = 300

words = st.sampled_from(
    ["type", "message", "content", "role", "id", "text", "tool_use", "assistant", "user", "result"]
    + ["params", "update", "payload", "delta", "event", "usage", "timestamp", "data", "choices"]
)
values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-2, 2), words, st.text(max_size=3)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(words, inner, max_size=4)),
    max_leaves=10,
)


def _recordings() -> list[Path]:
    """Return golden inputs that a reader opens by itself."""
    found = []
    for path in sorted(GOLDEN.glob("*/inputs/**/*")):
        if path.is_file():
            try:
                open_trace(path, errors="skip")
            except RefoldError:
                continue
            found.append(path)
    return found


def _messages(source: Source, records: list[Any]) -> list[Message]:
    messages, state = [], source.start()
    for line, value in enumerate(records, 1):
        state, made = source.step(state, Record(value=value, line=line), None)
        messages += made
    assert all(type(each) is int for each in source.counts(state).values())
    return [*messages, *source.finish(state)]


@pytest.mark.parametrize("name", FORMATS)
@given(records=st.lists(values, max_size=6))
def test_any_records_give_messages_that_fold_and_always_the_same(
    name: str, records: list[Any]
) -> None:
    """Any JSON in any field of a record; nothing raises, and the record stays as it was."""
    source, before = source_named(name), copy.deepcopy(records)
    try:
        messages = _messages(source, records)
    except RefoldError:
        assert name == "omni"  # its records are messages, and decoding them may refuse
        return
    assert records == before
    assert _messages(source, records) == messages
    assert to_json(fold(messages)) == to_json(fold(_messages(source, before)))


@pytest.mark.parametrize("path", _recordings(), ids=lambda path: f"{path.parts[-3]}-{path.name}")
def test_what_recordings_give_keeps_the_laws_of_messages(path: Path) -> None:
    """Deterministic, total, live = replay, however it is cut, nested, stored and redelivered."""
    messages = list(islice(open_trace(path, errors="skip").messages, LONGEST))
    again = list(islice(open_trace(path, errors="skip").messages, LONGEST))
    assert again == messages
    assert check(messages, [law for law in LAWS if law.number in (1, 3, 4, 5, 8)]) == []
