"""When Claude Code moves on to another session, and the host must follow.

Rules of this file (sources/claude-code.md 4.4, G6, G7, G11):

- A clear rotates to a fresh session; a resume does if it is a fork; a start, a compaction and an
  ordinary resume don't.
- Each such hook is used up by being read, whether the rotation then succeeds or not, and a log
  that is read again from its start asks for nothing twice.
- Where a synchronous hook has already rotated, its session is adopted and none is made.
- A clear's transcript is read from its start, a fork's from its end: what it copied must not be
  shown again.
- After a clear the old session is told, in this order: idle, a lasting notice that names the new
  one, a redirect. Each stands alone. A fork tells nobody, nor does a session that follows itself.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from refold.json_values import JsonObject
from refold.messages import Message, Notice
from refold.records import evolve, record
from refold.sources.claude_hooks.hooks import Hook
from refold.sources.claude_hooks.status import Edge

__all__ = ["Failed", "Redirect", "Rotate", "Rotated", "Rotation", "Told", "step"]

_MOST_REMEMBERED = 256


@record
class Rotated:
    """The host made the session that was asked for."""

    session_id: str


@record
class Failed:
    """The host could not make it; the old session stays."""


@record
class Rotate:
    """The host must move on.

    Args:
        kind: why.
        native: Claude Code's id of the session it moved to, if named.
        previous: its id of the one before, if known.
        adopt: the host session that already exists for it; None if one must be made.
        transcript_path: what to read from now on, if named.
        read_from: where in that transcript to begin.
    """

    kind: Literal["clear", "fork"]
    native: str | None = None
    previous: str | None = None
    adopt: str | None = None
    transcript_path: str | None = None
    read_from: Literal["start", "end"] = "start"


@record
class Redirect:
    """Whoever watches the old session should watch another."""

    session_id: str


@record
class Told:
    """Something the host must say in a session; trying once is enough.

    Args:
        session_id: the host session to say it in.
        what: an edge, a notice to keep, or a redirect for those who watch.
    """

    session_id: str
    what: Edge | Message | Redirect


Asked: TypeAlias = Rotate | Told


@record
class Rotation:
    """Where the host is, and what was used up.

    Args:
        session_id: the host's active session.
        native: the native session that is current.
        asked: the rotation whose outcome is awaited.
        used: the hooks that were used up, the newest last.
        seen: native sessions that were current once, the newest last.
    """

    session_id: str
    native: str | None = None
    asked: Rotate | None = None
    used: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()


def step(
    rotation: Rotation, event: Hook | Rotated | Failed, *, evidence: bool = False
) -> tuple[Rotation, tuple[Asked, ...]]:
    """Take a hook or the outcome of a rotation; return what the host must do.

    Args:
        rotation: the state before.
        event: a hook of the log, or how the last ``Rotate`` without ``adopt`` went.
        evidence: for the hook of a resume, whether its transcript tells of a fork (``forks``).
    """
    match event:
        case Hook():
            return _hooked(rotation, event, evidence)
        case Rotated(session_id=session_id):
            return _moved(rotation, session_id)
        case Failed():
            return (evolve(rotation, asked=None) if rotation.asked else rotation), ()


def _hooked(rotation: Rotation, hook: Hook, evidence: bool) -> tuple[Rotation, tuple[Asked, ...]]:
    if hook.agent or hook.event != "SessionStart" or _name(hook) in rotation.used:
        return rotation, ()
    rotate = _rotate(rotation, hook, evidence)
    after = _used_up(rotation, hook)
    if rotate is None:
        return after, ()
    after = evolve(after, asked=rotate)
    if rotate.adopt is None:
        return after, (rotate,)
    moved, told = _moved(after, rotate.adopt)
    return moved, (rotate, *told)


def _rotate(rotation: Rotation, hook: Hook, evidence: bool) -> Rotate | None:
    notes = hook.annotations
    previous = notes.previous or rotation.native
    if hook.source == "clear":
        rotate = Rotate(kind="clear", adopt=notes.cleared_to)
    elif hook.source == "resume" and _is_fork(rotation, hook, evidence):
        rotate = Rotate(kind="fork", adopt=notes.forked_to, read_from="end")
    else:
        return None
    return evolve(
        rotate, native=hook.session_id, previous=previous, transcript_path=hook.transcript_path
    )


def _is_fork(rotation: Rotation, hook: Hook, evidence: bool) -> bool:
    notes = hook.annotations
    if notes.fork_detected or notes.forked_to is not None:
        return True
    was_seen = notes.was_seen
    if was_seen is None:
        was_seen = hook.session_id in (*rotation.seen, rotation.native)
    return evidence and not was_seen and hook.session_id is not None


def _used_up(rotation: Rotation, hook: Hook) -> Rotation:
    native = hook.session_id or rotation.native
    seen = rotation.seen
    if native is not None and native not in seen:
        seen = (*seen, native)[-_MOST_REMEMBERED:]
    name = _name(hook)
    used = rotation.used if name is None else (*rotation.used, name)[-_MOST_REMEMBERED:]
    return evolve(rotation, native=native, seen=seen, used=used)


def _name(hook: Hook) -> str | None:
    # A log has no ids. Its time names a hook; one without goes by its line; one with neither
    # can't be told from another, and is taken for a new one.
    if hook.at_ms is None and hook.line is None:
        return None
    when = f"at {hook.at_ms}" if hook.at_ms is not None else f"line {hook.line}"
    return f"{hook.source} {hook.session_id} {when}"


def _moved(rotation: Rotation, session_id: str) -> tuple[Rotation, tuple[Told, ...]]:
    asked, old = rotation.asked, rotation.session_id
    if asked is None:
        return rotation, ()
    after = evolve(rotation, session_id=session_id, asked=None)
    if asked.kind != "clear" or session_id == old:
        return after, ()
    said = (Edge(state="idle"), _superseded(session_id), Redirect(session_id=session_id))
    return after, tuple(Told(session_id=old, what=each) for each in said)


def _superseded(session_id: str) -> Message:
    return Message(
        payload=Notice(
            name="session_superseded",
            text="The conversation was cleared and goes on in another session.",
            data=JsonObject({"session_id": session_id}),
        )
    )
