"""A tool card: what was called, with what, what was decided, and what came of it.

Rules of this file:

- The bullet tells at a glance how it went; what isn't as usual is said in words beside it.
- What a nested session did stands between the call and its output.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from refold.items import ToolCallItem
from refold.markers import is_blank
from refold.render.numbers import duration_text
from refold.render.terminal.arguments import argument_lines
from refold.render.terminal.cells import clipped, columns
from refold.render.terminal.harmless import one_line
from refold.render.terminal.images import image_text
from refold.render.terminal.layout import LEAST_WIDTH, Layout, elided, narrowed
from refold.render.terminal.lines import BLANK, Line, Span, Tone, behind, line, text_of

__all__ = [
    "call_lines",
    "card_lines",
    "card_name",
    "outcome",
    "output_lines",
    "remarks",
    "stop_text",
]

_BULLET: Final = "● "
_OPEN: Final = "○ "
_OUTPUT: Final = "└ "
_GAP: Final = "  "
_INDENT: Final = (Span("  "),)
_NAMELESS: Final = "(a call that isn't there)"
_HEAD: Final = 6
_TAIL: Final = 3
_DECISIONS: Final = {"allow": "allowed", "deny": "denied", "forbidden": "forbidden"}
_LONGEST_WORD: Final = 24
_RAN: Final = "completed"


def card_lines(card: ToolCallItem, layout: Layout, nested: Iterable[Line] = ()) -> Iterator[Line]:
    """Yield a card.

    Args:
        card: the card.
        layout: the layout.
        nested: what the nested session did that the call started, laid out for the card's inside.
    """
    inside = narrowed(layout, 2)
    yield from call_lines(card, layout)
    room = _INDENT if layout.width > LEAST_WIDTH else BLANK
    yield from behind(room, room, nested)
    yield from behind(_INDENT, _INDENT, output_lines(card, inside))


def call_lines(card: ToolCallItem, layout: Layout) -> Iterator[Line]:
    """Yield a card's title, and the arguments that don't fit on it.

    Args:
        card: the card.
        layout: the layout.
    """
    left, right = card_name(card, layout), remarks(card, layout)
    room = layout.width - columns(text_of((*left, *right))) - 2 * len(_GAP)
    arguments, below = argument_lines(card, room, narrowed(layout, 2))
    if arguments:
        left = (*left, Span(_GAP), *arguments)
    yield from _with_right(left, right, layout.width)
    yield from behind(_INDENT, _INDENT, below)


def card_name(card: ToolCallItem, layout: Layout) -> Line:
    """Return a card's bullet and its name.

    Args:
        card: the card.
        layout: the layout.
    """
    tone = outcome(card)
    name = clipped(one_line(card.name) or _NAMELESS, layout.width - len(_BULLET))
    return Span(_OPEN if tone == "waiting" else _BULLET, tone), Span(name, "tool")


def output_lines(card: ToolCallItem, layout: Layout) -> Iterator[Line]:
    """Yield what came out of a call, nothing as long as nothing did.

    Args:
        card: the card.
        layout: the layout.
    """
    first: Line = (Span(_OUTPUT, "rule"),)
    rest: Line = (Span("  "),)
    inside = narrowed(layout, 2)
    texts = [] if is_blank(card.output) else elided(card.output, inside, _HEAD, _TAIL)
    shown = [line(each, "faint" if _is_gap(each) else "plain") for each in texts]
    shown += [line(image_text(each, inside), "faint") for each in card.images or ()]
    if not shown and card.output_complete and card.output_stop_reason in (None, _RAN):
        shown = [line("(no output)", "faint")]
    yield from behind(first, rest, shown)


def outcome(card: ToolCallItem) -> Tone:
    """Return the tone of how a call went, or goes."""
    if card.decision in ("deny", "forbidden"):
        return "bad"
    if card.call_stop_reason not in (None, _RAN) or card.output_stop_reason not in (None, _RAN):
        return "bad"
    return "good" if card.output_complete else "waiting"


def remarks(card: ToolCallItem, layout: Layout) -> Line:
    """Return what is said beside a call: the decision, what went wrong, how long it took.

    Args:
        card: the card.
        layout: the layout.
    """
    said: list[Span] = []
    if card.decision is not None:
        tone: Tone = "faint" if card.decision == "allow" else "bad"
        said.append(Span(_DECISIONS.get(card.decision, stop_text(card.decision)), tone))
    stopped = card.call_stop_reason if _is_odd(card.call_stop_reason) else card.output_stop_reason
    if stopped is not None and _is_odd(stopped):
        said.append(Span(stop_text(stopped), "bad"))
    if not card.output_complete:
        said.append(Span(_state(card, at_rest=layout.at_rest), "waiting"))
    if card.duration_ms is not None:
        said.append(Span(duration_text(card.duration_ms), "faint"))
    spans = [part for each in said for part in (Span(" · ", "faint"), each)]
    return tuple(spans[1:])


def _state(card: ToolCallItem, *, at_rest: bool) -> str:
    if at_rest:
        return "no output" if card.call_complete else "never called"
    if not card.call_complete and card.call_streaming:
        return "calling…"
    return "running…" if card.call_complete else "not called yet"


def stop_text(text: str) -> str:
    """Return a stop reason or a decision as a word or two."""
    return clipped(one_line(text), _LONGEST_WORD)


def _is_odd(stop_reason: str | None) -> bool:
    return stop_reason not in (None, _RAN)


def _is_gap(text: str) -> bool:
    return text.startswith("… ") and text.endswith(" more lines")


def _with_right(left: Line, right: Line, width: int) -> list[Line]:
    """Return a line with something on its right, or below it where there is no room."""
    gap = width - columns(text_of(left)) - columns(text_of(right))
    if not right:
        return [left]
    if gap < len(_GAP):
        return [left, (*_INDENT, *right)]
    return [(*left, Span(" " * gap), *right)]
