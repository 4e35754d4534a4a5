"""Everything refold raises, under one base class.

Rules of this file:

- A message names what was expected, where, and the offending value, shortened.
- Nothing here reads input; whoever raises gives the place.
"""

from __future__ import annotations

from collections.abc import Iterator

__all__ = ["CheckpointError", "DecodeError", "MissingExtraError", "RefoldError", "shorten", "told"]

_SHOWN = 60
_DEEPEST = 4


def shorten(value: object, limit: int = _SHOWN) -> str:
    """Show a value in an error message.

    Args:
        value: anything, however large or deep; its ``repr`` is cut.
        limit: the most characters to show.
    """
    if isinstance(value, str | bytes) and len(value) > limit:
        value = value[:limit]
        return f"{value!r}…"
    text = ""
    for piece in _pieces(value, limit, 0):
        text += piece
        if len(text) > limit:
            return f"{text[:limit]}…"
    return text


def _pieces(value: object, limit: int, depth: int) -> Iterator[str]:
    """Yield the ``repr`` of plain JSON data bit by bit, so that no more is made than is shown."""
    if isinstance(value, dict | list) and depth > _DEEPEST:
        yield "…"
    elif isinstance(value, dict):
        for at, (name, each) in enumerate(value.items()):
            yield f"{', ' if at else '{'}{shorten(name, limit)}: "
            yield from _pieces(each, limit, depth + 1)
        yield "}" if value else "{}"
    elif isinstance(value, list):
        for at, each in enumerate(value):
            yield ", " if at else "["
            yield from _pieces(each, limit, depth + 1)
        yield "]" if value else "[]"
    else:
        yield _repr(value if not isinstance(value, str | bytes) else value[: limit + 1])


def _repr(value: object) -> str:
    try:
        return repr(value)
    except Exception:  # noqa: BLE001 - an integer too long to write, or a caller's own class
        return f"<{type(value).__name__}>"


def told(error: Exception) -> str:
    """Return what an error says to a person: of a file's, its name and what is wrong with it."""
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return str(error)


class RefoldError(Exception):
    """The base of every error refold raises on purpose."""


class DecodeError(RefoldError):
    """Input that is not what its format says.

    Args:
        expected: what should have stood there, as a noun phrase ("a string").
        path: the JSON path of the value, ``$`` for the whole.
        value: the offending value.
        line: the line it was read from, 1-based; None if it came from no file.
        source: the name of that file, if any.
    """

    def __init__(
        self,
        expected: str,
        *,
        path: str = "$",
        value: object = None,
        line: int | None = None,
        source: str | None = None,
    ) -> None:
        self.expected = expected
        self.path = path
        self.value = value
        self.line = line
        self.source = source
        super().__init__(str(self))

    def at(self, *, line: int | None, source: str | None) -> DecodeError:
        """Return the same error with its place in a file."""
        return DecodeError(
            self.expected, path=self.path, value=self.value, line=line, source=source
        )

    def __str__(self) -> str:
        where = [] if self.source is None else [self.source]
        where += [] if self.line is None else [f"line {self.line}"]
        prefix = ", ".join(where) + ": " if where else ""
        return f"{prefix}expected {self.expected} at {self.path}, got {shorten(self.value)}"


class CheckpointError(RefoldError):
    """A checkpoint text that this version can't load."""


class MissingExtraError(RefoldError):
    """A feature whose optional packages aren't installed; the message names the extra."""

    def __init__(self, feature: str, extra: str) -> None:
        self.extra = extra
        super().__init__(f"{feature} needs the extra {extra!r}: pip install 'refold[{extra}]'")
