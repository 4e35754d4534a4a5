"""What can be read, as chunks."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from refold.sources.files.inputs import opened


def content(source: Any) -> Any:
    chunks = list(opened(source).chunks)
    return chunks[0][:0].join(chunks) if chunks else b""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "f.jsonl"
    path.write_bytes(b"a\nb\n")
    return path


def test_a_path_is_read_and_named(path: Path) -> None:
    for source in (path, str(path)):
        assert content(source) == b"a\nb\n"
        assert (opened(source).name, opened(source).lane) == (str(path), "f.jsonl")


def test_a_large_file_comes_in_chunks(tmp_path: Path) -> None:
    path = tmp_path / "large"
    path.write_bytes(b"x" * 1_000_000)
    assert [len(each) for each in opened(path).chunks] == [262_144] * 3 + [213_568]


def test_a_small_file_is_closed_before_it_is_used(path: Path) -> None:
    before = len(os.listdir("/dev/fd"))
    chunks = [opened(path).chunks for _ in range(50)]
    assert [next(each) for each in chunks] == [b"a\nb\n"] * 50
    assert len(os.listdir("/dev/fd")) == before


def test_nothing_is_opened_before_it_is_asked_for(tmp_path: Path) -> None:
    missing = opened(tmp_path / "gone")
    with pytest.raises(FileNotFoundError):
        next(missing.chunks)


@pytest.mark.parametrize(
    ("file", "whole"),
    [
        (io.BytesIO(b"a\nb"), b"a\nb"),
        (io.StringIO("a\nb"), "a\nb"),
        (io.TextIOWrapper(io.BytesIO("é\n".encode("latin-1")), encoding="latin-1"), "é\n"),
    ],
)
def test_an_open_file_is_read_and_stays_open(file: Any, whole: Any) -> None:
    assert content(file) == whole
    assert not file.closed


def test_an_open_file_has_the_name_it_was_opened_by(path: Path) -> None:
    with path.open("rb") as file:
        assert (opened(file).name, opened(file).lane) == (str(path), "f.jsonl")
    assert opened(io.BytesIO()).name is None


@pytest.mark.parametrize("lines", [["a", "b"], ["a\n", "b\n"], iter(["a\n", "b"])])
def test_lines_are_read_with_or_without_their_ends(lines: Any) -> None:
    assert content(lines) == "a\nb\n"


def test_lines_may_be_bytes() -> None:
    assert content([b"a", b"b\n"]) == b"a\nb\n"


def test_what_is_no_line_is_refused() -> None:
    with pytest.raises(TypeError, match="a line is str or bytes, not dict"):
        content([{"a": 1}])


def test_a_dash_is_standard_input() -> None:
    code = (
        "from refold.sources.files.inputs import opened\n"
        "file = opened('-')\n"
        "print(file.name, file.lane, b''.join(file.chunks))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], input=b"a\nb", capture_output=True, check=True
    )
    assert run.stdout.decode() == "<stdin> <stdin> b'a\\nb'\n"


def test_a_pipe_is_not_waited_behind() -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as file:
        chunks = opened(file).chunks
        writer = threading.Thread(target=os.write, args=(writing, b"a\n"))
        writer.start()
        assert next(chunks) == b"a\n"
        writer.join()
        os.close(writing)
        assert list(chunks) == []
