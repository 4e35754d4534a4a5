"""A transcript read together with its hook log, delta log and status snapshots.

Rules of this file (sources/claude-code.md 8.1, 8.5, 8.6):

- A record is known by its shape, so the logs may come on lanes of their own or in one file. One
  that names its ``type`` is the transcript's.
- What is settled comes from the transcript alone, whatever the interleaving. A delta gives partials
  that float until the transcript's text settles them; a hook or a snapshot gives ``facts``.
- A fact is an event, and an event closes the window in which an image joins a steering (reducer.md
  rule 18). While that is open, facts wait for the transcript's next message.
- ``running`` stands in front of what shows it. A rotation forgets what is shown and what the logs
  told of the session before.
- Whoever lets a session rest when ``live.status`` says ``idle`` does so once the transcript is read
  to its end: its last records may be written behind the hook.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from refold.json_values import EMPTY, JsonObject
from refold.messages import Fact, Message, SourcePosition, Transport
from refold.records import evolve, evolver, record
from refold.sequels import EMPTY_SEQUEL, Sequel
from refold.sources.claude_hooks import compaction, facts, identity, partials, rotation, status
from refold.sources.claude_hooks import snapshots as snapshots_
from refold.sources.claude_hooks import todos as todos_
from refold.sources.claude_hooks.badge import Badge
from refold.sources.claude_hooks.compaction import Compactions
from refold.sources.claude_hooks.deltas import Delta, read_delta
from refold.sources.claude_hooks.facts import NAME, Place
from refold.sources.claude_hooks.hooks import EVENTS, Hook, read_hook
from refold.sources.claude_hooks.identity import Identity
from refold.sources.claude_hooks.partials import Partials
from refold.sources.claude_hooks.rotation import Rotate, Rotation
from refold.sources.claude_hooks.snapshots import Snapshot, read_snapshot
from refold.sources.claude_hooks.status import Status
from refold.sources.claude_hooks.todos import Todos
from refold.sources.fields import moment
from refold.sources.source import Record, Source
from refold.sources.tally import NOTHING_COUNTED, Tally, counted, totals, unknown

__all__ = ["Live", "beside", "recognises"]

Messages = tuple[Message, ...]


@record
class Live:
    """What the lanes have told, as the states of the reducers that heard it.

    Args:
        transcript: the state of the transcript's own source.
        usage: the latest snapshot, as a fact.
        held: facts that wait until no image can join a steering any more, the latest per name.
        tally: what was not understood, by reason.
    """

    transcript: Any
    partials: Partials = Partials()
    status: Status = Status()
    badge: Badge = Badge()
    todos: Todos = Todos()
    identity: Identity = Identity()
    rotation: Rotation = Rotation(session_id="")
    compactions: Compactions = Compactions()
    usage: JsonObject = EMPTY
    held: Sequel[Message] = EMPTY_SEQUEL
    tally: Tally = NOTHING_COUNTED


def beside(transcript: Source) -> Source:
    """Return a transcript's source that also reads the logs beside it.

    Args:
        transcript: the source of the transcript; its messages are neither changed nor reordered.
    """

    def step(live: Live, record: Record, observed_ms: int | None) -> tuple[Live, Messages]:
        if type(record.value) is dict and "type" in record.value:
            return read(live, record, observed_ms)
        delta = read_delta(record.value)
        if delta is not None:
            return _previewed(live, delta, record, observed_ms)
        hook = read_hook(record.value, record.line)
        if hook is not None:
            return _held(*_hooked(live, hook))
        snapshot = read_snapshot(record.value)
        if snapshot is not None:
            return _held(*_pictured(live, snapshot, record))
        return read(live, record, observed_ms)

    def read(live: Live, record: Record, observed_ms: int | None) -> tuple[Live, Messages]:
        following, messages = transcript.step(live.transcript, record, observed_ms)
        return _told(_read_on(live, following), messages)

    def finish(live: Live) -> Messages:
        live, messages = _told(live, transcript.finish(live.transcript))
        _, retraction = partials.close(live.partials)
        return (*messages, *live.held.values(), *retraction)

    return Source(
        name=transcript.name,
        recognises=lambda records: transcript.recognises(records) or recognises(records),
        start=lambda: Live(transcript=transcript.start()),
        step=step,
        finish=finish,
        counts=lambda live: {**transcript.counts(live.transcript), **totals(live.tally)},
    )


def recognises(records: Sequence[Any]) -> bool:
    """Tell whether most of the first records are hooks or deltas."""
    known = sum(read_delta(each) is not None or _is_known_hook(each) for each in records)
    return known > len(records) // 2


def _is_known_hook(value: Any) -> bool:
    hook = read_hook(value)
    return hook is not None and hook.event in EVENTS


def _previewed(
    live: Live, delta: Delta, record: Record, observed_ms: int | None
) -> tuple[Live, Messages]:
    source = SourcePosition(
        format=NAME, lane="deltas", id=delta.message_id, ordinal=delta.index, line=record.line
    )
    transport = Transport(source=source)
    timestamp = moment(observed_ms)
    after, messages = partials.previewed(live.partials, delta, timestamp, transport)
    if after is live.partials:
        return evolve(live, tally=counted(live.tally, "late delta")), ()
    return evolve(live, partials=after), messages


def _told(live: Live, messages: Messages) -> tuple[Live, Messages]:
    told: list[Message] = []
    for message in messages:
        stepped, edges = status.step(live.status, message)
        badge, before = facts.shown(live.badge, edges, _NOWHERE) if edges else (live.badge, ())
        previews, around = partials.told(live.partials, message)
        compactions, marks = compaction.step(live.compactions, message)
        if live.held and not previews.boundary.steering:
            told += live.held.values()
            live = evolve(live, held=EMPTY_SEQUEL)
        told += [*before, *around, *facts.banners(marks, _NOWHERE)] if marks else [*before, *around]
        changed = (
            stepped is not live.status
            or previews is not live.partials
            or compactions is not live.compactions
        )
        if changed:
            live = _moved(live, stepped, badge, previews, compactions)
    return live, tuple(told)


def _hooked(live: Live, hook: Hook) -> tuple[Live, Messages]:
    if hook.event not in EVENTS:
        return evolve(live, tally=unknown(live.tally, "hook", hook.event)), ()
    place = Place(line=hook.line, at_ms=hook.at_ms)
    live, rotated = _rotated(live, hook, place)
    identified, news = identity.step(live.identity, hook)
    stopped, edges = status.step(live.status, hook)
    badge, shown = facts.shown(live.badge, edges, place)
    todos, lists = todos_.step(live.todos, hook)
    compactions, marks = compaction.step(live.compactions, hook)
    messages = (
        *rotated,
        *(facts.fact("session", each, place) for each in news),
        *shown,
        *(facts.fact("todos", each, place) for each in lists),
        *facts.banners(marks, place),
    )
    after = evolve(
        live,
        identity=identified,
        status=stopped,
        badge=badge,
        todos=todos,
        compactions=compactions,
    )
    return after, messages


def _rotated(live: Live, hook: Hook, place: Place) -> tuple[Live, Messages]:
    after, asked = rotation.step(live.rotation, hook)
    rotates = [each for each in asked if isinstance(each, Rotate)]
    if not rotates:
        return evolve(live, rotation=after), ()
    forgetful, retraction = partials.forget(live.partials)
    fresh = Live(
        transcript=live.transcript,
        partials=forgetful,
        rotation=after,
        tally=live.tally,
        held=live.held,
    )
    return fresh, (*retraction, *(facts.rotated(each, place) for each in rotates))


def _held(live: Live, messages: Messages) -> tuple[Live, Messages]:
    if not messages or not live.partials.boundary.steering:
        return live, messages
    held = live.held
    for each in messages:
        assert isinstance(each.payload, Fact), "what a hook gives then is a fact"
        held = held.put(each.payload.name, each)
    return evolve(live, held=held), ()


def _pictured(live: Live, snapshot: Snapshot, record: Record) -> tuple[Live, Messages]:
    usage = snapshots_.usage(snapshot)
    if usage == live.usage:
        return live, ()
    return evolve(live, usage=usage), (facts.fact("usage", usage, Place(line=record.line)),)


_NOWHERE = Place()
_read_on = evolver(Live, "transcript")
_moved = evolver(Live, "status", "badge", "partials", "compactions")
