from __future__ import annotations

import pytest

from refold.messages import Abort, ImageUrl, Notice, Text
from tests.sources.claude_stream_json.strategies import (
    assistant,
    fold,
    payloads_of,
    result,
    run,
    system,
    text,
    tool_result,
    tool_use,
    user,
)

WORKING = assistant("m", text("Working."))


def kinds(values: list[dict[str, object]]) -> list[str]:
    return [each.kind for each in fold(values).items]


@pytest.mark.parametrize("lane", ["out", None])
def test_a_prompt_starts_a_task(lane: str | None) -> None:
    assert payloads_of([user("list files")], lane) == [Text(role="user", text="list files")]


def test_the_texts_of_one_prompt_are_one_text() -> None:
    assert payloads_of([user([text("a"), text("b")])]) == [Text(role="user", text="a\nb")]


def test_an_image_of_a_prompt_is_shown() -> None:
    image = {
        "type": "image",
        "source": {"type": "base64", "media_type": "image/png", "data": "aGk="},
    }

    assert payloads_of([user([image, text("what is it?")])]) == [
        ImageUrl(role="user", image_url="data:image/png;base64,aGk="),
        Text(role="user", text="what is it?"),
    ]


def test_what_is_sent_while_the_model_works_is_steering() -> None:
    values = [user("a"), WORKING, user("faster"), assistant("m", text("Done."))]

    assert kinds(values) == ["user_text", "assistant_text", "user_steering", "assistant_text"]


@pytest.mark.parametrize("end", [result(), system("init")])
def test_behind_a_result_or_another_init_it_is_a_prompt(end: dict[str, object]) -> None:
    assert kinds([user("a"), WORKING, end, user("b")])[-1] == "user_text"


def test_a_prompt_that_comes_back_is_shown_once() -> None:
    values = [user("a"), user("a", uuid="u", session_id="s", isReplay=True), WORKING]

    assert kinds(values) == ["user_text", "assistant_text"]


def test_a_prompt_that_comes_back_without_having_been_seen_is_shown() -> None:
    assert kinds([user("a", uuid="u", isReplay=True), WORKING]) == ["user_text", "assistant_text"]


def test_the_same_prompt_twice_is_two_prompts() -> None:
    assert kinds([user("ok"), result(), user("ok"), result()]) == ["user_text", "user_text"]


def test_equal_prompts_that_come_back_are_shown_as_often_as_they_were_sent() -> None:
    echo = {"isReplay": True, "session_id": "s"}
    values = [
        user("ok"),
        user("ok"),
        user("ok", uuid="u1", **echo),
        user("ok", uuid="u2", **echo),
        user("ok", uuid="u3", **echo),
    ]

    assert kinds(values) == ["user_text"] * 3


def test_steering_that_comes_back_is_shown_once() -> None:
    values = [user("a"), WORKING, user("b"), user("b", uuid="u", isReplay=True)]

    assert kinds(values) == ["user_text", "assistant_text", "user_steering"]


@pytest.mark.parametrize(
    "fields", [{"isSynthetic": True}, {"isMeta": True}, {"tool_use_result": {"matches": []}}]
)
def test_what_the_client_wrote_itself_shows_nothing(fields: dict[str, object]) -> None:
    messages, counts = run([user([text("Tool loaded.")], **fields)])

    assert messages == []
    assert counts == {"synthetic user text": 1}


def test_a_summary_of_the_conversation_is_passed_on_as_one() -> None:
    values = [user("We did things.", isCompactSummary=True, isSynthetic=True)]

    assert payloads_of(values) == [
        Text(role="user", text="[context_summary]\nWe did things.", sender="harness")
    ]
    assert kinds(values) == []


def test_the_first_text_of_a_nested_session_is_its_prompt_from_the_parent() -> None:
    values = [
        assistant("m", tool_use("t", "Agent")),
        user([text("Look.")], parent_tool_use_id="t", isSynthetic=True),
        user([text("More.")], parent_tool_use_id="t", isSynthetic=True),
    ]

    assert [each for each in payloads_of(values) if isinstance(each, Text)] == [
        Text(role="user", text="Look.", sender="parent_agent")
    ]


def test_the_marker_of_an_interrupt_is_the_abort_and_the_result_is_not_another() -> None:
    values = [
        user("a"),
        WORKING,
        user([text("[Request interrupted by user]")]),
        result(subtype="error_during_execution", is_error=True),
    ]

    assert [each for each in payloads_of(values) if isinstance(each, Abort)] == [
        Abort(reason="user_interrupt")
    ]


def test_a_report_of_a_background_task_is_a_notice() -> None:
    report = "<task-notification><summary>Tests done</summary></task-notification>"
    notice = payloads_of([user(report)])[0]

    assert isinstance(notice, Notice)
    assert (notice.name, notice.text) == ("task_notification", "Tests done")


def test_results_come_in_front_of_the_text_of_their_record() -> None:
    content = [
        text("and now this"),
        {"type": "tool_result", "tool_use_id": "t", "content": "ok"},
    ]
    shown = [each.kind for each in payloads_of([assistant("m", tool_use("t")), user(content)])]

    assert shown[-2:] == ["tool_call_output", "text"]


def test_a_record_without_content_says_nothing() -> None:
    assert run([user([]), user(None), {"type": "user"}]) == ([], {})


def test_what_a_user_block_nobody_knows_holds_is_counted() -> None:
    assert run([user([{"type": "hologram"}])]) == ([], {"unknown": 1})


def test_a_tool_result_is_no_prompt() -> None:
    assert kinds([assistant("m", tool_use("t")), tool_result("t")]) == ["tool_call"]
