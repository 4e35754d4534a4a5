"""The cover of a page: what it is about, and where that comes from."""

from __future__ import annotations

from typing import Final

from refold.records import record
from refold.render.numbers import is_date
from refold.render.report.bodies import LONGEST, first_line, json_body
from refold.render.report.html import Content, Html, element
from refold.render.report.moments import spoken
from refold.render.report.names import count_words
from refold.render.report.subject import Subject

__all__ = ["Cover", "footer", "header", "title_of"]

_LONGEST_TITLE: Final = 100


@record
class Cover:
    """What a report says of where it comes from.

    Args:
        title: what it is called; how the session calls itself, or begins, if None.
        files: the files that were read.
        format: their format.
        unread: how many records were not understood, by reason.
    """

    title: str | None = None
    files: tuple[str, ...] = ()
    format: str | None = None
    unread: tuple[tuple[str, int], ...] = ()


def title_of(subject: Subject, cover: Cover) -> str:
    """Return what a report is called.

    Args:
        subject: the session.
        cover: what it is called by whoever asked for it, and its files.
    """
    return cover.title or _own_title(subject) or ", ".join(cover.files) or "A session"


def header(title: str, cover: Cover, subject: Subject) -> Html:
    """Return what a page begins with.

    Args:
        title: what it is called.
        cover: where it comes from.
        subject: the session.
    """
    main = subject.analysis.main
    said: list[tuple[str, Content]] = [
        ("format", cover.format or ""),
        ("model", main.model or ""),
        ("begun", _begun(main.first_ms)),
        ("session", main.session_id or ""),
        ("files", ", ".join(cover.files)),
    ]
    rows = [
        element("div", {}, element("dt", {}, name), element("dd", {}, value))
        for name, value in said
        if value
    ]
    return element(
        "header",
        {"class": "cover"},
        element("h1", {"dir": "auto"}, title),
        element("dl", {"class": "about"}, *rows),
        *_facts(subject),
    )


def footer(subject: Subject, cover: Cover) -> Html:
    """Return what a page ends with: how much it tells of, and what it doesn't.

    Args:
        subject: the session.
        cover: where it comes from.
    """
    messages = count_words(subject.analysis.messages, "message")
    items = count_words(sum(len(session.items) for session in subject.sessions), "item")
    unread = [
        f"{count_words(number, 'record')} not understood: {reason}"
        for reason, number in cover.unread
    ]
    said = [f"{messages}, {items}", "times are UTC", *unread, "made by refold"]
    return element("footer", {}, " · ".join(said))


def _begun(first_ms: int | None) -> str:
    return f"{spoken(first_ms)} UTC" if first_ms is not None and is_date(first_ms) else ""


def _own_title(subject: Subject) -> str | None:
    told = subject.sessions[0].facts.get("title")
    if isinstance(told, str) and told.strip():
        return first_line(told)
    labels = [task.label for task in subject.analysis.main.tasks if task.label.strip()]
    return first_line(labels[0])[:_LONGEST_TITLE] if labels else None


def _facts(subject: Subject) -> list[Html]:
    facts = subject.sessions[0].facts
    if not facts:
        return []
    summary = element("summary", {}, count_words(len(facts), "fact"), " the session told")
    shown = json_body({name: facts[name] for name in facts}, LONGEST)
    return [element("details", {"class": "facts"}, summary, shown)]
