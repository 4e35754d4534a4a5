"""What a status line's snapshot says.

Rules of this file (sources/claude-code.md 1.6, 5.1, G12):

- Both shapes are read: Claude Code's own (nested) and the normalised one (flat).
- Each field stands for itself: a snapshot without a window still tells its cost and model.
- A cost is a finite number of at least 0; 0 is one, a bool is none.
- The context is what a request takes in: its plain input and both cache counts, not its output.
"""

from __future__ import annotations

import math
from typing import Any

from refold.json_values import Json, JsonObject
from refold.records import record
from refold.sources.anthropic_blocks import count
from refold.sources.fields import mapping, name

__all__ = ["Snapshot", "read_snapshot", "usage"]


@record
class Snapshot:
    """The client's own figures at one moment.

    Args:
        window: the size of the context window, in tokens; at least 1.
        input: plain input tokens of the last request; None if the snapshot has no usage.
        cache_write: its tokens written to the cache.
        cache_read: its tokens read from the cache.
        output: its output tokens.
        used_percent: how full the window is.
        cost: what the session cost so far, in USD.
        model: the model that is set.
    """

    window: int | None = None
    input: int | None = None
    cache_write: int = 0
    cache_read: int = 0
    output: int = 0
    used_percent: float | None = None
    cost: float | None = None
    model: str | None = None


def read_snapshot(value: Any) -> Snapshot | None:
    """Read a snapshot.

    Args:
        value: plain JSON data of any type.

    Returns:
        What it says, or None if it is no snapshot or says nothing.
    """
    entry = mapping(value)
    if "type" in entry or "message" in entry:
        return None
    nested = mapping(entry.get("context_window")) or entry
    used = mapping(nested.get("current_usage"))
    snapshot = Snapshot(
        window=count(nested.get("context_window_size")) or None,
        input=_tokens(used.get("input_tokens")),
        cache_write=count(used.get("cache_creation_input_tokens")) or 0,
        cache_read=count(used.get("cache_read_input_tokens")) or 0,
        output=count(used.get("output_tokens")) or 0,
        used_percent=_amount(nested.get("used_percentage")),
        cost=_amount(mapping(entry.get("cost")).get("total_cost_usd", entry.get("total_cost_usd"))),
        model=_model(entry.get("model")),
    )
    return None if snapshot in (_NOTHING, Snapshot(model=snapshot.model)) else snapshot


def usage(snapshot: Snapshot) -> JsonObject:
    """Return a snapshot's context, tokens, cost and model as JSON; what is unknown has no key."""
    entries: dict[str, Json] = {
        "context_window": snapshot.window,
        "used_percent": snapshot.used_percent,
        "cumulative_cost_usd": snapshot.cost,
        "model": snapshot.model,
    }
    if snapshot.input is not None:
        context = snapshot.input + snapshot.cache_write + snapshot.cache_read
        entries |= {
            "context_tokens": context,
            "input_tokens": snapshot.input,
            "output_tokens": snapshot.output,
        }
    return JsonObject({key: value for key, value in entries.items() if value is not None})


_NOTHING = Snapshot()


def _tokens(value: Any) -> int | None:
    is_none = type(value) is int and value == 0
    return count(value) or (0 if is_none else None)


def _model(value: Any) -> str | None:
    nested = mapping(value)
    words = name(nested.get("id")) or name(nested.get("display_name")) or name(value)
    return (words or "").strip() or None


def _amount(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        amount = float(value)
    except OverflowError:
        return None
    return amount if math.isfinite(amount) and amount >= 0 else None
