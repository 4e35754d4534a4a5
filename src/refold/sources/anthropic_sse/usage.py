"""What an Anthropic message used.

Rules of this file:

- ``message_delta`` counts cumulatively: its fields replace those of ``message_start``, and a field
  it doesn't name keeps its value.
- A message may be several samplings (``iterations``): each is charged on its own, so that the
  context of the view is that of the last one. Compactions are not in the message's own counts and
  come on top, first, because their prompt is not the context.
"""

from __future__ import annotations

from typing import Any

from refold.messages import TokenCounts
from refold.sources.anthropic_blocks import token_counts
from refold.sources.fields import listing, mapping
from refold.sources.token_ledger import NO_TOKENS, charged

__all__ = ["charges", "merged", "prompt_tokens"]

_SAMPLINGS = frozenset({"message", "fallback_message"})


def merged(before: dict[str, Any], usage: Any) -> dict[str, Any]:
    """Return a usage object with the fields of a later one in place.

    Args:
        before: the usage so far.
        usage: what came, of any JSON type.
    """
    later = mapping(usage)
    return {**before, **{name: later[name] for name in later if later[name] is not None}}


def prompt_tokens(usage: dict[str, Any]) -> int:
    """Return the tokens of a message's prompt, cached ones included."""
    counts = token_counts(usage)
    return 0 if counts is None else counts.total - counts.output


def charges(usage: dict[str, Any]) -> tuple[TokenCounts, ...]:
    """Return what a message is charged for, the sampling that counts as its context last.

    Args:
        usage: its final usage object.
    """
    whole = token_counts(usage)
    entries = [mapping(each) for each in listing(usage.get("iterations"))]
    samplings = _counted([each for each in entries if each.get("type") in _SAMPLINGS])
    others = _counted([each for each in entries if each.get("type") == "compaction"])
    if whole is None:
        return others
    return (*others, *(samplings if _sum(samplings) == _sum((whole,)) else (whole,)))


def _counted(entries: list[dict[str, Any]]) -> tuple[TokenCounts, ...]:
    counts = [token_counts(each) for each in entries]
    return tuple([each for each in counts if each is not None])


def _sum(counts: tuple[TokenCounts, ...]) -> TokenCounts:
    total = NO_TOKENS
    for each in counts:
        total = charged(total, each).session
    return total
