"""Pages about any session: well formed, with links that lead somewhere, and nothing that acts."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from hypothesis import given, settings

from refold.analysis import analyse
from refold.messages import Message
from refold.render.report import Cover, report_html, subject_of
from refold.render.report.assets import page_code, page_style
from tests.analysis.streams import GOLDEN, at, golden_stream, said, user
from tests.render.report.pages import Page, page_of, parsed
from tests.strategies import chaotic_streams, disciplined_streams

MEANT = {"a", "article", "body", "code", "dd", "details", "div", "dl", "dt", "footer", "g", "h1"}
MEANT |= {"h2", "h3", "head", "header", "html", "img", "li", "main", "meta", "nav", "p", "path"}
MEANT |= {"pre", "rect", "script", "section", "small", "span", "strong", "style", "summary", "svg"}
MEANT |= {"table", "tbody", "td", "text", "th", "thead", "time", "title", "tr", "ul"}


def check(messages: list[Message]) -> Page:
    """Check what holds of every page."""
    markup = report_html(subject_of(messages))
    markup.encode()
    page = parsed(markup)
    assert page.open == []
    assert {element.name for element in page.elements} <= MEANT
    assert page.repeated_ids() == []
    assert page.dangling() == []
    assert len(page.all("script")) == 1
    for element in page.elements:
        assert not any(name.startswith("on") or name == "style" for name in element.attributes)
        assert urlsplit(element.attributes.get("href") or "").scheme in ("", "http", "https")
    assert all(source.startswith("data:image/") for source in page.values("src"))
    return page


@settings(max_examples=40)
@given(chaotic_streams())
def test_a_page_about_anything_is_whole_and_inert(messages: list[Message]) -> None:
    check(messages)


@settings(max_examples=25)
@given(disciplined_streams())
def test_every_item_of_every_session_stands_on_the_page_once(messages: list[Message]) -> None:
    page = check(messages)
    subject = subject_of(messages)
    ids = page.values("id")
    for place, session in enumerate(subject.sessions):
        mine = f"s{place}/" if place else ""
        keys = [name for name in ids if re.fullmatch(re.escape(mine) + r"[a-z_]+:[^/]+", name)]
        rows = [name for name in keys if not name.startswith("row:")]
        assert len(rows) == len(session.items)


def test_pages_about_recorded_sessions_are_whole() -> None:
    for name in GOLDEN:
        page = check(golden_stream(name))
        assert page.all("svg")


def test_a_page_is_the_same_whenever_it_is_made() -> None:
    stream = golden_stream("two_parallel_subagents_live")
    assert report_html(subject_of(stream)) == report_html(subject_of(list(stream)))


def test_an_empty_session_has_a_page() -> None:
    page = check([])
    assert "0 messages, 0 items" in page.text


def test_the_title_is_what_was_asked_for_or_what_the_session_says() -> None:
    subject = subject_of([at(0, user("Count the files\nplease")), at(5, said("3"))])
    assert parsed(report_html(subject, Cover(title="<b>Mine"))).text.startswith("\n<b>Mine")
    assert parsed(report_html(subject)).text.startswith("\nCount the files")
    nameless = subject_of([at(0, said("3"))])
    assert parsed(report_html(nameless, Cover(files=("a.jsonl",)))).text.startswith("\na.jsonl")


def test_the_policy_pins_the_page_s_own_code_and_style_and_allows_nothing_else() -> None:
    page = page_of([at(0, user())])
    (policy,) = [each for each in page.values("content") if "default-src" in each]
    assert policy == (
        f"default-src 'none'; script-src {page_code().pin}; style-src {page_style().pin}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    names = [element.name for element in page.elements]
    before = page.elements[: names.index("title")]
    assert any(each.attributes.get("http-equiv") for each in before)


def test_the_page_asks_the_network_for_nothing() -> None:
    for text in (page_code().text, page_style().text):
        found = re.findall(r"\burl\(|@import|\bfetch\b|XMLHttpRequest|innerHTML|\beval\b", text)
        assert found == []
        assert re.findall(r"https?://(?!www\.w3\.org/2000/svg)", text) == []


def test_the_summary_has_the_figures_of_the_analysis() -> None:
    stream = golden_stream("parallel_tools")
    main = analyse(stream).main
    page = page_of(stream)
    assert f"tokens{main.own.tokens.total:,}" in page.text
    assert f"elapsed{main.times.elapsed_ms} ms" in page.text


def test_figures_lead_to_messages_and_messages_back() -> None:
    page = page_of(golden_stream("parallel_tools"))
    links = {element.attributes["href"] for element in page.all("a")}
    rows = {name for name in page.values("id") if name.startswith("row:")}
    assert "#tool_call:call_p1" in links
    assert "row:tool_call:call_p1" in rows
    bars = {
        element.attributes["id"]: element for element in page.all("a") if "id" in element.attributes
    }
    times = [each for each in page.all("a") if each.attributes.get("class") == "at"]
    (back,) = [
        each
        for each in times
        if bars[(each.attributes["href"] or "")[1:]].attributes["href"] == "#tool_call:call_p1"
    ]
    assert back.attributes["aria-label"] == "19:24:20, to the time line"
