"""Live tails: fragments in progress at the server (live.md rule 3)."""

from __future__ import annotations

from typing import Any

import pytest

from refold.live import CredentialsUpdated, LiveState, LiveTail, LocalDecision, TaskState, connect
from refold.messages import Message
from tests.live.sessions import keys, loaded, received, told
from tests.notation import RE, A, C, T, U, at, of, pC, pK, pO, pT, stream

PIECES = stream(
    U("q"), pT("start", "he"), pT("delta", "ll"), pT("delta", "o"), pT("stop"), T("hello")
)


def _tail(cursor: str | None, *fragments: Any) -> LiveTail:
    return LiveTail(cursor=cursor, fragments=tuple(stream(*fragments)))


def _text(state: LiveState, index: int = -1) -> Any:
    return state.session.items[index].text  # type: ignore[union-attr]


def test_a_fragment_stands_for_what_streamed_of_it() -> None:
    tail = _tail("e-2", pT("delta", "hell"))
    state = told(connect(), loaded(PIECES[0], live_tail=tail))
    assert _text(state) == "hell"
    assert state.session.items[1].streaming is True  # type: ignore[union-attr]
    assert _text(told(state, *received(PIECES[3:4], first=3))) == "hello"


def test_buffered_pieces_up_to_the_cursor_are_in_the_fragment_already() -> None:
    tail = _tail("e-2", pT("start", "hell"))
    state = told(connect(), *received(PIECES[1:4], first=1), loaded(PIECES[0], live_tail=tail))
    assert _text(state) == "hello"


def test_the_cursors_own_piece_is_in_the_fragment() -> None:
    tail = _tail("e-3", pT("start", "hello"))
    state = told(connect(), *received(PIECES[1:4], first=1), loaded(PIECES[0], live_tail=tail))
    assert _text(state) == "hello"


def test_pieces_of_other_fragments_are_kept() -> None:
    """Of an earlier one of the same kind, and of other kinds, ids and sessions."""
    earlier = stream(
        pT("start", "one"), pT("stop"), T("one"), pT("start", "two"), pK("start", "hm")
    )
    tail = _tail("e-4", pT("start", "two"))
    state = told(connect(), *received(earlier), loaded(live_tail=tail))
    assert keys(state) == ["assistant_text:1", "thinking:1", "assistant_text:2"]
    other = stream(of("c", pT("start", "child")), pT("start", "a"))
    state = told(connect(), *received(other), loaded(live_tail=_tail("e-1", pT("start", "a"))))
    assert state.session.subagents["c"].items[0].text == "child"  # type: ignore[union-attr]


def test_what_is_no_piece_is_kept_whatever_its_id() -> None:
    state = told(
        connect(),
        *received(stream(C("1"), pO("1", "start", "x"))),
        loaded(live_tail=_tail("e-1", pO("1", "start", "xy"))),
    )
    assert (keys(state), state.session.items[0].output) == (["tool_call:1"], "xy")  # type: ignore[union-attr]


def test_calls_are_told_apart_by_their_ids() -> None:
    pieces = stream(pC("1", "start", "{"), pC("2", "start", "["), pC("1", "delta", "}"))
    tail = _tail("e-2", pC("2", "start", "["))
    state = told(connect(), *received(pieces), loaded(live_tail=tail))
    assert sorted(item.arguments_text for item in state.session.items) == ["[", "{}"]  # type: ignore[union-attr]


@pytest.mark.parametrize("cursor", ["f-2", None, "", "2"])
def test_a_cursor_that_says_nothing_is_ignored(cursor: str | None) -> None:
    tail = _tail(cursor, pT("start", "other"))
    state = told(connect(), *received(PIECES[:4]), loaded(live_tail=tail))
    assert [item.text for item in state.session.items] == ["q", "hello"]  # type: ignore[union-attr]


def test_a_tail_without_any_id_seen_is_believed() -> None:
    state = told(connect(), loaded(live_tail=_tail("f-2", pT("start", "a"))))
    assert _text(state) == "a"


