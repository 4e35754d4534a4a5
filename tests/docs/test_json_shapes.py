"""The page of shapes has the fields that the code has: no more, no less, and the same may be missing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, get_args, get_type_hints

import attrs
import pytest

from refold import items, messages
from refold.messages import CompletePayload, EventPayload, PartialPayload, SessionMeta
from refold.views import View
from tests.docs.pages import ROOT

PAGE = (ROOT / "docs" / "reference" / "json-shapes.md").read_text("utf-8")
ENVELOPE = {"type", "payload", "timestamp?", "origin?", "trace_position?", "started_at?", "source?"}
OF_EVERY_MODEL_MESSAGE = {"stop_reason?", "fidelity?"}
PAYLOADS = [
    cls for union in (CompletePayload, PartialPayload, EventPayload) for cls in get_args(union)
]


def section(heading: str) -> str:
    """Return what stands under a heading, up to the next one."""
    _, _, rest = PAGE.partition(f"\n{heading}\n")
    return re.split(r"^#+ ", rest, flags=re.MULTILINE)[0]


def first_cells(text: str) -> list[str]:
    """Return the names in the first cells of a table."""
    return re.findall(r"^\| `([a-z_]+\??)` \|", text, re.MULTILINE)


def may_be_none(cls: type[Any]) -> Iterator[str]:
    """Yield a class's fields, marked where they may be None."""
    hints = get_type_hints(cls)
    for field in attrs.fields(cls):
        optional = type(None) in get_args(hints[field.name])
        yield f"{field.alias}{'?' if optional else ''}"


def may_be_missing(cls: type[Any]) -> set[str]:
    """Return a payload's fields, marked where it may be decoded without them."""
    return {
        f"{field.name}{'' if field.default is attrs.NOTHING else '?'}"
        for field in attrs.fields(cls)
        if field.name != "extra"
    }


@pytest.mark.parametrize("cls", get_args(items.Item), ids=lambda cls: cls.kind)
def test_an_item_has_the_fields_on_the_page(cls: type[Any]) -> None:
    assert first_cells(section(f"### `{cls.kind}`")) == list(may_be_none(cls))


def test_the_view_has_the_fields_on_the_page() -> None:
    shown = {name.rstrip("?") for name in first_cells(section("## The view"))}
    assert shown == {field.name for field in attrs.fields(View)}


def test_the_envelope_has_the_fields_on_the_page() -> None:
    assert set(first_cells(section("## Messages"))) == ENVELOPE
    known = {field.name for field in attrs.fields(messages.Message)} - {"extra", "transport"}
    known |= {field.name for field in attrs.fields(messages.Transport)} | {"type"}
    assert {name.rstrip("?") for name in ENVELOPE} == known


@pytest.mark.parametrize("cls", PAYLOADS, ids=lambda cls: cls.kind)
def test_a_payload_has_the_fields_on_the_page(cls: type[Any]) -> None:
    (row,) = re.findall(
        rf"^\| `{cls.kind}` \| (.*?)\|", section(f"### Of type `{cls.category}`"), re.MULTILINE
    )
    named = set(re.findall(r"`([a-z_]+\??)`", row))
    of_all = OF_EVERY_MODEL_MESSAGE if cls.category == "model_msg" else set()
    assert named | of_all == may_be_missing(cls)


def test_a_session_meta_has_the_fields_on_the_page() -> None:
    text = section("### Of type `session_meta`")
    named = set(re.findall(r"`([a-z_]+\??)`", text)) - {"subagent", "schedule"}
    assert named == may_be_missing(SessionMeta)
