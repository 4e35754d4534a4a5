"""The cover: what the session was, and what wasn't understood of it."""

from __future__ import annotations

from refold.messages import Fact
from refold.render.report.cover import Cover, footer, header, title_of
from refold.render.report.subject import subject_of
from tests.analysis.streams import START_MS, at, meta, said, user
from tests.render.report.pages import parsed

STREAM = [at(0, meta(model="m-1")), at(0, user("Hello")), at(1, said())]


def test_the_header_says_what_is_known_and_nothing_else() -> None:
    cover = Cover(files=("a.jsonl", "b<.jsonl"), format="omni")
    page = parsed(header("T & U", cover, subject_of(STREAM)))
    assert page.text == (
        "T & Uformatomnimodelm-1begun2026-07-05 00:00:00 UTCsessionmainfilesa.jsonl, b<.jsonl"
    )
    assert parsed(header("T", Cover(), subject_of([]))).text == "T"


def test_a_recording_that_counts_from_its_own_start_has_no_date() -> None:
    stream = [at(1_000 - START_MS, meta(model="m-1")), at(2_000 - START_MS, user("Hello"))]
    assert "begun" not in parsed(header("T", Cover(), subject_of(stream))).text


def test_a_session_may_name_itself() -> None:
    named = [*STREAM, at(2, Fact(name="title", value="The <title>\nof it"))]
    assert title_of(subject_of(named), Cover()) == "The <title>"
    assert title_of(subject_of(STREAM), Cover()) == "Hello"
    for value in ("", " ", None, 5, ("a",)):
        nameless = [*STREAM, at(2, Fact(name="title", value=value))]
        assert title_of(subject_of(nameless), Cover()) == "Hello"


def test_facts_are_folded() -> None:
    page = parsed(header("T", Cover(), subject_of([at(0, Fact(name="plan", value=("a", 1)))])))
    assert '1 fact the session toldplan[\n  "a",\n  1\n]' in page.text


def test_the_footer_counts_what_is_on_the_page_and_what_was_not_understood() -> None:
    page = parsed(footer(subject_of(STREAM), Cover(unread=(("unknown type", 2), ("odd", 1)))))
    assert page.text == (
        "3 messages, 3 items · times are UTC · 2 records not understood: unknown type · "
        "1 record not understood: odd · made by refold"
    )
