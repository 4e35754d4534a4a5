"""The reference of the commands: their arguments, between what is written by hand.

Rules of this file:

- The parsers themselves are asked, not their help texts: those differ from Python to Python.
"""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path

from docs.generator.parts import filled

from refold.cli.command import SUBCOMMANDS

__all__ = ["commands_page", "commands_table"]


def commands_page(root: Path) -> str:
    """Return the page.

    Args:
        root: the checkout.
    """
    page = (root / "docs" / "reference" / "commands.md").read_text("utf-8")
    parts = {f"refold {name}": _arguments(name) for name in SUBCOMMANDS}
    return filled(page, {"commands": commands_table(""), **parts})


def commands_table(page: str) -> str:
    """Return a table of all commands.

    Args:
        page: where their sections stand, as the beginning of a link.
    """
    rows = [
        f"| [`refold {name}`]({page}#refold-{name}) | {says} |"
        for name, says in SUBCOMMANDS.items()
    ]
    return "\n".join(["| command | |", "|---|---|", *rows])


def _arguments(name: str) -> str:
    parser = argparse.ArgumentParser(prog=f"refold {name}", add_help=False)
    import_module(f"refold.cli.{name}").add_arguments(parser)
    actions = parser._actions
    rows = [f"| {_name(action)} | {_meaning(action)} |" for action in actions]
    return "\n".join(["| argument | meaning |", "|---|---|", *rows])


def _name(action: argparse.Action) -> str:
    if not action.option_strings:
        several = "…" if action.nargs == "+" else ""
        return f"`{action.metavar or action.dest}{several}`"
    value = "" if action.nargs == 0 else f" {_value(action)}"
    return ", ".join(f"`{each}{value}`" for each in action.option_strings)


def _value(action: argparse.Action) -> str:
    if action.choices is not None:
        return "{" + ",".join(map(str, action.choices)) + "}"
    return str(action.metavar or action.dest.upper())


def _meaning(action: argparse.Action) -> str:
    text = (action.help or "").replace("|", "\\|")
    default = action.default
    told = default in (None, False, argparse.SUPPRESS, []) or str(default) in text
    return text if told or action.nargs == 0 else f"{text} (`{default}` if left out)"
