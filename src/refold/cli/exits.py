"""What the command's exit codes mean."""

from __future__ import annotations

from typing import Final

__all__ = ["DONE", "FAILED", "INCOMPLETE", "INTERRUPTED", "UNUSABLE"]

DONE: Final = 0
FAILED: Final = 1
UNUSABLE: Final = 2
INCOMPLETE: Final = 3
INTERRUPTED: Final = 130
