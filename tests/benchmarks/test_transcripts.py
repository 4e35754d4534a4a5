"""The transcripts that are measured are like recorded ones, of any size."""

import json
from itertools import islice

from benchmarks.transcripts import SIZES, lines_of

from refold import finalize, replay
from refold.sources.claude_code import SOURCE
from refold.sources.source import Record

RECORDED = [
    size for each in json.loads(SIZES.read_text("utf-8")).values() for size in each["records"]
]
NARROWEST = 100


def test_a_transcript_is_the_same_every_time():
    assert list(lines_of(1)) == list(lines_of(1))


def test_a_record_is_about_as_long_as_the_recorded_one():
    lines = list(lines_of(1))
    assert len(lines) == len(RECORDED)
    for line, size in zip(lines, RECORDED, strict=True):
        assert abs(len(line) - size) <= max(NARROWEST, size / 10)
    assert abs(sum(map(len, lines)) / sum(RECORDED) - 1) < 0.02


def test_a_second_copy_shows_as_much_as_the_first():
    lines = list(islice(lines_of(2 * sum(RECORDED)), 2 * len(RECORDED)))
    once, twice = (len(view(lines[: count * len(RECORDED)]).items) for count in (1, 2))
    assert twice > 1.9 * once


def view(lines):
    state = SOURCE.start()
    messages = []
    for number, line in enumerate(lines, 1):
        state, more = SOURCE.step(state, Record(value=json.loads(line), line=number), None)
        messages += more
    return finalize(replay([*messages, *SOURCE.finish(state)], now_ms=0))
