"""What the cards of one session need to know of the rest of the page."""

from __future__ import annotations

from collections.abc import Mapping

from refold.records import record
from refold.render.report.html import Content, element, link
from refold.render.report.links import item_id, to_place
from refold.render.report.moments import clock, moment
from refold.render.report.subject import Subject

__all__ = ["Scene"]


@record
class Scene:
    """A session's place in a report.

    Args:
        subject: what the report is about.
        session: the session's place in it.
        bars: the id of the bar that tells of an item, by the item's id.
        rows: ids of items that a row of a table tells of.
        longest: how many characters of a text to show; 0 is all.
    """

    subject: Subject
    session: int
    bars: Mapping[str, str]
    rows: frozenset[str]
    longest: int

    def id_of(self, key: str) -> str:
        """Return the id of an item of the session."""
        return item_id(self.session, key)

    def time_of(self, key: str, ms: int | None) -> Content:
        """Return a time of day, which leads to the item's place on the time line.

        Args:
            key: the item's.
            ms: the time, in Unix ms, or None if it is unknown.
        """
        if ms is None:
            return ""
        time = element("time", {"datetime": moment(ms)}, clock(ms)[:8])
        bar = self.bars.get(self.id_of(key))
        if bar is None:
            return element("span", {"class": "at"}, time)
        says = {"class": "at", "aria-label": f"{clock(ms)[:8]}, to the time line"}
        return link(to_place(bar), says, time)
