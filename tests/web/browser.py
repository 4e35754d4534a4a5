"""A headless Chromium and the windows of the page in it.

Rules of this file:

- What is compared is the document as a reader has it: without clocks, which run.
- Windows, not tabs: a page that nobody sees lets go of its stream.
"""

from __future__ import annotations

from typing import Any

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

from tests.web.served import wait_for

__all__ = ["Browser", "Window"]

_FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--window-size=1280,900",
)

_SHOWN = """
const shown = document.getElementById("session").cloneNode(true);
for (const each of shown.querySelectorAll("[data-since]")) each.textContent = "";
for (const each of shown.querySelectorAll("[data-since]")) each.removeAttribute("data-since");
const header = document.querySelector("header").cloneNode(true);
for (const each of header.querySelectorAll("[data-clock]")) each.textContent = "";
header.querySelector("nav").remove();
const rows = shown.outerHTML.replaceAll("><", ">\\n<");
return [document.title, header.outerHTML, rows].join("\\n").toWellFormed();
"""

# A part is filled when it has told that it is open, and a nested session asks for its items then.
_OPEN_EVERYTHING = """
const done = arguments[0];
const opened = (each) => new Promise((told) => {
  each.addEventListener("toggle", told, { once: true });
  each.open = true;
});
const isLoading = () =>
  [...document.querySelectorAll("main .older")].some((each) => each.textContent.startsWith("Loading"));
(async () => {
  for (;;) {
    const closed = [...document.querySelectorAll("main details:not([open])")];
    if (closed.length === 0 && !isLoading()) return;
    await Promise.all([...closed.map(opened), new Promise((later) => setTimeout(later))]);
  }
})().then(() => done(null), (error) => done(String(error)));
"""


class Browser:
    """A running Chromium.

    Args:
        program: its path.
        driver: the path of its driver.
    """

    def __init__(self, program: str, driver: str) -> None:
        options = webdriver.ChromeOptions()
        for flag in _FLAGS:
            options.add_argument(flag)
        options.binary_location = program
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(driver))
        self.driver.set_script_timeout(30)
        self._first = self.driver.current_window_handle

    def open(self, url: str) -> Window:
        """Open a URL in a window of its own."""
        self.driver.switch_to.new_window("window")
        window = Window(self, self.driver.current_window_handle)
        self.driver.get(url)
        return window

    def complaints(self) -> list[str]:
        """Return what the browser complained about since it was asked last."""
        entries = self.driver.get_log("browser")
        return [each["message"] for each in entries if each["level"] in ("WARNING", "SEVERE")]

    def close_windows(self) -> None:
        for handle in self.driver.window_handles:
            if handle != self._first:
                self.driver.switch_to.window(handle)
                self.driver.close()
        self.driver.switch_to.window(self._first)
        self.complaints()

    def close(self) -> None:
        self.driver.quit()


class Window:
    """A window of the page."""

    def __init__(self, browser: Browser, handle: str) -> None:
        self.browser = browser
        self.handle = handle

    def run(self, script: str, *values: Any) -> Any:
        """Run a script in the page and return what it returns."""
        self.browser.driver.switch_to.window(self.handle)
        return self.browser.driver.execute_script(script, *values)

    def run_async(self, script: str, *values: Any) -> Any:
        """Run a script that calls its last argument with what it gives."""
        self.browser.driver.switch_to.window(self.handle)
        return self.browser.driver.execute_async_script(script, *values)

    def reload(self) -> None:
        self.browser.driver.switch_to.window(self.handle)
        self.browser.driver.refresh()

    @property
    def text(self) -> str:
        """What a reader reads of the session, closed parts and rows out of sight included."""
        return str(self.run("return document.getElementById('session').textContent.toWellFormed()"))

    @property
    def shown(self) -> str:
        """The document, without clocks."""
        return str(self.run(_SHOWN))

    def shows(self, text: str) -> None:
        """Wait until a text is on the page."""
        wait_for(lambda: text in self.text, f"{text!r} on the page")

    def shows_the_same_as(self, other: Window) -> str:
        """Wait until two windows show the same document, and return it."""
        wait_for(lambda: self.shown == other.shown, "two windows to show the same")
        return self.shown

    def count(self, selector: str) -> int:
        """Return how many elements there are."""
        return int(self.run("return document.querySelectorAll(arguments[0]).length", selector))

    def open_everything(self) -> None:
        """Open all that can be opened, what appears then, and what has to be asked for."""
        assert self.run_async(_OPEN_EVERYTHING) is None
