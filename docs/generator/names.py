"""Where a public name is defined.

Rules of this file:

- Modules are read as text and parsed; nothing is imported, so no extra is needed.
- A name that a module imports is followed to where it is written.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import TypeAlias

__all__ = ["Definition", "definition", "exported", "summary"]

SOURCES = Path(__file__).parents[2] / "src"

Definition: TypeAlias = ast.FunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign


def exported(module: str) -> list[str]:
    """Return the names in a module's ``__all__``, in order."""
    for node in _tree(module).body:
        if isinstance(node, ast.Assign) and _name_of(node) == "__all__":
            names: list[str] = ast.literal_eval(node.value)
            return names
    raise LookupError(f"{module} has no __all__")


def summary(module: str) -> str:
    """Return the first paragraph of a module's docstring."""
    text = ast.get_docstring(_tree(module)) or ""
    return text.split("\n\n")[0].replace("\n", " ")


def definition(module: str, name: str) -> tuple[str, Definition] | None:
    """Return the module that defines a name, and the definition; None if the name is a module.

    Raises:
        LookupError: the module doesn't know the name.
    """
    if _file(f"{module}.{name}").exists():
        return None
    tree = _tree(module)
    for node in tree.body:
        if isinstance(node, Definition) and _name_of(node) == name:
            return module, node
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and name in [each.name for each in node.names]:
            return definition(str(node.module), name)
    raise LookupError(f"{module} has no {name}")


def _name_of(node: Definition) -> str:
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return name
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name
        case _:
            return ""


@cache
def _tree(module: str) -> ast.Module:
    return ast.parse(_file(module).read_text("utf-8"))


def _file(module: str) -> Path:
    path = SOURCES.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
