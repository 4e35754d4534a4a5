"""What a tool changed in a file, as text.

Rules of this file:

- Lines both sides share at the start and the end are context, of which a few are shown; what lies
  between is all old, then all new. That is linear in the text, whatever it holds, and enough to see
  what happened; a minimal diff is not tried.
- A null old text is a creation. A patch the agent made itself is shown as it is.
"""

from __future__ import annotations

from typing import Any

from refold.sources.fields import mapping, text
from refold.sources.logs.values import first_text, objects

__all__ = ["diff_text"]

_CONTEXT = 3
_NOTHING = "/dev/null"


def diff_text(diff: dict[str, Any]) -> str:
    """Return a diff of tool content as text.

    Args:
        diff: v1's ``{path, oldText, newText}`` or v2's ``{changes, patch}``.
    """
    if "changes" in diff or "patch" in diff:
        return _patch_text(diff)
    path, old = text(diff.get("path")), diff.get("oldText")
    head = [f"--- {path if isinstance(old, str) else _NOTHING}", f"+++ {path}"]
    return "\n".join(head + _changed(_lines(text(old)), _lines(text(diff.get("newText")))))


def _patch_text(diff: dict[str, Any]) -> str:
    written = first_text(mapping(diff.get("patch")), "text")
    if written is not None:
        return written
    return "\n".join([_change_text(each) for each in objects(diff.get("changes"))])


def _change_text(change: dict[str, Any]) -> str:
    path = first_text(change, "path", "newPath", "oldPath") or ""
    kind = first_text(change, "operation", "type", "kind")
    return f"{kind} {path}" if kind else path


def _lines(content: str) -> list[str]:
    lines = content.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _changed(old: list[str], new: list[str]) -> list[str]:
    shortest = min(len(old), len(new))
    before = next((n for n in range(shortest) if old[n] != new[n]), shortest)
    left = shortest - before
    behind = next((n for n in range(left) if old[-1 - n] != new[-1 - n]), left)
    after = old[len(old) - behind :]
    return [
        *(f" {line}" for line in old[max(0, before - _CONTEXT) : before]),
        *(f"-{line}" for line in old[before : len(old) - behind]),
        *(f"+{line}" for line in new[before : len(new) - behind]),
        *(f" {line}" for line in after[:_CONTEXT]),
    ]
