"""The formats refold reads, by name.

Rules of this file:

- A source is imported when it is asked for: one format's code costs nothing to the readers of
  another.
- Formats are told apart by what their sources recognise, never by file names. Two that claim one
  file are an error for a person to decide, not a race.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any, Final

from refold.errors import RefoldError
from refold.sources.source import Source

__all__ = ["FORMATS", "FormatError", "detect", "source_named"]

_MODULES: Final = {
    "omni": "refold.sources.omni",
    "claude-code": "refold.sources.claude_code",
    "claude-code-hooks": "refold.sources.claude_hooks",
    "claude-stream-json": "refold.sources.claude_stream_json",
    "acp": "refold.sources.acp",
    "codex": "refold.sources.codex",
    "ag-ui": "refold.sources.ag_ui",
    "anthropic-sse": "refold.sources.anthropic_sse",
    "openai-sse": "refold.sources.openai_sse",
}

FORMATS: Final = tuple(_MODULES)


class FormatError(RefoldError):
    """A format that isn't known, or can't be told.

    Args:
        problem: what is wrong, as a sentence without its full stop.
        recognised: the formats that the records could be of.
    """

    def __init__(self, problem: str, recognised: Sequence[str] = ()) -> None:
        self.recognised = tuple(recognised)
        super().__init__(problem)


def source_named(name: str) -> Source:
    """Return a source by its name, as ``--format`` takes it.

    Raises:
        FormatError: there is none of that name.
    """
    module = _MODULES.get(name)
    if module is None:
        raise FormatError(f"there is no format {name!r} ({_known()})")
    source: Source = importlib.import_module(module).SOURCE
    return source


def detect(values: Sequence[Any], *, name: str = "the input") -> Source:
    """Return the one source that recognises the first records of a file.

    Args:
        values: plain JSON data, up to some dozens of records.
        name: what errors call the file.

    Raises:
        FormatError: no source recognises them, or more than one does.
    """
    if not values:
        raise FormatError(f"{name} holds no records that can be read")
    sources = [source_named(each) for each in FORMATS]
    recognising = [each for each in sources if each.recognises(values)]
    if len(recognising) == 1:
        return recognising[0]
    names = [each.name for each in recognising]
    if names:
        raise FormatError(f"{name} looks like {' and '.join(names)}: say which format", names)
    raise FormatError(
        f"{name}: none of its first {len(values)} records is of a known format ({_known()})"
    )


def _known() -> str:
    return ", ".join(FORMATS)
