"""A session for a terminal: from a session to lines of styled text, to text.

The files, in the order in which they build on each other:

- ``harmless``, ``cells``: text that is safe to show, and how much room it takes.
- ``lines``: styled text. ``layout``: how much is shown of what is long.
- ``markdown``, ``images``, ``arguments``, ``cards``, ``marks``: parts.
- ``items``: one item. ``sessions``: all of them. ``brief``: an item on a line.
- ``news``, ``tailing``, ``running``: a session that goes on.
- ``comparison``: what differs between two.
- ``painting``: lines to text, with colours or without.

Nothing here reads a file, a clock, the environment or the terminal.
"""

from refold.render.terminal.layout import LEAST_WIDTH, Layout
from refold.render.terminal.painting import Painter, coloured, has_rich, plain
from refold.render.terminal.running import running_lines
from refold.render.terminal.sessions import session_lines
from refold.render.terminal.tailing import Tail, advanced, opened

__all__ = [
    "LEAST_WIDTH",
    "Layout",
    "Painter",
    "Tail",
    "advanced",
    "coloured",
    "has_rich",
    "opened",
    "plain",
    "running_lines",
    "session_lines",
]
