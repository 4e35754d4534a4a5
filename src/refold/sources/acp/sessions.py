"""Which session a message belongs to.

Rules of this file (census.md A9, A12; sources/README.md):

- The first session of a log is the main one. Any other is nested under it, or under the session and
  call that are known to have started it: an agent's collaboration call, a subagent's announcement,
  or the parent call that updates of a subagent without a session of its own name.
- A message that names no session belongs to the one last spoken of.
- A session is introduced once, and again when what it runs on becomes known.
"""

from __future__ import annotations

from typing import Any

from refold.maps import EMPTY_MAP, Map
from refold.messages import SessionMeta
from refold.records import evolve, evolver, record
from refold.sources.acp.lanes import Lane, say
from refold.sources.fields import listing, mapping, name
from refold.sources.logs.spots import Spot
from refold.sources.logs.values import first_text

__all__ = [
    "NO_SESSIONS",
    "Sessions",
    "adopted",
    "introduced",
    "key_of",
    "lane_of",
    "with_children",
    "with_lane",
]


@record
class Sessions:
    """The sessions of a log.

    Args:
        lanes: by key: the session's id, or that and the parent call of a subagent without one.
        main: the key of the main one; None before any.
        last: the key of the one last spoken of.
        parents: who started a session: the key of the parent's lane, and the call.
        owners: the key of the lane that has a call.
    """

    lanes: Map[Lane] = EMPTY_MAP
    main: str | None = None
    last: str = ""
    parents: Map[tuple[str, str | None]] = EMPTY_MAP
    owners: Map[str] = EMPTY_MAP


NO_SESSIONS = Sessions()

_spoken_of = evolver(Sessions, "lanes", "main", "last")
_with_owners = evolver(Sessions, "owners")

_DEEPEST = 32


def key_of(sessions: Sessions, session: str | None, parent_call: str | None = None) -> str:
    """Return the key of a session's lane.

    Args: as for ``lane_of``.
    """
    key = sessions.last if session is None else session
    return key if parent_call is None else f"{key}\0{parent_call}"


def lane_of(
    sessions: Sessions, session: str | None, parent_call: str | None = None
) -> tuple[str, Lane]:
    """Return the key and the lane of a session, made if it is new.

    Args:
        sessions: those known.
        session: its id; None if the message names none.
        parent_call: the call of that session that a subagent's update names.
    """
    key = sessions.last if session is None else session
    if parent_call is None:
        return key, sessions.lanes.get(key) or _new_lane(sessions, key)
    nested = key_of(sessions, session, parent_call)
    return nested, sessions.lanes.get(nested) or _sub_lane(sessions, key, parent_call)


def adopted(sessions: Sessions, session: str | None) -> Sessions:
    """Return the sessions with what was said before any was named given to the first that is.

    Args:
        sessions: those known.
        session: the id that a message names.
    """
    nameless = sessions.lanes.get("") if sessions.main == "" else None
    if not session or nameless is None:
        return sessions
    lanes = sessions.lanes.without("").put(session, evolve(nameless, id=session))
    return evolve(sessions, lanes=lanes, main=session, last=session)


def with_lane(sessions: Sessions, key: str, lane: Lane, session: str) -> Sessions:
    """Return the sessions with one changed.

    Args:
        sessions: those known.
        key: its lane's key.
        lane: what it is now.
        session: the key of the session last spoken of.
    """
    main = session if sessions.main is None else sessions.main
    return _spoken_of(sessions, sessions.lanes.put(key, lane), main, session)


def with_children(
    sessions: Sessions, key: str, update: dict[str, Any]
) -> tuple[Sessions, list[str]]:
    """Take what an update tells about sessions that its own started.

    Args:
        sessions: those known.
        key: the key of the update's lane.
        update: the update.

    Returns:
        The sessions, and the ids of those that are news.
    """
    call = name(update.get("toolCallId"))
    if call is not None and call not in sessions.owners:
        sessions = _with_owners(sessions, sessions.owners.put(call, key))
    news = [
        each
        for each in dict.fromkeys(_children(update))
        if each != key and each not in sessions.parents and each not in sessions.lanes
    ]
    for child in news:
        sessions = evolve(sessions, parents=sessions.parents.put(child, (key, call)))
    return sessions, news


def introduced(lane: Lane, setup: dict[str, str], spot: Spot, *, parent_call: str | None) -> Lane:
    """Return the lane with what it runs on said, if that is news.

    Args:
        lane: the session.
        setup: ``provider``, ``model_id`` and ``workspace``, as far as they are known.
        spot: where that was said.
        parent_call: the call that started it, if one is known to have.
    """
    before = lane.meta
    meta = SessionMeta(
        session_id=lane.id,
        provider=setup.get("provider") or (before.provider if before else ""),
        model_id=setup.get("model_id") or (before.model_id if before else ""),
        workspace=setup.get("workspace") or (before.workspace if before else ""),
        model_context_window=0,
        system_prompt="",
        agent_state="",
        source="subagent" if lane.origin and parent_call else None,
        parent_tool_call_id=parent_call if lane.origin else None,
    )
    return lane if meta == before else say(evolve(lane, meta=meta), meta, spot)


def _new_lane(sessions: Sessions, key: str) -> Lane:
    if sessions.main in (None, key):
        return Lane(id=key)
    parent, _ = sessions.parents.get(key, (sessions.main, None))
    return Lane(id=key, origin=_below(sessions.lanes.get(parent), key))


def _sub_lane(sessions: Sessions, session: str, parent_call: str) -> Lane:
    parent = sessions.owners.get(parent_call, session)
    above = sessions.lanes.get(parent) or _new_lane(sessions, parent)
    return Lane(id=parent_call, origin=_below(above, parent_call))


def _below(above: Lane | None, session: str) -> tuple[str, ...]:
    if above is None or len(above.origin) >= _DEEPEST:
        return (session,)
    return (*above.origin, session)


def _children(update: dict[str, Any]) -> list[str]:
    if "_meta" not in update and update.get("sessionUpdate") != "subagent_update":
        return []
    codex = mapping(mapping(update.get("_meta")).get("codex"))
    spawned = listing(mapping(codex.get("collaboration")).get("receiverThreadIds"))
    started = [first_text(mapping(codex.get("subagent")), "threadId")]
    announced = (
        [name(update.get("sessionId"))] if update.get("sessionUpdate") == "subagent_update" else []
    )
    found = (name(each) for each in (*spawned, *started, *announced))
    return [each for each in found if each is not None]
