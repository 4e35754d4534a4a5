"""The stats table: what it says, how it fits, and that hostile text is harmless in it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refold.analysis import analyse, price_table
from refold.analysis.summary import Summary, merged_summaries, summary_of
from refold.messages import Message
from refold.render.sections import Head, Section
from refold.render.stats_table import sections_of
from refold.render.text_tables import fitted, plain_text, rich_text
from tests.analysis.streams import at, call, golden_stream, output, request_begin, request_end, user
from tests.strategies import chaotic_streams, disciplined_streams

PRICES = price_table(
    {"deepseek-v4-flash": {"cache_read": "0.028", "cache_write": "0.28", "output": "0.42"}}
)

PARALLEL = """\
Totals
------
traces            1  26 messages
sessions          1  0 nested
tasks             1
elapsed      466 ms  task by task, pauses between left out
requests          3
tool calls        4
tokens        4,533  600 cached in, 3,750 new in, 183 out
cache hits   13.8 %  of input tokens
output      7,957/s  in 23 ms of model time
cost        $0.0011

Where the time went
-------------------
                       time   share
model                 23 ms   4.9 %  █
tools                461 ms  98.9 %  ██████████████████████████████  587 ms one after another
waiting for a human    1 ms   0.2 %  █
idle                   3 ms   0.6 %  █                               neither model nor tool
Shares are of the time elapsed; model and tools overlap, so they may exceed it.

Tasks
-----
#  task                      elapsed  model   tools  waiting  idle  tokens  cached      out     cost
1  [[script:parallel]] run…   466 ms  23 ms  461 ms     1 ms  3 ms   4,533  13.8 %  7,957/s  $0.0011

Slowest tool calls
------------------
tool             ran  waited  ended                       task  call
exec_command  460 ms    1 ms  completed  ███████████████     1  call_p1
exec_command   66 ms          completed  ██                  1  call_p2
exec_command   60 ms          failed     ██                  1  call_p3
read_file       1 ms          failed     █                   1  call_p4

Tools
-----
tool          calls  failed     ran    mean  longest
exec_command      3       1  586 ms  195 ms   460 ms
read_file         1       1    1 ms    1 ms     1 ms

