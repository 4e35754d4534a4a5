"""The subagents of a session, each bound once to a host's session of its own.

Rules of this file (sources/claude-code.md 4.6):

- A subagent is asked for when its side file says what it is and which call spawned it. It is asked
  for once: what is bound or parked is never asked for again, in this run or the next.
- A failure that may pass leaves it unasked until its time comes; one that won't parks it for good.
- Only a bound one has a status: ``running`` with any activity, ``idle`` when it stops or has been
  quiet for more than ``QUIET_MS``. A status is told when it changes, and is told again if telling
  it failed.
- What a run leaves to the next is who is bound and who is parked; what was only asked for is asked
  for again.
- Its transcript is its own lane; nothing of it is read here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

from refold.records import evolve, record
from refold.sequels import EMPTY_SEQUEL, Sequel
from refold.sources.claude_hooks.subagent_events import (
    Active,
    Asked,
    Described,
    Failed,
    Meta,
    Parked,
    Register,
    Registered,
    RegistryEvent,
    Say,
    Stopped,
    Tick,
    Untold,
)
from refold.sources.fields import mapping, name

__all__ = ["QUIET_MS", "Link", "LinkState", "Registry", "from_json", "step", "to_json"]

QUIET_MS = 5000

LinkState: TypeAlias = Literal["unknown", "registering", "bound", "parked"]


@record
class Link:
    """One subagent.

    Args:
        state: where its registration stands.
        meta: what it is, once that is known.
        session_id: the host's session, once bound.
        retry_ms: when to ask again, Unix ms.
        active_ms: when it was last active, Unix ms.
        told: the status told last.
    """

    state: LinkState = "unknown"
    meta: Meta | None = None
    session_id: str | None = None
    retry_ms: int | None = None
    active_ms: int | None = None
    told: Literal["running", "idle"] | None = None


@record
class Registry:
    """The subagents by id, in the order in which they were first heard of."""

    links: Sequel[Link] = EMPTY_SEQUEL


def step(registry: Registry, event: RegistryEvent) -> tuple[Registry, tuple[Asked, ...]]:
    """Take an event; return what the host must do.

    Args:
        registry: the state before.
        event: what was read, how a registration went, or that time has passed.
    """
    if isinstance(event, Tick):
        return _ticked(registry, event.now_ms)
    link = registry.links.get(event.agent_id) or Link()
    after, asked = _CASES[type(event)](link, event)
    if after == link:
        return registry, asked
    return evolve(registry, links=registry.links.put(event.agent_id, after)), asked


def to_json(registry: Registry) -> dict[str, Any]:
    """Return who is bound, by session id, and who is parked, as None: plain JSON data."""
    return {
        agent_id: link.session_id
        for agent_id, link in registry.links.items()
        if link.state in ("bound", "parked")
    }


def from_json(value: Any) -> Registry:
    """Return the registry that plain JSON data tells of; an empty one if it tells none.

    Args:
        value: what ``to_json`` gave, or any JSON value.
    """
    links: Sequel[Link] = EMPTY_SEQUEL
    for agent_id, session_id in mapping(value).items():
        if session_id is None:
            links = links.put(agent_id, Link(state="parked"))
        elif name(session_id) is not None:
            links = links.put(agent_id, Link(state="bound", session_id=session_id))
    return Registry(links=links)


def _ticked(registry: Registry, now_ms: int) -> tuple[Registry, tuple[Asked, ...]]:
    links = registry.links
    asked: list[Asked] = []
    for agent_id, link in registry.links.items():
        after, more = _waited(agent_id, link, now_ms)
        if after is not link:
            links = links.put(agent_id, after)
            asked += more
    return (registry if links is registry.links else evolve(registry, links=links)), tuple(asked)


def _waited(agent_id: str, link: Link, now_ms: int) -> tuple[Link, tuple[Asked, ...]]:
    if link.state == "unknown" and link.meta is not None:
        due = link.retry_ms is None or now_ms >= link.retry_ms
        return _asked_for(agent_id, link, link.meta) if due else (link, ())
    if link.active_ms is None or now_ms - link.active_ms <= QUIET_MS:
        return link, ()
    return _said(link, "idle")


def _described(link: Link, event: Described) -> tuple[Link, tuple[Asked, ...]]:
    if link.state != "unknown" or link.retry_ms is not None:
        return link, ()
    return _asked_for(event.agent_id, link, event.meta)


def _asked_for(agent_id: str, link: Link, meta: Meta) -> tuple[Link, tuple[Asked, ...]]:
    asked = Register(agent_id=agent_id, meta=meta)
    return evolve(link, state="registering", meta=meta, retry_ms=None), (asked,)


def _registered(link: Link, event: Registered) -> tuple[Link, tuple[Asked, ...]]:
    if link.state in ("bound", "parked"):
        return link, ()
    return evolve(link, state="bound", session_id=event.session_id, retry_ms=None), ()


def _failed(link: Link, event: Failed) -> tuple[Link, tuple[Asked, ...]]:
    if link.state != "registering":
        return link, ()
    return evolve(link, state="unknown", retry_ms=event.retry_ms), ()


def _parked(link: Link, event: Parked) -> tuple[Link, tuple[Asked, ...]]:
    del event
    return (link if link.state == "bound" else evolve(link, state="parked", retry_ms=None)), ()


def _active(link: Link, event: Active) -> tuple[Link, tuple[Asked, ...]]:
    if link.state != "bound":
        return link, ()
    return _said(evolve(link, active_ms=event.now_ms), "running")


def _stopped(link: Link, event: Stopped) -> tuple[Link, tuple[Asked, ...]]:
    del event
    return (link, ()) if link.state != "bound" else _said(link, "idle")


def _untold(link: Link, event: Untold) -> tuple[Link, tuple[Asked, ...]]:
    del event
    return evolve(link, told=None), ()


def _said(link: Link, state: Literal["running", "idle"]) -> tuple[Link, tuple[Asked, ...]]:
    if link.state != "bound" or link.told == state or link.session_id is None:
        return link, ()
    return evolve(link, told=state), (Say(session_id=link.session_id, state=state),)


_CASES: dict[type[Any], Callable[[Link, Any], tuple[Link, tuple[Asked, ...]]]] = {
    Described: _described,
    Registered: _registered,
    Failed: _failed,
    Parked: _parked,
    Active: _active,
    Stopped: _stopped,
    Untold: _untold,
}
