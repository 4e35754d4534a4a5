"""Tokens by bucket, as a run tells them.

Rules of this file:

- Four buckets that add up; nothing is below zero. What can't be read counts nothing, and figures that
  count nothing are no figures: absent isn't zero.
- Arithmetic only: who counts what when is the ledger's (``usage``).
"""

from __future__ import annotations

from typing import Any

from refold.maps import EMPTY_MAP, Map
from refold.records import positional, record
from refold.sources.anthropic_blocks import count
from refold.sources.fields import mapping

__all__ = ["NO_USAGE", "Usage", "added", "beyond", "model_usage_of", "most", "usage_of"]


@record
class Usage:
    """Tokens of one or more requests.

    Args:
        fresh: input that no cache knew.
        read: input that a cache gave.
        written: input that was written to a cache.
        output: what the model said.
    """

    fresh: int = 0
    read: int = 0
    written: int = 0
    output: int = 0


NO_USAGE = Usage()

_usage = positional(Usage)


def usage_of(value: Any) -> Usage | None:
    """Read a usage object, or None if it says nothing.

    Args:
        value: of any JSON type.
    """
    fields = mapping(value)
    usage = _usage(
        count(fields.get("input_tokens")),
        count(fields.get("cache_read_input_tokens")),
        count(fields.get("cache_creation_input_tokens")),
        count(fields.get("output_tokens")),
    )
    return None if usage == NO_USAGE else usage


def model_usage_of(value: Any) -> Map[Usage]:
    """Read the running account by model of a result.

    Args:
        value: ``modelUsage``, of any JSON type.
    """
    models: Map[Usage] = EMPTY_MAP
    for model, told in mapping(value).items():
        fields = mapping(told)
        usage = Usage(
            fresh=count(fields.get("inputTokens")),
            read=count(fields.get("cacheReadInputTokens")),
            written=count(fields.get("cacheCreationInputTokens")),
            output=count(fields.get("outputTokens")),
        )
        models = models.put(model, usage)
    return models


def added(one: Usage, other: Usage) -> Usage:
    """Return the sum of two usages."""
    return _usage(
        one.fresh + other.fresh,
        one.read + other.read,
        one.written + other.written,
        one.output + other.output,
    )


def most(one: Usage, other: Usage) -> Usage:
    """Return the higher of two usages, bucket by bucket."""
    if other is NO_USAGE:
        return one
    return _usage(
        max(one.fresh, other.fresh),
        max(one.read, other.read),
        max(one.written, other.written),
        max(one.output, other.output),
    )


def beyond(more: Usage, less: Usage) -> Usage:
    """Return what one usage has more than another, bucket by bucket."""
    if less is NO_USAGE:
        return more
    return _usage(
        max(0, more.fresh - less.fresh),
        max(0, more.read - less.read),
        max(0, more.written - less.written),
        max(0, more.output - less.output),
    )
