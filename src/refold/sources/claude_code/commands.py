"""Which slash commands only move the client, which change the session, and which ask the model.

Rules of this file (sources/claude-code.md 2.2):

- Three classes: ``silent`` (screens and settings, nothing to show), ``notice`` (changes the session
  but asks the model nothing), ``prompt`` (a skill or a command file: the model answers).
- ``/effort`` sets a level or clears it with one of ``EFFORT_WORDS``; anything else only shows it.
- A name nobody knows is a prompt: next year's commands must surface, never vanish.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

__all__ = ["EFFORT_WORDS", "NOTICE_COMMANDS", "SILENT_COMMANDS", "CommandClass", "command_class"]

EFFORT_WORDS = frozenset({"low", "medium", "high", "xhigh", "max", "default", "off", "reset"})

CommandClass: TypeAlias = Literal["silent", "notice", "prompt"]

SILENT_COMMANDS = frozenset(
    {
        "add-dir",
        "agents",
        "bug",
        "config",
        "cost",
        "doctor",
        "exit",
        "fast",
        "feedback",
        "help",
        "hooks",
        "ide",
        "login",
        "logout",
        "mcp",
        "memory",
        "onboarding",
        "permissions",
        "plugin",
        "quiet",
        "quit",
        "release-notes",
        "resume",
        "save",
        "status",
        "terminal-setup",
        "upgrade",
        "verbose",
    }
)
NOTICE_COMMANDS = frozenset(
    {
        "branch",
        "clear",
        "compact",
        "context",
        "copy",
        "effort",
        "export",
        "fork",
        "model",
        "rename",
        "rewind",
        "todos",
        "ultrareview",
        "usage",
    }
)


def command_class(name: str) -> CommandClass:
    """Return the class of a slash command.

    Args:
        name: without its slashes.
    """
    if name in SILENT_COMMANDS:
        return "silent"
    return "notice" if name in NOTICE_COMMANDS else "prompt"
