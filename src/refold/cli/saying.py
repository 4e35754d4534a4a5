"""What a command says of its work, on standard error.

Rules of this file:

- A diagnostic is one line, whatever the names and the values in it: nothing in it acts on a terminal.
"""

from __future__ import annotations

import sys

__all__ = ["say"]


def say(text: str) -> None:
    """Write a diagnostic.

    Args:
        text: what is to be said; a file's name in it may hold anything.
    """
    # Asked for only now: a command that has nothing to say loads nothing of the terminal's.
    from refold.render.terminal.harmless import one_line  # noqa: PLC0415

    print(f"refold: {one_line(text)}", file=sys.stderr)
