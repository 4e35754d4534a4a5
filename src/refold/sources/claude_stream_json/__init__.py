"""Headless and duplex runs of Claude Code (``--output-format stream-json``).

Read in this order: ``state``, ``unwrapping``, ``recognition``, ``tokens``, ``usage``, ``lanes``,
``requests``, ``streams``, ``calls``, ``knowledge``, ``compactions``, then one file per type of record:
``assistants``, ``users`` with ``tool_results``, ``systems``, ``controls``, ``results``,
``sundries``; ``stepping`` has the table. sources/stream-json-and-acp.md is what they implement.
"""

from __future__ import annotations

from refold.sources.claude_stream_json.recognition import recognises
from refold.sources.claude_stream_json.state import START
from refold.sources.claude_stream_json.stepping import NAME, counts, finish, step
from refold.sources.source import Source

__all__ = ["SOURCE"]

SOURCE = Source(
    name=NAME,
    recognises=recognises,
    start=lambda: START,
    step=step,
    finish=finish,
    counts=counts,
)
