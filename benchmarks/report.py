"""How long a report takes to write, how large it is, and how soon a browser shows it.

Run ``python -m benchmarks.report``; add numbers for how many items (1,000 10,000 100,000 if left out).
The browser's times are by the clock, from the beginning of loading the file; without ``chromium``,
``chromium-driver`` and ``selenium`` they are left out.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from benchmarks.analysis import trace
from refold.render.report import report_html, subject_of

MESSAGES_AN_ITEM = 2.2
PAINTED = """
const [page] = performance.getEntriesByType("navigation");
const painted = performance.getEntriesByName("first-contentful-paint")[0];
return [painted ? painted.startTime : 0, page.domContentLoadedEventEnd];
"""


def main() -> None:
    """Print a line for each size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sizes", nargs="*", type=int, default=[1_000, 10_000, 100_000])
    for size in parser.parse_args().sizes:
        report(size)


def report(size: int) -> None:
    """Print what a report about so many items costs."""
    begin = time.process_time()
    subject = subject_of(trace(int(size * MESSAGES_AN_ITEM)))
    folded = time.process_time()
    page = report_html(subject)
    written = time.process_time()
    print(
        f"{len(subject.sessions[0].items):>9,} items: folded {folded - begin:5.2f} s, "
        f"written {written - folded:5.2f} s, {len(page.encode()) / 1e6:5.1f} MB{shown(page)}"
    )


def shown(page: str) -> str:
    """Return when a browser painted a page first and had all of it, in words."""
    try:
        from selenium import webdriver  # noqa: PLC0415 - not needed for the rest
        from selenium.common.exceptions import WebDriverException  # noqa: PLC0415 - likewise
    except ImportError:
        return ""
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for flag in ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"):
        options.add_argument(flag)
    service = webdriver.ChromeService("/usr/bin/chromedriver")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page.html"
        path.write_text(page, "utf-8")
        try:
            driver = webdriver.Chrome(options=options, service=service)
        except WebDriverException:
            return ""
        try:
            driver.get(path.as_uri())
            painted, whole = driver.execute_script(PAINTED)
        finally:
            driver.quit()
    return f", first paint {painted / 1000:.2f} s, whole {whole / 1000:.2f} s"


if __name__ == "__main__":
    main()
