"""Which messages must stay in one window with earlier ones."""

from __future__ import annotations

from typing import Any

import pytest

from refold.messages import McpConnectBegin, McpConnectEnd, ToolListReady
from refold.references import reference_spans
from tests.notation import CB, CE, RB, A, C, K, O, T, U, of, pC, pK, pO, pT, stream

BEGIN, END, READY = (
    McpConnectBegin(servers=("a",)),
    McpConnectEnd(status="completed", results=()),
    ToolListReady(tools=()),
)


def _spans(*payloads: Any) -> list[tuple[int, int]]:
    """Return the spans that hold more than one message, in order."""
    return sorted({span for span in reference_spans(stream(*payloads)) if span[0] < span[1]})


@pytest.mark.parametrize(
    ("payloads", "spans"),
    [
        ((U("q"), T("a"), K("b"), RB, U("next")), []),
        ((U("q"), C("1"), T("a"), O("1")), [(1, 3)]),
        ((U("q"), C("1"), A("1"), O("1"), A("1")), [(1, 4)]),
        ((A("1"), U("q"), C("1")), []),
        ((U("q"), O("1"), C("1")), [(1, 2)]),
        ((U("q"), C("1"), O("1"), C("1"), O("1")), [(1, 2), (3, 4)]),
        ((U("q"), C("1"), U("next"), U("third")), []),
        ((of("c", T("a")), U("q"), of("c", T("b"))), [(0, 2)]),
        ((of("c", pT("start")), U("q"), U("next")), [(0, 2)]),
        ((of("c", T("a", names="1")), U("q"), C("1")), [(0, 2)]),
        ((U("q"), C("1"), O("1"), of("c", T("a", names="1"))), [(1, 3)]),
        ((U("q"), BEGIN, U("next"), END, READY), [(1, 4)]),
        ((U("q"), BEGIN, END, U("next"), BEGIN, END), [(1, 2), (4, 5)]),
        ((U("q"), BEGIN, BEGIN, END, U("next"), END), [(1, 5)]),
        ((END, READY), []),
    ],
)
def test_a_span_reaches_to_the_last_that_refers(
    payloads: tuple[Any, ...], spans: list[tuple[int, int]]
) -> None:
    assert _spans(*payloads) == spans


@pytest.mark.parametrize(
    ("payloads", "spans"),
    [
        ((C("1"), U("one"), T("a"), U("two"), U("three")), [(0, 2)]),
        ((C("1"), U("one")), [(0, 1)]),
        ((C("1"), O("1"), U("one"), U("two")), [(0, 1)]),
        ((C("1"), U("one"), O("1"), U("two")), [(0, 2)]),
        ((C("1"), U("one"), C("1"), O("1"), U("two")), [(0, 2), (2, 3)]),
        ((U("q"), CB, CE(), C("1"), U("one"), U("two"), U("three")), [(3, 4)]),
    ],
)
def test_a_call_outside_any_task_is_closed_by_the_end_of_the_next(
    payloads: tuple[Any, ...], spans: list[tuple[int, int]]
) -> None:
    assert _spans(*payloads) == spans


def test_a_call_inside_a_compaction_is_no_card_of_its_own() -> None:
    history = (U("q"), C("1"), O("1"), U("next"), CB, C("1"), A("1"))
    assert _spans(*history) == [(1, 6)]


@pytest.mark.parametrize(
    ("payloads", "spans"),
    [
        ((U("q"), pT("start"), pT("stop"), T("a"), U("next")), [(1, 3)]),
        ((U("q"), pK("start"), U("next"), T("a"), K("b"), U("third")), [(1, 4)]),
        ((U("q"), pT("start"), U("next"), U("third")), [(1, 3)]),
        ((U("q"), pC("1", "start"), U("next"), C("1")), [(1, 3)]),
        ((U("q"), pC("1", "start"), U("next"), U("third")), [(1, 3)]),
        ((U("q"), C("1"), pO("1", "start"), O("1"), U("next")), [(1, 3)]),
    ],
)
def test_in_a_capture_fragments_are_followed_to_their_completes(
    payloads: tuple[Any, ...], spans: list[tuple[int, int]]
) -> None:
    assert _spans(*payloads) == spans
