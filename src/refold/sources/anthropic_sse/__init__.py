"""Anthropic's Messages stream as messages (docs/reference/sources/anthropic-sse.md)."""

from refold.sources.anthropic_sse.step import counts, finish, recognises, start, step
from refold.sources.source import Source

__all__ = ["SOURCE"]

SOURCE = Source(
    name="anthropic-sse",
    recognises=recognises,
    start=start,
    step=step,
    finish=finish,
    counts=counts,
)
"""The source ``anthropic-sse``."""
