"""The first look at a file costs nothing of it."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from refold.sources.files.looks import detected, look_at
from refold.sources.registry import FormatError


def lines(count: int, size: int = 1) -> list[bytes]:
    return [json.dumps({"n": at, "x": "y" * size}).encode() + b"\n" for at in range(count)]


@pytest.mark.parametrize("count", [0, 1, 40, 5000])
def test_some_dozens_of_records_are_looked_at_and_all_are_read(tmp_path: Path, count: int) -> None:
    path = tmp_path / "f.jsonl"
    path.write_bytes(b"".join(lines(count, 100)))
    look = look_at(path)
    assert [each["n"] for each in look.values] == list(range(min(count, 32)))
    assert (
        b"".join(bytes(each) for each in look.chunks if isinstance(each, bytes))
        == path.read_bytes()
    )
    assert (look.name, look.lane, look.shape) == (str(path), "f.jsonl", "lines")


def test_of_a_stream_no_more_is_taken_than_the_look_needs() -> None:
    taken: list[int] = []

    def stream() -> Iterator[bytes]:
        for at, line in enumerate(lines(10_000, 10_000)):
            taken.append(at)
            yield line

    assert len(look_at(stream()).values) == 32
    assert len(taken) < 100


def test_large_records_are_looked_at_in_fewer() -> None:
    look = look_at(lines(20, 3_000_000))
    assert 0 < len(look.values) < 20


def test_what_cant_be_read_is_no_record() -> None:
    assert look_at([b'{"torn": \n', b'{"n": 1}\n', b"prose"]).values == [{"n": 1}, "prose"]


def zipped(content: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("a.jsonl", content)
    return file.getvalue()


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (gzip.compress(b"".join(lines(40))), "gzip"),
        (lzma.compress(b"".join(lines(40))), "xz"),
        (zipped(b"".join(lines(40))), "zip"),
        (b"\x28\xb5\x2f\xfd\x04", "zstd"),
    ],
)
def test_what_is_compressed_is_said_to_be(content: bytes, name: str) -> None:
    look = look_at([content])
    assert look.compression == name
    with pytest.raises(
        FormatError, match=rf"^the input is compressed \({name}\): unpack it first$"
    ):
        detected(look)


def test_what_is_not_compressed_is_not_said_to_be() -> None:
    assert [look_at(each).compression for each in ([], ["{}"], lines(1))] == [None, None, None]
