"""Which user messages nobody typed.

Rules of this file (census.md X7, X8):

- Codex puts instructions, surroundings and notices into the conversation as the user's. Lately each
  part says what kind it is; before, they are known by how they begin.
- What a person saw happen (a shell command of theirs, a subagent's report) is noted; the rest is
  between Codex and the model, and says nothing.
"""

from __future__ import annotations

from typing import Any

from refold.sources.fields import listing, mapping, text

__all__ = ["notice_of", "typed_texts"]

_BEGINNINGS = (
    "<environment_context",
    "<user_instructions",
    "# AGENTS.md instructions",
    "<INSTRUCTIONS",
    "<turn_aborted",
    "<permissions instructions",
    "<collaboration_mode",
    "<skills_instructions",
    "<skill>",
    "<model_switch",
    "<personality",
    "<apps_instructions",
    "<plugins_instructions",
    "<hook_",
    "<user_shell_command",
    "<subagent_notification",
)
_NOTED = {"<user_shell_command": "shell_command", "<subagent_notification": "subagent_notification"}
_PICTURE_TAGS = ("<image", "</image")
_KINDS = "internal_chat_message_metadata_passthrough"


def typed_texts(payload: dict[str, Any]) -> list[str]:
    """Return what a user message says that a person typed.

    Args:
        payload: a ``message`` of the role ``user``.
    """
    parts = listing(payload.get("content"))
    kinds = listing(mapping(payload.get(_KINDS)).get("content_item_kinds"))
    told = len(kinds) == len(parts)
    said = [
        text(mapping(part).get("text"))
        for place, part in enumerate(parts)
        if not told or text(kinds[place]).startswith("user")
    ]
    return [each for each in said if each and not _is_injected(each)]


def notice_of(payload: dict[str, Any]) -> tuple[str, str] | None:
    """Return the name and text of what is to be noted of an injected message, if anything is."""
    for part in listing(payload.get("content")):
        said = text(mapping(part).get("text"))
        for beginning, notice in _NOTED.items():
            if said.startswith(beginning):
                return notice, said
    return None


def _is_injected(said: str) -> bool:
    return said.lstrip().startswith((*_BEGINNINGS, *_PICTURE_TAGS))
