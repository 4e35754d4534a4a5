"""Reading a file of OmniMessages."""

from __future__ import annotations

import io
import json
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from refold.decode import decode, encode_line
from refold.errors import DecodeError
from refold.messages import Message, SourcePosition, Transport
from refold.sources.files import read

PENGUIN = Path(__file__).parents[3] / "golden" / "penguin" / "inputs"
TORN = next(PENGUIN.glob("torn_line_healed*"))
ABORT: dict[str, Any] = {"timestamp": "t", "type": "event_msg", "payload": {"type": "abort"}}
LINE = json.dumps(ABORT)


@pytest.mark.parametrize(
    "source",
    [
        [LINE, LINE],
        [LINE.encode() + b"\n", LINE.encode()],
        io.StringIO(f"{LINE}\n{LINE}"),
        io.BytesIO(f"{LINE}\n{LINE}\n".encode()),
    ],
)
def test_whatever_holds_lines_is_read(source: Any) -> None:
    messages = list(read(source))
    assert messages == [decode(ABORT)] * 2
    assert [each.transport for each in messages] == [
        Transport(source=SourcePosition(format="omni", line=line)) for line in (1, 2)
    ]


def test_a_file_is_read_with_its_name(tmp_path: Path) -> None:
    path = tmp_path / "f.jsonl"
    path.write_text(f"\n{LINE}\n")
    (message,) = read(path)
    place = SourcePosition(format="omni", lane="f.jsonl", line=2)
    assert message.transport == Transport(source=place)
    assert list(read(str(path))) == [message]


def test_positions_may_be_left_out() -> None:
    assert [each.transport for each in read([LINE], positions=False)] == [None]


def test_a_recorded_torn_line_costs_one_message() -> None:
    faults: list[DecodeError] = []
    messages = list(read(TORN, errors=faults.append))
    assert len(messages) == 17
    assert [(each.line, each.source) for each in faults] == [(12, str(TORN))]
    assert messages == list(read(TORN, errors="skip"))


def test_by_default_a_torn_line_is_raised_behind_what_was_good() -> None:
    messages = read(TORN)
    assert [next(messages).transport for _ in range(11)][-1] == Transport(
        source=SourcePosition(format="omni", lane=TORN.name, line=11)
    )
    with pytest.raises(
        DecodeError, match=r"_001\.jsonl, line 12: expected a JSON value at \$, got "
    ):
        next(messages)


def test_a_missing_file_is_an_os_error() -> None:
    with pytest.raises(FileNotFoundError):
        next(read("/nowhere/f.jsonl"))


def test_what_was_written_is_read_again() -> None:
    messages = list(read(TORN, errors="skip"))
    again = list(read(map(encode_line, messages)))
    assert again == messages
    assert [each.transport for each in again] == [each.transport for each in messages]


def test_hostile_lines_cost_nothing_but_themselves() -> None:
    deep = '{"timestamp":"t","type":"event_msg","payload":{"type":"abort","x":' + "[" * 999
    hostile = [
        deep,
        deep + "]" * 999 + "}}",
        '{"type": "event_msg", "payload": {"type": "abort", "x": NaN}}',
        '{"type": "event_msg", "payload": {"type": "request_end", "status": "", "attempt": '
        + "9" * 5000
        + "}}",
        "[" * 100_000,
        '"' + "x" * 1000,
        b"\xff\xfe{",
        "null",
    ]
    faults: list[DecodeError] = []
    lines = [each for line in hostile for each in (line, LINE)]
    messages = list(read(lines, errors=faults.append))
    assert [
        each.transport.source.line for each in messages if each.transport and each.transport.source
    ] == [2 * at + 2 for at in range(len(hostile))]
    assert [each.line for each in faults] == [2 * at + 1 for at in range(len(hostile))]


def test_an_origin_of_ten_thousand_hops_is_reported_and_loses_nothing_else() -> None:
    origin = [f"s{hop}" for hop in range(10_000)]
    faults: list[DecodeError] = []
    lines = [LINE, json.dumps({**ABORT, "origin": origin}), LINE]
    assert len(list(read(lines, errors=faults.append))) == 2
    assert [(each.line, each.path) for each in faults] == [(2, "$.origin")]


def test_memory_is_bounded_by_the_longest_line() -> None:
    def lines() -> Iterator[str]:
        for _ in range(20_000):
            yield LINE + "\n"

    tracemalloc.start()
    count = sum(1 for _ in read(lines()))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 20_000
    assert peak < 1_000_000


def test_a_line_over_the_limit_is_a_fault() -> None:
    long: dict[str, Any] = {**ABORT, "x": "y" * 10_000}
    faults: list[DecodeError] = []
    options: dict[str, Any] = {"errors": faults.append, "max_line_bytes": 5000}
    assert list(read([json.dumps(long), LINE], **options)) == [decode(ABORT)]
    assert [each.expected for each in faults] == ["a line of at most 5000 bytes"]


def test_messages_come_as_lines_do() -> None:
    taken: list[int] = []

    def lines() -> Iterator[str]:
        for at in range(3):
            taken.append(at)
            yield LINE

    messages: Iterator[Message] = read(lines())
    next(messages)
    assert taken == [0]
