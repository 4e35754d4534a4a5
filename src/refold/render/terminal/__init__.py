"""A session for a terminal: from a session to lines of styled text, to text.

The files, in the order in which they build on each other:

- ``harmless``, ``cells``: text that is safe to show, and how much room it takes.
- ``lines``: styled text. ``layout``: how much is shown of what is long.
- ``markdown``, ``images``, ``arguments``, ``cards``, ``marks``: parts.
- ``items``: one item. ``sessions``: all of them.
- ``painting``: lines to text, with colours or without.

Nothing here reads a file, a clock, the environment or the terminal.
"""

from refold.render.terminal.layout import LEAST_WIDTH, Layout
from refold.render.terminal.painting import Painter, coloured, has_rich, plain
from refold.render.terminal.sessions import session_lines

__all__ = ["LEAST_WIDTH", "Layout", "Painter", "coloured", "has_rich", "plain", "session_lines"]
