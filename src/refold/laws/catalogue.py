"""All laws that a list of messages can be tried on.

Rules of this file:

- Law 12 is missing: it is about sources, whose records are no messages.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from refold.laws import of_deliveries, of_folds
from refold.laws.broken import Broken, Law
from refold.laws.shrinking import shrunk
from refold.messages import Message

__all__ = ["LAWS", "check"]

LAWS = (
    Law(
        number=1,
        name="determinism",
        says="folding twice gives equal sessions and byte-equal JSON",
        differs=of_folds.is_deterministic,
    ),
    Law(
        number=2,
        name="immutability and sharing",
        says="older versions stay as they were and share what didn't change",
        differs=of_folds.versions_share,
    ),
    Law(
        number=3,
        name="totality",
        says="no sequence of messages makes the fold raise",
        differs=of_folds.is_total,
    ),
    Law(
        number=4,
        name="live = replay",
        says="a live stream and its recorded trace settle in the same view",
        differs=of_folds.live_is_replay,
    ),
    Law(
        number=5,
        name="chunking",
        says="how a text is cut into deltas doesn't matter",
        differs=of_folds.chunks_dont_matter,
    ),
    Law(
        number=6,
        name="overlap",
        says="a history and a stream that overlap give the view of what happened",
        differs=of_deliveries.overlap_doesnt_matter,
    ),
    Law(
        number=7,
        name="windows",
        says="windows show, one behind the other, what the whole shows",
        differs=of_deliveries.windows_dont_matter,
    ),
    Law(
        number=8,
        name="nesting",
        says="a nested session is the fold of its own messages",
        differs=of_folds.nesting_is_the_same_fold,
    ),
    Law(
        number=9,
        name="checkpoints",
        says="a session loaded from its checkpoint goes on as it would have",
        differs=of_folds.checkpoints_carry_everything,
    ),
    Law(
        number=10,
        name="patches",
        says="a diff leads from one version's JSON to another's",
        differs=of_deliveries.patches_lead_on,
    ),
    Law(
        number=11,
        name="redelivery",
        says="what is delivered again under its event id changes nothing",
        differs=of_deliveries.redelivery_is_harmless,
    ),
)


def check(messages: Sequence[Message], laws: Iterable[Law] = LAWS) -> list[Broken]:
    """Return the laws that some messages break, each with a small counterexample.

    Args:
        messages: what happened: a trace or a live stream.
        laws: those to try.
    """
    found = [(law, _differs(law, messages)) for law in laws]
    return [_broken(law, messages, difference) for law, difference in found if difference]


def _broken(law: Law, messages: Sequence[Message], difference: str) -> Broken:
    small = shrunk(messages, lambda fewer: _differs(law, fewer) is not None)
    return Broken(law=law, difference=_differs(law, small) or difference, messages=small)


def _differs(law: Law, messages: Sequence[Message]) -> str | None:
    """Try a law; whatever raises breaks it, and must not hide the others."""
    try:
        return law.differs(messages)
    except Exception as error:  # noqa: BLE001 - a law is there to find what nobody thought of
        return f"raised {error!r}"
