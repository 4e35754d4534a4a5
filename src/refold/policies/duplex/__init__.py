"""The machines of a long-lived duplex session, as pure reducers.

Read them in this order: ``failures``, ``limits``, ``framer``, ``wire_json``, ``wire_lines``,
``dispatch``, ``results``, ``turns``, ``deadlines``, ``controls``, ``permissions``, ``costs``,
``usage``, ``lifecycle``, ``subscribers``; then ``session``, ``session_frames`` and ``session_step``,
which put them together. docs/reference/duplex-rules.md lists rule, test and module.
"""

from __future__ import annotations

__all__: list[str] = []