Tokens by model
---------------
model              cached in  new in  out  total  cached
deepseek-v4-flash        600   3,750  183  4,533  13.8 %
"""


def _summary(messages: Iterable[Message], file: str = "trace") -> Summary:
    return summary_of(analyse(messages, prices=PRICES), file=file)


def test_one_trace_reads_like_this() -> None:
    assert plain_text(sections_of(_summary(golden_stream("parallel_tools"))), width=100) == PARALLEL


def test_a_trace_with_nested_sessions_shows_their_tree() -> None:
    sections = sections_of(_summary(golden_stream("two_parallel_subagents_live")))
    (tree,) = [section for section in sections if section.title == "Sessions"]
    names = [row[0] for row in tree.rows]
    assert names[0] == "(main)"
    assert all(name.startswith("  session-") for name in names[1:])
    assert [row[-3:] for row in tree.rows] == [
        ("7,713", "12.2 %", "$0.0013+"),
        ("2,571", "12.2 %", "$0.00066"),
        ("2,571", "12.2 %", "$0.00066"),
    ]


def test_many_traces_show_the_longest_of_each_and_where_they_are() -> None:
    names = ["parallel_tools", "forbidden_call", "abort_during_a_tool"]
    summary = merged_summaries(_summary(golden_stream(name), file=name) for name in names)
    sections = {section.title: section for section in sections_of(summary)}
    assert [row[0] for row in sections["Longest traces of 3"].rows] == names
    assert [row[:3] for row in sections["Longest tasks"].rows] == [
        ("parallel_tools", "1", "[[script:parallel]] run three commands"),
        ("forbidden_call", "1", "[[script:deny]] clean up"),
        ("abort_during_a_tool", "1", "[[script:abort]] run the long thing"),
        ("abort_during_a_tool", "2", "[[script:abort]] go on"),
    ]
    assert sections["Totals"].rows[0] == ("traces", "3", "58 messages")


def test_a_trace_without_prices_has_no_cost_column() -> None:
    summary = summary_of(analyse(golden_stream("parallel_tools")))
    assert "cost" not in plain_text(sections_of(summary), width=100)


def test_nothing_at_all_still_has_totals() -> None:
    assert [section.title for section in sections_of(_summary([]))] == ["Totals"]
    assert [section.title for section in sections_of(Summary())] == ["Totals"]


def test_what_needs_a_look_is_in_sections_of_its_own() -> None:
    sections = sections_of(
        _summary(
            [
                at(0, user()),
                at(0, request_begin()),
                *golden_stream("compaction_inside_a_task")[1:],
            ]
        )
    )
    task_names = [
        row[1] for section in sections if section.title == "Tasks" for row in section.rows
    ]
    assert "[compaction, context: completed]" in task_names


HOSTILE = "a\x1b[31mred\x07\u202eb\u2066c\r\nd\x9b2J\ud800"


@pytest.mark.parametrize("render", [plain_text, rich_text])
def test_text_of_a_trace_is_harmless(render: object) -> None:
    messages = [
        at(0, user(HOSTILE)),
        at(0, call(HOSTILE, name=HOSTILE)),
        at(9, output(HOSTILE, stop_reason=HOSTILE)),
    ]
    assert callable(render)
    text = render(sections_of(_summary(messages, file=HOSTILE)), width=200)
    seen = re.sub(r"\x1b\[[0-9;]*m", "", text) if render is rich_text else text
    for line in seen.split("\n"):
        assert not any(unicodedata.category(each) in ("Cc", "Cf", "Cs") for each in line)
    assert "a·[31mred··b·c··d·2J·" in seen


streams = st.one_of(disciplined_streams(), chaotic_streams(max_size=40))


@settings(max_examples=25)
@given(st.lists(streams, min_size=1, max_size=3), st.integers(60, 200))
def test_rich_and_plain_say_the_same(many: list[list[Message]], width: int) -> None:
    sections = sections_of(merged_summaries(_summary(messages) for messages in many))
    coloured = re.sub(r"\x1b\[[0-9;]*m", "", rich_text(sections, width=max(width, 120)))
    plain = plain_text(sections, width=max(width, 120))
    ruled = {section.title for section in sections}
    lines = [line.rstrip() for line in plain.split("\n")]
    without_rules = [
        line for before, line in zip(["", *lines], lines, strict=False) if before not in ruled
    ]
    assert [line.rstrip() for line in coloured.split("\n")] == without_rules


@settings(max_examples=25)
@given(st.lists(streams, min_size=2, max_size=3), st.data())
def test_summaries_merge_the_same_in_any_grouping(
    many: list[list[Message]], data: st.DataObject
) -> None:
    parts = [_summary(messages, file=str(n)) for n, messages in enumerate(many)]
    cut = data.draw(st.integers(0, len(parts)))
    grouped = [merged_summaries(parts[:cut]), merged_summaries(parts[cut:])]
    assert merged_summaries(grouped) == merged_summaries(parts)


def test_a_narrow_table_leaves_spare_columns_out_first() -> None:
    section = Section(
        title="t",
        heads=(
            Head(title="name", align="left", elastic=True),
            Head(title="kept"),
            Head(title="second", spare=1),
            Head(title="first", spare=2),
        ),
        rows=(("x" * 60, "1", "2", "3"),),
    )
    assert [head.title for head in fitted(section, 100).heads] == [
        "name",
        "kept",
        "second",
        "first",
    ]
    assert [head.title for head in fitted(section, 40).heads] == ["name", "kept", "second"]
    assert [head.title for head in fitted(section, 20).heads] == ["name", "kept"]
    assert plain_text([section], width=20).split("\n")[2:4] == [
        "name            kept",
        "xxxxxxxxxxxxx…     1",
    ]


def test_wide_characters_take_two_columns() -> None:
    section = Section(
        title="t",
        heads=(Head(title="名", align="left", elastic=True), Head(title="n")),
        rows=(("模型模型模型模型", "1"), ("ab", "2")),
    )
    assert plain_text([section], width=14).split("\n")[2:] == [
        "名           n",
        "模型模型模…  1",
        "ab           2",
        "",
    ]


def test_time_of_which_nobody_knows_is_not_called_idle() -> None:
    timed = [at(0, user()), at(0, request_begin()), at(100, request_end())]
    untimed = [at(0, user()), at(70, call("c")), at(80, output("c"))]
    summaries = [summary_of(analyse(each)) for each in (timed, untimed)]
    (section,) = [
        each
        for each in sections_of(merged_summaries(summaries))
        if each.title == "Where the time went"
    ]
    assert [(row[0], row[1], row[4]) for row in section.rows] == [
        ("model", "100 ms", ""),
        ("tools", "10 ms", ""),
        ("waiting for a human", "0 ms", ""),
        ("idle", "0 ms", "neither model nor tool"),
        ("not known", "70 ms", "the trace doesn't tell when the model was asked"),
    ]
    assert len(section.bars) == len(section.rows)
