"""The machines of a long-lived duplex session, as pure reducers.

``step(config, session, input)`` is the whole session; each machine also stands alone, in a module of
its own. Read them in this order: ``failures``, ``limits``, ``framer``, ``wire_json``,
``wire_lines``, ``dispatch``, ``results``, ``turns``, ``deadlines``, ``controls``,
``permission_values``, ``permissions``, ``costs``, ``usage``, ``evidence``, ``lifecycle``,
``subscribers``; then ``session``, ``session_frames`` and ``session_step``, which put them together.
docs/reference/duplex-rules.md lists rule, test, module.
"""

from __future__ import annotations

from refold.policies.duplex.costs import CostConfig
from refold.policies.duplex.limits import Limits
from refold.policies.duplex.permissions import Allow, Defer, Deny, PermissionConfig
from refold.policies.duplex.session import (
    Decide,
    Duplex,
    DuplexConfig,
    DuplexInput,
    DuplexOutput,
    Interrupt,
    Prompt,
    Received,
    SessionEnded,
    StopProcess,
    Tick,
    Unwritten,
    duplex,
)
from refold.policies.duplex.session_step import next_wakeup_ms, step
from refold.policies.duplex.wire_json import line_bytes

__all__ = [
    "Allow",
    "CostConfig",
    "Decide",
    "Defer",
    "Deny",
    "Duplex",
    "DuplexConfig",
    "DuplexInput",
    "DuplexOutput",
    "Interrupt",
    "Limits",
    "PermissionConfig",
    "Prompt",
    "Received",
    "SessionEnded",
    "StopProcess",
    "Tick",
    "Unwritten",
    "duplex",
    "line_bytes",
    "next_wakeup_ms",
    "step",
]
