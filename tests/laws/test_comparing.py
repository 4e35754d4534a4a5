"""What is left out where two views can't be told apart by it."""

from __future__ import annotations

from refold.laws.comparing import confirmed, timeless
from tests.notation import CB, CE, C, K, O, T, U, X, fold, later, of, pC, pK, pO, pT


def _keys(*payloads: object) -> list[str]:
    return [item["key"] for item in confirmed(fold(*payloads))["items"]]


def test_what_no_complete_and_no_event_placed_is_left_out() -> None:
    assert _keys(U("q"), pT("start", "open")) == ["user_text:1"]
    assert _keys(U("q"), pT("start", "pending"), pT("stop")) == ["user_text:1"]
    assert _keys(U("q"), pT("start", "early"), X()) == ["user_text:1", "abort:1"]
    assert _keys(U("q"), pC("1", "start"), pK("start")) == ["user_text:1"]


def test_what_is_placed_stays() -> None:
    assert _keys(U("q"), T("a"), K("b"), C("1"), O("2")) == [
        "user_text:1",
        "assistant_text:1",
        "thinking:1",
        "tool_call:1",
        "tool_call:2",
        "task_stats:1",
    ]


def test_of_a_card_the_unfinished_parts_are_left_out() -> None:
    (card,) = confirmed(fold(C("1"), pO("1", "start", "x")))["items"]
    assert "output" not in card
    assert card["arguments_text"] == "{}"
    (card,) = confirmed(fold(pC("1", "start", "{"), O("1", "x", "completed")))["items"]
    assert "arguments_text" not in card
    assert card["output"] == "x"


def test_a_summary_is_left_out() -> None:
    assert "summary_text" not in confirmed(fold(CB, T("s"), CE()))["items"][0]


def test_a_nested_session_that_is_not_bound_is_left_out() -> None:
    view = confirmed(fold(of("c", pT("start")), of("d", T("a"))))
    assert list(view["subagents"]) == ["d"]
    assert [item["key"] for item in view["items"]] == ["subagent:d"]
    assert "last_activity_ts_ms" not in view["subagents"]["d"]


def test_without_times_of_beginnings_the_rest_stays() -> None:
    view = timeless(confirmed(fold(U("q"), C("1"), later(5, O("1")), of("c", K("x")), K("y"))))
    (_, card, _, thinking) = view["items"]
    assert not {"arg_started_at_ms", "duration_ms"} & set(card)
    assert card["call_started_at_ms"] > 0
    assert set(thinking) == {"kind", "key", "thinking", "streaming"}
    assert set(view["subagents"]["c"]["items"][0]) == {"kind", "key", "thinking", "streaming"}
