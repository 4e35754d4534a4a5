"""Which files hold one trace, and where nested sessions' traces are."""

from __future__ import annotations

from pathlib import Path

import pytest

from refold.sources.files.shards import Neighbourhood, in_order, shards_beside


def make(directory: Path, *names: str) -> list[Path]:
    paths = [directory / name for name in names]
    for path in paths:
        path.parent.mkdir(exist_ok=True)
        path.touch()
    return paths


def names(paths: list[Path]) -> list[str]:
    return [each.name for each in paths]


def test_shards_come_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    given_paths = make(
        tmp_path, "a_010.jsonl", "b_001.jsonl", "a_1000.jsonl", "a_002.jsonl", "c.jsonl"
    )
    assert names(in_order(given_paths)) == [
        "a_002.jsonl",
        "a_010.jsonl",
        "a_1000.jsonl",
        "b_001.jsonl",
        "c.jsonl",
    ]


def test_a_file_given_twice_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (path,) = make(tmp_path, "a_001.jsonl")
    monkeypatch.chdir(tmp_path)
    link = tmp_path / "link.jsonl"
    link.symlink_to(path)
    assert in_order([path, Path("a_001.jsonl"), path]) == [path]
    assert in_order([link, path]) == [link]


def test_traces_of_one_name_in_two_directories_are_two(tmp_path: Path) -> None:
    paths = make(tmp_path / "x", "a_001.jsonl") + make(tmp_path / "y", "a_001.jsonl")
    assert in_order(paths) == paths


@pytest.mark.parametrize("given_name", ["a_001.jsonl", "a_002.jsonl", "a"])
def test_one_shard_or_the_stem_names_them_all(tmp_path: Path, given_name: str) -> None:
    make(
        tmp_path, "a_002.jsonl", "a_001.jsonl", "ab_001.jsonl", "a.jsonl", "a_01.jsonl", "a_001.txt"
    )
    assert names(shards_beside(tmp_path / given_name)) == ["a_001.jsonl", "a_002.jsonl"]


@pytest.mark.parametrize("given_name", ["a.jsonl", "gone.jsonl", "gone"])
def test_what_is_no_shard_names_itself(tmp_path: Path, given_name: str) -> None:
    make(tmp_path, "a.jsonl", "a_001.jsonl")
    assert shards_beside(tmp_path / given_name) == [tmp_path / given_name]


@pytest.mark.parametrize("session_id", ["s1", "child__s1", "x.y"])
def test_a_session_is_found_by_its_id_in_the_name(tmp_path: Path, session_id: str) -> None:
    make(tmp_path, "child__s1_002.jsonl", "child__s1_001.jsonl", "s10_001.jsonl", "x.y.jsonl")
    found = Neighbourhood(tmp_path).traces_of(session_id)
    assert names(found) == (
        ["x.y.jsonl"] if session_id == "x.y" else ["child__s1_001.jsonl", "child__s1_002.jsonl"]
    )


def test_the_name_that_is_the_id_itself_comes_first(tmp_path: Path) -> None:
    make(tmp_path, "copy__s1_001.jsonl", "s1_001.jsonl", "zoo__s1_001.jsonl")
    assert names(Neighbourhood(tmp_path).traces_of("s1")) == ["s1_001.jsonl"]


@pytest.mark.parametrize(
    "session_id", ["", "s", "1", "../secret/s1", "/etc/passwd", "s1_001", "s1\0", "*", "x" * 10_000]
)
def test_an_id_is_never_made_into_a_path(tmp_path: Path, session_id: str) -> None:
    make(tmp_path / "traces", "s1_001.jsonl")
    make(tmp_path / "secret", "s1_001.jsonl")
    assert Neighbourhood(tmp_path / "traces").traces_of(session_id) == []


def test_a_child_of_another_day_is_found_in_that_days_directory(tmp_path: Path) -> None:
    make(tmp_path / "2026-11-30", "session-2026-11-30-23-59_001.jsonl")
    make(tmp_path / "2026-12-01", "session-2026-12-01-00-01_001.jsonl")
    around = Neighbourhood(tmp_path / "2026-11-30")
    assert names(around.traces_of("session-2026-12-01-00-01")) == [
        "session-2026-12-01-00-01_001.jsonl"
    ]
    assert around.traces_of("session-2026-12-02-00-01") == []


def test_a_directory_that_is_gone_holds_nothing(tmp_path: Path) -> None:
    assert Neighbourhood(tmp_path / "gone").traces_of("s1") == []
