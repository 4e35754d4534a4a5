"""Where links may lead and images come from."""

from __future__ import annotations

from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.render.report.links import (
    ImageData,
    Link,
    image_data,
    item_id,
    row_id,
    session_id,
    to_place,
    web_link,
)

KEYS = st.text(st.characters(codec=None, exclude_categories=()))


@given(st.integers(0, 99), KEYS)
def test_an_item_s_id_is_an_address_that_nothing_changes(session: int, key: str) -> None:
    place = item_id(session, key)
    assert place.isascii()
    assert not set(place) & set(" \"'<>#?&\t\n")
    assert unquote(place.removeprefix(f"s{session}/"), errors="surrogatepass") == key
    if place:
        assert to_place(place) == Link(address=f"#{place}")


def test_items_of_different_sessions_have_different_ids() -> None:
    assert item_id(0, "user_text:1") == "user_text:1"
    assert item_id(3, "tool_call:a/b c") == "s3/tool_call:a%2Fb%20c"
    assert item_id(0, "s3/user_text:1") == "s3%2Fuser_text:1"
    assert (session_id(3), row_id("user_text:1")) == ("session3", "row:user_text:1")


@pytest.mark.parametrize("place", ["", "a b", "x\ny", '"', "ü", "javascript:alert(1)"])
def test_what_is_no_id_is_refused(place: str) -> None:
    with pytest.raises(ValueError, match="expected the id of a place"):
        to_place(place)


@pytest.mark.parametrize(
    "address", ["http://a.example", "https://a.example/b?c=d&e=%20#f", "HTTPS://user@a.example:8/"]
)
def test_a_web_address_is_a_link(address: str) -> None:
    assert web_link(address) == Link(address=address)


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        " javascript:alert(1)",
        "java\nscript:alert(1)",
        "https:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "vbscript:x",
        "file:///etc/passwd",
        "blob:https://a.example/1",
        "//a.example",
        "/etc",
        "https://a.example/\u202egnp.exe",
        "https://а.example",
        "https://a.example/ b",
        'https://a.example/"onclick="x',
        "https://a.example/\x00",
        "https://" + "a" * 3000,
        "",
    ],
)
def test_what_is_no_plain_web_address_is_no_link(address: str) -> None:
    assert web_link(address) is None


def test_an_image_is_base64_of_a_type_that_can_t_act() -> None:
    assert image_data("data:image/PNG;base64,AAAA\nAAA=") == ImageData(
        address="data:image/png;base64,AAAAAAA=", media_type="image/png", size=6
    )


@pytest.mark.parametrize(
    "address",
    [
        "data:image/svg+xml;base64,PHN2Zz4=",
        "data:image/svg+xml,<svg onload=alert(1)>",
        "data:text/html;base64,PGI+",
        "data:image/png,AAAA",
        "data:image/png;charset=x;base64,AAAA",
        'data:image/png;base64,AAAA" onerror="alert(1)',
        "data:image/png;base64,AA==AA==",
        "data:image/pngx;base64,AAAA",
        "https://a.example/x.png",
        "javascript:alert(1)",
        "",
    ],
)
def test_what_is_no_such_image_is_none(address: str) -> None:
    assert image_data(address) is None
