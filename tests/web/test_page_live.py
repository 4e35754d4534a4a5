"""The page in a real browser, while files grow: it always shows what a fresh load shows."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.browser import Browser
from tests.web.lines import call, delta, event, output, said, start, stop, user
from tests.web.served import Server, served, wait_for

GOLDEN = Path(__file__).parents[2] / "golden"
CAPTURES = sorted((GOLDEN / "penguin" / "inputs" / "live_streams").glob("*.ndjson"))
TRANSCRIPT = GOLDEN / "claude_code" / "inputs" / "auto_compaction_v2.1.36.jsonl"
RECORDED = [*CAPTURES, TRANSCRIPT]
PARTS = 5


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "live.jsonl"
    made.write_text(user(0, "hello"))
    return made


@pytest.fixture
def server(file: Path) -> Iterator[Server]:
    with served(file) as running:
        yield running


def grow(file: Path, *lines: str) -> None:
    with file.open("a") as growing:
        growing.write("".join(lines))


def test_a_stream_is_shown_piece_by_piece_and_a_reload_in_its_middle_shows_the_same(
    browser: Browser, server: Server, file: Path
) -> None:
    there, fresh = browser.open(server.url), browser.open(server.url)
    there.shows("hello")
    pieces = ["It's **bold**", " and goes\n\n- on", "\n- in a list\n", "```py\nprint(", "1)\n"]
    grow(file, start(1))
    for n, piece in enumerate(pieces):
        grow(file, delta(2 + n, piece))
        there.shows(piece.splitlines()[-1].lstrip("- "))
        fresh.reload()
        there.shows_the_same_as(fresh)
        assert there.count(".assistant[data-streaming]") == 1
    grow(file, stop(8), said(8, "".join(pieces)))
    wait_for(lambda: there.count("[data-streaming]") == 0)
    fresh.reload()
    assert "<strong>bold</strong>" in there.shows_the_same_as(fresh)
    assert there.count(".assistant li") == 2
    assert browser.complaints() == []


def test_growing_text_leaves_the_nodes_that_are_there(
    browser: Browser, server: Server, file: Path
) -> None:
    window = browser.open(server.url)
    grow(file, start(1), delta(2, "First.\n\nSecond"))
    window.shows("Second")
    window.run("window.before = [...document.querySelectorAll('.row, .prose > p:first-child')]")
    grow(file, delta(3, " and"), delta(4, " more"))
    window.shows("Second and more")
    assert window.run("return before.every((each) => each.isConnected)")
    assert window.count(".row") == 2


def test_a_tool_runs_and_is_done(browser: Browser, server: Server, file: Path) -> None:
    window = browser.open(server.url)
    grow(file, call(1, "c1", "Bash", {"command": "ls -la"}))
    window.shows("ls -la")
    wait_for(lambda: window.count(".card[data-state=running] .took[data-since]") == 1)
    window.open_everything()
    grow(file, output(9, "c1", "one\ntwo\n\x1b[31mred\x1b[0m\n"))
    wait_for(lambda: window.count(".card[data-state=done]") == 1)
    assert (
        window.run("return document.querySelector('pre.output').textContent") == "one\ntwo\nred\n"
    )
    assert window.run("return document.querySelector('.took').textContent") == "9.0 s"


def test_a_command_of_several_words_is_what_the_shell_is_given(
    browser: Browser, server: Server, file: Path
) -> None:
    window = browser.open(server.url)
    grow(
        file,
        call(1, "c1", "shell", {"workdir": "/w", "command": ["bash", "-lc", "ls | wc -l"]}),
        call(2, "c2", "shell", {"workdir": "/w", "command": ["git", "log"]}),
        call(3, "c3", "shell", {"n": 1, "mixed": ["a", 5]}),
    )
    wait_for(lambda: window.count(".card") == 3)
    asked = window.run(
        "return [...document.querySelectorAll('.asked')].map((each) => each.textContent)"
    )
    assert asked == ["ls | wc -l", "git log", ""]


def test_two_windows_show_the_same_all_the_time(
    browser: Browser, server: Server, file: Path
) -> None:
    windows = [browser.open(server.url) for _ in range(2)]
    for n in range(1, 4):
        grow(file, said(n, f"answer {n}"), call(n, f"c{n}", "Read", {"path": f"/x/{n}"}))
        for window in windows:
            window.shows(f"/x/{n}")
        windows[0].shows_the_same_as(windows[1])


def test_the_clock_runs_while_a_task_does(browser: Browser, server: Server, file: Path) -> None:
    window = browser.open(server.url)
    window.shows("hello")
    clock = "return document.querySelector('.clock').textContent"
    before = window.run(clock)
    wait_for(lambda: window.run(clock) != before)
    assert window.run("return document.title").startswith("● ")


def test_a_killed_server_that_comes_back_is_found_again(browser: Browser, file: Path) -> None:
    with served(file) as server:
        port = server.port
        window = browser.open(server.url)
        grow(file, start(1), delta(2, "half a sen"))
        window.shows("half a sen")
        server.kill()
    wait_for(lambda: "trying again" in window.run("return document.body.innerText"))
    grow(file, delta(3, "tence"))
    with served(file, port=port) as server:
        window.shows("half a sentence")
        wait_for(lambda: "trying again" not in window.run("return document.body.innerText"))
        grow(file, delta(4, ", and more"))
        window.shows("half a sentence, and more")
        window.shows_the_same_as(browser.open(server.url))


def test_a_window_that_was_hidden_catches_up(browser: Browser, server: Server, file: Path) -> None:
    window = browser.open(server.url)
    window.shows("hello")
    hide = """
        Object.defineProperty(document, "hidden", { value: arguments[0], configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
    """
    window.run(hide, True)
    grow(file, said(1, "while you were away"))
    server.has_read(2)
    assert "away" not in window.text
    window.run("window.before = [...document.querySelectorAll('.row')]")
    window.run(hide, False)
    window.shows("while you were away")
    assert window.run("return before.length === 1 && before[0].isConnected"), "it was patched"


def test_a_rotated_file_is_shown_anew(browser: Browser, server: Server, file: Path) -> None:
    window = browser.open(server.url)
    grow(file, said(1, "of the old file"))
    window.shows("of the old file")
    other = file.with_name("other")
    other.write_text(user(0, "another session") + said(1, "of the new file"))
    os.replace(other, file)
    window.shows("of the new file")
    assert "old" not in window.text
    file.write_text("")
    wait_for(lambda: window.count(".row") == 0)
    assert window.run("return document.getElementById('empty').hidden") is False
    grow(file, user(0, "once more"))
    window.shows("once more")
    window.shows_the_same_as(browser.open(server.url))


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Path]]:
    """Serve all recordings, of which only the first line was written so far."""
    folder = tmp_path_factory.mktemp("recorded")
    for each in RECORDED:
        (folder / each.name).write_text(_lines(each)[0])
    with served(*[folder / each.name for each in RECORDED]) as running:
        yield running, folder


@pytest.mark.parametrize("number", range(len(RECORDED)), ids=lambda at: RECORDED[at].stem)
def test_a_recorded_session_shows_the_same_live_as_in_a_fresh_load(
    browser: Browser, recorded: tuple[Server, Path], number: int
) -> None:
    server, folder = recorded
    lines, file = _lines(RECORDED[number]), folder / RECORDED[number].name
    window = browser.open(f"{server.url}#s{number + 1}")
    size = len(lines) // PARTS + 1
    for at in range(1, len(lines), size):
        before = server.status(number)["messages"]
        grow(file, *lines[at : at + size])
        wait_for(lambda before=before: server.status(number)["messages"] > before)
    fresh = browser.open(f"{server.url}#s{number + 1}")
    window.shows_the_same_as(fresh)
    for each in (window, fresh):
        each.open_everything()
    shown = window.shows_the_same_as(fresh)
    assert shown.count('class="row') >= server.status(number)["items"] > 0
    assert browser.complaints() == []


def _lines(recording: Path) -> list[str]:
    return recording.read_text().splitlines(keepends=True)


def test_several_sessions_are_listed_and_chosen(browser: Browser, tmp_path: Path) -> None:
    files = [tmp_path / f"{name}.jsonl" for name in ("one", "two")]
    for each in files:
        each.write_text(user(0, f"this is {each.stem}"))
    with served(*files) as server:
        window = browser.open(server.url)
        window.shows("this is one")
        wait_for(lambda: window.count("nav a") == 2)
        window.run("document.querySelectorAll('nav a')[1].click()")
        window.shows("this is two")
        assert "this is one" not in window.text
        grow(files[1], said(1, "and it grows"), event(2, "fact", name="title", value="Named"))
        window.shows("and it grows")
        wait_for(lambda: "Named" in window.run("return document.title"))
        wait_for(lambda: "Named" in window.run("return document.querySelector('nav').textContent"))
