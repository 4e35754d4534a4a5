"""Records are taken some at a time where that changes nothing but the cost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from refold.errors import DecodeError
from refold.messages import Message
from refold.sources.claude_code import SOURCE
from refold.sources.files import open_trace
from refold.sources.files.foreign import batches_of, records_of
from refold.sources.files.looks import look_at

INPUTS = Path(__file__).parents[3] / "golden" / "claude_code" / "inputs"
LONGER_THAN_A_CHUNK = 300_000


def prompt(number: int, words: str = "hi") -> dict[str, Any]:
    return {
        "type": "user",
        "uuid": f"u{number}",
        "sessionId": "s",
        "timestamp": "2026-01-01T00:00:00.000Z",
        "message": {"role": "user", "content": f"{words} {number}"},
    }


def written(path: Path, *records: dict[str, Any], tail: str = "") -> Path:
    path.write_text("".join(f"{json.dumps(each)}\n" for each in records) + tail, "utf-8")
    return path


def one_by_one(path: Path) -> list[Message]:
    state = SOURCE.start()
    messages: list[Message] = []
    for record in records_of([look_at(path)], "raise"):
        state, more = SOURCE.step(state, record, None)
        messages += more
    return [*messages, *SOURCE.finish(state)]


@pytest.mark.parametrize("path", sorted(INPUTS.glob("*.jsonl")), ids=lambda path: path.stem)
def test_a_file_gives_the_messages_that_its_records_give_one_by_one(path: Path) -> None:
    trace = open_trace(path, format="claude-code", complete=False)
    assert list(trace.messages) == one_by_one(path)


def test_what_stands_in_front_of_a_bad_line_is_read_before_it_is_raised(tmp_path: Path) -> None:
    records = [prompt(number) for number in range(40)]
    good = written(tmp_path / "good.jsonl", *records)
    bad = written(tmp_path / "bad.jsonl", *records, tail='{"type": "user", "uu\n')
    messages: list[Message] = []
    with pytest.raises(DecodeError, match="line 41"):
        messages.extend(open_trace(bad).messages)
    assert messages == one_by_one(good)


def test_a_files_records_are_taken_together_and_none_is_lost(tmp_path: Path) -> None:
    path = written(tmp_path / "a.jsonl", *[prompt(number) for number in range(300)])
    batches = list(batches_of([look_at(path)], "raise"))
    assert [len(each) for each in batches] == [128, 128, 44]
    assert [record for batch in batches for record in batch] == [
        *records_of([look_at(path)], "raise")
    ]


def test_long_records_are_held_alone(tmp_path: Path) -> None:
    records = [prompt(number, "x" * LONGER_THAN_A_CHUNK) for number in range(4)]
    batches = list(batches_of([look_at(written(tmp_path / "a.jsonl", *records))], "raise"))
    assert max(map(len, batches)) == 1
    assert sum(map(len, batches)) == 4


def test_lines_are_taken_one_at_a_time_for_the_next_may_be_long_in_coming() -> None:
    lines = [json.dumps(prompt(number)) for number in range(4)]
    assert [len(each) for each in batches_of([look_at(lines)], "raise")] == [1, 1, 1, 1]
