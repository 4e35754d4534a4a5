"""Lines as the text that is seen, and sessions to show."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from refold.folding import finalize, replay
from refold.render.terminal.lines import Line, text_of
from refold.session import Session
from refold.sources.files import open_trace

__all__ = ["GOLDEN", "PENGUIN", "golden_session", "penguin", "seen"]

GOLDEN = Path(__file__).parents[3] / "golden"
PENGUIN = GOLDEN / "penguin" / "inputs"


def seen(lines: Iterable[Line]) -> list[str]:
    """Return lines as texts."""
    return [text_of(line) for line in lines]


def penguin(case: str) -> Path:
    """Return the trace of a recorded case."""
    return min(PENGUIN.glob(f"{case}__*"))


def golden_session(path: Path) -> Session:
    """Return the session that a golden file holds, at rest."""
    return finalize(replay(open_trace(path, errors="skip").messages, now_ms=0))
