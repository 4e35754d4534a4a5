"""Interleaved texts become one stream at a time, and every complete is the joined deltas."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from refold import replay, settled
from refold.messages import Message, Notice, Payload, Text, ToolCall
from refold.sources.drafts import Drafts
from refold.sources.fragments import (
    NOTHING_OPEN,
    Fragment,
    FragmentKind,
    Fragments,
    completed,
    find,
    grown,
    opened,
    paused,
    renamed,
    rewritten,
)


def shown(drafts: Drafts) -> list[tuple[str, str, str]]:
    return [_shown(each.payload) for each in drafts]


def _shown(payload: Payload) -> tuple[str, str, str]:
    body = next(
        str(getattr(payload, name))
        for name in ("text", "thinking", "arguments")
        if hasattr(payload, name)
    )
    return payload.kind, getattr(payload, "event_type", ""), body


def two_texts() -> tuple[Fragments, Drafts]:
    fragments, first = opened(NOTHING_OPEN, Fragment(key="a", kind="text", started_at="1"))
    fragments, second = opened(fragments, Fragment(key="b", kind="text", started_at="2"))
    return fragments, (*first, *second)


def test_of_two_texts_one_streams_and_the_other_follows_with_what_it_has() -> None:
    fragments, drafts = two_texts()
    for key, piece in (("a", "A"), ("b", "B"), ("a", "a"), ("b", "b")):
        fragments, more = grown(fragments, key, piece, None)
        drafts += more
    fragments, more = completed(fragments, "a", None)
    drafts += more
    fragments, more = grown(fragments, "b", "!", None)
    drafts += more
    fragments, more = completed(fragments, "b", None)
    assert fragments == NOTHING_OPEN
    assert shown((*drafts, *more)) == [
        ("partial_text", "start", ""),
        ("partial_text", "delta", "A"),
        ("partial_text", "delta", "a"),
        ("partial_text", "stop", ""),
        ("text", "", "Aa"),
        ("partial_text", "start", "Bb"),
        ("partial_text", "delta", "!"),
        ("partial_text", "stop", ""),
        ("text", "", "Bb!"),
    ]


def test_a_complete_says_when_its_fragment_began_even_if_it_never_streamed() -> None:
    fragments, _ = two_texts()
    _, drafts = completed(fragments, "b", "9")
    assert [(each.payload.kind, each.at, each.started_at) for each in drafts] == [
        ("text", "9", "2")
    ]


def test_a_text_that_waits_is_begun_with_the_time_it_was_opened_at() -> None:
    fragments, _ = two_texts()
    _, drafts = completed(fragments, "a", "9")
    assert (drafts[-1].payload.kind, drafts[-1].at) == ("partial_text", "2")


def test_a_users_text_and_a_system_message_never_stream() -> None:
    for role, complete in (
        ("user", Text(role="user", text="x", stop_reason="completed")),
        ("system", Notice(name="system_message", text="x")),
        ("refusal", Notice(name="refusal", text="x")),
    ):
        fragments, begun = opened(NOTHING_OPEN, Fragment(key="a", kind="text", role=role))
        fragments, more = grown(fragments, "a", "x", None)
        _, end = completed(fragments, "a", None)
        assert begun == more == ()
        assert [each.payload for each in end] == [complete]


def test_calls_stream_side_by_side() -> None:
    fragments = NOTHING_OPEN
    for key in ("a", "b"):
        fragments, drafts = opened(fragments, Fragment(key=key, kind="tool_call", call_id=key))
        assert shown(drafts) == [("partial_tool_call", "start", "")]


def test_a_paused_fragment_collects_without_streaming() -> None:
    fragments, _ = opened(NOTHING_OPEN, Fragment(key="a", kind="thinking"))
    fragments, stop = paused(fragments, "a", None)
    fragments, delta = grown(fragments, "a", "x", None)
    _, end = completed(fragments, "a", None)
    assert shown(stop) == [("partial_thinking", "stop", "")]
    assert (delta, shown(end)) == ((), [("thinking", "", "x")])


def test_a_record_may_give_the_name_and_the_whole_late() -> None:
    fragments, _ = opened(NOTHING_OPEN, Fragment(key="a", kind="tool_call", call_id="c"))
    fragments = renamed(fragments, "a", "f")
    fragments = rewritten(fragments, "a", "{}")
    _, drafts = completed(fragments, "a", None, stop_reason=None)
    assert drafts[-1].payload == ToolCall(
        role="assistant", name="f", arguments="{}", tool_call_id="c"
    )


def test_a_key_that_nothing_opened_changes_nothing() -> None:
    fragments, _ = two_texts()
    assert grown(fragments, "x", "a", None) == (fragments, ())
    assert paused(fragments, "x", None) == (fragments, ())
    assert completed(fragments, "x", None) == (fragments, ())
    assert renamed(fragments, "x", "f") is rewritten(fragments, "x", "f") is fragments
    assert find(fragments, "x") is None


def test_the_257th_open_fragment_completes_the_first() -> None:
    fragments = NOTHING_OPEN
    for number in range(256):
        fragments, drafts = opened(fragments, Fragment(key=str(number), kind="text", body="x"))
    assert len(fragments.open) == 256
    fragments, drafts = opened(fragments, Fragment(key="last", kind="text"))
    assert len(fragments.open) == 256
    assert ("text", "", "x") in shown(drafts)


_KEYS = st.sampled_from("abc")
_KINDS: st.SearchStrategy[FragmentKind] = st.sampled_from(["text", "thinking", "tool_call"])
_STEPS = st.lists(
    st.tuples(st.just("open"), _KEYS, _KINDS)
    | st.tuples(st.just("grow"), _KEYS, st.text("xyz", max_size=2))
    | st.tuples(st.just("pause"), _KEYS, st.just(""))
    | st.tuples(st.just("complete"), _KEYS, st.just(""))
)


@given(_STEPS)
def test_the_view_is_that_of_the_completes_alone(steps: list[tuple[str, str, str]]) -> None:
    """Law 4, for any interleaving: no partial leaves a trace once its fragment is complete."""
    fragments: Fragments = NOTHING_OPEN
    drafts: Drafts = ()
    for step, key, value in steps:
        if step == "open" and find(fragments, key) is None:
            kind: FragmentKind = value  # type: ignore[assignment]
            fragments, more = opened(fragments, Fragment(key=key, kind=kind, call_id=key))
        elif step == "grow":
            fragments, more = grown(fragments, key, value, None)
        elif step == "pause":
            fragments, more = paused(fragments, key, None)
        else:
            fragments, more = completed(fragments, key, None)
        drafts += more
    for each in fragments.open:
        fragments, more = completed(fragments, each.key, None)
        drafts += more
    messages = [Message(payload=each.payload) for each in drafts]
    completes = [each for each in messages if not each.payload.kind.startswith("partial_")]
    assert settled(replay(messages, now_ms=0)) == settled(replay(completes, now_ms=0))
