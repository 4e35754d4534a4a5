"""What a model was told and what it answered: the history that is sent again.

Rules of this file (sources/stream-json-and-acp.md 5.1):

- A history is a tuple of turns; a call and its result are apart, as every provider wants them.
- Values only: how a history is made, mended, cut and written is elsewhere.
- ``arguments`` is the JSON text the model wrote; whether it is JSON is for the writer to see.
"""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from refold.records import record

__all__ = [
    "AssistantTurn",
    "Call",
    "History",
    "HistoryItem",
    "Image",
    "Part",
    "PlainText",
    "Purpose",
    "ToolResult",
    "UserTurn",
    "prompt",
    "steering",
    "summary",
    "text_of",
]

Purpose: TypeAlias = Literal["prompt", "steering", "summary"]


@record
class PlainText:
    """A text within a turn."""

    kind: ClassVar[Literal["text"]] = "text"

    text: str


@record
class Image:
    """An image within a turn, as a web or data URL."""

    kind: ClassVar[Literal["image"]] = "image"

    url: str


Part: TypeAlias = PlainText | Image


@record
class UserTurn:
    """What the model reads as the user's.

    Args:
        parts: its texts and images, in order.
        purpose: ``prompt`` starts a task, ``steering`` came while one ran, ``summary`` stands for
            what a compaction or a handoff took away.
    """

    kind: ClassVar[Literal["user"]] = "user"

    parts: tuple[Part, ...]
    purpose: Purpose = "prompt"


@record
class Call:
    """A tool call as the model made it."""

    call_id: str
    name: str
    arguments: str = "{}"


@record
class AssistantTurn:
    """One response of the model: a text, calls, both or neither."""

    kind: ClassVar[Literal["assistant"]] = "assistant"

    text: str = ""
    calls: tuple[Call, ...] = ()


@record
class ToolResult:
    """What a call gave back; ``is_error`` if it failed or never ran."""

    kind: ClassVar[Literal["tool_result"]] = "tool_result"

    call_id: str
    parts: tuple[Part, ...]
    is_error: bool = False


HistoryItem: TypeAlias = UserTurn | AssistantTurn | ToolResult
History: TypeAlias = tuple[HistoryItem, ...]


def prompt(text: str) -> UserTurn:
    """Return a prompt that is only a text."""
    return UserTurn(parts=(PlainText(text=text),))


def steering(text: str, images: tuple[str, ...] = ()) -> UserTurn:
    """Return what the user said while a task ran, framed as engines send it (protocol.md).

    Args:
        text: what was said.
        images: web or data URLs sent along.
    """
    framed = PlainText(text=f"[user_steering]\n{text}\n[/user_steering]")
    sent_along = [Image(url=url) for url in images]
    return UserTurn(parts=(framed, *sent_along), purpose="steering")


def summary(text: str) -> UserTurn:
    """Return a compaction's summary, framed as engines send it (protocol.md)."""
    framed = f"[context_summary]\n{text}\n[/context_summary]"
    return UserTurn(parts=(PlainText(text=framed),), purpose="summary")


def text_of(parts: tuple[Part, ...]) -> str:
    """Return the texts among parts, one a line."""
    return "\n".join(part.text for part in parts if isinstance(part, PlainText))
