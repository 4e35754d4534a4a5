"""Any JSON value, and records of a format with any JSON value in any field."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

__all__ = ["json_values", "spoiled"]

_LEAVES = (
    st.none()
    | st.booleans()
    | st.sampled_from([0, 1, -1, 2**70, 0.5, 1.0, float("inf"), -0.0])
    | st.sampled_from(["", "a", "t1", "\ud83d", "{", "2026-01-01T00:00:00Z", "text", "assistant"])
)

json_values: st.SearchStrategy[Any] = st.recursive(
    _LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["type", "id", "text", "a"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@st.composite
def spoiled(draw: st.DrawFn, records: st.SearchStrategy[Any]) -> Any:
    """Draw a record of which a few values, anywhere inside, are of any JSON type."""
    value = draw(records)
    for _ in range(draw(st.integers(0, 2))):
        value = _spoiled_once(draw, value)
    return value


def _spoiled_once(draw: st.DrawFn, value: Any) -> Any:
    if isinstance(value, dict) and value and draw(st.integers(0, 3)):
        name = draw(st.sampled_from(sorted(value)))
        return {**value, name: _spoiled_once(draw, value[name])}
    if isinstance(value, list) and value and draw(st.integers(0, 3)):
        at = draw(st.integers(0, len(value) - 1))
        return [*value[:at], _spoiled_once(draw, value[at]), *value[at + 1 :]]
    return draw(json_values)
