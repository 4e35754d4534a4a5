"""Calls become cards: merged from sparse updates, held until they have their input."""

from __future__ import annotations

import pytest

from refold.messages import (
    PartialToolCall,
    PartialToolCallOutput,
    Payload,
    ToolCall,
    ToolCallOutput,
)
from refold.sources.acp import SOURCE
from tests.sources.acp.wire import call, cancelled, change, ended, prompt, said, shown, update
from tests.sources.readings import counts_of, items, kinds, messages_of, view_of


def payloads(records: list[dict[str, object]], *, end: bool = False) -> list[Payload]:
    return [each.payload for each in messages_of(SOURCE, records, end=end)][1:]


def test_a_call_without_input_is_held_until_it_has_one() -> None:
    announced = call(status="pending", title="Read", rawInput={})
    told = change(rawInput={"path": "a"}, title="Read a")
    assert payloads([announced]) == [_partial("start", "Read", "{}")]
    assert payloads([announced, told])[1:] == [
        _partial("stop", "", ""),
        ToolCall(
            role="assistant",
            name="Read a",
            arguments='{"path":"a"}',
            tool_call_id="t",
            stop_reason="completed",
        ),
    ]


@pytest.mark.parametrize(
    "behind",
    [
        [said("text")],
        [call("other", status="in_progress")],
        [change(status="in_progress")],
        [change(content=shown("x"))],
        [change(status="failed")],
        [],
    ],
)
def test_a_held_call_is_out_with_whatever_shows_that_no_input_will_come(
    behind: list[dict[str, object]],
) -> None:
    view = view_of(SOURCE, [call(status="pending", title="Read"), *behind])
    first = view["items"][0]
    assert (first["kind"], first["name"], first["call_complete"]) == ("tool_call", "Read", True)


def test_updates_keep_what_they_do_not_say() -> None:
    records = [
        call(status="in_progress", title="Read a", kind="read", rawInput={"p": 1}),
        change(content=shown("x")),
        change(status="completed"),
    ]
    (card,) = items(view_of(SOURCE, records), "tool_call")
    assert (card["name"], card["arguments_text"], card["output"]) == ("Read a", '{"p":1}', "x")


def test_the_tools_own_name_comes_first_and_the_title_is_kept_beside_it() -> None:
    meta = {"claudeCode": {"toolName": "Read"}}
    made = payloads([call(status="in_progress", title="Read a.py", kind="read", _meta=meta)])[0]
    assert isinstance(made, ToolCall)
    assert made.name == "Read"
    assert made.fidelity is not None
    assert dict(made.fidelity) == {"title": "Read a.py", "kind": "read"}


def test_without_a_raw_input_the_files_it_is_about_stand_in_for_it() -> None:
    told = call(status="in_progress", title="a", kind="read", locations=[{"path": "/a"}, {}, 3])
    (card,) = items(view_of(SOURCE, [told]), "tool_call")
    assert card["arguments_text"] == '{"kind":"read","locations":["/a"]}'


def test_a_title_that_is_not_the_name_is_part_of_that() -> None:
    told = call(status="in_progress", name="exec_command", title="Read a")
    (card,) = items(view_of(SOURCE, [told]), "tool_call")
    assert (card["name"], card["arguments_text"]) == ("exec_command", '{"title":"Read a"}')


def test_content_is_a_snapshot_and_only_what_it_adds_is_streamed() -> None:
    records = [
        call(status="in_progress", title="run"),
        change(content=shown("one")),
        change(content=shown("one two")),
        change(content=shown("other")),
        change(status="completed", content=shown("at last")),
    ]
    assert payloads(records)[1:] == [
        _output("start", "one"),
        _output("delta", " two"),
        _output("stop", ""),
        ToolCallOutput(role="user", output="at last", tool_call_id="t", stop_reason="completed"),
    ]


def test_parts_of_content_are_added_by_chunks() -> None:
    def chunk(words: str) -> dict[str, object]:
        return update("tool_call_content_chunk", toolCallId="t", content=shown(words)[0])

    records = [call(status="in_progress", title="run"), chunk("one"), chunk("two")]
    assert payloads(records)[1:] == [_output("start", "one"), _output("delta", "\ntwo")]
    view = view_of(SOURCE, [*records, change(status="completed"), chunk("three")])
    assert items(view, "tool_call")[0]["output"] == "one\ntwo\nthree"


