"""What is public is listed, documented and typed; what is not needed is not loaded."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import refold

SOURCE = Path(__file__).parents[1] / "src" / "refold"
FILES = sorted(path for path in SOURCE.rglob("*.py") if path.name != "__main__.py")
EXTRAS = {"rich", "msgspec", "starlette", "uvicorn", "pyarrow", "pyspark", "pandas"}
# Verbs that a summary line of a function may begin with; a word that isn't here may still be one,
# but then somebody should look.
NO_VERBS = {"the", "a", "an", "this", "returns", "yields", "gets", "helper", "function", "when"}


def _name(file: Path) -> str:
    parts = file.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


def _module(file: Path) -> ModuleType:
    """Import a module, or skip if it needs an extra that isn't installed."""
    try:
        return import_module(_name(file))
    except ModuleNotFoundError as error:
        if error.name in EXTRAS:
            pytest.skip(f"needs {error.name}")
        raise


def _defined(file: Path) -> set[str]:
    """Return the public names that a file itself defines at its top."""
    names: set[str] = set()
    for node in ast.parse(file.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
    return {name for name in names if not name.startswith("_")}


@pytest.mark.parametrize("file", FILES, ids=_name)
def test_what_a_module_lists_is_there_and_what_it_defines_is_listed(file: Path) -> None:
    module = _module(file)
    text = file.read_text("utf-8")
    if "__all__" not in text:
        assert not _defined(file), "a module that defines public names lists them"
        return
    listed = list(module.__all__)
    assert len(listed) == len(set(listed))
    assert [name for name in listed if not hasattr(module, name)] == []
    assert _defined(file) <= set(listed)
    assert [name for name in listed if name.startswith("_") and name != "__version__"] == []


@pytest.mark.parametrize("file", FILES, ids=_name)
def test_every_public_function_and_class_says_what_it_does_in_a_sentence(file: Path) -> None:
    module = _module(file)
    for name in _defined(file) & set(getattr(module, "__all__", ())):
        value = getattr(module, name)
        said = inspect.getdoc(value)
        assert said, f"{name} says nothing"
        first = said.splitlines()[0]
        assert re.match(r"[A-Z`\"'].*[.:;]?$", first), f"{name}: {first}"
        if inspect.isfunction(value):
            assert first.split()[0].lower() not in NO_VERBS, f"{name}: {first}"


def test_the_package_lists_what_it_exports_in_order() -> None:
    assert refold.__all__ == sorted(refold.__all__)
    assert [name for name in refold.__all__ if getattr(refold, name, None) is None] == []
    assert set(refold.__all__) <= set(dir(refold))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = refold.nothing  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "name",
    [
        *["Session", "apply", "replay", "idle", "finalize", "discard", "register_decision"],
        *[
            "credentials_updated",
            "record",
            "settled",
            "to_json",
            "dumps",
            "loads",
            "digest",
            "read",
        ],
    ],
)
def test_the_names_people_were_promised_are_there(name: str) -> None:
    assert name in refold.__all__


_LOADED = """
import sys
import refold
for name in refold.__all__:
    getattr(refold, name)
roots = {name.partition(".")[0] for name in sys.modules}
print(*sorted(roots - set(sys.stdlib_module_names)))
"""


def test_only_the_promised_packages_are_loaded_at_run_time() -> None:
    """attrs, cattrs and dateutil (with its six); the ``fast`` extra is used when there, not needed."""
    ran = subprocess.run(
        [sys.executable, "-S", "-c", "import site; site.main()\n" + _LOADED],
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = {name for name in ran.stdout.split() if not name.startswith("_")}
    allowed = {"refold", "attr", "attrs", "cattr", "cattrs", "dateutil", "six"}
    assert loaded - allowed - {"typing_extensions", "exceptiongroup", "sitecustomize"} == set()


def test_importing_the_package_loads_nothing_of_it() -> None:
    check = "import sys, refold; print(*[n for n in sys.modules if n.startswith('refold')])"
    ran = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["refold"]


def test_the_package_is_marked_as_typed() -> None:
    assert (SOURCE / "py.typed").is_file()
