"""Streams made of traces, and streams cut anew."""

from __future__ import annotations

from typing import Any

import pytest

from refold.laws import rechunked, streamed
from refold.messages import Message
from tests.notation import C, K, O, T, U, of, pC, pK, pO, pT, stream


def _payloads(messages: Any) -> list[Any]:
    return [message.payload for message in messages]


def test_each_complete_gets_its_pieces_in_front() -> None:
    trace = stream(U("q"), T("abc"), K("de"), C("1", arguments="{}"), O("1", "x", images=("i",)))
    assert _payloads(streamed(trace, 2)) == [
        U("q"),
        pT("start"),
        pT("delta", "ab"),
        pT("delta", "c"),
        pT("stop"),
        T("abc"),
        pK("start"),
        pK("delta", "de"),
        pK("stop"),
        K("de"),
        pC("1", "start"),
        pC("1", "delta", "{}"),
        pC("1", "stop"),
        C("1", arguments="{}"),
        pO("1", "start"),
        pO("1", "delta", "x"),
        pO("1", "stop", images=("i",)),
        O("1", "x", images=("i",)),
    ]


def test_pieces_have_no_time_and_their_messages_origin() -> None:
    pieces = list(streamed([of("c", stream(T("a"))[0])], 9))
    assert {(each.timestamp, each.origin) for each in pieces[:-1]} == {(None, ("c",))}


def test_pieces_that_a_trace_should_not_hold_are_left_out() -> None:
    assert _payloads(streamed(stream(pT("start", "x"), T("")), 9)) == [
        pT("start"),
        pT("stop"),
        T(""),
    ]


def test_what_only_looks_like_a_piece_is_kept() -> None:
    assert _payloads(streamed(stream(pT("restart", "x")), 9)) == [pT("restart", "x")]


@pytest.mark.parametrize(
    ("text", "size", "pieces"),
    [
        ("abc", 1, ["a", "b", "c"]),
        ("abc", 2, ["ab", "c"]),
        ("abc", 9, ["abc"]),
        ("\U0001f600", 1, ["\ud83d", "\ude00"]),
        ("", 1, [""]),
    ],
)
def test_deltas_are_cut_by_utf_16_code_units(text: str, size: int, pieces: list[str]) -> None:
    cut = rechunked(stream(pT("delta", text)), size)
    assert _payloads(cut) == [pT("delta", piece) for piece in pieces]


def test_only_deltas_are_cut() -> None:
    uncut: list[Message] = stream(pT("start", "abc"), pT("stop", "abc"), T("abc"), U("abc"))
    assert list(rechunked(uncut, 1)) == uncut


def test_every_kind_of_delta_is_cut() -> None:
    deltas = (pT("delta", "ab"), pK("delta", "ab"), pC("1", "delta", "ab"), pO("1", "delta", "ab"))
    assert len(list(rechunked(stream(*deltas), 1))) == 8
