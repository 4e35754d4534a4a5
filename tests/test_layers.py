"""Data flows one way: a room imports only what lies before it, and the core is pure."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "refold"
FILES = sorted(SOURCE.rglob("*.py"))

# From the first room to the last; a name stands for a module or for all of a package.
ORDER = [
    "errors",
    "records",
    "json_values",
    "times",
    "markers",
    "texts",
    "vectors",
    "maps",
    "recents",
    "sequels",
    "messages",
    "boundaries",
    "items",
    "state",
    "figures",
    "session",
    "decode",
    "reduce",
    "folding",
    "recording",
    "views",
    "checkpoints",
    "overlap",
    "references",
    "windows",
    "live",
    "patches",
    "changes",
    "differences",
    "laws",
    "conformance",
    "sources",
    "policies",
    "bridges",
    "analysis",
    "processes",
    "bulk",
    "render",
    "contrib",
    "web",
    "cli",
]
# What the core may not know: IO, clocks, chance, logs, the environment, codecs.
IMPURE = {"asyncio", "io", "json", "logging", "os", "pathlib", "random", "sys", "time", "uuid"}
PURE = [
    "boundaries",
    "figures",
    "folding",
    "items",
    "live",
    "messages",
    "overlap",
    "reduce",
    "state",
]
# The rooms that may open files, read clocks and look at the environment.
OUTSIDE = (
    "cli",
    "web",
    "contrib",
    "bulk",
    "processes",
    "sources/files",
    "sources/claude_code/folder",
    "render/report/assets",
)
PARTS = {"utils", "helpers", "manager", "handler", "common", "base", "misc", "data", "info"}


def _room(file: Path) -> str:
    first = file.relative_to(SOURCE).parts[0]
    return first.removesuffix(".py")


def _imports(file: Path, *, nested: bool = True) -> Iterator[tuple[int, str]]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in ast.walk(tree) if nested else tree.body:
        if isinstance(node, ast.Import):
            yield from ((node.lineno, each.name) for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.lineno, node.module
            if node.module == "refold":
                yield from ((node.lineno, f"refold.{each.name}") for each in node.names)


def _name(file: Path) -> str:
    return str(file.relative_to(SOURCE))


def test_every_room_is_in_the_order() -> None:
    rooms = {_room(file) for file in FILES} - {"__init__", "__main__"}
    assert rooms == set(ORDER)


@pytest.mark.parametrize("file", FILES, ids=_name)
def test_a_room_imports_only_what_lies_before_it(file: Path) -> None:
    room = _room(file)
    if room in ("__init__", "__main__"):
        return
    later = set(ORDER[ORDER.index(room) + 1 :])
    allowed = {("folding", "decode")}
    wrong = [
        (line, module)
        for line, module in _imports(file)
        if module.startswith("refold.")
        and module.split(".")[1] in later
        and (room, module.split(".")[1]) not in allowed
    ]
    assert wrong == []


@pytest.mark.parametrize("file", FILES, ids=_name)
def test_the_core_is_pure(file: Path) -> None:
    if _room(file) not in PURE:
        return
    allowed = {("items.py", "json")}
    wrong = [
        (line, module)
        for line, module in _imports(file)
        if module.split(".")[0] in IMPURE and (_name(file), module) not in allowed
    ]
    assert wrong == []


@pytest.mark.parametrize("file", FILES, ids=_name)
def test_only_the_outside_opens_files_and_reads_clocks(file: Path) -> None:
    if _name(file).removesuffix(".py").startswith(OUTSIDE):
        return
    wrong = []
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            if called in ("open", "input", "print") or called.endswith(
                (".now", ".utcnow", "time.time", "time.monotonic", ".getenv", ".read_text")
            ):
                wrong.append((node.lineno, called))
    assert wrong == []


@pytest.mark.parametrize("file", FILES, ids=_name)
def test_a_file_says_its_name_and_its_rules(file: Path) -> None:
    parts = set(file.relative_to(SOURCE).with_suffix("").parts)
    assert not parts & PARTS
    docstring = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8")))
    assert docstring
