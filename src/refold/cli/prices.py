"""The table of prices that a command is given."""

from __future__ import annotations

import argparse
from pathlib import Path

from refold.analysis import PriceTable, read_prices
from refold.errors import DecodeError

__all__ = ["add_prices_argument", "prices_of"]


def add_prices_argument(parser: argparse.ArgumentParser) -> None:
    """Add the argument of a command that says what things cost."""
    parser.add_argument(
        "--prices", metavar="FILE", help="JSON: USD per million tokens by model and bucket"
    )


def prices_of(arguments: argparse.Namespace) -> PriceTable | None:
    """Return the table, or None if there is none.

    Args:
        arguments: parsed by a parser that has ``add_prices_argument``.

    Raises:
        DecodeError: the file is no table of prices.
        OSError: it can't be read.
    """
    if arguments.prices is None:
        return None
    try:
        return read_prices(Path(arguments.prices).read_text("utf-8"))
    except UnicodeDecodeError as error:
        raise DecodeError("UTF-8", value=error.object, source=arguments.prices) from error
    except DecodeError as error:
        raise error.at(line=None, source=arguments.prices) from error
