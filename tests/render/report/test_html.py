"""Markup: what is text stays text, and what isn't listed can't be written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.render.report.html import Html, document, element, image, joined, link
from refold.render.report.links import ImageData, Link, to_place, web_link
from refold.render.terminal.harmless import harmless
from tests.render.report.pages import parsed

TEXTS = st.text(st.characters(codec=None, exclude_categories=()))
HOSTILE = """</p><script>alert(1)</script>"'&lt;\x00\x1b[31m\u202egnp\ud800"""


@given(TEXTS)
def test_a_text_is_read_back_as_what_can_be_seen_of_it(text: str) -> None:
    page = parsed(element("p", {"aria-label": text}, text))
    assert page.text == harmless(text)
    assert page.values("aria-label") == [harmless(text)]
    assert [each.name for each in page.elements] == ["p"]


@given(TEXTS)
def test_html_of_a_text_is_that_text_wherever_it_is_put(text: str) -> None:
    one = element("div", {}, Html(text))
    assert one == element("div", {}, text) == element("div", {}, joined([text]))
    str(one).encode()


def test_hostile_text_is_shown_as_it_is() -> None:
    assert str(element("p", {}, HOSTILE)) == (
        "<p>&lt;/p&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#x27;&amp;lt;"
        "\u2400\u241b[31m\\u202egnp\\ud800</p>"
    )


def test_markup_is_put_in_as_it_is() -> None:
    assert (
        str(element("p", {}, element("code", {}, "<"), " & ")) == "<p><code>&lt;</code> &amp; </p>"
    )


def test_a_first_line_feed_survives_in_preformatted_text() -> None:
    assert str(element("pre", {}, "\n\nx")) == "<pre>\n\n\nx</pre>"


@pytest.mark.parametrize(
    "name", ["script", "style", "iframe", "object", "embed", "base", "form", "img", "P", "p>"]
)
def test_elements_that_act_or_aren_t_listed_can_t_be_written(name: str) -> None:
    with pytest.raises(ValueError, match="expected a listed element"):
        element(name)


@pytest.mark.parametrize(
    "name",
    ["onclick", "ONLOAD", "style", "href", "src", "srcdoc", "action", 'id"', "aria-x y", "data-=>"],
)
def test_attributes_that_act_or_aren_t_listed_can_t_be_written(name: str) -> None:
    with pytest.raises(ValueError, match="expected a listed attribute"):
        element("p", {name: "x"})


def test_attributes_are_left_out_empty_or_written() -> None:
    attributes = {"id": None, "lang": False, "tabindex": 0, "dir": True}
    assert str(element("p", attributes)) == '<p tabindex="0" dir=""></p>'


def test_a_link_that_leaves_the_page_tells_nobody_where_it_came_from() -> None:
    leading = web_link("https://example.org/?a=1&b=2")
    assert leading is not None
    assert str(link(leading, {}, "there")) == (
        '<a href="https://example.org/?a=1&amp;b=2" rel="noopener noreferrer nofollow">there</a>'
    )
    assert str(link(to_place("user_text:1"), {"class": "at"}, "<")) == (
        '<a class="at" href="#user_text:1">&lt;</a>'
    )


@pytest.mark.parametrize("address", ["javascript:alert(1)", " https://x", "data:text/html,x", ""])
def test_an_address_that_links_didn_t_make_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match="expected an address"):
        link(Link(address=address), {}, "x")
    with pytest.raises(ValueError, match="expected an address"):
        image(ImageData(address=address, media_type="image/png", size=1), {}, "x")


def test_a_document_begins_with_its_type() -> None:
    assert document(element("html", {})) == "<!doctype html>\n<html></html>\n"
