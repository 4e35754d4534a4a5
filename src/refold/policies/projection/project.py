"""From a folded session to the part of a provider's request that says what went before.

Rules of this file:

- What comes out are the request's own fields, as plain JSON: pass them on beside the model.
- The order is fixed: items to turns, the next prompt, pairs, the note on failures, the byte
  budget, the provider's shape. Whatever goes in, pairs come out whole.
- Anything with ``items`` is a session, nested ones too; a session's own nested ones don't enter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Literal, Protocol, TypeAlias

from refold.errors import RefoldError, shorten
from refold.items import Item
from refold.policies.history import History, HistoryItem, PlainText, ToolResult
from refold.policies.history import prompt as prompt_turn
from refold.policies.history_budget import fit_history
from refold.policies.pairing import paired
from refold.policies.projection.anthropic_messages import anthropic_request
from refold.policies.projection.from_items import history_of
from refold.policies.projection.openai_chat import openai_chat_request
from refold.policies.projection.openai_responses import openai_responses_request

__all__ = [
    "DIALECTS",
    "Dialect",
    "FoldedSession",
    "UnknownDialectError",
    "project",
    "project_history",
]

Dialect: TypeAlias = Literal["openai_chat", "anthropic", "openai_responses"]

DIALECTS: Mapping[str, Callable[[History, str | None], dict[str, Any]]] = MappingProxyType(
    {
        "openai_chat": openai_chat_request,
        "anthropic": anthropic_request,
        "openai_responses": openai_responses_request,
    }
)


class FoldedSession(Protocol):
    """Anything that has a session's items (view.md)."""

    @property
    def items(self) -> Iterable[Item]:
        """The items, in order."""
        ...


class UnknownDialectError(RefoldError):
    """A dialect that refold doesn't write."""

    def __init__(self, dialect: str) -> None:
        super().__init__(f"expected a dialect of {', '.join(DIALECTS)}, got {shorten(dialect)}")


def project(
    session: FoldedSession,
    dialect: Dialect,
    *,
    system: str | None = None,
    prompt: str | None = None,
    budget_bytes: int | None = None,
    failure_note: str | None = None,
) -> dict[str, Any]:
    """Return the part of a provider's request that a session stands for.

    Args:
        session: a folded session; its items are read once.
        dialect: ``openai_chat``, ``anthropic`` or ``openai_responses``.
        system: the system prompt.
        prompt: what the user says next; without it the request ends where the session does.
        budget_bytes: what the turns may weigh on the wire; the oldest go first, the newest prompt
            and what follows it never.
        failure_note: a text to add to every failed result.

    Returns:
        ``messages`` (and ``system`` for Anthropic), or ``input`` (and ``instructions``).

    Raises:
        UnknownDialectError: the dialect is none of the three.
    """
    said = () if prompt is None else (prompt_turn(prompt),)
    return project_history(
        (*history_of(session.items), *said),
        dialect,
        system=system,
        budget_bytes=budget_bytes,
        failure_note=failure_note,
    )


def project_history(
    history: Iterable[HistoryItem],
    dialect: Dialect,
    *,
    system: str | None = None,
    budget_bytes: int | None = None,
    failure_note: str | None = None,
) -> dict[str, Any]:
    """Return the part of a provider's request that a history stands for.

    Args:
        history: turns, paired or not.
        dialect: as for ``project``, like the rest.
        system: the system prompt.
        budget_bytes: what the turns may weigh on the wire.
        failure_note: a text to add to every failed result.

    Raises:
        UnknownDialectError: the dialect is none of the three.
    """
    if dialect not in DIALECTS:
        raise UnknownDialectError(dialect)
    turns = paired(history)
    if failure_note is not None:
        turns = tuple([_noted(item, failure_note) for item in turns])
    if budget_bytes is not None:
        turns = fit_history(turns, budget_bytes, protect_prompt=True).history
    return DIALECTS[dialect](turns, system)


def _noted(item: HistoryItem, note: str) -> HistoryItem:
    if isinstance(item, ToolResult) and item.is_error:
        parts = (*item.parts, PlainText(text=note))
        return ToolResult(call_id=item.call_id, parts=parts, is_error=True)
    return item
