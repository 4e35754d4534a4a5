"""Sparse updates of a call, merged.

Rules of this file (census.md A1, A2, A8):

- An update says only what changed; what is absent or null stays. Content replaces the content
  before it, whole; a content chunk (version 2) is added to it.
- A call that was never announced is made of its first update.
- A call announced again once it is over is another call; said to be over again it is the same.
"""

from __future__ import annotations

from typing import Any

from refold.records import evolve
from refold.sources.acp.content import part_of
from refold.sources.acp.lanes import Call
from refold.sources.acp.outputs import ENDED, is_broken, raw_text
from refold.sources.fields import mapping, name, text
from refold.sources.logs.spots import Spot
from refold.sources.logs.values import compact, first_text, objects
from refold.vectors import vector_of

__all__ = ["fresh_call", "is_another", "is_ready", "patched", "with_chunk"]


def fresh_call(identity: str, spot: Spot) -> Call:
    """Return a call of which nothing is known but its id."""
    return Call(id=identity, first=spot, last=spot)


def is_another(call: Call, update: dict[str, Any]) -> bool:
    """Tell whether an announcement is of another call that reuses the id.

    Args:
        call: the call that has the id.
        update: a ``tool_call``.
    """
    return call.settled is not None and text(update.get("status")) not in ENDED


def patched(call: Call, update: dict[str, Any]) -> Call:
    """Return a call with what an update says of it.

    Args:
        call: what was known.
        update: ``tool_call`` or ``tool_call_update``, or a permission request's ``toolCall``.
    """
    meta = mapping(update.get("_meta"))
    changes = {
        "tool": first_text(update, "name")
        or first_text(mapping(meta.get("claudeCode")), "toolName"),
        "title": first_text(update, "title"),
        "category": first_text(update, "kind"),
        "status": first_text(update, "status"),
        "arguments": None if update.get("rawInput") is None else compact(update["rawInput"]),
        "places": _places(update),
        **_content(update),
        **_raw_output(update, meta),
    }
    return evolve(call, **{each: value for each, value in changes.items() if value is not None})


def with_chunk(call: Call, update: dict[str, Any]) -> Call:
    """Return a call with one more piece of content.

    Args:
        call: what was known.
        update: ``tool_call_content_chunk``.
    """
    part, url = part_of(mapping(update.get("content")))
    images = call.images if url is None else (*call.images, url)
    return evolve(call, parts=call.parts.append(part), images=images)


def is_ready(call: Call) -> bool:
    """Tell whether a call is past the point where its input may still change."""
    if call.status not in ("", "pending") or call.arguments not in ("", "{}"):
        return True
    told = call.raw is not None or call.terminal is not None
    return told or bool(call.parts) or bool(call.images)


def _places(update: dict[str, Any]) -> tuple[str, ...] | None:
    if not isinstance(update.get("locations"), list):
        return None
    paths = (name(each.get("path")) for each in objects(update["locations"]))
    return tuple([each for each in paths if each is not None])


def _content(update: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(update.get("content"), list):
        return {}
    pieces = [part_of(each) for each in objects(update["content"])]
    return {
        "parts": vector_of([part for part, url in pieces if url is None]),
        "images": tuple([url for _, url in pieces if url is not None]),
    }


def _raw_output(update: dict[str, Any], meta: dict[str, Any]) -> dict[str, Any]:
    raw = update.get("rawOutput")
    if raw is None:
        raw = mapping(meta.get("claudeCode")).get("toolResponse")
    return {} if raw is None else {"raw": raw_text(raw), "broken": is_broken(raw)}
