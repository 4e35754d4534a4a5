"""Long sessions in a real browser: the end at once, what is older as the reader scrolls up."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.browser import Browser, Window
from tests.web.lines import call, output, said, user
from tests.web.served import Server, served, wait_for

TASKS = 350


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "long.jsonl"
    lines = [
        user(n, f"question {n}") + said(n, f"answer {n}\n\nin two parts") for n in range(TASKS)
    ]
    nested = [said(n, f"inside {n}", ["child"]) for n in range(60)]
    made.write_text("".join([*lines, *nested]))
    return made


@pytest.fixture
def server(file: Path) -> Iterator[Server]:
    with served(file) as running:
        running.has_read(2 * TASKS + 60)
        yield running


def _at_bottom(window: Window) -> bool:
    script = (
        "const e = document.scrollingElement; return e.scrollHeight - e.scrollTop - e.clientHeight"
    )
    return int(window.run(script)) < 48


_IS_ALL = "return document.querySelector('.older').hidden"
_SETTLE = """
const [frames, done] = arguments;
const next = (left) => left === 0 ? done(null) : requestAnimationFrame(() => next(left - 1));
next(frames);
"""


def test_a_reader_who_scrolls_up_once_asks_for_one_part(browser: Browser, server: Server) -> None:
    window = browser.open(server.url)
    window.shows(f"answer {TASKS - 1}")
    for rows in (400, 600):
        window.run("window.scrollTo(0, 400)")
        wait_for(lambda rows=rows: window.count(".row") == rows, f"{rows} rows")
        window.run_async(_SETTLE, 5)
        assert window.run("return document.querySelector('.older').textContent[0]") == "S"
        assert window.count(".row") == rows


def test_scrolling_up_loads_what_is_older_and_moves_nothing(
    browser: Browser, server: Server, file: Path
) -> None:
    window = browser.open(server.url)
    window.shows(f"answer {TASKS - 1}")
    assert window.count("#session > .session > .items > .row") == 200
    assert "question 1in" not in window.text
    while not window.run(_IS_ALL):
        rows = window.count(".row")
        window.run("""
            window.scrollTo(0, 400);
            window.anchor = [...document.querySelectorAll(".row")].find(
              (row) => row.getBoundingClientRect().top > 100);
        """)
        wait_for(lambda rows=rows: window.count(".row") > rows or window.run(_IS_ALL))
    window.shows("question 0")
    assert window.run("return anchor.isConnected")
    fresh = window.run("return [...document.querySelectorAll('.user')].map((e) => e.textContent)")
    assert len(fresh) == TASKS
    with file.open("a") as growing:
        growing.write(said(999, "live at the end"))
    window.shows("live at the end")
    assert not _at_bottom(window)
    wait_for(lambda: window.run("return document.getElementById('jump').textContent") == "↓ 1 new")
    window.run("document.getElementById('jump').click()")
    wait_for(lambda: _at_bottom(window))


def test_a_reader_at_the_bottom_stays_there_and_one_above_is_left_alone(
    browser: Browser, server: Server, file: Path
) -> None:
    window = browser.open(server.url)
    window.shows(f"answer {TASKS - 1}")
    wait_for(lambda: _at_bottom(window))
    with file.open("a") as growing:
        growing.write("".join(said(900 + n, f"more {n}\n" * 9) for n in range(9)))
    window.shows("more 8")
    wait_for(lambda: _at_bottom(window))
    window.run("window.scrollBy(0, -1500)")
    wait_for(lambda: not window.run("return document.getElementById('jump').hidden"))
    before = window.run("return scrollY")
    with file.open("a") as growing:
        growing.write("".join(said(950 + n, f"unseen {n}\n" * 9) for n in range(9)))
    window.shows("unseen 8")
    assert abs(window.run("return scrollY") - before) < 2


def test_older_items_fit_though_newer_ones_changed_meanwhile(
    browser: Browser, server: Server, file: Path
) -> None:
    window = browser.open(server.url)
    window.shows(f"answer {TASKS - 1}")
    script = """
        const [done] = arguments;
        window.fetched = window.fetch;
        window.fetch = (...asked) => new Promise((go) => { window.go = go; done(true); })
          .then(() => window.fetched.call(window, ...asked));
        document.querySelector(".older").click();
    """
    assert window.run_async(script)
    with file.open("a") as growing:
        growing.write(call(800, "c", "Bash", {"command": "now"}) + output(801, "c", "then"))
    server.has_read(2 * TASKS + 62)
    window.run("window.fetch = window.fetched; window.go()")
    wait_for(lambda: window.count("#session > .session > .items > .row") > 400)
    window.shows("then")
    keys = window.run(
        "return [...document.querySelectorAll('.user .plain')].map((e) => e.textContent)"
    )
    numbers = [int(key.split()[1]) for key in keys]
    assert numbers == list(range(numbers[0], TASKS))


def test_a_nested_session_is_loaded_when_it_is_opened(
    browser: Browser, server: Server, file: Path
) -> None:
    window = browser.open(server.url)
    window.shows("60 items")
    assert "inside" not in window.text
    window.open_everything()
    window.shows("inside 0")
    assert window.count(".nested .row") == 60
    with file.open("a") as growing:
        growing.write(said(70, "inside at last", ["child"]))
    window.shows("inside at last")
    window.shows("61 items")
