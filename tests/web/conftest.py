"""A real browser, where there is one; and sessions that begin when a test does, however late."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from tests.web.browser import Browser
from tests.web.lines import begin_now


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """Return a headless Chromium; the test is skipped where none is installed."""
    program, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if program is None or driver is None:
        pytest.skip("Chromium and its driver aren't installed")
    browser = Browser(program, driver)
    yield browser
    browser.close()


@pytest.fixture
def browser(chromium: Browser) -> Iterator[Browser]:
    """Return the browser; the windows that a test opens are closed behind it."""
    yield chromium
    chromium.close_windows()


@pytest.fixture(scope="module", autouse=True)
def _begin_of_module() -> None:
    """Let what a module's own fixtures write begin now."""
    begin_now()


@pytest.fixture(autouse=True)
def _begin_of_test() -> None:
    """Let what a test writes begin now."""
    begin_now()
