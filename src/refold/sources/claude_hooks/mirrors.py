"""Mirroring a value that Claude Code changes by itself: its model, its effort.

Rules of this file (sources/claude-code.md 4.8, 4.9):

- A value is reported when it differs from the one delivered last; it counts as delivered when the
  host says so, so a report that was lost comes again without a new observation.
- An observation of nothing forgets nothing.
- The first value is a report like any other, as it stands. (``seeds`` takes it in silence, for a
  host that set the model itself; ``alias`` names a tier, for one that only knows tiers.)
- Effort changes by a ``/effort`` command with a level or a word that clears it. Anything else it
  says is no change.
"""

from __future__ import annotations

from typing import TypeAlias

from refold.json_values import JsonObject
from refold.messages import Message, Notice
from refold.records import evolve, record

__all__ = [
    "EFFORTS",
    "EFFORT_CLEARS",
    "Change",
    "Delivered",
    "Mirror",
    "Observed",
    "alias",
    "effort_change",
    "step",
]

EFFORTS = ("low", "medium", "high", "xhigh", "max")
EFFORT_CLEARS = ("default", "off", "reset")
_TIERS = ("fable", "opus", "sonnet", "haiku")


@record
class Observed:
    """A value was seen; None if nothing was."""

    value: str | None = None


@record
class Delivered:
    """A report reached the host."""

    value: str


MirrorEvent: TypeAlias = Observed | Delivered


@record
class Change:
    """The host should take over a value.

    Args:
        value: the value.
        clears: it stands for having none.
    """

    value: str
    clears: bool = False


@record
class Mirror:
    """A value there and the value here.

    Args:
        seeds: whether the first value observed counts as delivered.
        observed: what was seen last.
        delivered: what the host took last.
    """

    seeds: bool = False
    observed: str | None = None
    delivered: str | None = None


def step(mirror: Mirror, event: MirrorEvent) -> tuple[Mirror, tuple[Change, ...]]:
    """Take an observation or a delivery; return the report that is due.

    Args:
        mirror: the state before.
        event: a delivery reports nothing; an observation, even of nothing, reports what is due.
    """
    match event:
        case Delivered(value=value):
            return evolve(mirror, delivered=value), ()
        case Observed(value=value):
            return _observed(mirror, value)


def alias(model: str | None) -> str | None:
    """Return the tier of a model id, as a host's picker may call it; None if it has none.

    Args:
        model: a concrete id, of any vendor's spelling.
    """
    low = (model or "").lower()
    if "sonnet-5" in low or "sonnet_5" in low:
        return "sonnet_5"
    return next((tier for tier in _TIERS if tier in low), None)


def effort_change(message: Message) -> Change | None:
    """Return the change of effort that a message tells of, or None.

    Args:
        message: of the main lane; only the notice of a slash command tells one.
    """
    payload = message.payload
    if message.origin or not isinstance(payload, Notice) or payload.name != "slash_command":
        return None
    command = payload.data if isinstance(payload.data, JsonObject) else JsonObject()
    arguments = command.get("arguments")
    if command.get("name") != "effort" or not isinstance(arguments, str):
        return None
    word = arguments.strip().lower()
    if word in EFFORT_CLEARS:
        return Change(value=word, clears=True)
    return Change(value=word) if word in EFFORTS else None


def _observed(mirror: Mirror, value: str | None) -> tuple[Mirror, tuple[Change, ...]]:
    if value is not None and value != mirror.observed:
        first = mirror.observed is None
        delivered = value if first and mirror.seeds else mirror.delivered
        mirror = evolve(mirror, observed=value, delivered=delivered)
    if mirror.observed is None or mirror.observed == mirror.delivered:
        return mirror, ()
    return mirror, (Change(value=mirror.observed),)
