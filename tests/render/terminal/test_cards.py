"""Tool cards: how it went at a glance, and in words where it isn't as usual."""

from __future__ import annotations

from typing import Any

import pytest

from refold.items import ToolCallItem
from refold.render.terminal.cards import card_lines, outcome
from refold.render.terminal.layout import Layout
from refold.render.terminal.lines import line
from tests.render.terminal.showing import seen

LAYOUT = Layout(width=60)
DONE: dict[str, Any] = {"call_complete": True, "output_complete": True}


def card(**fields: Any) -> ToolCallItem:
    return ToolCallItem(
        **{
            "key": "k",
            "tool_call_id": "1",
            "name": "Bash",
            "arguments_text": '{"cmd": "ls"}',
            **fields,
        }
    )


def shown(item: ToolCallItem, width: int = 60) -> list[str]:
    return seen(card_lines(item, Layout(width=width)))


def test_a_call_that_went_well_is_quiet() -> None:
    item = card(**DONE, output="a\nb\n", decision="allow", duration_ms=1234)
    assert shown(item) == [
        "● Bash  ls                                   allowed · 1.2 s",
        "  └ a",
        "    b",
    ]


@pytest.mark.parametrize(
    ("fields", "tone", "said"),
    [
        ({**DONE}, "good", ""),
        ({**DONE, "decision": "deny"}, "bad", "denied"),
        ({**DONE, "decision": "forbidden"}, "bad", "forbidden"),
        ({**DONE, "decision": "m\x1baybe"}, "good", "m␛aybe"),
        ({**DONE, "output_stop_reason": "failed"}, "bad", "failed"),
        (
            {**DONE, "call_stop_reason": "timeout", "output_stop_reason": "timeout"},
            "bad",
            "timeout",
        ),
        ({"call_streaming": True}, "waiting", "calling…"),
        ({}, "waiting", "not called yet"),
        ({"call_complete": True}, "waiting", "running…"),
        ({"call_complete": True, "decision": "allow"}, "waiting", "allowed · running…"),
    ],
)
def test_the_bullet_and_the_remarks_say_how_it_went(
    fields: dict[str, Any], tone: str, said: str
) -> None:
    item = card(**fields)
    title = shown(item)[0]
    assert outcome(item) == tone
    assert title[0] == ("○" if tone == "waiting" else "●")
    assert title[2:] == "Bash  ls" if not said else title.endswith(f"  {said}")


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, "never called"),
        ({"call_streaming": True}, "never called"),
        ({"call_complete": True}, "no output"),
        ({"call_complete": True, "decision": "allow"}, "allowed · no output"),
        ({**DONE, "output_stop_reason": "aborted"}, "aborted"),
    ],
)
def test_at_rest_nothing_runs(fields: dict[str, Any], said: str) -> None:
    title = seen(card_lines(card(**fields), Layout(width=60, at_rest=True)))[0]
    assert title.endswith(f"  {said}")


def test_no_output_is_said_of_what_ran_and_of_nothing_else() -> None:
    assert shown(card(**DONE))[1:] == ["  └ (no output)"]
    assert shown(card(**DONE, output_stop_reason="aborted"))[1:] == []
    assert shown(card(call_complete=True))[1:] == []


def test_a_long_output_is_its_beginning_and_its_end() -> None:
    output = "\n".join(map(str, range(100)))
    assert shown(card(**DONE, output=output))[1:] == [
        "  └ 0",
        *[f"    {n}" for n in range(1, 6)],
        "    … 91 more lines",
        *[f"    {n}" for n in range(97, 100)],
    ]


def test_images_stand_behind_the_output() -> None:
    item = card(**DONE, output="shot", images=("data:image/png;base64,AAAA",))
    assert shown(item)[1:] == ["  └ shot", "    [image image/png, 3 bytes]"]


def test_what_a_nested_session_did_stands_before_the_output() -> None:
    lines = card_lines(card(**DONE, output="done"), LAYOUT, [line("nested")])
    assert seen(lines)[1:] == ["  nested", "  └ done"]


def test_remarks_that_find_no_room_stand_below() -> None:
    item = card(**DONE, name="a_tool_with_a_long_name", decision="forbidden")
    assert shown(item, width=30)[:2] == ["● a_tool_with_a_long_name", "  forbidden"]


def test_an_output_without_a_call_has_a_card_without_a_name() -> None:
    assert (
        shown(card(name="", arguments_text="", **DONE, output="x"))[0]
        == "● (a call that isn't there)"
    )
