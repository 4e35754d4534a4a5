"""Moments and places on a time line on which pauses are cut short.

Rules of this file:

- A scale maps Unix ms to places from 0 to ``WIDTH``, straight within each piece. It never goes
  back, whatever the clocks did.
- A pause is a stretch in which nothing worked, long beside all the work there is. It gets a little
  room of its own, and its length is told.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from refold.analysis.intervals import Interval, length, merged, without
from refold.records import record

__all__ = ["WIDTH", "Piece", "Scale", "Tick", "clock", "moment", "scale_of", "spoken", "ticks_of"]

WIDTH: Final = 1_000_000

_EPOCH: Final = datetime(1970, 1, 1)  # noqa: DTZ001 - all times shown are UTC
_SHORTEST_PAUSE_MS: Final = 60_000
_PAUSE_SHARE: Final = 10
_PAUSE_WIDTH: Final = WIDTH // 50
_PAUSES_WIDTH: Final = WIDTH // 4
_TICKS: Final = 8
_TICK_ROOM: Final = WIDTH // 12
_LAST_TICK: Final = WIDTH * 95 // 100
_SECOND, _MINUTE, _HOUR, _DAY = 1000, 60_000, 3_600_000, 86_400_000
_STEPS: Final = (
    *(size * unit for unit in (1, 10, 100) for size in (1, 2, 5)),
    *(size * _SECOND for size in (1, 2, 5, 10, 20, 30)),
    *(size * _MINUTE for size in (1, 2, 5, 10, 20, 30)),
    *(size * _HOUR for size in (1, 2, 3, 6, 12)),
    *(
        size * _DAY
        for size in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10_000, 100_000, 1_000_000)
    ),
)


@record
class Piece:
    """A stretch of time and the room it takes; ``pause`` if it is cut short."""

    begin_ms: int
    end_ms: int
    begin_x: int
    end_x: int
    pause: bool = False


@record
class Scale:
    """A time line, as pieces without gaps, from the first known moment to the last."""

    pieces: tuple[Piece, ...]

    @property
    def begin_ms(self) -> int:
        """The first moment."""
        return self.pieces[0].begin_ms

    @property
    def pauses(self) -> tuple[Piece, ...]:
        """The pieces that are cut short."""
        return tuple([piece for piece in self.pieces if piece.pause])

    def x(self, ms: int) -> int:
        """Return the place of a moment; the ends' for one outside.

        Args:
            ms: the moment, in Unix ms.
        """
        found = bisect_right(self.pieces, ms, key=lambda piece: piece.begin_ms)
        piece = self.pieces[max(0, found - 1)]
        inside = min(max(ms, piece.begin_ms), piece.end_ms) - piece.begin_ms
        span = piece.end_ms - piece.begin_ms
        return piece.begin_x + inside * (piece.end_x - piece.begin_x) // span


@record
class Tick:
    """A mark on the time line, so long after its begin."""

    x: int
    after_ms: int


def scale_of(known: Sequence[int], work: Sequence[Interval]) -> Scale | None:
    """Return the scale of a time line, or None if no time passes in it.

    Args:
        known: all moments it has to hold, in Unix ms.
        work: when something worked, in any order.
    """
    if not known or min(known) == max(known):
        return None
    whole = (min(known), max(known))
    worked = merged(work)
    shortest = max(_SHORTEST_PAUSE_MS, length(worked) // _PAUSE_SHARE)
    pauses = [gap for gap in without((whole,), worked) if gap[1] - gap[0] >= shortest]
    return _laid_out(whole, pauses if pauses != [whole] else [])


def ticks_of(scale: Scale) -> tuple[Tick, ...]:
    """Return some marks at round times after the begin, none of them in a pause or on another."""
    shown_ms = sum(piece.end_ms - piece.begin_ms for piece in scale.pieces if not piece.pause)
    step = next((size for size in _STEPS if size * _TICKS >= shown_ms), _STEPS[-1])
    ticks: list[Tick] = []
    for piece in scale.pieces:
        if piece.pause:
            continue
        after_ms = -(-(piece.begin_ms - scale.begin_ms) // step) * step
        while after_ms <= piece.end_ms - scale.begin_ms and len(ticks) < 4 * _TICKS:
            x = scale.x(scale.begin_ms + after_ms)
            if x < _LAST_TICK and (not ticks or x - ticks[-1].x >= _TICK_ROOM):
                ticks.append(Tick(x=x, after_ms=after_ms))
            after_ms += step
    return tuple(ticks)


def clock(ms: int) -> str:
    """Return the time of day in UTC, with milliseconds: ``19:24:20.781``."""
    return moment(ms)[11:23]


def moment(ms: int) -> str:
    """Return a moment in UTC as ISO 8601 has it; ``–`` if no calendar does.

    Args:
        ms: in Unix ms.
    """
    try:
        return (_EPOCH + timedelta(milliseconds=ms)).isoformat(timespec="milliseconds") + "Z"
    except OverflowError:
        return "–"


def spoken(ms: int) -> str:
    """Return a moment in UTC to the second: ``2026-11-30 19:24:20``."""
    return moment(ms)[:19].replace("T", " ")


def _laid_out(whole: Interval, pauses: Sequence[Interval]) -> Scale:
    shown = without((whole,), pauses)
    stretches = sorted([*[(*each, False) for each in shown], *[(*each, True) for each in pauses]])
    pause_width = min(_PAUSE_WIDTH, _PAUSES_WIDTH // max(1, len(pauses)))
    room = WIDTH - pause_width * len(pauses)
    shown_ms, taken_ms, paused = length(shown), 0, 0
    pieces = []
    for begin_ms, end_ms, pause in stretches:
        begin_x = taken_ms * room // shown_ms + paused * pause_width
        taken_ms += 0 if pause else end_ms - begin_ms
        paused += pause
        end_x = taken_ms * room // shown_ms + paused * pause_width
        pieces.append(
            Piece(begin_ms=begin_ms, end_ms=end_ms, begin_x=begin_x, end_x=end_x, pause=pause)
        )
    return Scale(pieces=tuple(pieces))
