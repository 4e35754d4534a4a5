"""Who may ask: DNS rebinding and other sites' pages are kept out."""

from __future__ import annotations

import pytest

from refold.web.access import SECURITY_HEADERS, is_own_host, is_own_origin, is_own_site

OWN = ["localhost", "localhost:8765", "LOCALHOST:1", "127.0.0.1:80", "[::1]:8765", "192.168.1.2:9"]
OTHER = [
    None, "", "evil.example", "evil.example:8765", "localhost.evil.example", "127.0.0.1.evil.example",
    "localhost@evil.example", "evil.example/localhost", "evil.example#localhost", "localhost:x",
    "localhost:99999", "[::1", "127.0.0.1:80:80", "0x7f000001", "a b", "localhost,evil.example",
]  # fmt: skip


@pytest.mark.parametrize("host", OWN)
def test_localhost_and_addresses_are_own_hosts(host: str) -> None:
    assert is_own_host(host)


@pytest.mark.parametrize("host", OTHER)
def test_names_that_anybody_may_point_here_are_not(host: str | None) -> None:
    assert not is_own_host(host)


def test_a_name_is_own_if_the_user_says_so() -> None:
    assert is_own_host("box.lan:8765", {"box.lan"})
    assert is_own_host("Box.Lan.:8765", {"box.lan"})
    assert not is_own_host("sub.box.lan", {"box.lan"})


def test_an_origin_is_own_if_it_is_the_host_that_is_asked() -> None:
    assert is_own_origin(None, "localhost:1")
    assert is_own_origin("http://localhost:1", "localhost:1")
    assert is_own_origin("https://box.lan", "BOX.lan")
    for other in (
        "http://localhost:2",
        "http://evil.example",
        "null",
        "",
        "localhost:1",
        "file://",
    ):
        assert not is_own_origin(other, "localhost:1")
    assert not is_own_origin("http://", None)


def test_a_site_is_own_if_it_is_this_one_or_the_user() -> None:
    assert [is_own_site(each) for each in (None, "same-origin", "none")] == [True] * 3
    assert [is_own_site(each) for each in ("same-site", "cross-site", "")] == [False] * 3


def test_the_policy_names_no_other_host_and_allows_nothing_inline() -> None:
    policy = SECURITY_HEADERS["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert "*" not in policy
