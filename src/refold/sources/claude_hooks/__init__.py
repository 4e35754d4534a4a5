"""Claude Code's hook log, delta log and status snapshots, beside its transcripts.

One small reducer per file: ``streams``, ``resolve`` and ``join`` (the text being streamed),
``previews``, ``partials`` and ``hold`` (as messages), ``turns``, ``status`` and ``badge`` (what the
session is doing), ``identity``, ``forks`` and ``rotation`` (which session it is), ``compaction``,
``subagents``, ``todos``, ``mirrors``, ``snapshots`` and ``costs``. ``live`` puts together those that
give messages (as ``facts`` and partials): ``beside(source)`` reads the logs with any transcript's
source, ``SOURCE`` with Claude Code's own or alone. docs/reference/claude-code-rules.md says which
rule stands where.
"""

from __future__ import annotations

from refold.records import evolve
from refold.sources.claude_code import SOURCE as TRANSCRIPT
from refold.sources.claude_hooks.facts import NAME
from refold.sources.claude_hooks.live import Live, beside, recognises

__all__ = ["SOURCE", "Live", "beside"]

SOURCE = evolve(beside(TRANSCRIPT), name=NAME, recognises=recognises)
