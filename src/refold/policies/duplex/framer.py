"""Bytes to frames.

Rules of this file (sources/stream-json-and-acp.md 2.1):

- A frame is what stands in front of a newline, without one carriage return at its end. Only the
  byte 0A ends a line.
- The frames depend on the bytes, never on how they were cut into chunks; so does whether a limit
  trips, and in which line.
- A limit is checked before the buffer grows, the frame's in front of the turn's, so a line without
  end never holds more than the limit. Behind a trip or a broken frame nothing comes any more.
- ``take`` stops behind each frame: the frame may end the turn, and what follows is then not charged.
"""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from refold.policies.duplex.failures import IoFailed, LimitExceeded
from refold.policies.duplex.limits import (
    Limits,
    TurnBytes,
    charge,
    charge_buffered,
    frame_trip,
)
from refold.records import evolve, record
from refold.texts import GrownText, grow

__all__ = ["Frame", "Framer", "Taken", "end", "feed", "take"]

# The buffer is a rope of characters below U+0100: appending to bytes would copy them every time.
_ONE_TO_ONE = "latin-1"


@record
class Framer:
    """What was taken of a line that hasn't ended.

    Args:
        buffered: its bytes, one character each.
        size: how many.
        dead: a limit tripped or a frame was broken.
    """

    buffered: GrownText = ""
    size: int = 0
    dead: bool = False


@record
class Frame:
    """One line without its end; ``text`` is its UTF-8 read."""

    kind: ClassVar[Literal["frame"]] = "frame"

    text: str


@record
class Taken:
    """What one look at the input gave.

    Args:
        framer: the framer behind it.
        counter: the turn's bytes behind it.
        found: a frame, what ended the framing, or None if more input is needed.
        consumed: how many bytes of the chunk were looked at.
    """

    framer: Framer
    counter: TurnBytes
    found: Frame | LimitExceeded | IoFailed | None
    consumed: int


Found: TypeAlias = Frame | LimitExceeded | IoFailed


def take(limits: Limits, framer: Framer, counter: TurnBytes, chunk: bytes, start: int = 0) -> Taken:
    """Take input up to the end of the next line, or all of it.

    Args:
        limits: the session's.
        framer: what was buffered before.
        counter: the pending turn's bytes.
        chunk: the input.
        start: where in the chunk to begin.
    """
    if framer.dead or start >= len(chunk):
        return Taken(framer=framer, counter=counter, found=None, consumed=len(chunk) - start)
    newline = chunk.find(b"\n", start)
    stop = len(chunk) if newline < 0 else newline + 1
    size = framer.size + stop - start
    tripped = _trip(limits, framer, counter, stop - start)
    if isinstance(tripped, LimitExceeded):
        return _ended(framer, counter, tripped, stop - start)
    grown = grow(framer.buffered, chunk[start:stop].decode(_ONE_TO_ONE))
    if newline < 0:
        waiting = Framer(buffered=grown, size=size)
        return Taken(framer=waiting, counter=tripped, found=None, consumed=stop - start)
    return _delivered(str(grown)[:-1].removesuffix("\r"), tripped, stop - start)


def end(limits: Limits, framer: Framer, counter: TurnBytes, *, drop_tail: bool = False) -> Taken:
    """Take the end of the input: a line without a newline is the last frame.

    Args:
        limits: the session's.
        framer: what is buffered.
        counter: the pending turn's bytes.
        drop_tail: leave out a line without a newline, as agents over ACP do.
    """
    charged = charge_buffered(limits, counter, framer.size)
    if framer.dead or framer.size == 0 or drop_tail:
        return Taken(framer=Framer(dead=framer.dead), counter=counter, found=None, consumed=0)
    if isinstance(charged, LimitExceeded):
        return _ended(framer, counter, charged, 0)
    return _delivered(str(framer.buffered), charged, 0)


def feed(
    limits: Limits, framer: Framer, counter: TurnBytes, chunk: bytes
) -> tuple[Framer, TurnBytes, tuple[Found, ...]]:
    """Take a whole chunk, where no frame in it starts or ends a turn.

    Args:
        limits: the session's.
        framer: what was buffered before.
        counter: the pending turn's bytes.
        chunk: the input.
    """
    found: list[Found] = []
    start = 0
    while start < len(chunk):
        taken = take(limits, framer, counter, chunk, start)
        framer, counter = taken.framer, taken.counter
        start += taken.consumed
        if taken.found is not None:
            found.append(taken.found)
    return framer, counter, tuple(found)


def _trip(
    limits: Limits, framer: Framer, counter: TurnBytes, size: int
) -> TurnBytes | LimitExceeded:
    charged = charge_buffered(limits, counter, framer.size)
    if isinstance(charged, LimitExceeded):
        return charged
    tripped = frame_trip(limits, framer.size + size)
    return charge(limits, charged, size) if tripped is None else tripped


def _ended(framer: Framer, counter: TurnBytes, why: Found, consumed: int) -> Taken:
    dead = evolve(framer, dead=True)
    return Taken(framer=dead, counter=counter, found=why, consumed=consumed)


def _delivered(line: str, counter: TurnBytes, consumed: int) -> Taken:
    try:
        text = line.encode(_ONE_TO_ONE).decode("utf-8")
    except UnicodeDecodeError as error:
        why = IoFailed(message=f"expected UTF-8 in a line of {len(line)} bytes: {error.reason}")
        return _ended(Framer(), counter, why, consumed)
    return Taken(framer=Framer(), counter=counter, found=Frame(text=text), consumed=consumed)
