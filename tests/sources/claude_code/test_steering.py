"""A prompt typed while the model works is shown once, where it reached the model."""

from __future__ import annotations

from typing import Any

import pytest

from tests.sources.claude_code.transcripts import (
    Raw,
    assistant,
    attachment,
    call,
    kinds,
    payloads_of,
    result,
    text,
    user,
    view_of,
)

PICTURE = {"type": "image", "source": {"data": "AA==", "media_type": "image/png"}}


def queue(operation: str, content: Any = None, at: int = 0) -> Raw:
    record = {
        "type": "queue-operation",
        "operation": operation,
        "timestamp": f"2026-01-01T00:00:{at:02}.000Z",
    }
    return record if content is None else {**record, "content": content}


def queued(prompt: Any, uuid: str = "q", mode: str = "prompt") -> Raw:
    return attachment(uuid, type="queued_command", commandMode=mode, prompt=prompt)


def steerings(*records: Raw) -> list[str]:
    turn = [user("go"), assistant(call("t")), result("t")]
    view = view_of(*turn, *records, assistant(text("ok"), uuid="z", id="z"))
    return [item["text"] for item in view["items"] if item["kind"] == "user_steering"]


def test_an_attached_prompt_steers_the_running_task() -> None:
    view = view_of(user("go"), assistant(call("t")), result("t"), queued("also this"))
    assert kinds(view) == ["user_text", "tool_call", "user_steering"]
    assert view["items"][-1]["text"] == "also this"


def test_its_images_join_it_even_if_they_came_first() -> None:
    view = view_of(user("go"), queued([PICTURE, text("see")]))
    assert view["items"][-1] == {
        "kind": "user_steering",
        "key": "user_steering:1",
        "text": "see",
        "images": ["data:image/png;base64,AA=="],
    }


def test_a_prompt_taken_out_of_the_queue_in_the_middle_of_a_turn_reached_the_model() -> None:
    assert steerings(queue("enqueue", "draft PR please"), queue("remove")) == ["draft PR please"]


@pytest.mark.parametrize(
    ("records", "shown"),
    [
        ([queue("enqueue", "a"), queue("dequeue")], []),
        ([queue("enqueue", "a"), queue("popAll"), queue("remove")], []),
        ([queue("remove")], []),
        ([queue("enqueue"), queue("remove")], []),
        (
            [queue("enqueue", "a"), queue("enqueue", "b"), queue("remove"), queue("remove")],
            ["a", "b"],
        ),
        ([queue("enqueue", "a"), queue("enqueue", "b"), queue("remove", "b")], ["b"]),
        ([queue("enqueue", "a"), queue("remove"), queued("a")], ["a"]),
        ([queue("enqueue", "a"), queued("a"), queue("remove")], ["a"]),
        ([queued("x"), queue("enqueue", "a"), queue("remove"), queued("a", "q2")], ["x", "a"]),
        ([queued("a", "q1"), queued("a", "q2")], ["a", "a"]),
        ([queued("a"), queued("a")], ["a"]),
        ([queue("enqueue", "a"), queue("remove")] * 2, ["a"]),
        ([queue("of next year", "a")], []),
    ],
)
def test_a_queued_prompt_is_shown_once_whatever_tells_of_it(
    records: list[Raw], shown: list[str]
) -> None:
    assert steerings(*records) == shown


def test_what_the_client_queued_itself_is_a_notice() -> None:
    notification = "<task-notification><summary>It ended</summary></task-notification>"
    said = payloads_of(queued(notification, mode="task-notification"))
    assert [(each.kind, each.text) for each in said] == [("notice", "It ended")]


def test_a_queue_that_only_grows_is_bounded() -> None:
    records = [queue("enqueue", f"p{each}", at=each % 60) for each in range(1000)]
    assert steerings(*records, queue("remove")) == ["p936"]
