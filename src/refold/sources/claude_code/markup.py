"""The markup that the client writes into the user's texts.

Rules of this file (sources/claude-code.md 2.1, 2.2, 2.3, 2.6; hazard G14):

- Markup counts only where it is the whole text: a person who writes about ``<bash-stdout>`` is
  shown as they wrote.
- What the client put in front of a person's words (reminders, editor selections) is cut off; the
  words stay.
- Linear in the length of the text: no pattern that could backtrack.
"""

from __future__ import annotations

import re
from typing import TypeAlias

from refold.records import positional, record

__all__ = [
    "Human",
    "Interrupted",
    "Markup",
    "Notification",
    "Scaffolding",
    "Shell",
    "SlashCommand",
    "Stopped",
    "read_markup",
]


@record
class Human:
    """A person's words."""

    text: str


@record
class Interrupted:
    """The marker of a stopped turn."""

    in_tool: bool


@record
class SlashCommand:
    """A slash command; ``output`` if the client wrote it into the same text."""

    name: str
    arguments: str
    output: str | None


@record
class Shell:
    """A ``!`` command of the user's, its output, or both; None is what isn't there."""

    input: str | None
    stdout: str | None
    stderr: str | None


@record
class Notification:
    """A report of the client's to the model; ``fields`` are its elements."""

    name: str
    fields: dict[str, str]


@record
class Stopped:
    """A hook stopped what the user asked for, and says why."""

    text: str


@record
class Scaffolding:
    """Text that nobody typed and nobody needs to see."""


Markup: TypeAlias = (
    Human | Interrupted | SlashCommand | Shell | Notification | Stopped | Scaffolding
)

_INTERRUPTS = {
    "[Request interrupted by user]": Interrupted(in_tool=False),
    "[Request interrupted by user for tool use]": Interrupted(in_tool=True),
}
_HOOK_STOP = "Operation stopped by hook:"
_COMMAND = frozenset({"command-name", "command-message", "command-args", "skill-format"})
_OUTPUT = frozenset({"local-command-stdout", "local-command-stderr"})
_INJECTED = frozenset(
    {
        "system-reminder",
        "local-command-caveat",
        "ide_opened_file",
        "ide_selection",
        "ide_diagnostics",
        "user-prompt-submit-hook",
    }
)
_NOTIFICATIONS = {
    "task-notification": "task_notification",
    "bash-notification": "task_notification",
}
_OPENING = re.compile(r"\s*<([A-Za-z][A-Za-z0-9_-]*)(?:\s[^<>]*)?>")

Elements: TypeAlias = dict[str, str]

_human = positional(Human)


def read_markup(text: str) -> Markup:
    """Tell what a text in the user's place is.

    Args:
        text: a user text, or the content of a local command record.
    """
    found = _INTERRUPTS.get(text.strip())
    if found is not None:
        return found
    if text.startswith(_HOOK_STOP):
        return Stopped(text=text)
    words = _without_injected(text)
    if not words.strip():
        return Scaffolding()
    if not words.lstrip().startswith("<"):
        return _human(words)
    return _shell(words) or _notification(words) or _command(words) or Human(text=words)


def _without_injected(text: str) -> str:
    if not text.lstrip().startswith("<"):
        return text
    start = 0
    while (element := _element(text, start)) is not None and element[0] in _INJECTED:
        start = element[2]
    return text[start:].lstrip() if start else text


def _element(text: str, start: int) -> tuple[str, str, int] | None:
    """Return the name, body and end of the element that begins at ``start``, if one does."""
    opening = _OPENING.match(text, start)
    if opening is None:
        return None
    closing = f"</{opening[1]}>"
    end = text.find(closing, opening.end())
    return None if end < 0 else (opening[1], text[opening.end() : end], end + len(closing))


def _elements(text: str) -> Elements | None:
    """Return the elements that make up a whole text, or None if there is anything else in it."""
    found: Elements = {}
    start = 0
    while (element := _element(text, start)) is not None:
        found.setdefault(element[0], element[1])
        start = element[2]
    return found if found and not text[start:].strip() else None


def _shell(text: str) -> Shell | None:
    rest = text.strip()
    command, rest = _taken(rest, "bash-input")
    stdout, rest = _taken(rest, "bash-stdout")
    stderr, rest = _taken(rest, "bash-stderr")
    if rest or (command is None and stdout is None and stderr is None):
        return None
    return Shell(input=command, stdout=stdout, stderr=stderr)


def _taken(text: str, name: str) -> tuple[str | None, str]:
    """Take an element off the front; its body may hold its own closing tag."""
    opening, closing = f"<{name}>", f"</{name}>"
    end = text.rfind(closing)
    if not text.startswith(opening) or end < 0:
        return None, text
    return text[len(opening) : end], text[end + len(closing) :].lstrip()


def _notification(text: str) -> Notification | None:
    element = _element(text, 0)
    if element is None or element[0] not in _NOTIFICATIONS:
        return None
    fields = _elements(element[1]) or {}
    body = element[1] if not fields else ""
    rest = text[element[2] :].strip()
    shown = {**fields, **({"text": body.strip()} if body.strip() else {})}
    return Notification(
        name=_NOTIFICATIONS[element[0]], fields={**shown, **({"note": rest} if rest else {})}
    )


def _command(text: str) -> SlashCommand | Scaffolding | None:
    elements = _elements(text)
    if elements is None or not elements.keys() <= _COMMAND | _OUTPUT:
        return None
    name = elements.get("command-name", "").strip().lstrip("/")
    if not name:
        return Scaffolding()
    arguments = elements.get("command-args", "").strip()
    output = elements.get("local-command-stdout")
    return SlashCommand(name=name, arguments=arguments, output=output)
