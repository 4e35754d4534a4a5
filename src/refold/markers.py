"""What certain texts mean, and what counts as blank.

Rules of this file (protocol.md, "Marked user texts" and "Blank"):

- Blank is ECMAScript's white space, not Python's: a browser and a back end must agree.
- A marker counts only where it frames the whole text.
"""

from __future__ import annotations

import re

__all__ = ["is_blank", "is_summary", "steering_text"]

_WHITE = "\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_VISIBLE = re.compile(f"[^{_WHITE}]")
_STEERING = re.compile(
    rf"\[user_steering\]\n(?P<inner>.*?)\n\[/user_steering\][{_WHITE}]*\Z", re.DOTALL
)
_SUMMARY = ("[context_summary]", "<context_summary>")


def is_blank(text: str) -> bool:
    """Tell whether a body is empty or only ECMAScript white space."""
    if "!" <= text[:1] <= "~":
        # Nearly every text begins so, and the pattern would take nearly twice as long to say it.
        return False
    return _VISIBLE.search(text) is None


def is_summary(text: str) -> bool:
    """Tell whether a user text is a compaction summary, which is internal input."""
    return text.startswith(_SUMMARY)


def steering_text(text: str) -> str | None:
    """Return what a steering text says, or None if the text is no steering."""
    if not text.startswith("[user_steering]\n"):
        return None
    found = _STEERING.match(text)
    return None if found is None else found["inner"]