def test_an_output_that_changes_after_the_end_replaces_the_first() -> None:
    records = [
        call(status="completed", title="ls", content=[]),
        change(status="completed", rawOutput={"formatted_output": "a\n", "exit_code": 0}),
    ]
    (card,) = items(view_of(SOURCE, records), "tool_call")
    assert card["output"] == "a\n"


def test_what_a_call_puts_out_behind_its_turn_is_kept() -> None:
    records = [call(rawInput={"a": 1}), prompt("next"), change(content=shown("late"))]
    made = messages_of(SOURCE, records, end=True)
    outputs = [each.payload for each in made if isinstance(each.payload, ToolCallOutput)]
    assert [(each.output, each.stop_reason) for each in outputs] == [("late", "aborted")]


def test_an_id_announced_again_after_its_end_is_another_call() -> None:
    records = [
        call(status="completed", title="first"),
        call(status="in_progress", title="second"),
        change(status="failed"),
    ]
    cards = items(view_of(SOURCE, records), "tool_call")
    assert [(each["name"], each["output_stop_reason"]) for each in cards] == [
        ("first", "completed"),
        ("second", "failed"),
    ]


@pytest.mark.parametrize("status", [[], {}, 3, None])
def test_a_status_of_any_type_is_none(status: object) -> None:
    over = change(status="completed", content=shown("done"))
    records = [call(rawInput={"a": 1}), over, call(rawInput={"a": 2}, status=status)]
    assert len(items(view_of(SOURCE, records), "tool_call")) == 2


def test_parallel_calls_keep_the_order_of_their_announcement() -> None:
    records = [call(each, status="pending", title=each, rawInput={"n": 1}) for each in "abc"]
    records += [change(each, status="completed") for each in "cab"]
    assert [each["name"] for each in items(view_of(SOURCE, records), "tool_call")] == list("abc")


def test_an_error_in_the_raw_output_is_a_failure() -> None:
    view = view_of(SOURCE, [call(status="completed", rawOutput={"isError": True, "error": "no"})])
    (card,) = items(view, "tool_call")
    assert (card["output"], card["output_stop_reason"]) == ("no", "failed")


def test_a_failure_while_cancelling_is_an_abort() -> None:
    records = [prompt("go"), call(status="in_progress"), cancelled(), change(status="failed")]
    view = view_of(SOURCE, [*records, ended("cancelled")])
    assert items(view, "tool_call")[0]["output_stop_reason"] == "aborted"


def test_what_an_unfinished_call_had_put_out_is_kept() -> None:
    running = [call(status="in_progress", title="run"), change(content=shown("half"))]
    for behind in ([cancelled(), ended("cancelled")], [ended(), prompt("next", 2)], []):
        view = view_of(SOURCE, [prompt("go"), *running, *behind])
        (card,) = items(view, "tool_call")
        assert (card["output"], card["output_stop_reason"]) == ("half", "aborted")


def test_an_output_that_comes_after_the_turn_still_lands() -> None:
    records = [prompt("go"), call(status="in_progress", title="run"), ended()]
    view = view_of(SOURCE, [*records, change(status="completed", content=shown("late"))])
    (card,) = items(view, "tool_call")
    assert (card["output"], card["output_stop_reason"]) == ("late", "completed")


def test_output_of_an_unknown_call_fabricates_no_card() -> None:
    meta = {"terminal_output_delta": {"terminal_id": "x", "data": "…"}}
    records = [change("77", _meta=meta)] * 1000
    assert kinds(view_of(SOURCE, records)) == []
    assert counts_of(SOURCE, records) == {"update of an unknown call": 1000}


def _partial(event: str, name: str, arguments: str) -> PartialToolCall:
    return PartialToolCall(
        role="assistant", event_type=event, name=name, arguments=arguments, tool_call_id="t"
    )


def _output(event: str, words: str) -> PartialToolCallOutput:
    return PartialToolCallOutput(role="user", event_type=event, output=words, tool_call_id="t")
