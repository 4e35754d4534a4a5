"""The time line: all rows on one scale, and where on it each item stands."""

from __future__ import annotations

import json

from refold.messages import Message
from refold.render.report.moments import WIDTH
from refold.render.report.subject import subject_of
from refold.render.report.timeline import timeline_html, timeline_of
from tests.analysis.streams import (
    START_MS,
    at,
    call,
    decision,
    golden_stream,
    output,
    request_begin,
    request_end,
    said,
    usage,
    user,
)
from tests.render.report.pages import Page, parsed

HOUR = 3_600_000


def task(begin: int) -> list[Message]:
    return [
        at(begin, user()),
        at(begin, request_begin()),
        at(begin + HOUR, said()),
        at(begin + HOUR, request_end()),
    ]


def drawn(stream: list[Message]) -> Page:
    return parsed(timeline_html(timeline_of(subject_of(stream))))


def test_an_item_stands_at_its_own_bar_rather_than_at_its_request_s() -> None:
    stream = [
        at(0, user()),
        at(1, request_begin()),
        at(20, said()),
        at(40, call("a")),
        at(41, request_end()),
        at(60, decision("a")),
        at(90, output("a")),
    ]
    timeline = timeline_of(subject_of(stream))
    titles = {
        number: (lane.title, bar.says.split(" · ")[0])
        for lane, numbers in zip(timeline.lanes, timeline.numbers, strict=True)
        for number, bar in zip(numbers, lane.bars, strict=True)
    }
    assert {place: titles[number] for place, number in timeline.bars.items()} == {
        "user_text:1": ("tasks", "task 1: do it"),
        "assistant_text:1": ("model", "request"),
        "tool_call:a": ("exec", "exec"),
    }


def test_bars_have_words_and_ids_and_stay_out_of_the_way_of_the_tab_key() -> None:
    page = drawn(golden_stream("parallel_tools"))
    bars = [each for each in page.all("a") if "bar" in (each.attributes["class"] or "")]
    assert len(bars) == len(page.values("id")) == len(set(page.values("id")))
    assert all(each.attributes["tabindex"] == "-1" for each in page.all("a"))
    assert len(page.all("title")) >= len(page.all("a"))


def test_pauses_are_cut_short_shaded_and_told() -> None:
    page = drawn([*task(0), *task(9 * HOUR)])
    assert "Cut short: 1 shaded pause, 8 h 00 min, with nothing known to work." in page.text
    assert "pause of 8 h 00 min" in page.text
    (pieces,) = page.values("data-pieces")
    assert json.loads(pieces) == [
        [START_MS, START_MS + HOUR, 0, 490_000, 0],
        [START_MS + HOUR, START_MS + 9 * HOUR, 490_000, 510_000, 1],
        [START_MS + 9 * HOUR, START_MS + 10 * HOUR, 510_000, WIDTH, 0],
    ]


def test_a_task_whose_requests_have_no_times_is_no_pause() -> None:
    stream = [at(0, user()), at(HOUR, said()), at(2 * HOUR, user()), at(3 * HOUR, said())]
    assert "1 shaded pause, 1 h 00 min" in drawn(stream).text


def test_what_was_used_stands_in_its_order_where_times_aren_t_known() -> None:
    page = drawn([at(None, user()), at(None, usage(0, 1, 1, 2))])
    assert page.text.startswith("What was used, in its order: when isn't known.")
    assert page.values("data-pieces") == ["[]"]


def test_a_session_without_times_and_usage_has_no_time_line() -> None:
    assert timeline_html(timeline_of(subject_of([at(None, user())]))) is None
