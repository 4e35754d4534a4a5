"""How often the garbage collector runs while a command does.

Rules of this file:

- What a session is made of holds no cycles: to walk all of it again and again finds nothing and
  takes a twentieth of the time. Cycles that others leave behind are still collected, more rarely.
- It is the process's, so only commands decide it, never the library; what was set comes back.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

__all__ = ["collecting_rarely"]

_THRESHOLDS: Final = (100_000, 50, 50)


@contextmanager
def collecting_rarely() -> Iterator[None]:
    """Let the garbage collector run rarely."""
    before = gc.get_threshold()
    gc.set_threshold(*_THRESHOLDS)
    try:
        yield
    finally:
        gc.set_threshold(*before)
