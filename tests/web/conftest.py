"""A real browser, where there is one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from tests.web.browser import Browser


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
