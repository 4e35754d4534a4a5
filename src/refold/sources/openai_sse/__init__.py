"""OpenAI's Responses and Chat Completions streams (docs/reference/sources/openai-sse.md)."""

from refold.sources.openai_sse.step import counts, finish, recognises, start, step
from refold.sources.source import Source

__all__ = ["SOURCE"]

SOURCE = Source(
    name="openai-sse",
    recognises=recognises,
    start=start,
    step=step,
    finish=finish,
    counts=counts,
)
"""The source ``openai-sse``."""
