"""One pass: the session and the analysis are those of the stream, and messages lead to items."""

from __future__ import annotations

from hypothesis import given, settings

from refold.analysis import analyse, price_table
from refold.folding import finalize, replay
from refold.messages import MAX_HOPS, Message, Subagent
from refold.render.report.subject import subject_of, written_in
from refold.session import Session
from tests.analysis.streams import (
    GOLDEN,
    at,
    call,
    golden_stream,
    meta,
    output,
    request_begin,
    request_end,
    said,
    usage,
    user,
)
from tests.strategies import any_streams

PRICES = price_table({"*": {"output": 1}})


def tree(session: Session) -> list[Session]:
    return [session, *[each for child in session.subagents.values() for each in tree(child)]]


@settings(max_examples=60)
@given(any_streams())
def test_a_subject_is_the_session_and_the_analysis_of_its_stream(stream: list[Message]) -> None:
    subject = subject_of(stream, prices=PRICES)
    folded = finalize(replay(stream, now_ms=0))
    assert subject.sessions[0].items == folded.items
    assert subject.analysis == analyse(stream, prices=PRICES)
    assert len(subject.sessions) == len(subject.analysis.sessions) == len(tree(folded))
    for (parent, name), place in subject.children.items():
        assert subject.analysis.sessions[place].parent == parent
        assert subject.analysis.sessions[place].session_id == name
        assert subject.sessions[place] is subject.sessions[parent].subagents[name]


@settings(max_examples=60)
@given(any_streams())
def test_every_message_leads_to_an_item_there_is(stream: list[Message]) -> None:
    subject = subject_of(stream)
    for place, session in enumerate(subject.sessions):
        keys = {item.key for item in session.items}
        assert {key for _, key in subject.trails[place]} <= keys
        ordinals = [ordinal for ordinal, _ in subject.trails[place]]
        assert ordinals == sorted(ordinals)


def test_messages_lead_to_what_they_placed_or_else_to_what_was_placed_before() -> None:
    stream = [
        at(0, meta()),
        at(1, user()),
        at(2, request_begin()),
        at(3, said()),
        at(4, call("a b")),
        at(5, request_end()),
        at(6, usage(0, 1, 2, 3)),
        at(7, output("a b")),
    ]
    subject = subject_of(stream)
    found = [subject.place_of(0, ordinal) for ordinal in range(8)]
    assert found == [None, *["user_text:1"] * 2, "assistant_text:1", *["tool_call:a%20b"] * 4]
    assert subject.places_of(0, [0, 1, 2, 3]) == ("user_text:1", "assistant_text:1")


def test_messages_of_nested_sessions_lead_into_them() -> None:
    stream = [at(0, user()), at(1, Subagent(session_id="c")), at(2, said(), "c")]
    subject = subject_of(stream)
    assert subject.place_of(1, 2) == "s1/assistant_text:1"


def test_each_request_knows_what_it_wrote() -> None:
    main = analyse(golden_stream("parallel_tools")).main
    assert {place: len(each) for place, each in written_in(main).items()} == {0: 4, 1: 1, 2: 1}


def test_sessions_nest_as_deep_as_the_reducer_lets_them() -> None:
    deep, too_deep = at(0, said(), *["c"] * MAX_HOPS), at(1, said(), *["c"] * (MAX_HOPS + 1))
    subject = subject_of([deep, too_deep])
    assert [len(session.items) for session in subject.sessions] == [1] * (MAX_HOPS + 1)
    assert subject.analysis.messages == 1


def test_golden_streams_lead_each_task_to_its_user_s_text() -> None:
    for name in GOLDEN:
        subject = subject_of(golden_stream(name))
        for task in subject.analysis.main.tasks:
            kind = "compaction" if task.compaction else "user_text"
            assert (subject.place_of(0, task.ordinal) or "").startswith(f"{kind}:")
