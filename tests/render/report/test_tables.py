"""Tables: the texts they are given, bars as long as their texts, and rows that lead somewhere."""

from __future__ import annotations

from refold.render.report.subject import subject_of
from refold.render.report.tables import places_told, tables, tiles
from refold.render.sections import About, Head, Section
from tests.analysis.streams import at, said, user
from tests.render.report.pages import parsed

SUBJECT = subject_of([at(0, user()), at(1, said()), at(2, said(), "c")])
NAMED = Section(
    title="Tasks <1>",
    heads=(
        Head(title="#"),
        Head(title="task", align="left", tone="name"),
        Head(title="x", tone="bar"),
    ),
    rows=(("1", "one", "███"), ("2", "  two", ""), ("3", "one & more", "█")),
    note="That's all.",
    bars=("model", "tools", "idle"),
    about=(
        About(place=0, ordinal=0),
        About(place=1),
        About(place=0, ordinal=0),
    ),
)


def test_a_section_is_a_table_with_heads_for_columns_and_rows() -> None:
    page = parsed(tables([NAMED], SUBJECT))
    assert page.text == "Tasks <1>#taskx1one2  two3one & moreThat's all."
    scopes = [each.attributes.get("scope") for each in page.all("th")]
    assert scopes == ["col"] * 3 + ["row"] * 3


def test_bars_are_as_long_as_their_texts_and_of_their_rows_tone() -> None:
    page = parsed(tables([NAMED], SUBJECT))
    bars = [(each.attributes["class"], each.attributes["width"]) for each in page.all("svg")]
    assert bars == [("meter model", "12"), ("meter idle", "4")]


def test_rows_lead_to_what_they_are_about_and_only_the_first_is_led_to() -> None:
    page = parsed(tables([NAMED, NAMED], SUBJECT))
    assert page.values("href") == ["#user_text:1", "#session1", "#user_text:1"] * 2
    assert page.values("id") == ["row:user_text:1", "row:session1"]
    assert places_told([NAMED], SUBJECT) == {"user_text:1", "session1"}


def test_a_section_that_is_about_nothing_has_no_links() -> None:
    plain = Section(title="T", heads=(Head(title=""),), rows=(("a",), ("b",)))
    page = parsed(tables([plain], SUBJECT))
    assert (page.text, page.values("href"), page.all("thead")) == ("Tab", [], [])


def test_names_values_and_notes_are_tiles() -> None:
    section = Section(
        title="Totals",
        heads=(Head(title=""), Head(title=""), Head(title="")),
        rows=(("tokens", "1 < 2", "so far"), ("cost", "$1", "")),
    )
    page = parsed(tiles(section))
    assert page.text == "tokens1 < 2so farcost$1"
    assert [each.name for each in page.elements if each.name in ("dt", "dd", "small")] == [
        "dt",
        "dd",
        "small",
        "dt",
        "dd",
    ]
