"""Which items still stand."""

from __future__ import annotations

import pytest

from refold.items import (
    AbortItem,
    AssistantTextItem,
    CompactionItem,
    Item,
    NoticeItem,
    TaskStatsItem,
    UserImageItem,
    UserSteeringItem,
    UserTextItem,
)
from refold.policies.projection.standing import replacing_summary, standing

OLD, NEW = UserTextItem(key="user_text:1", text="old"), UserTextItem(key="user_text:2", text="new")
PICTURE = UserImageItem(key="user_image:1", image_url="data:,")
STEERED = UserSteeringItem(key="user_steering:1", text="faster")
REPLY = AssistantTextItem(key="assistant_text:1", text="reply")
STATS = TaskStatsItem(key="task_stats:1")
REFUSED = NoticeItem(key="notice:1", name="refusal")
SAID_NO = NoticeItem(key="notice:1", name="refusal", text="I can't help with that.")
ABORT_REFUSED = AbortItem(key="abort:1", reason="refusal")
ABORTED = AbortItem(key="abort:1", reason="aborted by user")


def compaction(mode: str, status: str | None, text: str | None = None) -> CompactionItem:
    return CompactionItem(
        key="compaction:1",
        reason="context",
        mode=mode,
        running=status is None,
        status=status,
        summary_text=text,
    )


SUMMED = compaction("summarize", "completed", "so far")
UNKNOWN = compaction("summarize", "completed")
FAILED = compaction("summarize", "failed")
RUNNING = compaction("summarize", None, "so f")
DISCARDED = compaction("discard", "completed")
HALF_DISCARDED = compaction("discard", "aborted")

CASES: dict[str, tuple[list[Item], list[Item]]] = {
    "a summary stands for everything in front of it": (
        [OLD, REPLY, SUMMED, NEW],
        [SUMMED, NEW],
    ),
    "a failed compaction takes nothing away": ([OLD, FAILED, NEW], [OLD, FAILED, NEW]),
    "nor does a running one": ([OLD, RUNNING], [OLD, RUNNING]),
    "nor one whose summary nobody knows": ([OLD, UNKNOWN], [OLD, UNKNOWN]),
    "nor a discard that came to nothing": ([OLD, HALF_DISCARDED], [OLD, HALF_DISCARDED]),
    "a discard between tasks leaves nothing": (
        [OLD, REPLY, STATS, DISCARDED, NEW],
        [DISCARDED, NEW],
    ),
    "a discard within a task leaves its prompt": (
        [OLD, STATS, NEW, PICTURE, REPLY, STEERED, DISCARDED],
        [NEW, PICTURE, DISCARDED],
    ),
    "a discard with no prompt leaves nothing": ([REPLY, DISCARDED], [DISCARDED]),
    "a refusal takes its prompt and all behind it": (
        [OLD, REPLY, STATS, NEW, PICTURE, REPLY, REFUSED],
        [OLD, REPLY, STATS, REFUSED],
    ),
    "as an abort's reason too": ([OLD, ABORTED, NEW, ABORT_REFUSED], [OLD, ABORTED, ABORT_REFUSED]),
    "a refusal told twice is one": (
        [OLD, REPLY, NEW, ABORT_REFUSED, REFUSED],
        [OLD, REPLY, ABORT_REFUSED, REFUSED],
    ),
    "steering is no prompt": ([OLD, STEERED, REPLY, REFUSED], [REFUSED]),
    "a refusal whose prompt isn't there takes nothing": ([REPLY, REFUSED], [REPLY, REFUSED]),
    "a refusal in words is a reply": ([OLD, SAID_NO], [OLD, SAID_NO]),
    "a refusal goes no further than a summary": ([OLD, SUMMED, REFUSED], [SUMMED, REFUSED]),
}


@pytest.mark.parametrize(("items", "left"), CASES.values(), ids=CASES)
def test_what_stands(items: list[Item], left: list[Item]) -> None:
    assert standing(items) == left


@pytest.mark.parametrize(
    ("item", "text"),
    [
        (SUMMED, "so far"),
        (compaction("summarize", "completed", "[summary]so\nfar[/summary]\n"), "so\nfar"),
        (compaction("summarize", "completed", "a [summary]b[/summary]"), "a [summary]b[/summary]"),
        (compaction("summarize", "completed", " "), None),
        (compaction("summarize", "completed", "[summary] [/summary]"), None),
        (compaction("discard", "completed", "text"), None),
        (UNKNOWN, None),
        (FAILED, None),
        (RUNNING, None),
        (OLD, None),
    ],
)
def test_a_summary_replaces_only_when_it_is_done_and_says_something(
    item: Item, text: str | None
) -> None:
    assert replacing_summary(item) == text
