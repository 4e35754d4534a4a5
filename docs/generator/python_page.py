"""The reference of the Python names: all that is public, by module."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from docs.generator.docstrings import entry
from docs.generator.names import definition, exported, summary

__all__ = ["MODULES", "python_page"]

MODULES = {
    "refold": "The fold, views, checkpoints, patches",
    "refold.items": "What a session shows",
    "refold.messages": "What is folded",
    "refold.decode": "From JSON to messages, and back",
    "refold.errors": "What is raised",
    "refold.sources.files": "Files of any format",
    "refold.sources.files.following": "Files that grow",
    "refold.sources.registry": "Formats by name",
    "refold.sources.source": "What a source is",
    "refold.live": "A history and a stream",
    "refold.windows": "Long histories in pages",
    "refold.overlap": "What came twice",
    "refold.changes": "What differs between two versions",
    "refold.analysis": "Time, tokens, money",
    "refold.policies.projection": "From a session to a request",
    "refold.bridges.ag_ui": "For front ends that speak AG-UI",
    "refold.laws": "What is promised",
    "refold.conformance": "Golden cases",
    "refold.contrib.spark": "On Apache Spark",
}

_HEAD = """# Python reference

Written from the docstrings by `python -m docs.generator`; `reducer.md`, `view.md` and the like are the
[specification's files](../glossary.md#the-specification). What isn't here isn't public. The rules of
[`refold.policies`](policies.md) and of [duplex sessions](duplex-rules.md) have pages of their own, and
so have [commands](commands.md), [JSON shapes](json-shapes.md) and [formats](sources.md).

Every value is frozen and keyword-only. Times are Unix milliseconds, durations milliseconds.
"""


def python_page(root: Path) -> str:
    """Return the page.

    Args:
        root: the checkout; sources are read where this package lies.
    """
    contents = [f"- [`{module}`](#{_anchor(module)}): {says}" for module, says in MODULES.items()]
    sections = [_section(module) for module in MODULES]
    return "\n".join([_HEAD, *contents, "", *sections])


def _section(module: str) -> str:
    head = f"## {module}\n\n{summary(module).replace('``', '`')}\n"
    return "\n".join([head, *_entries(module)])


def _entries(module: str) -> Iterator[str]:
    for name in exported(module):
        found = definition(module, name)
        if found is None:
            continue
        home, node = found
        if home in MODULES and home != module:
            yield f"### `{name}`\n\nSee [`{home}`](#{_anchor(home)}).\n"
        else:
            yield entry(name, node)


def _anchor(module: str) -> str:
    return module.replace(".", "")
