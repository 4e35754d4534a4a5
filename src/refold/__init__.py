"""Fold the messages of an AI agent into one immutable view: the same live or replayed.

A name is loaded when it is first used: whoever folds typed messages pays for no codec, no patches
and no file reading.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from refold import analysis, live, policies
    from refold.checkpoints import dumps, loads
    from refold.errors import CheckpointError, DecodeError, MissingExtraError, RefoldError
    from refold.folding import (
        apply,
        credentials_updated,
        discard,
        elapsed_ms,
        finalize,
        idle,
        register_decision,
        replay,
    )
    from refold.messages import Message
    from refold.patches import PatchError, diff, patch
    from refold.recording import record
    from refold.session import Session
    from refold.sources.files import read
    from refold.views import View, digest, settled, to_json, view_of
    from refold.windows import Window, window

__all__ = [
    "CheckpointError",
    "DecodeError",
    "Message",
    "MissingExtraError",
    "PatchError",
    "RefoldError",
    "Session",
    "View",
    "Window",
    "analysis",
    "apply",
    "credentials_updated",
    "diff",
    "digest",
    "discard",
    "dumps",
    "elapsed_ms",
    "finalize",
    "idle",
    "live",
    "loads",
    "patch",
    "policies",
    "read",
    "record",
    "register_decision",
    "replay",
    "settled",
    "to_json",
    "view_of",
    "window",
]

_HOMES = {
    "checkpoints": ("dumps", "loads"),
    "errors": ("CheckpointError", "DecodeError", "MissingExtraError", "RefoldError"),
    "folding": (
        "apply",
        "credentials_updated",
        "discard",
        "elapsed_ms",
        "finalize",
        "idle",
        "register_decision",
        "replay",
    ),
    "messages": ("Message",),
    "patches": ("PatchError", "diff", "patch"),
    "recording": ("record",),
    "session": ("Session",),
    "sources.files": ("read",),
    "views": ("View", "digest", "settled", "to_json", "view_of"),
    "windows": ("Window", "window"),
}
_ROOMS = ("analysis", "live", "policies")
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Load a public name from its home, once."""
    if name in _ROOMS:
        return import_module(f"refold.{name}")
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'refold' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"refold.{home}"), name)
    return value


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted({*globals(), *__all__})