def test_unknown_ids_count_as_after_the_cursor() -> None:
    tail = _tail("e-9", pT("start", "hel"))
    pieces = received(stream(pT("delta", "lo")), epoch=None)
    assert _text(told(connect(), *pieces, loaded(live_tail=tail))) == "hello"


def test_what_is_no_fragment_is_left_out_of_a_tail() -> None:
    state = told(connect(), loaded(live_tail=_tail("e-9", T("whole"), pT("start", "a"))))
    assert keys(state) == ["assistant_text:1"]


def test_an_idle_behind_a_tail_closes_its_fragments() -> None:
    tail = _tail("e-9", pT("start", "hel"))
    state = told(connect(), TaskState(state="idle"), loaded(*stream(U("q")), live_tail=tail))
    assert keys(state) == ["user_text:1", "assistant_text:1~1"]


# --- a stream that lags behind --------------------------------------------------------------------


def _lagging() -> LiveState:
    """Return a session that has a tail from behind messages the stream hasn't brought yet."""
    tail = _tail("e-6", pT("start", "two"))
    return told(connect(), *received(stream(U("q"))), loaded(*stream(U("q")), live_tail=tail))


LATE = stream(
    U("q"), pT("start", "o"), pT("delta", "ne"), T("one"), pT("start", "t"), pT("delta", "wo"), RE()
)


def test_what_comes_late_goes_in_front_of_the_fragments() -> None:
    state = told(_lagging(), *received(LATE[1:4], first=1))
    assert [item.text for item in state.session.items] == ["q", "one", "two"]  # type: ignore[union-attr]
    assert keys(state)[1:] == ["assistant_text:1", "assistant_text:2"]


def test_pieces_of_the_fragments_that_come_late_are_in_them_already() -> None:
    state = told(_lagging(), *received(LATE[1:7], first=1))
    assert [item.text for item in state.session.items] == ["q", "one", "two"]  # type: ignore[union-attr]


def test_what_comes_behind_the_cursor_goes_on_with_the_fragments() -> None:
    state = told(_lagging(), *received(LATE[1:7], first=1))
    state = told(state, *received(stream(pT("delta", "!"), T("two!")), first=7))
    assert [item.text for item in state.session.items] == ["q", "one", "two!"]  # type: ignore[union-attr]


def test_ids_that_say_nothing_pass_the_cursor() -> None:
    state = told(_lagging(), *received(stream(pT("delta", "!")), epoch=None))
    assert _text(state) == "two!"
    assert state.lag is None


def test_a_rest_passes_the_cursor() -> None:
    state = told(_lagging(), TaskState(state="idle"))
    assert (state.lag, keys(state)) == (None, ["user_text:1", "assistant_text:1~1"])


def test_what_this_client_says_meanwhile_is_not_lost() -> None:
    failed = stream(RE("auth"))
    tail = _tail("e-6", pT("start", "two"))
    state = told(connect(), *received(stream(U("q"))), loaded(*failed, live_tail=tail))
    state = told(state, CredentialsUpdated(), LocalDecision(tool_call_id="1"))
    state = told(state, *received(stream(C("1"), A("1")), first=1))
    assert state.session.last_auth_failure_ms is None
    (card,) = [item for item in state.session.items if item.kind == "tool_call"]
    assert card.decision_source == "manual"  # type: ignore[union-attr]


def test_new_credentials_hold_for_what_comes_late() -> None:
    tail = _tail("e-6", pT("start", "two"))
    state = told(connect(), *received(stream(U("q"))), CredentialsUpdated())
    state = told(state, loaded(*stream(RE("auth")), live_tail=tail), *received(LATE[3:4], first=3))
    assert state.session.last_auth_failure_ms is None


def test_a_fragment_starts_when_the_server_says() -> None:
    fragment = Message(payload=pT("start", "a"), timestamp="2026-07-05T00:00:09.000Z")
    state = told(connect(), loaded(live_tail=LiveTail(cursor="e-1", fragments=(fragment,))))
    assert state.session.items[0].at_ms == at(9)  # type: ignore[union-attr]
