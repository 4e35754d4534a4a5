"""Law 7: windows show, one behind the other, what the whole shows."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from refold.folding import replay
from refold.items import Item
from refold.laws.of_deliveries import windows_dont_matter
from refold.messages import Message, Text
from refold.recording import record
from refold.session import Session
from refold.views import to_json
from refold.windows import task_starts, window
from tests.laws.deliveries import windows_of
from tests.strategies import chaotic_streams, disciplined_streams, messages

limits = st.lists(st.integers(0, 9), min_size=1, max_size=4)


@st.composite
def many_tasks(draw: st.DrawFn) -> list[Message]:
    """Streams in which many tasks start, at the oddest moments too."""
    if draw(st.booleans()):
        return draw(disciplined_streams(most_tasks=6))
    stream = draw(chaotic_streams(24))
    for _ in range(draw(st.integers(2, 8))):
        start = draw(messages())
        place = draw(st.integers(0, len(stream)))
        text = Text(role="user", text=draw(st.sampled_from(["q", "r"])))
        stream.insert(place, Message(payload=text, timestamp=start.timestamp))
    return stream


def _frame(session: Session) -> dict[str, object]:
    view = to_json(session)
    return {name: each for name, each in view.items() if name not in ("items", "subagents")}


@given(many_tasks(), limits)
def test_windows_show_what_the_whole_shows(stream: list[Message], sizes: list[int]) -> None:
    """Items with their keys and figures, one window behind the other."""
    trace = list(record(stream))
    items: list[Item] = [item for part in windows_of(trace, sizes) for item in part.items]
    assert items == list(replay(trace, now_ms=0).items)


@given(many_tasks(), limits)
def test_the_last_window_carries_the_figures_of_the_whole(
    stream: list[Message], sizes: list[int]
) -> None:
    """Stats, goal, facts, credentials and diagnostics come across with the prior."""
    trace = list(record(stream))
    whole = replay(trace, now_ms=0)
    last = [Session(), *windows_of(trace, sizes)][-1]
    assert _frame(last) == _frame(whole)
    assert last.diagnostics == whole.diagnostics


@given(many_tasks(), limits)
def test_a_nested_session_stands_in_one_window(stream: list[Message], sizes: list[int]) -> None:
    """No nested session is on both sides of a cut, and all are there."""
    trace = list(record(stream))
    parts = [to_json(part).get("subagents", {}) for part in windows_of(trace, sizes)]
    assert sum(map(len, parts)) == len({name for part in parts for name in part})
    whole = to_json(replay(trace, now_ms=0)).get("subagents", {})
    assert {name: each for part in parts for name, each in part.items()} == whole


@given(many_tasks(), st.integers(0, 20))
def test_a_cut_is_where_a_task_starts(stream: list[Message], limit: int) -> None:
    """A window begins where a task starts, or at the beginning, and holds at least ``limit``."""
    found = window(stream, limit)
    assert found.start in (0, *task_starts(stream))
    assert list(found.messages) == stream[found.start :]
    assert len(found.messages) >= min(limit, len(stream))
    assert (found.prior is None) == (found.start == 0)


@given(many_tasks())
def test_the_law_holds_as_users_run_it(stream: list[Message]) -> None:
    """``refold verify`` finds nothing."""
    assert windows_dont_matter(stream) is None
