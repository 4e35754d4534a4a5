"""The command ``refold``: one module a subcommand, each with ``add_parser`` and ``run``.

Exit codes: 0 done; 1 a check failed (``conform``, ``verify``, ``diff``); 2 wrong usage, or nothing
could be read; 3 done, but some input couldn't be read and was reported.
"""

from refold.cli.command import main

__all__ = ["main"]
