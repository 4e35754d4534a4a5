"""The formats, by name and by their records."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from refold.sources.registry import FORMATS, FormatError, detect, source_named

OMNI: dict[str, Any] = {"type": "event_msg", "payload": {"type": "abort"}}
CLAUDE = {
    "type": "user",
    "uuid": "u",
    "parentUuid": None,
    "sessionId": "s",
    "message": {"role": "user", "content": "hi"},
}


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_a_source_of_its_name(name: str) -> None:
    assert source_named(name).name == name


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(FormatError) as caught:
        source_named("omny")
    assert str(caught.value) == f"there is no format 'omny' ({', '.join(FORMATS)})"


@pytest.mark.parametrize(("values", "name"), [([OMNI], "omni"), ([CLAUDE], "claude-code")])
def test_the_first_records_tell_the_format(values: list[Any], name: str) -> None:
    assert detect(values).name == name


def test_an_unknown_file_is_refused_with_the_known_formats() -> None:
    with pytest.raises(FormatError) as caught:
        detect([{"a": 1}, 5], name="f.jsonl")
    assert str(caught.value) == (
        f"f.jsonl: none of its first 2 records is of a known format ({', '.join(FORMATS)})"
    )


def test_an_empty_file_is_refused() -> None:
    with pytest.raises(FormatError, match=r"^f\.jsonl holds no records that can be read$"):
        detect([], name="f.jsonl")


def test_a_mixed_file_is_refused_with_what_was_recognised() -> None:
    with pytest.raises(FormatError) as caught:
        detect([OMNI, CLAUDE], name="f.jsonl")
    assert str(caught.value) == "f.jsonl looks like omni and claude-code: say which format"
    assert caught.value.recognised == ("omni", "claude-code")


def test_a_source_is_imported_when_it_is_asked_for() -> None:
    code = (
        "import sys, refold.sources.registry as registry\n"
        "registry.source_named('omni')\n"
        "print([name for name in sys.modules if 'claude' in name or 'codex' in name])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"
