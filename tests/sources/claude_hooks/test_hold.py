"""The hold: an option for sinks that can't take a piece behind its complete text."""

from __future__ import annotations

from refold.messages import Fact, Message, Text, ToolCall
from refold.sources.claude_hooks import hold as holds
from refold.sources.claude_hooks.deltas import Delta
from refold.sources.claude_hooks.hold import TIMEOUT_MS, Hold, Outgoing


def delta(message_id: str, index: int, text: str, *, final: bool = False) -> Delta:
    return Delta(message_id=message_id, index=index, final=final, text=text)


def said(text: str, role: str = "assistant") -> Message:
    return Message(payload=Text(role=role, text=text))


def run(*events: Outgoing | int, hold: Hold | None = None) -> tuple[Hold, list[str]]:
    """Feed events, and times as bare numbers; return what went out, in short."""
    state, now_ms, out = hold or Hold(), 0, []
    for event in events:
        now_ms = event if isinstance(event, int) else now_ms
        said_now = None if isinstance(event, int) else event
        state, gone = holds.step(state, said_now, now_ms)
        out += [_short(each) for each in gone]
    return state, out


def _short(each: Outgoing) -> str:
    if isinstance(each, Delta):
        return f"delta {each.text}"
    return getattr(each.payload, "text", each.payload.kind)


IDLE = Message(payload=Fact(name="live.status", value="idle"))


def test_an_assistant_text_is_held_until_its_deltas_have_gone() -> None:
    state, out = run(delta("m", 0, "Hello "), said("Hello world"))
    assert out == ["delta Hello "]
    state, more = run(delta("m", 1, "world", final=True), hold=state)
    assert more == ["delta world", "Hello world"]
    assert (state.held, state.streams) == ((), ())


def test_a_held_text_goes_at_exactly_the_timeout() -> None:
    held = [delta("m", 0, "other", final=True), said("Hello")]
    assert run(*held, TIMEOUT_MS - 1)[1] == ["delta other"]
    assert run(*held, TIMEOUT_MS)[1] == ["delta other", "Hello"]


def test_nothing_is_held_before_any_delta_was_seen() -> None:
    assert run(said("Hello world"))[1] == ["Hello world"]


def test_a_text_stays_held_while_more_pieces_come_that_are_not_the_last() -> None:
    _, out = run(
        delta("m", 0, "Hello "),
        said("Hello big world"),
        delta("m", 1, "big "),
        delta("m", 2, "world", final=True),
    )
    assert out == ["delta Hello ", "delta big ", "delta world", "Hello big world"]


def test_a_final_piece_behind_a_gap_releases_nothing() -> None:
    pieces = [delta("m", 0, "Hello "), delta("m", 2, "world", final=True)]
    assert run(*pieces, said("Hello big world"))[1] == ["delta Hello ", "delta world"]


def test_two_equal_texts_use_up_a_stream_each() -> None:
    streams = [delta("mA", 0, "OK", final=True), delta("mB", 0, "OK", final=True)]
    state, out = run(*streams, said("OK"), said("OK"))
    assert out == ["delta OK", "delta OK", "OK", "OK"]
    assert state.streams == ()
    assert run(streams[0], said("OK"), said("OK"))[1] == ["delta OK", "OK"]


def test_without_the_hold_a_text_goes_in_front_of_its_last_piece() -> None:
    _, out = run(delta("m", 0, "Hello "), said("Hello world"), hold=Hold(timeout_ms=0))
    assert out == ["delta Hello ", "Hello world"]


def test_users_calls_blank_and_nested_texts_are_never_held() -> None:
    free = [
        said("do it", role="user"),
        said("  "),
        Message(payload=ToolCall(role="assistant", name="Bash", arguments="{}", tool_call_id="t")),
        Message(payload=Text(role="assistant", text="child"), origin=("c",)),
    ]
    _, out = run(delta("m", 0, "x"), *free)
    assert out == ["delta x", "do it", "  ", "tool_call", "child"]


def test_an_idle_can_not_overtake_a_held_text() -> None:
    _, out = run(delta("m", 0, "Hel"), said("Hello"), IDLE, TIMEOUT_MS)
    assert out == ["delta Hel", "Hello", "fact"]


def test_each_held_text_waits_from_when_it_came_first() -> None:
    state, _ = run(delta("m", 0, "x"), said("one"), 500, said("two"))
    state, out = run(TIMEOUT_MS, hold=state)
    assert out == ["one"]
    assert run(2 * TIMEOUT_MS - 1, hold=state)[1] == []
    assert run(2 * TIMEOUT_MS, hold=state)[1] == ["two"]


def test_what_is_held_is_bounded() -> None:
    state, out = run(delta("m", 0, "x"), *[said(f"text {n}") for n in range(holds.MOST_HELD + 5)])
    assert len(state.held) == holds.MOST_HELD
    assert out[1:] == [f"text {n}" for n in range(5)]


def test_time_alone_that_releases_nothing_returns_the_same_hold() -> None:
    state, _ = run(delta("m", 0, "x"), said("one"))
    assert holds.step(state, None, 1)[0] is state
