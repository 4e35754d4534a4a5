"""Recorded sessions as they are seen in a terminal."""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from refold.render.terminal import Layout, plain, session_lines
from tests.render.terminal.showing import GOLDEN, golden_session, penguin

CASES = {
    "nested_sessions": penguin("subagent"),
    "compaction": penguin("compact"),
    "denied": penguin("deny"),
    "aborted_stream": penguin("abortstream"),
    "parallel_tools": penguin("parallel"),
    "image_from_a_tool": penguin("image"),
    "large_output": penguin("bigout"),
    "claude_code_subagent": GOLDEN / "claude_code" / "inputs" / "sidechain_in_main_file_v1.jsonl",
    "codex": GOLDEN / "codex" / "inputs" / "call_without_output_0_140.jsonl",
    "acp": GOLDEN / "acp" / "inputs" / "gemini_permissions.ndjson",
}


def text_of(path: Path, layout: Layout) -> str:
    lines = [plain(line) for line in session_lines(golden_session(path), layout)]
    return "\n".join(lines)


@pytest.mark.parametrize("case", CASES)
def test_a_recorded_session(case: str, snapshot: SnapshotAssertion) -> None:
    assert text_of(CASES[case], Layout(width=100)) == snapshot


@pytest.mark.parametrize("width", [40, 60])
def test_a_narrow_terminal(width: int, snapshot: SnapshotAssertion) -> None:
    assert text_of(CASES["nested_sessions"], Layout(width=width)) == snapshot


def test_everything_long_whole(snapshot: SnapshotAssertion) -> None:
    assert text_of(CASES["large_output"], Layout(width=100, full=True)) == snapshot
