"""Nested sessions' traces in the trace around them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.messages import Message, SessionMeta, Subagent, Text
from refold.sources.nested import MAX_DEPTH, woven
from refold.times import format_ms

Traces = dict[str, list[Message]]


def say(text: str, ms: int | None, *origin: str) -> Message:
    payload = Text(role="user", text=text)
    return Message(payload=payload, timestamp=_stamp(ms), origin=origin)


def point(session_id: str, ms: int | None, *origin: str) -> Message:
    return Message(payload=Subagent(session_id=session_id), timestamp=_stamp(ms), origin=origin)


def meta(session_id: str, ms: int | None) -> Message:
    payload = SessionMeta(
        session_id=session_id,
        provider="p",
        model_id="m",
        model_context_window=1,
        system_prompt="",
        agent_state="a",
        workspace="w",
    )
    return Message(payload=payload, timestamp=_stamp(ms))


def _stamp(ms: int | None) -> str | None:
    return None if ms is None else format_ms(ms)


def told(root: list[Message], traces: Traces) -> list[str]:
    """Return the woven trace as texts, each behind its origin."""
    return ["/".join([*each.origin, _word(each)]) for each in woven(root, traces.get)]


def _word(message: Message) -> str:
    payload = message.payload
    if isinstance(payload, Text):
        return payload.text
    return f">{payload.session_id}" if isinstance(payload, Subagent) else payload.kind


def test_a_childs_messages_go_behind_its_pointer_merged_by_time() -> None:
    root = [say("a", 1), point("c", 2), say("b", 5), say("d", 9)]
    child = [say("x", 3), say("y", 6), say("z", 10)]
    assert told(root, {"c": child}) == ["a", ">c", "c/x", "b", "c/y", "d", "c/z"]


def test_what_a_child_said_before_its_pointer_stands_right_behind_it() -> None:
    assert told([say("a", 5), point("c", 6), say("b", 7)], {"c": [say("x", 1), say("y", 2)]}) == [
        "a",
        ">c",
        "c/x",
        "c/y",
        "b",
    ]


def test_at_a_tie_the_outer_session_comes_first_then_the_one_opened_first() -> None:
    traces = {
        "c": [say("x", 4), point("e", 4), say("y", 4)],
        "d": [say("z", 4)],
        "e": [say("w", 4)],
    }
    root = [point("c", 4), point("d", 4), say("a", 4)]
    assert told(root, traces) == [">c", ">d", "a", "c/x", "c/>e", "c/y", "d/z", "c/e/w"]


def test_a_message_of_unknown_time_stays_with_its_predecessor() -> None:
    root = [point("c", 1), say("a", 5), say("b", None), say("d", 9)]
    child = [say("x", None), say("y", 5), say("z", None), say("w", 6)]
    assert told(root, {"c": child}) == [">c", "c/x", "a", "b", "c/y", "c/z", "c/w", "d"]


def test_the_outer_session_stays_with_a_pointer_before_the_child_does() -> None:
    root = [point("c", 3), say("a", None), say("b", 4)]
    assert told(root, {"c": [say("x", 1), say("y", 5)]}) == [">c", "a", "c/x", "b", "c/y"]


def test_without_any_time_the_outer_session_is_told_first() -> None:
    root = [say("a", None), point("c", None), say("b", None)]
    assert told(root, {"c": [say("x", None)]}) == ["a", ">c", "b", "c/x"]


def test_a_time_that_goes_back_keeps_its_traces_order() -> None:
    root = [point("c", 10), say("a", 3), say("b", 20)]
    assert told(root, {"c": [say("x", 12), say("y", 5)]}) == [">c", "a", "c/x", "c/y", "b"]


def test_a_missing_child_is_just_its_pointer() -> None:
    assert told([say("a", 1), point("gone", 2), say("b", 3)], {}) == ["a", ">gone", "b"]


def test_an_empty_child_is_just_its_pointer() -> None:
    assert told([point("c", 2), say("b", 3)], {"c": []}) == [">c", "b"]


def test_children_nest() -> None:
    traces = {"c": [say("x", 2), point("d", 3), say("y", 9)], "d": [say("z", 4)]}
    assert told([point("c", 1), say("a", 5)], traces) == [
        ">c",
        "c/x",
        "c/>d",
        "c/d/z",
        "a",
        "c/y",
    ]


@pytest.mark.parametrize("session_id", ["root", "c"])
def test_a_cycle_ends_at_its_pointer(session_id: str) -> None:
    traces = {"c": [meta("c", 2), point(session_id, 3)], "root": [say("never", 1)]}
    assert told([meta("root", 1), point("c", 2)], traces) == [
        "session_meta",
        ">c",
        "c/session_meta",
        f"c/>{session_id}",
    ]


def test_a_child_pointed_at_twice_is_told_once() -> None:
    assert told([point("c", 1), point("c", 2)], {"c": [say("x", 3)]}) == [">c", ">c", "c/x"]


def test_depth_is_bounded() -> None:
    class Endless(dict[str, list[Message]]):
        def get(self, name: str, default: object = None) -> list[Message]:  # type: ignore[override]
            return [point(f"{name}x", 1)]

    depths = [len(each.origin) for each in woven([point("c", 1)], Endless().get)]
    assert depths == list(range(MAX_DEPTH + 1))


def test_a_capture_that_already_holds_the_child_isnt_doubled() -> None:
    before = [say("x", 1, "c"), point("c", 2), say("y", 3, "c")]
    assert told(before, {"c": [say("x", 1), say("y", 3)]}) == ["c/x", ">c", "c/y"]
    after = [point("c", 0), say("x", 1, "c"), say("a", 2), say("y", 3, "c")]
    assert told(after, {"c": [say("x", 1), say("y", 3)]}) == [">c", "c/x", "a", "c/y"]


def test_a_pointer_in_a_nested_message_lies_under_its_origin() -> None:
    root = [point("d", 1, "c"), say("a", 9)]
    assert told(root, {"d": [say("x", 2)]}) == ["c/>d", "c/d/x", "a"]


def test_an_origin_of_ten_thousand_hops_is_followed_no_further() -> None:
    chain = [str(hop) for hop in range(10_000)]
    (message,) = woven([point("c", 1, *chain)], {"c": [say("x", 2)]}.get)
    assert message.origin == tuple(chain)


def test_only_what_is_needed_is_read() -> None:
    taken: list[str] = []

    def trace(name: str, messages: Iterable[Message]) -> Iterator[Message]:
        for message in messages:
            taken.append(name)
            yield message

    root = trace("root", [say("a", 1), point("c", 2), say("b", 3)])
    messages = woven(root, lambda _: trace("c", [say("x", 4), say("y", 5)]))
    assert (_word(next(messages)), taken) == ("a", ["root"])
    next(messages)
    next(messages)
    assert taken == ["root", "root", "c", "root"]


times = st.none() | st.integers(0, 5)
bodies = st.lists(st.tuples(st.sampled_from(["text", "c1", "c2", "c3"]), times), max_size=5)


def _trace(body: list[tuple[str, int | None]], name: str) -> list[Message]:
    return [
        say(f"{name}{at}", ms) if kind == "text" else point(kind, ms)
        for at, (kind, ms) in enumerate(body)
    ]


@given(bodies, st.dictionaries(st.sampled_from(["c1", "c2", "c3"]), bodies))
def test_every_trace_keeps_its_order_behind_its_pointer(
    root: list[tuple[str, int | None]], others: dict[str, list[tuple[str, int | None]]]
) -> None:
    traces = {name: _trace(body, name) for name, body in others.items()}
    messages = list(woven(_trace(root, "root"), traces.get))
    by_chain: dict[tuple[str, ...], list[Message]] = {}
    for each in messages:
        by_chain.setdefault(each.origin, []).append(each)
    for chain, found in by_chain.items():
        own = traces[chain[-1]] if chain else _trace(root, "root")
        assert [each.payload for each in found] == [each.payload for each in own]
        first = messages.index(found[0])
        outer = [each for each in messages[:first] if each.origin == chain[:-1]]
        assert not chain or Subagent(session_id=chain[-1]) in [each.payload for each in outer]
    chains = [chain[-1] for chain in by_chain if chain]
    assert len(chains) == len(set(chains))


@given(st.lists(st.integers(0, 9), min_size=1), st.lists(st.integers(0, 9)))
def test_known_times_that_never_go_back_come_out_in_order(a: list[int], b: list[int]) -> None:
    root = [point("c", 0), *[say("a", ms) for ms in sorted(a)]]
    messages = list(woven(root, {"c": [say("x", ms) for ms in sorted(b)]}.get))
    ranks = [(each.timestamp or "", len(each.origin)) for each in messages]
    assert ranks == sorted(ranks)
