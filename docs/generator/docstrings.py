"""Markdown of a definition: its signature, and what its docstring says.

Rules of this file:

- Signatures and defaults are written as the source writes them.
- A docstring is a sentence, paragraphs, and the sections Args, Returns and Raises.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from docs.generator.names import Definition

__all__ = ["entry", "in_markdown"]

_WIDTH = 96
_SECTIONS = {"Args": "", "Returns": "Returns: ", "Raises": "Raises ", "Yields": "Yields: "}


def entry(name: str, node: Definition) -> str:
    """Return what a reference page says of a name."""
    lines = [f"### `{name}`", "", "```text", _signature(name, node), "```"]
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        lines += ["", in_markdown(ast.get_docstring(node) or "")]
    if isinstance(node, ast.ClassDef):
        lines += ["", *_members(node)]
    return "\n".join(lines).rstrip() + "\n"


def in_markdown(docstring: str) -> str:
    """Return a docstring as Markdown: its sections as lists."""
    blocks = [_block(each) for each in re.split(r"\n\n(?=\S)", docstring) if each]
    return "\n\n".join(blocks).replace("``", "`")


def _block(text: str) -> str:
    head, _, body = text.partition("\n")
    title = head.removesuffix(":")
    if title in _SECTIONS and head.endswith(":"):
        return "\n".join(_listed(title, body))
    return f"{text}\n" if text.endswith("::") else text


def _listed(title: str, body: str) -> Iterator[str]:
    """Yield a section's entries as list items; what goes on in an entry is indented deeper."""
    entries = re.split(r"\n(?=    \S)", body)
    for each in entries:
        words = " ".join(each.split())
        name, colon, meaning = words.partition(": ")
        if title in ("Returns", "Yields") or not colon:
            yield f"- {_SECTIONS[title]}{words}"
        else:
            yield f"- {_SECTIONS[title]}`{name}`: {meaning}"


def _signature(name: str, node: Definition) -> str:
    match node:
        case ast.FunctionDef():
            returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
            return _wrapped(name, _parameters(node.args), returns)
        case ast.ClassDef(bases=[ast.Name(id=base)]) if base.endswith(("Error", "Exception")):
            return f"class {name}({base})"
        case ast.ClassDef():
            return _wrapped(name, list(_fields(node)), "")
        case _:
            return ast.unparse(node)


def _wrapped(name: str, parameters: list[str], returns: str) -> str:
    line = f"{name}({', '.join(parameters)}){returns}"
    if len(line) <= _WIDTH:
        return line
    inside = "".join(f"    {each},\n" for each in parameters)
    return f"{name}(\n{inside}){returns}"


def _parameters(arguments: ast.arguments, *, bound: bool = False) -> list[str]:
    places = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(places) - len(arguments.defaults)) + list(arguments.defaults)
    shown = [_parameter(*pair) for pair in zip(places, defaults, strict=True)][bound:]
    if arguments.vararg:
        shown.append(f"*{_parameter(arguments.vararg, None)}")
    elif arguments.kwonlyargs:
        shown.append("*")
    pairs = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    shown += [_parameter(*pair) for pair in pairs]
    if arguments.kwarg:
        shown.append(f"**{_parameter(arguments.kwarg, None)}")
    return shown


def _parameter(argument: ast.arg, default: ast.expr | None) -> str:
    kind = "" if argument.annotation is None else f": {ast.unparse(argument.annotation)}"
    value = "" if default is None else f" = {ast.unparse(default)}"
    return f"{argument.arg}{kind}{value}"


def _fields(node: ast.ClassDef) -> Iterator[str]:
    """Yield the arguments of a class: a record's fields, or those of its constructor."""
    for each in node.body:
        if isinstance(each, ast.FunctionDef) and each.name == "__init__":
            yield from _parameters(each.args, bound=True)
            return
    fields = [each for each in node.body if isinstance(each, ast.AnnAssign)]
    kept = [each for each in fields if "ClassVar" not in ast.unparse(each.annotation)]
    if kept:
        yield "*"
    yield from map(_field, kept)


def _field(node: ast.AnnAssign) -> str:
    kind = ast.unparse(node.annotation).replace("GrownText", "str")
    name = ast.unparse(node.target).removeprefix("_")
    value = "" if node.value is None else _default(node.value)
    return f"{name}: {kind}{value}"


def _default(value: ast.expr) -> str:
    """Return a default as source; what a field's specifier says of anything else is left out."""
    if isinstance(value, ast.Call) and ast.unparse(value.func) == "attrs.field":
        named = {each.arg: each.value for each in value.keywords}
        if "factory" in named:
            return f" = {ast.unparse(named['factory']).removeprefix('lambda: ')}"
        return f" = {ast.unparse(named['default'])}" if "default" in named else ""
    return f" = {ast.unparse(value)}"


def _members(node: ast.ClassDef) -> Iterator[str]:
    for each in node.body:
        if not isinstance(each, ast.FunctionDef) or each.name.startswith("_"):
            continue
        said = in_markdown(ast.get_docstring(each) or "").split("\n\n")[0].replace("\n", " ")
        decorators = [ast.unparse(decorator) for decorator in each.decorator_list]
        if "overload" in decorators:
            continue
        call = "" if "property" in decorators else f"({', '.join(_bare(each.args))})"
        yield f"- `.{each.name}{call}`: {said}"


def _bare(arguments: ast.arguments) -> list[str]:
    return [each.partition(":")[0] for each in _parameters(arguments, bound=True)]
