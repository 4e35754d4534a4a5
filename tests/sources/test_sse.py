"""Server-sent events (WHATWG HTML, "Parsing an event stream"): chunks don't matter, nothing raises."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.sources.sse import OversizedEvent, SseEvent, SseOutcome, close, feed, framer
from tests.sources.folding import GOLDEN

EDGE_CASES = GOLDEN / "ag_ui" / "inputs" / "framing_edge_cases.txt"


def events(*chunks: bytes | str, limit: int = 1 << 20) -> list[SseOutcome]:
    state = framer(limit)
    outcomes: list[SseOutcome] = []
    for chunk in chunks:
        state, more = feed(state, chunk)
        outcomes += more
    return [*outcomes, *close(state)[1]]


def data(*chunks: bytes | str) -> list[tuple[str, str, str]]:
    return [
        (each.event, each.data, each.id) for each in events(*chunks) if isinstance(each, SseEvent)
    ]


@pytest.mark.parametrize(
    ("stream", "expected"),
    [
        ("data: a\n\n", [("message", "a", "")]),
        ("data:a\n\n", [("message", "a", "")]),
        ("data:  a\n\n", [("message", " a", "")]),
        ("data: a\ndata: b\n\n", [("message", "a\nb", "")]),
        ("data\n\n", [("message", "", "")]),
        ("data\ndata\n\n", [("message", "\n", "")]),
        (
            "data:\n\ndata\ndata\n\ndata:",
            [("message", "", ""), ("message", "\n", ""), ("message", "", "")],
        ),
        ("event: x\n\n", []),
        ("event: x\ndata: a\n\n", [("x", "a", "")]),
        ("event: x\ndata: a\n\ndata: b\n\n", [("x", "a", ""), ("message", "b", "")]),
        ("event: x\n\ndata: a\n\n", [("message", "a", "")]),
        (": a comment\n\n:\n\ndata: a\n\n", [("message", "a", "")]),
        (
            "id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\n",
            [("message", "a", "1"), ("message", "b", "1"), ("message", "c", "")],
        ),
        ("id: 1\0\ndata: a\n\n", [("message", "a", "")]),
        ("unknown: x\ndata: a\n\n", [("message", "a", "")]),
        ("Data: a\n\n", []),
        (" data: a\n\n", []),
        (
            "data: a\r\n\r\ndata: b\r\rdata: c\n\n",
            [("message", "a", ""), ("message", "b", ""), ("message", "c", "")],
        ),
        ("\ufeffdata: a\n\n", [("message", "a", "")]),
        ("\ufeff\ufeffdata: a\n\n", []),
        ("data: a\n", [("message", "a", "")]),
        ("data: a", [("message", "a", "")]),
        ("data: \u2028\x0b\x85\n\n", [("message", "\u2028\x0b\x85", "")]),
        ("", []),
    ],
)
def test_a_stream_is_read_as_the_standard_says(
    stream: str, expected: list[tuple[str, str, str]]
) -> None:
    assert data(stream) == expected
    assert data(stream.encode()) == expected


def test_what_the_end_cuts_off_is_given_unlike_in_the_standard() -> None:
    assert data('event: x\ndata: {"type":"message_stop"}') == [("x", '{"type":"message_stop"}', "")]


def test_bytes_that_are_no_characters_become_replacement_characters() -> None:
    assert data(b"data: a\xff\xc3\n\n") == [("message", "a\ufffd\ufffd", "")]
    assert data(b"data: a\xe2\x82") == [("message", "a\ufffd", "")]


def test_an_event_knows_the_line_it_begins_on() -> None:
    stream = ": comment\n\nid: 1\nevent: x\ndata: a\n\ndata: b\n\n"
    assert [each.line for each in events(stream)] == [3, 7]


def test_the_reconnection_time_is_kept_if_it_is_a_number() -> None:
    state, _ = feed(framer(), "retry: 1500\nretry: soon\nretry: -1\nretry: ٣\n")
    assert state.retry_ms == 1500


@pytest.mark.parametrize("stream", ["data: " + "x" * 200 + "\n\n", "data: xxxx\n" * 50 + "\n"])
def test_an_event_over_the_limit_is_reported_and_the_next_is_read(stream: str) -> None:
    outcomes = events(stream + "data: b\n\n", limit=100)
    assert outcomes == [
        OversizedEvent(line=1),
        SseEvent(event="message", data="b", id="", line=stream.count("\n") + 1),
    ]


def test_a_line_that_never_ends_is_not_kept() -> None:
    state = framer(limit=1000)
    for _ in range(100):
        state, _ = feed(state, "x" * 100)
    assert state.rest is None
    assert feed(state, "\n\ndata: a\n\n")[1] == (
        OversizedEvent(line=1),
        SseEvent(event="message", data="a", id="", line=3),
    )


_PIECES = st.sampled_from(
    [
        "data",
        ":",
        " ",
        "id",
        "event",
        "retry",
        "\r",
        "\n",
        "\r\n",
        "\n\n",
        "a",
        "é",
        "🌟",
        "\ufeff",
        "\0",
        "1",
    ]
)


@given(st.lists(_PIECES), st.data())
def test_chunks_may_end_anywhere(pieces: list[str], draw: st.DataObject) -> None:
    """Law 5, on bytes: inside a character, a CRLF, a field name or the byte order mark."""
    whole = "".join(pieces).encode()
    cuts = sorted(draw.draw(st.lists(st.integers(0, len(whole)))))
    chunks = [whole[i:j] for i, j in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
    assert (
        events(*chunks) == events(whole) == events(*[whole[i : i + 1] for i in range(len(whole))])
    )


@given(st.lists(st.binary()))
def test_any_bytes_are_a_stream(chunks: list[bytes]) -> None:
    """Law 3."""
    assert events(*chunks) == events(b"".join(chunks))


def test_the_recorded_edge_cases_hold_thirty_two_events() -> None:
    raw = EDGE_CASES.read_bytes()
    found = events(raw)
    assert len(found) == 32
    assert events(*[raw[i : i + 7] for i in range(0, len(raw), 7)]) == found
