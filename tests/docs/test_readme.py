"""The README's two commands do what they say, and CI runs the second."""

from __future__ import annotations

import re
from pathlib import Path

from tests.docs.pages import ROOT, blocks
from tests.docs.test_snippets import in_shell

SHOW, TEST = [block.text for block in blocks(ROOT / "README.md") if block.kind == "sh"]
CI = (ROOT / ".ci" / "run").read_text("utf-8")


def test_the_first_command_shows_a_session_with_nested_ones() -> None:
    command = SHOW[SHOW.index("refold show") :].strip()
    ran = in_shell(command, ROOT)
    assert ran.returncode == 0
    assert ran.stdout.count("  ╭ ") == 2
    assert "2 nested sessions" in ran.stdout


def test_the_second_command_is_what_ci_runs() -> None:
    (installed,) = re.findall(r"install -q (--editable \S+ --group test) ", TEST)
    assert f"pip install --quiet {installed}\n" in CI
    assert "--upgrade pip" in TEST
    assert "--upgrade pip" in CI
    assert TEST.strip().endswith("python -m pytest")
    assert "python -m pytest\n" in CI


def test_each_command_and_each_extra_is_in_its_table() -> None:
    from refold.cli.command import SUBCOMMANDS
    from refold.sources.registry import FORMATS

    text = (ROOT / "README.md").read_text("utf-8")
    assert re.findall(r"^\| `refold (\w+)", text, re.MULTILINE) == list(SUBCOMMANDS)
    formats = text[text.index("## Formats") : text.index("## What it doesn't do")]
    named = re.findall(
        r"`([a-z-]+)`", "\n".join(re.findall(r"^\| (.*?) \|", formats, re.MULTILINE))
    )
    assert named == list(FORMATS)
    extras = re.findall(r"^\| `(\w+)` \|", text[text.index("## Install") :], re.MULTILINE)
    assert extras == _extras(ROOT / "pyproject.toml")


def _extras(project: Path) -> list[str]:
    import tomllib

    return list(tomllib.loads(project.read_text("utf-8"))["project"]["optional-dependencies"])
