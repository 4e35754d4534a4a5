"""The page of rooms tells the truth: all rooms are on it, and imports go one way, upwards."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.pages import ROOT

PAGE = (ROOT / "docs" / "explanation" / "rooms.md").read_text("utf-8")
PACKAGE = ROOT / "src" / "refold"
DOORS = {"__init__", "__main__"}


def rooms_on_the_page() -> list[str]:
    """Return the rooms of the table, in its order."""
    table = PAGE[PAGE.index("## Room by room") : PAGE.index("Only `decode` raises")]
    return re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)


def rooms_in_the_package() -> set[str]:
    """Return the modules and packages of the package."""
    names = {path.stem for path in PACKAGE.glob("*.py")}
    folders = {path.name for path in PACKAGE.iterdir() if any(path.glob("*.py"))}
    return (names | folders) - DOORS


def files_of(room: str) -> list[Path]:
    """Return a room's files."""
    path = PACKAGE / room
    return sorted(path.rglob("*.py")) if path.is_dir() else [path.with_suffix(".py")]


def imported(file: Path) -> Iterator[str]:
    """Yield the rooms that a file imports from, wherever in the file."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "refold":
            parts = str(node.module).split(".")
            yield from parts[1:2] or [each.name for each in node.names]


def test_every_room_is_on_the_page_once() -> None:
    rooms = rooms_on_the_page()
    assert len(rooms) == len(set(rooms))
    assert set(rooms) == rooms_in_the_package()


@pytest.mark.parametrize("room", rooms_on_the_page())
def test_a_room_imports_only_rooms_above_it(room: str) -> None:
    rooms = rooms_on_the_page()
    above = {*rooms[: rooms.index(room) + 1]}
    found = {
        f"{file.relative_to(PACKAGE)} imports {each}"
        for file in files_of(room)
        for each in imported(file)
        if each not in above
    }
    assert found == set()


def test_rendering_and_commands_are_imported_by_nothing_else() -> None:
    importers = {
        (room, each)
        for room in rooms_on_the_page()
        for file in files_of(room)
        for each in imported(file)
        if each in ("render", "cli") and each != room
    }
    assert importers == {("cli", "render")}


def test_the_heart_knows_no_io_clock_or_chance() -> None:
    pure = ("messages", "items", "state", "figures", "session", "reduce", "folding", "live")
    outside = {"os", "sys", "time", "datetime", "random", "uuid", "logging", "socket", "pathlib"}
    found = {
        f"{file.relative_to(PACKAGE)} imports {each}"
        for room in pure
        for file in files_of(room)
        for each in _plain_imports(file)
        if each in outside
    }
    assert found == set()


def test_rules_name_modules_that_exist() -> None:
    page = (ROOT / "docs" / "reference" / "rules.md").read_text("utf-8")
    named = set(re.findall(r"`([\w/]+\.py)`", page))
    assert named
    assert [each for each in sorted(named) if not (PACKAGE / each).exists()] == []
    assert re.findall(r"^\| (\d+) \|", page, re.MULTILINE) == [str(n) for n in range(1, 41)]


def _plain_imports(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (each.name.split(".")[0] for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield str(node.module).split(".")[0]
