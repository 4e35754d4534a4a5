"""What any record may tell beside what it says: where and how the session runs.

Rules of this file (census C21):

- A session may move, change its branch, its client, its mode; each is a fact when it changes.
- A subagent's surroundings are its parent's and are not told again.
- Where the session runs at first is in its ``session_meta``; it is a fact when it moves.
"""

from __future__ import annotations

from typing import Any

from refold.decode.generated import compiled
from refold.messages import Fact
from refold.sources.claude_code.fields import string
from refold.sources.claude_code.outs import Out, now
from refold.sources.claude_code.state import LaneDraft
from refold.sources.claude_code.values import Place

__all__ = ["SURROUNDINGS", "fold_surroundings"]

SURROUNDINGS = (
    ("cwd", "cwd"),
    ("git_branch", "gitBranch"),
    ("client_version", "version"),
    ("permission_mode", "permissionMode"),
    ("effort", "effort"),
)
_NOTHING = (None,) * len(SURROUNDINGS)
# Nearly always a record tells what the last one told, or nothing; so this is written out.
_tells_again = compiled(
    [
        "def tells_again(told, get):",
        f"    {', '.join([name for name, _ in SURROUNDINGS])} = told",
        "    return "
        + " and ".join([f"get({field!r}, {name}) == {name}" for name, field in SURROUNDINGS]),
    ],
    {},
)


def fold_surroundings(lane: LaneDraft, value: dict[str, Any], place: Place) -> list[Out]:
    """Tell what changed around a record.

    Args:
        lane: its lane.
        value: the record.
        place: the same.
    """
    if value.get("isSidechain") is True:
        return []
    told = lane.surroundings or _NOTHING
    changed = [] if _tells_again(told, value.get) else _changed(told, value)
    forked = value.get("forkedFrom")
    if type(forked) is dict and (source := string(forked, "sessionId")) is not None:
        changed.append(("forked_from", source))
    return _facts(lane, changed, place) if changed else []


def _changed(told: tuple[str | None, ...], value: dict[str, Any]) -> list[tuple[str, str]]:
    return [
        (name, value[field])
        for (name, field), last in zip(SURROUNDINGS, told, strict=True)
        if field in value and value[field] != last and string(value, field)
    ]


def _facts(lane: LaneDraft, changed: list[tuple[str, str]], place: Place) -> list[Out]:
    latest = dict(changed)
    told = zip(SURROUNDINGS, lane.surroundings or _NOTHING, strict=True)
    lane.surroundings = tuple([latest.get(name, last) for (name, _), last in told])
    new = [each for each in changed if lane.facts.get(each[0]) != each[1]]
    for name, value in new:
        lane.facts = lane.facts.put(name, value)
    return [now(place, Fact(name=name, value=value)) for name, value in new]
