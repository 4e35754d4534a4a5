"""Fold the messages of an AI agent into one immutable view: the same live or replayed."""

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
from refold.session import Session
from refold.views import View, digest, settled, to_json, view_of

__all__ = [
    "CheckpointError",
    "DecodeError",
    "Message",
    "MissingExtraError",
    "RefoldError",
    "Session",
    "View",
    "apply",
    "credentials_updated",
    "digest",
    "discard",
    "elapsed_ms",
    "finalize",
    "idle",
    "register_decision",
    "replay",
    "settled",
    "to_json",
    "view_of",
]
