"""Lines of spans as text: with colours where ``rich`` is installed, plain otherwise.

Rules of this file:

- Both are the same text, escapes aside.
- ``rich`` is imported where it is used and nowhere else (the extra ``cli``).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from refold.render.terminal.lines import Line, Span, Tone, text_of

__all__ = ["STYLES", "Painter", "coloured", "has_rich", "plain"]

Painter = Callable[[Line], str]

STYLES: Final[dict[Tone, str]] = {
    "plain": "",
    "strong": "bold",
    "faint": "dim",
    "user": "bold",
    "thought": "italic dim",
    "tool": "bold cyan",
    "code": "cyan",
    "good": "green",
    "waiting": "yellow",
    "bad": "red",
    "rule": "dim",
    "added": "green",
    "removed": "red",
}


def has_rich() -> bool:
    """Tell whether ``rich`` is installed."""
    return find_spec("rich") is not None


def plain(line: Line) -> str:
    """Return a line as text without colours."""
    return text_of(line)


def coloured(line: Line) -> str:
    """Return a line as text with the sixteen colours that every terminal has.

    Args:
        line: the line; ``rich`` must be installed.
    """
    return "".join([_painted(span) for span in line])


def _painted(span: Span) -> str:
    render = _renderer(span.tone)
    return span.text if render is None else render(span.text)


@cache
def _renderer(tone: Tone) -> Callable[[str], str] | None:
    if not STYLES[tone]:
        return None
    style: Any = import_module("rich.style").Style.parse(STYLES[tone])
    system: Any = import_module("rich.color").ColorSystem.STANDARD

    def render(text: str) -> str:
        painted: str = style.render(text, color_system=system)
        return painted

    return render
