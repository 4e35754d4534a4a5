"""Blocks, diffs and raw outputs in words."""

from __future__ import annotations

from typing import Any

import pytest

from refold.messages import ImageUrl, InlineData, Text
from refold.sources.acp.content import block_text, blocks_text, part_of, picture, prompt_payloads
from refold.sources.acp.diffs import diff_text
from refold.sources.acp.lanes import Part
from refold.sources.acp.outputs import raw_text

PNG = {"type": "image", "data": "QUJD", "mimeType": "image/png"}


@pytest.mark.parametrize(
    ("block", "words"),
    [
        ({"type": "text", "text": "a"}, "a"),
        ({"type": "text", "text": 5}, ""),
        ({"type": "resource_link", "name": "a.py", "uri": "/a.py"}, "[a.py](/a.py)"),
        ({"type": "resource", "resource": {"uri": "/a", "text": "in it"}}, "in it"),
        ({"type": "resource", "resource": {"uri": "/a", "blob": "QQ=="}}, "[/a](/a)"),
        ({"type": "audio", "mimeType": "audio/wav"}, "[audio/wav]"),
        (PNG, ""),
        ({"type": "new", "x": 1}, '{"type":"new","x":1}'),
        ({}, ""),
    ],
)
def test_a_block_in_words(block: dict[str, Any], words: str) -> None:
    assert block_text(block) == words


def test_content_in_words_is_its_blocks_on_lines() -> None:
    assert blocks_text([{"text": "a"}, PNG, {"text": "b"}, 3]) == "a\nb"
    assert blocks_text("bare") == "bare"
    assert blocks_text(None) == ""


def test_a_picture_is_a_data_url_or_its_own() -> None:
    assert picture(PNG) == "data:image/png;base64,QUJD"
    assert picture({"type": "image", "uri": "/p.png"}) == "/p.png"
    assert picture({"type": "text"}) is None


def test_a_prompt_is_one_text_and_its_attachments() -> None:
    blocks = [
        {"type": "text", "text": "look"},
        PNG,
        {"type": "resource_link", "name": "a", "uri": "/a"},
        {"type": "audio", "data": "QQ==", "mimeType": "audio/mp3"},
    ]
    assert prompt_payloads(blocks) == (
        Text(role="user", text="look\n[a](/a)"),
        ImageUrl(role="user", image_url="data:image/png;base64,QUJD"),
        InlineData(role="user", data="QQ==", mime_type="audio/mp3"),
    )
    assert prompt_payloads([PNG]) == (
        ImageUrl(role="user", image_url="data:image/png;base64,QUJD"),
    )
    assert prompt_payloads(None) == (Text(role="user", text=""),)


def test_a_part_is_a_text_a_terminal_or_a_picture() -> None:
    assert part_of({"type": "content", "content": {"type": "text", "text": "a"}}) == (
        Part(text="a"),
        None,
    )
    assert part_of({"type": "terminal", "terminalId": "x"}) == (Part(terminal="x"), None)
    assert part_of({"type": "content", "content": PNG})[1] == "data:image/png;base64,QUJD"


def test_a_diff_shows_what_changed_with_a_little_around_it() -> None:
    old = "".join(f"{n}\n" for n in range(9))
    diff = {"path": "/f", "oldText": old, "newText": old.replace("4\n", "four\n4.5\n")}
    assert diff_text(diff).split("\n") == [
        "--- /f", "+++ /f", " 1", " 2", " 3", "-4", "+four", "+4.5", " 5", " 6", " 7",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("diff", "words"),
    [
        (
            {"path": "/f", "oldText": None, "newText": "a\nb\n"},
            "--- /dev/null\n+++ /f\n+a\n+b",
        ),
        ({"path": "/f", "oldText": "a\n", "newText": ""}, "--- /f\n+++ /f\n-a"),
        ({"path": "/f", "oldText": "a", "newText": "a"}, "--- /f\n+++ /f\n a"),
        ({"changes": [], "patch": {"format": "git", "text": "diff --git"}}, "diff --git"),
        (
            {"changes": [{"operation": "add", "path": "/a"}, {"path": "/b"}]},
            "add /a\n/b",
        ),
        ({}, "--- /dev/null\n+++ "),
    ],
)
def test_diffs_of_all_kinds(diff: dict[str, Any], words: str) -> None:
    assert diff_text(diff) == words


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ("text", "text"),
        (None, ""),
        ({"formatted_output": "x", "exit_code": 0}, "x"),
        ({"content": "x"}, "x"),
        ({"content": [{"type": "text", "text": "x"}]}, "x"),
        ({"stdout": "a", "stderr": "b"}, "ab"),
        ({"error": "no"}, "no"),
        ({"error": {"message": "no"}}, "no"),
        ({"isError": False}, ""),
        ({"rows": 3}, '{"rows":3}'),
        ([{"type": "text", "text": "x"}], "x"),
        ([1, 2], "[1,2]"),
        (7, "7"),
    ],
)
def test_a_raw_output_in_words(raw: Any, words: str) -> None:
    assert raw_text(raw) == words


@pytest.mark.parametrize("field", ["rows", "error", "content"])
def test_a_raw_output_of_any_depth_is_bounded(field: str) -> None:
    raw: Any = {"isError": True}
    for _ in range(100_000):
        raw = {field: raw}
    assert len(raw_text(raw)) < 2000
