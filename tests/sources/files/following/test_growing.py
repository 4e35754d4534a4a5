"""Bytes of what grows: what came since the last look, and whether what came before still holds."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from refold.sources.files.following.growing import CHUNK, GrowingFile, GrowingStream


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "trace.jsonl"
    path.write_bytes(b"one\n")
    return path


def append(path: Path, more: bytes) -> None:
    with path.open("ab") as file:
        file.write(more)


def test_only_what_came_since_is_given(path: Path) -> None:
    file = GrowingFile(path)
    assert (file.read(), file.read()) == (b"one\n", b"")
    append(path, b"two\n")
    assert (file.read(), file.read(), file.replaced) == (b"two\n", b"", False)


def test_a_large_file_comes_in_chunks(path: Path) -> None:
    content = bytes(range(256)) * (2 * CHUNK // 256) + b"end"
    path.write_bytes(content)
    file = GrowingFile(path)
    chunks = [file.read(), file.read(), file.read(), file.read()]
    assert [len(each) for each in chunks] == [CHUNK, CHUNK, 3, 0]
    assert b"".join(chunks) == content


def test_a_file_that_is_not_there_has_nothing_and_may_come(tmp_path: Path) -> None:
    file = GrowingFile(tmp_path / "later.jsonl")
    assert (file.read(), file.replaced) == (b"", False)
    file.path.write_bytes(b"here")
    assert file.read() == b"here"


def test_a_file_that_goes_away_keeps_what_was_read_of_it(path: Path) -> None:
    file = GrowingFile(path)
    file.read()
    path.unlink()
    assert (file.read(), file.replaced) == (b"", False)


@pytest.mark.parametrize("content", [b"", b"on", b"two\n", b"One\n", b"another that is longer\n"])
def test_a_file_with_other_bytes_was_replaced(path: Path, content: bytes) -> None:
    file = GrowingFile(path)
    file.read()
    path.write_bytes(content)
    assert (file.read(), file.replaced) == (b"", True)


def test_a_longer_copy_in_its_place_only_made_it_grow(path: Path) -> None:
    file = GrowingFile(path)
    file.read()
    copy = path.with_name("copy")
    copy.write_bytes(b"one\ntwo\n")
    copy.replace(path)
    assert (file.read(), file.replaced) == (b"two\n", False)


def test_a_look_takes_nothing_away(path: Path) -> None:
    path.write_bytes(b'{"a": 1}\n')
    file = GrowingFile(path)
    assert file.look().values == [{"a": 1}]
    assert file.read() == b'{"a": 1}\n'


def test_a_directory_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError):
        GrowingFile(tmp_path).read()


def test_a_stream_is_never_waited_for_and_ends_when_it_is_closed() -> None:
    reading, writing = os.pipe()
    stream = GrowingStream(reading, "<stdin>")
    assert (stream.read(), stream.ended) == (b"", False)
    os.write(writing, b'{"a": 1}\n')
    assert stream.look().values == [{"a": 1}]
    os.write(writing, b"more")
    assert (stream.read(), stream.read(), stream.read()) == (b'{"a": 1}\n', b"more", b"")
    assert not stream.ended
    os.close(writing)
    assert (stream.read(), stream.ended, stream.replaced) == (b"", True, False)
    os.close(reading)
