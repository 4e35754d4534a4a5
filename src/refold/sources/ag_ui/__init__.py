"""AG-UI events as messages (docs/reference/sources/ag-ui.md)."""

from refold.sources.ag_ui.step import counts, finish, recognises, start, step
from refold.sources.source import Source

__all__ = ["SOURCE"]

SOURCE = Source(
    name="ag-ui",
    recognises=recognises,
    start=start,
    step=step,
    finish=finish,
    counts=counts,
)
"""The source ``ag-ui``."""
