"""Say where the time, the tokens and the money of traces went.

Rules of this file:

- Each FILE is a trace of its own, counted once however many of its parts are given.
- What can't be read is named on standard error and the rest is counted.
- People get tables, programs rows: JSON, CSV, or Parquet with the extra ``arrow``.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from collections.abc import Sequence

from refold.analysis.arrow import write_parquet
from refold.analysis.rows import Table, csv_text, joined, json_rows
from refold.analysis.summary import merged_summaries
from refold.analysis.tables import COLUMNS, By
from refold.bulk import Outcome, Task, count_all, short_names, workers
from refold.cli.exits import DONE, INCOMPLETE, UNUSABLE
from refold.cli.files import add_file_arguments, output
from refold.cli.prices import add_prices_argument, prices_of
from refold.cli.progress import Progress
from refold.cli.saying import say
from refold.render.rows_table import section_of
from refold.render.sections import Section
from refold.render.stats_table import sections_of
from refold.render.text_tables import has_rich, plain_text, rich_text

__all__ = ["add_arguments", "run"]

_LEAST_WIDTH = 60


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``refold stats``."""
    add_file_arguments(parser)
    parser.add_argument(
        "--by", choices=tuple(COLUMNS), help="a row for each of these instead of a summary"
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="rows as a JSON array")
    form.add_argument("--csv", action="store_true", help="rows as CSV")
    form.add_argument("--parquet", metavar="OUT", help="rows as a Parquet file (extra arrow)")
    add_prices_argument(parser)
    parser.add_argument("--jobs", type=int, metavar="N", help="how many processes; all cores")
    parser.add_argument("--width", type=int, metavar="N", help="columns; as the terminal has")
    parser.add_argument("--no-color", action="store_true", help="plain text")


def run(arguments: argparse.Namespace) -> int:
    """Print the figures and return the exit code."""
    prices = prices_of(arguments)
    by = _by(arguments)
    tasks = [
        Task(path=path, name=name, format=arguments.format, by=by, prices=prices)
        for path, name in zip(arguments.files, short_names(arguments.files), strict=True)
    ]
    with Progress(sys.stderr) as progress:
        outcomes = count_all(
            tasks,
            processes=workers(arguments.files, arguments.jobs),
            progress=progress.step,
        )
    _report(outcomes)
    counted = [each for each in outcomes if not each.failed and each.within is None]
    if not counted:
        return UNUSABLE
    _print(arguments, by, counted)
    return INCOMPLETE if any(each.problems for each in outcomes) else DONE


def _by(arguments: argparse.Namespace) -> By | None:
    rows = arguments.json or arguments.csv or arguments.parquet
    by: By | None = arguments.by
    return "session" if by is None and rows else by


def _report(outcomes: Sequence[Outcome]) -> None:
    for outcome in outcomes:
        for problem in outcome.problems:
            say(problem)
        if outcome.within is not None:
            say(f"{outcome.path} is counted within {outcome.within}")


def _print(arguments: argparse.Namespace, by: By | None, counted: Sequence[Outcome]) -> None:
    if by is None:
        summaries = [each.summary for each in counted if each.summary is not None]
        _print_sections(arguments, sections_of(merged_summaries(summaries)))
        return
    table = joined(by, [each.rows for each in counted if each.rows is not None])
    if arguments.parquet is not None:
        write_parquet(table, arguments.parquet)
    elif arguments.json or arguments.csv:
        with output("-") as out:
            out.write(_text(arguments, table))
    else:
        _print_sections(arguments, [section_of(table)])


def _text(arguments: argparse.Namespace, table: Table) -> str:
    if arguments.csv:
        return csv_text(table)
    return json.dumps(json_rows(table), indent=1, allow_nan=False) + "\n"


def _print_sections(arguments: argparse.Namespace, sections: Sequence[Section]) -> None:
    width = arguments.width or shutil.get_terminal_size((100, 24)).columns
    coloured = has_rich() and not arguments.no_color and _takes_colours()
    render = rich_text if coloured else plain_text
    sys.stdout.write(render(sections, width=max(width, _LEAST_WIDTH)))


def _takes_colours() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")
