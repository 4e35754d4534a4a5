"""The versions of one served session, by event id, with what changed from each to the next.

Rules of this file:

- Ids are those of ``refold.live``: ``<epoch>-<seq>``. Another epoch is another reading of the file.
- Whoever has a version that is still kept gets what changed since; everybody else a snapshot.
- What is kept is bounded, in versions and in characters; a change that is larger than a snapshot
  need be is kept as a gap, which nobody can be patched across.
- A version whose view is the same as the last one's takes its place.
"""

from __future__ import annotations

from typing import Final

from refold.live.event_ids import parse_event_id
from refold.patches import diff
from refold.records import evolve, record
from refold.session import Session
from refold.web.windowed import json_text

__all__ = ["Chronicle", "Version", "begin", "extend", "since", "version_at"]

_VERSIONS: Final = 512
_CHARACTERS: Final = 8 << 20
_LARGEST: Final = 1 << 20


@record
class Version:
    """One version of the session.

    Args:
        seq: counts versions from 0.
        session: what is shown.
        operations: what changed since the version before, as JSON text; None for a gap.
    """

    seq: int
    session: Session
    operations: str | None = None


@record
class Chronicle:
    """The last versions of one reading of a file.

    Args:
        epoch: what tells this reading from all others, without a dash.
        versions: those that are kept, oldest first; never empty.
    """

    epoch: str
    versions: tuple[Version, ...]

    @property
    def latest(self) -> Version:
        """The last version."""
        return self.versions[-1]

    @property
    def event_id(self) -> str:
        """The event id of the last version."""
        return self.id_of(self.latest)

    def id_of(self, version: Version) -> str:
        """Return the event id of a version."""
        return f"{self.epoch}-{version.seq}"


def begin(epoch: str, session: Session) -> Chronicle:
    """Return the chronicle of a reading that begins with a session."""
    return Chronicle(epoch=epoch, versions=(Version(seq=0, session=session),))


def extend(chronicle: Chronicle, session: Session) -> Chronicle:
    """Return a chronicle with one more version, if it shows anything else."""
    latest = chronicle.latest
    if session is latest.session:
        return chronicle
    operations = diff(latest.session, session)
    if not operations:
        same = evolve(latest, session=session)
        return evolve(chronicle, versions=(*chronicle.versions[:-1], same))
    text = json_text(operations)
    version = Version(
        seq=latest.seq + 1, session=session, operations=text if len(text) <= _LARGEST else None
    )
    return evolve(chronicle, versions=_kept((*chronicle.versions, version)))


def since(chronicle: Chronicle, event_id: str | None) -> tuple[Version, ...] | None:
    """Return the versions behind one, or None if nobody can be patched from there."""
    known = version_at(chronicle, event_id)
    if known is None:
        return None
    behind = chronicle.versions[known.seq - chronicle.versions[0].seq + 1 :]
    return None if any(each.operations is None for each in behind) else behind


def version_at(chronicle: Chronicle, event_id: str | None) -> Version | None:
    """Return the version of an event id, if it is of this reading and still kept."""
    parsed = parse_event_id(event_id)
    if parsed is None or parsed.epoch != chronicle.epoch:
        return None
    at = parsed.seq - chronicle.versions[0].seq
    return chronicle.versions[at] if 0 <= at < len(chronicle.versions) else None


def _kept(versions: tuple[Version, ...]) -> tuple[Version, ...]:
    """Return the last of the versions, as many as there is room for, one at least."""
    kept = versions[-_VERSIONS:]
    excess = sum(len(each.operations or "") for each in kept) - _CHARACTERS
    dropped = 0
    while excess > 0 and dropped < len(kept) - 1:
        excess -= len(kept[dropped].operations or "")
        dropped += 1
    return kept[dropped:]
