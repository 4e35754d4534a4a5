"""The page as a reader has it, in a real browser: narrow, wide, dark, by keyboard, on paper."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from refold.render.report import Cover, report_html, subject_of
from tests.analysis.streams import golden_stream
from tests.render.report.browser import Browser, browsing

PARALLEL = report_html(subject_of(golden_stream("parallel_tools")), Cover(files=("a.jsonl",)))
NESTED = report_html(subject_of(golden_stream("two_parallel_subagents_live")))
ENTER, ESCAPE, DOWN, RIGHT = "\ue007", "\ue00c", "\ue015", "\ue014"
FOCUS = "document.querySelector('.scroller').focus();"
WIDTH = "return document.querySelector('.track').offsetWidth;"
HASH = "return location.hash;"

# Contrast as WCAG 2.1 has it, of each text on the first ground below it that isn't transparent.
CONTRASTS = """
const channels = (colour) => (colour.match(/[\\d.]+/g) || []).map(Number);
const light = ([r, g, b]) => {
  const [x, y, z] = [r, g, b].map((c) => (c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * x + 0.7152 * y + 0.0722 * z;
};
const ground = (each) => {
  for (; each; each = each.parentElement) {
    const colour = channels(getComputedStyle(each).backgroundColor);
    if (colour.length === 3 || colour[3] > 0) return colour;
  }
  return [255, 255, 255];
};
const contrast = (one, other) => {
  const [dark, bright] = [light(one), light(other)].sort((a, b) => a - b);
  return (bright + 0.05) / (dark + 0.05);
};
const texts = [...document.querySelectorAll("body *")].filter((each) =>
  !(each instanceof SVGElement) && [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim()));
const shapes = [...document.querySelectorAll(".bar rect, .area, .meter rect")];
return [
  texts.filter((each) => !["SCRIPT", "STYLE"].includes(each.tagName))
    .map((each) => [each.className + " " + each.textContent.slice(0, 30), contrast(channels(getComputedStyle(each).color), ground(each))])
    .filter(([, value]) => value < 4.5),
  shapes.map((each) => [each.parentElement.getAttribute("class"), contrast(channels(getComputedStyle(each).fill), ground(document.body))])
    .filter(([, value]) => value < 3),
];
"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browsing(tmp_path_factory.mktemp("report")) as started:
        yield started


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [400, 1400])
def test_a_page_fits_its_window_and_can_be_read(browser: Browser, width: int, dark: bool) -> None:
    browser.open(NESTED, width=width, dark=dark)
    browser.run("document.querySelectorAll('details').forEach((each) => { each.open = true; });")
    assert (
        browser.later("const r = document.documentElement; return r.scrollWidth - r.clientWidth;")
        == 0
    )
    assert browser.run(CONTRASTS) == [[], []]
    ground = browser.run("return getComputedStyle(document.body).backgroundColor;")
    assert ground == ("rgb(20, 23, 28)" if dark else "rgb(255, 255, 255)")
    assert browser.complaints() == []


def test_the_time_line_zooms_by_keys_and_by_buttons(browser: Browser) -> None:
    browser.open(PARALLEL)
    first = browser.run(WIDTH)
    ticks = "return [...document.querySelectorAll('.axis text')].map((each) => each.textContent);"
    coarse = browser.run(ticks)
    browser.run(FOCUS)
    browser.press("+", "+", "+")
    assert browser.run(WIDTH) == 8 * first
    fine = browser.later(ticks)
    assert coarse[:3] == ["0 ms", "50 ms", "100 ms"]
    assert [int(each.split()[0]) for each in fine if each.endswith("ms")]
    assert fine != coarse
    browser.press("-")
    assert browser.run(WIDTH) == 4 * first
    browser.run("[...document.querySelectorAll('.zoom button')][2].click();")
    assert browser.run(WIDTH) == first
    browser.run("document.querySelectorAll('.zoom button')[1].click();")
    assert browser.run(WIDTH) == 2 * first


def test_what_is_pointed_at_stays_where_it_is_when_zoomed(browser: Browser) -> None:
    browser.open(PARALLEL)
    where = "return document.querySelector('.bar.tool').getBoundingClientRect().left;"
    before = browser.run(where)
    browser.run(
        "document.querySelector('.scroller').dispatchEvent(new WheelEvent('wheel', "
        "{ ctrlKey: true, deltaY: -200, clientX: arguments[0], cancelable: true }));",
        before,
    )
    assert abs(browser.run(where) - before) < 6


def test_bars_are_reached_by_keys_and_lead_to_messages(browser: Browser) -> None:
    browser.open(PARALLEL)
    browser.run(FOCUS)
    browser.press(ENTER)
    said = "return document.activeElement.querySelector('title').textContent;"
    assert browser.run(said).startswith("task 1")
    browser.press(DOWN, DOWN)
    assert browser.run(said).startswith("exec_command")
    browser.press(RIGHT)
    assert browser.run("return document.querySelector('.readout').textContent;") == browser.run(
        said
    )
    browser.press(ENTER)
    target = browser.run(HASH)
    assert target.startswith("#tool_call:call_p")
    assert browser.later(
        "const found = document.getElementById(location.hash.slice(1));"
        "return [found.querySelector('details').open, Math.round(found.getBoundingClientRect().top) >= 0];"
    ) == [True, True]
    browser.run(FOCUS)
    browser.press(ENTER, ESCAPE)
    assert browser.run("return document.activeElement.className;") == "scroller"


def test_a_time_leads_back_to_the_time_line(browser: Browser) -> None:
    browser.open(PARALLEL, place="tool_call:call_p1")
    browser.run("document.getElementById('tool_call:call_p1').querySelector('a.at').click();")
    bar = browser.run(HASH)[1:]
    assert browser.later(
        f"return document.getElementById('{bar}').querySelector('title').textContent;"
    ).startswith("exec_command · 460 ms")
    top = browser.run(f"return document.getElementById('{bar}').getBoundingClientRect().top;")
    assert 0 <= top <= 900


def test_a_link_into_a_nested_session_opens_all_folds_around_it(browser: Browser) -> None:
    browser.open(NESTED, place="s1/tool_call:call_c1")
    assert browser.later(
        "const found = document.getElementById('s1/tool_call:call_c1');"
        "const folds = [];"
        "for (let each = found.parentElement; each; each = each.parentElement)"
        " if (each.tagName === 'DETAILS') folds.push(each.open);"
        "return [folds, found.getBoundingClientRect().top < 900];"
    ) == [[True], True]


def test_all_folds_are_opened_and_closed_at_once(browser: Browser) -> None:
    browser.open(NESTED)
    count = "return document.querySelectorAll('#transcript details[open]').length;"
    assert browser.run(count) == 0
    browser.run("[...document.querySelectorAll('#transcript > .zoom button')][0].click();")
    assert browser.run(count) == browser.run(
        "return document.querySelectorAll('#transcript details').length;"
    )
    browser.run("[...document.querySelectorAll('#transcript > .zoom button')][1].click();")
    assert browser.run(count) == 0


def test_without_its_script_the_page_is_whole(browser: Browser) -> None:
    browser.command("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.open(PARALLEL, place="tool_call:call_p1")
        seen = "return [document.querySelectorAll(arguments[0]).length, document.body.innerText];"
        buttons, text = browser.run(seen, "button")
        assert buttons == 0
        assert browser.run(seen, ".bar rect")[0] > 5
        assert "Where the time went" in text
        assert "100 ms200 ms" in browser.run("return document.querySelector('.axis').textContent;")
        fold = "const f = document.querySelector('details'); f.open = true; return f.innerText;"
        assert "Arguments" in browser.run(fold) or "user wants" in browser.run(fold)
    finally:
        browser.command("Emulation.setScriptExecutionDisabled", value=False)


def test_on_paper_everything_is_unfolded_and_light(browser: Browser) -> None:
    browser.open(NESTED, dark=True)
    scheme = {"name": "prefers-color-scheme", "value": "dark"}
    browser.command("Emulation.setEmulatedMedia", media="print", features=[scheme])
    assert browser.run(
        "const fold = document.querySelector('.session');"
        "return [fold.open, getComputedStyle(fold, '::details-content').contentVisibility,"
        " getComputedStyle(document.querySelector('.zoom')).display,"
        " getComputedStyle(document.querySelector('.item')).contentVisibility,"
        " getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color];"
    ) == [False, "visible", "none", "visible", "rgb(255, 255, 255)", "rgb(0, 0, 0)"]
    browser.run("dispatchEvent(new Event('beforeprint'));")
    assert browser.run("return document.querySelectorAll('details:not([open])').length;") == 0
    browser.run("dispatchEvent(new Event('afterprint'));")
    assert browser.run("return document.querySelectorAll('#transcript details[open]').length;") == 0


def test_what_is_out_of_sight_isn_t_laid_out(browser: Browser) -> None:
    browser.open(NESTED)
    assert browser.run(
        "return [...new Set([...document.querySelectorAll('.item')]"
        ".map((each) => getComputedStyle(each).contentVisibility))];"
    ) == ["auto"]


def test_a_reader_who_listens_finds_headings_names_and_words(browser: Browser) -> None:
    browser.open(NESTED)
    levels = browser.run(
        "return [...document.querySelectorAll('h1, h2, h3')].map((each) => +each.tagName[1]);"
    )
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(levels))
    assert (
        browser.run(
            "return [...document.querySelectorAll('button, nav, main > section, .scroller, svg:not([aria-hidden])')]"
            ".filter((each) => !each.getAttribute('aria-label') && !each.getAttribute('aria-labelledby'))"
            ".map((each) => each.outerHTML.slice(0, 80));"
        )
        == []
    )
    assert (
        browser.run(
            "return [...document.querySelectorAll('summary, a')].filter((each) => !each.textContent.trim()).length;"
        )
        == 0
    )
    assert browser.run("return document.documentElement.lang;") == "en"
