"""One boundary per compaction, from three unreliable signals."""

from __future__ import annotations

from itertools import permutations
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from refold.messages import Message, SourcePosition, Text, Transport
from refold.sources.claude_hooks import compaction
from refold.sources.claude_hooks.compaction import Banner, Boundary, Compactions, kept
from refold.sources.claude_hooks.hooks import Hook
from refold.times import format_ms

Signal = Hook | Message


def begin(at_ms: int | None, *, line: int | None = None) -> Hook:
    return Hook(event="PreCompact", at_ms=at_ms, line=line)


def resume(at_ms: int | None, *, line: int | None = None) -> Hook:
    return Hook(event="SessionStart", source="compact", at_ms=at_ms, line=line)


def summary(at_ms: int | None, text: str = "so far", *, key: str | None = None) -> Message:
    source = SourcePosition(format="claude-code", id=key or f"k{at_ms}")
    return Message(
        payload=Text(role="user", text=f"[context_summary]\n{text}"),
        timestamp=None if at_ms is None else format_ms(at_ms),
        transport=Transport(source=source),
    )


def run(*signals: Signal, start: Compactions | None = None) -> list[Banner | Boundary]:
    state, told = start or Compactions(), []
    for each in signals:
        state, more = compaction.step(state, each)
        told += more
    return told


def boundaries(*signals: Signal, start: Compactions | None = None) -> list[int]:
    return [each.number for each in run(*signals, start=start) if isinstance(each, Boundary)]


def test_a_precompact_is_in_progress_and_a_plain_session_start_is_nothing() -> None:
    start = Hook(event="SessionStart", at_ms=1)
    assert run(start, begin(2)) == [Banner(state="in_progress")]


def test_a_session_that_starts_from_compact_is_completed() -> None:
    assert run(Hook(event="SessionStart", at_ms=1), resume(2)) == [
        Boundary(number=1),
        Banner(state="completed"),
    ]


def test_a_session_that_starts_otherwise_is_no_compaction() -> None:
    for source in ("startup", "resume", "clear", None):
        assert run(Hook(event="SessionStart", source=source, at_ms=1)) == []


def test_completion_makes_one_boundary_with_the_summary_that_told_of_it() -> None:
    assert run(begin(1), summary(2), resume(3)) == [
        Banner(state="in_progress"),
        Boundary(number=1, summary="[context_summary]\nso far"),
        Banner(state="completed"),
    ]


def test_what_is_in_progress_makes_no_boundary() -> None:
    assert boundaries(begin(1), begin(2)) == []


def test_every_order_of_the_three_signals_makes_one_boundary() -> None:
    for order in permutations([begin(1), summary(2), resume(3)]):
        assert boundaries(*order) == [1]


def test_any_one_signal_may_be_missing_in_any_order() -> None:
    for missing in range(3):
        rest = [each for n, each in enumerate([begin(1), summary(2), resume(3)]) if n != missing]
        for order in permutations(rest):
            assert boundaries(*order) == [1]


def test_a_summary_read_before_its_precompact_is_not_lost_when_nothing_else_comes() -> None:
    assert boundaries(summary(2), begin(1)) == [1]


def test_a_signal_delivered_twice_counts_once() -> None:
    assert boundaries(begin(1), summary(2), summary(2), resume(3), resume(3), begin(1)) == [1]


def test_history_makes_no_boundary_where_the_reader_started_later() -> None:
    assert boundaries(
        summary(2), resume(3), begin(11), summary(12), start=Compactions(since_ms=10)
    ) == [1]


def test_signals_without_times_count_in_the_order_they_are_read() -> None:
    first = [begin(None, line=1), summary(None, key="k1"), resume(None, line=2)]
    second = [begin(None, line=3), resume(None, line=4)]
    assert boundaries(*first, *second) == [1, 2]
    assert boundaries(*first[:2], *second) == [1, 2]


def test_a_subagents_compaction_and_a_nested_sessions_summary_are_none_of_ours() -> None:
    child = Hook(event="PreCompact", at_ms=1, agent=True)
    nested = Message(payload=Text(role="user", text="[context_summary]"), origin=("c",))
    assert run(child, nested) == []


def test_a_compaction_that_never_completes_is_abandoned_by_what_an_idle_client_sends() -> None:
    for event in ("Stop", "StopFailure", "UserPromptSubmit"):
        assert run(begin(1), Hook(event=event, at_ms=2)) == [
            Banner(state="in_progress"),
            Banner(state="abandoned"),
        ]
    assert run(begin(3), Hook(event="Stop", at_ms=2)) == [Banner(state="in_progress")]


def test_a_hook_that_says_nothing_of_compactions_returns_the_same_state() -> None:
    state = Compactions()
    assert compaction.step(state, Hook(event="PostToolUse"))[0] is state


def test_what_is_remembered_is_bounded_and_the_count_goes_on() -> None:
    state, told = Compactions(), 0
    for number in range(300):
        for each in (begin(10 * number), summary(10 * number + 1), resume(10 * number + 2)):
            state, more = compaction.step(state, each)
            told += sum(isinstance(one, Boundary) for one in more)
    assert told == 300
    assert len(state.begins) + len(state.summaries) + len(state.resumes) <= compaction.MOST_SIGNALS


def test_a_boundary_is_kept_with_the_last_item_and_what_replaced_the_conversation() -> None:
    entry = kept(
        Boundary(number=1, summary="so far"), session_id="s", last_item_id="i9", messages=("m",)
    )
    assert dict(entry) == {
        "last_item_id": "i9",
        "summary": "so far",
        "model": "unknown",
        "token_count": 0,
        "compacted_messages": ("m",),
    }


def test_a_boundary_in_front_of_any_item_names_itself_and_has_no_messages_key() -> None:
    entry = kept(Boundary(number=2), session_id="s")
    assert entry["last_item_id"] == "compact_boundary_s_2"
    assert isinstance(entry["summary"], str) and entry["summary"]
    assert "compacted_messages" not in entry


@st.composite
def cycles(draw: st.DrawFn) -> tuple[int, list[Signal]]:
    """Compactions one after another, each with at most one signal missing, in any order of arrival."""
    count = draw(st.integers(0, 4))
    signals: list[Signal] = []
    for number in range(count):
        at = 100 * number
        late = draw(st.booleans())
        three: list[Any] = [begin(at), summary(at + (30 if late else 10)), resume(at + 20)]
        missing = draw(st.sampled_from([None, 0, 1, 2]))
        signals += [each for n, each in enumerate(three) if n != missing]
    return count, draw(st.permutations(signals))


@settings(max_examples=400)
@given(cycles(), st.data())
def test_k_compactions_make_k_boundaries_in_every_order_of_arrival(
    drawn: tuple[int, list[Signal]], data: st.DataObject
) -> None:
    count, signals = drawn
    again = data.draw(st.lists(st.sampled_from(signals), max_size=3)) if signals else []
    assert boundaries(*signals, *again) == list(range(1, count + 1))


@given(cycles())
def test_the_state_behind_all_signals_does_not_depend_on_their_order(
    drawn: tuple[int, list[Signal]],
) -> None:
    def times(order: list[Signal]) -> tuple[Any, ...]:
        state = Compactions()
        for each in order:
            state, _ = compaction.step(state, each)
        return state.begins, state.summaries, state.resumes, state.told, compaction.begun(state)

    assert times(drawn[1]) == times(sorted(drawn[1], key=repr))
