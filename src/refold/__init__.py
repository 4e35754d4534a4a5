"""Fold the messages of an AI agent into one immutable view: the same live or replayed."""

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
    "apply",
    "credentials_updated",
    "diff",
    "digest",
    "discard",
    "dumps",
    "elapsed_ms",
    "finalize",
    "idle",
    "loads",
    "patch",
    "read",
    "record",
    "register_decision",
    "replay",
    "settled",
    "to_json",
    "view_of",
    "window",
]
