"""What is measured of other agents' files is like what they wrote, over and over."""

import json

import pytest
from benchmarks.sources import RECORDED, lines_like

from refold.sources.registry import detect, source_named
from refold.sources.source import Record


@pytest.mark.parametrize("name", RECORDED)
def test_lines_are_of_their_format_and_the_same_every_time(name):
    lines = lines_like(name, 1)
    assert lines == lines_like(name, 1)
    assert detect([json.loads(each) for each in lines[:32]]).name == name


@pytest.mark.parametrize("name", RECORDED)
def test_a_second_copy_says_about_as_much_as_the_first(name):
    once = lines_like(name, 1)
    twice = lines_like(name, sum(map(len, once)) + 1)
    assert len(twice) == 2 * len(once)
    assert len(messages(name, twice)) > 1.7 * len(messages(name, once))


def messages(name, lines):
    source = source_named(name)
    state, said = source.start(), []
    for number, line in enumerate(lines, 1):
        state, more = source.step(state, Record(value=json.loads(line), line=number), None)
        said += more
    return [*said, *source.finish(state)]
