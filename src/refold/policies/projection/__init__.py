"""Send a history again: from a folded session straight to a provider's request."""

from refold.policies.projection.from_items import history_of
from refold.policies.projection.project import (
    DIALECTS,
    Dialect,
    FoldedSession,
    UnknownDialectError,
    project,
    project_history,
)
from refold.policies.projection.tools import tool_definitions

__all__ = [
    "DIALECTS",
    "Dialect",
    "FoldedSession",
    "UnknownDialectError",
    "history_of",
    "project",
    "project_history",
    "tool_definitions",
]
