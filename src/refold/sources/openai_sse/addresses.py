"""Which item of a response an event is about.

Rules of this file:

- An item's place in the response (``output_index``) is its key: gateways rotate the ids with every
  event (sources/census.md R1). Only where there are no places, the id is.
"""

from __future__ import annotations

from refold.sources.fields import mapping, name, position, text
from refold.sources.openai_sse.state import Event, State

__all__ = ["call_id_of", "index_by_id", "index_of"]


def call_id_of(state: State, item: Event, index: str) -> str:
    """Return the id of a call: its own, its item's, or one made of the response's.

    Args:
        state: the state.
        item: the item.
        index: the item's key.
    """
    ident = "" if state.request is None else state.request.id
    return name(item.get("call_id")) or name(item.get("id")) or f"{ident}:{index}"


def index_of(event: Event) -> str:
    """Return the key of an event's item: its place, or its id where a gateway gives no places."""
    by_place = position(event.get("output_index"))
    ident = text(event.get("item_id")) or text(mapping(event.get("item")).get("id"))
    return by_place or index_by_id(ident)


def index_by_id(ident: str) -> str:
    """Return the key of an item without a place."""
    return f"item {ident}"
