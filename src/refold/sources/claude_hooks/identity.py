"""Which native session and transcript the log is about.

Rules of this file (sources/claude-code.md 4.5, G13):

- Only a session's start may change them, or a hook of the session they already name. A subagent's
  hook never does: it would aim the reader at the child's file.
- A native id is reported once, when it is first named; after that only when it changes.
"""

from __future__ import annotations

from refold.records import record
from refold.sources.claude_hooks.hooks import Hook

__all__ = ["Identity", "step"]


@record
class Identity:
    """The native session that is current.

    Args:
        session_id: Claude Code's own id of it; None before any hook named one.
        transcript_path: its transcript.
    """

    session_id: str | None = None
    transcript_path: str | None = None


def step(identity: Identity, hook: Hook) -> tuple[Identity, tuple[str, ...]]:
    """Take a hook; return the native session id if it is news.

    Args:
        identity: the state before.
        hook: in the order of the log.
    """
    if hook.agent or not _may_change(identity, hook):
        return identity, ()
    after = Identity(
        session_id=hook.session_id or identity.session_id,
        transcript_path=hook.transcript_path or identity.transcript_path,
    )
    if after == identity:
        return identity, ()
    is_news = after.session_id is not None and after.session_id != identity.session_id
    return after, (after.session_id,) if is_news and after.session_id else ()


def _may_change(identity: Identity, hook: Hook) -> bool:
    return (
        hook.event == "SessionStart"
        or identity.session_id is None
        or hook.session_id == identity.session_id
    )
