"""A command line as a person types it.

Rules of this file:

- Agents that pass a command as a list of words mostly wrap it in a shell: what the shell is given is
  the command. So is a word that stands alone. Any other list is joined the way a shell would take it
  apart again.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Final

__all__ = ["command_text"]

_SHELLS: Final = ("bash", "dash", "ksh", "sh", "zsh")
_FLAGS: Final = ("-c", "-lc", "-ic", "-lic")
_WRAPPED: Final = 3


def command_text(words: Sequence[str]) -> str:
    """Return a command's words as one line, without the shell that only runs it.

    Args:
        words: the program and its arguments.
    """
    if len(words) == _WRAPPED and _is_shell(words[0]) and words[1] in _FLAGS:
        return words[2]
    return words[0] if len(words) == 1 else shlex.join(words)


def _is_shell(program: str) -> bool:
    return program.rpartition("/")[2] in _SHELLS
