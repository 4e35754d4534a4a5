"""Claude Code's transcripts as a source.

Rules of this package (sources/claude-code.md):

- Data flows one way: ``routing`` (which lane), ``reading`` and the files of readers (what a record
  says), ``lanes`` with ``answers``, ``requests``, ``steering``, ``todos``, ``surroundings`` (what that
  means for its lane), ``spawning`` (what joins lanes), ``numbering`` (messages), ``stepping`` (all of
  it).
- ``folder`` finds files and is the only room that reads any; ``merging`` makes one stream of them.
- Only records say anything durable: no clock, no poll, no order of arrival between files.
"""

from __future__ import annotations

from refold.sources.claude_code.merging import merged
from refold.sources.claude_code.numbering import NAME
from refold.sources.claude_code.recognition import recognises
from refold.sources.claude_code.state import START, State
from refold.sources.claude_code.stepping import counts, finish, step, steps
from refold.sources.source import Source

__all__ = ["SOURCE", "State", "merged"]


def _start() -> State:
    return START


SOURCE = Source(
    name=NAME,
    recognises=recognises,
    start=_start,
    step=step,
    finish=finish,
    counts=counts,
    steps=steps,
)
