r"""Text from a trace, made harmless to a terminal and to whoever reads it.

Rules of this file:

- Nothing that a terminal acts on gets through: control characters are shown as pictures (``␛``) or
  escapes (``\x9b``). Line feeds and tabs stay.
- Nothing that makes a text look like another gets through: what turns the direction of reading,
  and what is invisible on purpose, is shown as an escape (``\u202e``). Joiners stay: scripts and
  emoji need them.
- What no encoding can write, a lone surrogate, is shown as an escape, too.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["harmless", "one_line"]

_PICTURES: Final = 0x2400
_DELETE: Final = "\u2421"
# Zero width (non-)joiners U+200C and U+200D are left out on purpose.
_HIDDEN: Final = "\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"
_HARMFUL: Final = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f{_HIDDEN}\ud800-\udfff]")
_NEWLINE: Final = re.compile("\r\n")
_BREAKS: Final = re.compile(r"\s*\n\s*")


def harmless(text: str) -> str:
    """Return a text that may be written to a terminal: its lines, and nothing that acts.

    Args:
        text: anything; a carriage return in front of a line feed goes with it.
    """
    if text.isascii() and text.isprintable():
        return text
    return _HARMFUL.sub(_shown, _NEWLINE.sub("\n", text))


def one_line(text: str) -> str:
    """Return a text on one line, harmless, its breaks and tabs as spaces.

    Args:
        text: anything.
    """
    return harmless(_BREAKS.sub(" ", text).replace("\t", " ").strip())


def _shown(found: re.Match[str]) -> str:
    character = found[0]
    if character < " ":
        return chr(_PICTURES + ord(character))
    if character == "\x7f":
        return _DELETE
    escaped: bytes = character.encode("ascii", "backslashreplace")
    return escaped.decode("ascii")
