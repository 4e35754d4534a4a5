"""A real browser without a screen, and what a page did in it.

Chromium and its driver come from the system's packages (``chromium``, ``chromium-driver``). Where
there are none the tests are left out, but not on CI, which has to have them.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

__all__ = ["Browser", "browsing"]

_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)


class Browser:
    """A browser on one page.

    Args:
        driver: what drives it.
        folder: where pages are written.
    """

    def __init__(self, driver: Any, folder: Path) -> None:
        self._driver = driver
        self._path = folder / "page.html"

    def open(self, markup: str, *, place: str = "", width: int = 1200, dark: bool = False) -> None:
        """Open a page that was written to a file.

        Args:
            markup: the page.
            place: where on it to go.
            width: of the window, in pixels.
            dark: whether the reader wants it dark.
        """
        self._path.write_text(markup, "utf-8")
        metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
        self.command("Emulation.setDeviceMetricsOverride", **metrics)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.command("Emulation.setEmulatedMedia", media="", features=[scheme])
        self._driver.get("about:blank")
        self.requests()
        self._driver.get(self._path.as_uri() + (f"#{place}" if place else ""))

    def run(self, code: str, *arguments: Any) -> Any:
        """Run a script in the page, as its policy doesn't hold for the driver."""
        return self._driver.execute_script(code, *arguments)

    def later(self, code: str) -> Any:
        """Return what a script says once the page has been drawn again, twice."""
        waits = "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame("
        return self._driver.execute_async_script(f"{waits}() => done((() => {{{code}}})())))")

    def press(self, *keys: str) -> None:
        """Press keys, as a person does."""
        from selenium.webdriver.common.action_chains import ActionChains

        chain = ActionChains(self._driver)
        for key in keys:
            chain.send_keys(key)
        chain.perform()

    def command(self, name: str, **arguments: Any) -> Any:
        """Give the browser a command of its protocol."""
        return self._driver.execute_cdp_cmd(name, arguments)

    def complaints(self) -> list[str]:
        """Return what the browser complained about since it was asked last."""
        return [entry["message"] for entry in self._driver.get_log("browser")]

    def requests(self) -> list[str]:
        """Return the addresses that were asked for since it was asked last."""
        events = [json.loads(entry["message"]) for entry in self._driver.get_log("performance")]
        return [
            event["message"]["params"]["request"]["url"]
            for event in events
            if event["message"]["method"] == "Network.requestWillBeSent"
        ]

    @property
    def address(self) -> str:
        """Where the browser is."""
        address: str = self._driver.current_url
        return address

    @property
    def page(self) -> str:
        """The address of the page."""
        return self._path.as_uri()


@contextmanager
def browsing(folder: Path) -> Iterator[Browser]:
    """Start a browser, and end it.

    Args:
        folder: where it may write.
    """
    paths = shutil.which("chromium"), shutil.which("chromedriver")
    if None in paths:
        if os.environ.get("CI"):
            pytest.fail("CI has no chromium with its driver")
        pytest.skip("there is no chromium with its driver")
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service

    options = Options()
    options.binary_location = str(paths[0])
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    for flag in (*_FLAGS, f"--user-data-dir={folder / 'profile'}"):
        options.add_argument(flag)
    driver = webdriver.Chrome(options=options, service=Service(str(paths[1])))
    try:
        yield Browser(driver, folder)
    finally:
        driver.quit()
