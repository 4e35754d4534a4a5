"""Claude Code's hook log, delta log and status snapshots, beside its transcripts.

One small reducer per file: ``streams``, ``resolve`` and ``join`` (the text being streamed),
``previews``, ``partials`` and ``hold`` (as messages), ``turns``, ``status`` and ``badge`` (what the session is
doing), ``identity``, ``forks`` and ``rotation`` (which session it is), ``compaction``,
``subagents``, ``todos``, ``mirrors``, ``snapshots`` and ``costs``. ``live`` puts together those that
give messages (as ``facts`` and partials): ``beside(source)`` reads the logs with a transcript,
``HOOKS`` reads them alone. docs/reference/claude-code-rules.md says which rule stands where.
"""

from refold.sources.claude_hooks.live import HOOKS, Live, beside

__all__ = ["HOOKS", "Live", "beside"]
