"""The page: one file, whole without a network, and readable without its script.

Rules of this file:

- What may run and be worn is pinned by hash before anything of the trace is read.
- The order is that of questions: what was it, what did it take, when, and what was said.
"""

from __future__ import annotations

from collections.abc import Iterable

from refold.analysis.summary import summary_of
from refold.records import evolve
from refold.render.report.assets import page_code, page_style, security_policy
from refold.render.report.bodies import LONGEST
from refold.render.report.cover import Cover, footer, header, title_of
from refold.render.report.html import Html, document, element, joined, link, script, style
from refold.render.report.links import to_place
from refold.render.report.scenes import Scene
from refold.render.report.subject import Subject
from refold.render.report.tables import places_told, tables, tiles
from refold.render.report.timeline import timeline_html, timeline_of
from refold.render.report.transcript import transcript
from refold.render.sections import Section
from refold.render.stats_table import sections_of

__all__ = ["report_html"]


def report_html(subject: Subject, cover: Cover | None = None, *, longest: int = LONGEST) -> str:
    """Return a report as a page.

    Args:
        subject: the session, and what was found about it.
        cover: where it comes from.
        longest: how many characters of a tool's output or another text to show; 0 is all.
    """
    cover = Cover() if cover is None else cover
    title = title_of(subject, cover)
    totals, *sections = sections_of(summary_of(subject.analysis))
    timeline = timeline_of(subject)
    scene = Scene(
        subject=subject,
        session=0,
        bars=timeline.bars,
        rows=places_told(sections, subject),
        longest=longest,
    )
    parts = {
        "Summary": tiles(_of_one_trace(totals)),
        "Time line": timeline_html(timeline),
        "Figures": tables(sections, subject) if sections else None,
        "Transcript": joined(transcript(scene)),
    }
    there = {title: part for title, part in parts.items() if part is not None}
    body = element(
        "body",
        {},
        header(title, cover, subject),
        _contents(there),
        element("main", {}, *[_part(name, part) for name, part in there.items()]),
        footer(subject, cover),
        script(page_code()),
    )
    return document(element("html", {"lang": "en"}, _head(title), body))


def _head(title: str) -> Html:
    policy = {"http-equiv": "Content-Security-Policy", "content": security_policy()}
    return element(
        "head",
        {},
        element("meta", {"charset": "utf-8"}),
        element("meta", policy),
        element("meta", {"name": "viewport", "content": "width=device-width, initial-scale=1"}),
        element("meta", {"name": "color-scheme", "content": "light dark"}),
        element("meta", {"name": "referrer", "content": "no-referrer"}),
        element("title", {}, title),
        style(page_style()),
    )


def _contents(titles: Iterable[str]) -> Html:
    links = [element("li", {}, link(to_place(_place(title)), {}, title)) for title in titles]
    return element("nav", {"aria-label": "Contents"}, element("ul", {}, *links))


# --- parts ----------------------------------------------------------------------------------------


def _part(title: str, content: Html) -> Html:
    place = _place(title)
    heading = element("h2", {"id": f"{place}-title"}, title)
    attributes = {"id": place, "aria-labelledby": f"{place}-title"}
    return element("section", attributes, heading, content)


def _place(title: str) -> str:
    return title.lower().replace(" ", "-")


def _of_one_trace(totals: Section) -> Section:
    """Leave out how many traces there are."""
    return evolve(totals, rows=totals.rows[1:])
