"""Awkward texts, ids, turns and items for the policies.

Rules of this file: awkward values first; a history or a list of items is anything at all, a
disciplined one is what a well-behaved engine records.
"""

from __future__ import annotations

from hypothesis import strategies as st

from refold.items import (
    AbortItem,
    AssistantTextItem,
    CompactionItem,
    Item,
    McpConnectItem,
    NoticeItem,
    ReconnectItem,
    SubagentItem,
    TaskStatsItem,
    ThinkingItem,
    ToolCallItem,
    UserImageItem,
    UserSteeringItem,
    UserTextItem,
)
from refold.policies.history import (
    AssistantTurn,
    Call,
    Image,
    PlainText,
    ToolResult,
    UserTurn,
)

PIXEL = "data:image/png;base64,iVBORw0KGgo="

texts = st.one_of(
    st.sampled_from(
        ["", " ", "\x1c", "\ufeff", "hi", "\ud83d\ude00", "\ud83d", "é😀\udc00", "x\n "]
    ),
    st.text(st.sampled_from("aé模😀\ud800\udc00 \n{}")),
    st.text(max_size=8),
)
call_ids = st.one_of(
    st.sampled_from(["", "a", "b", "a_2", "a_3", "a b", "é", "x" * 40, "x" * 41, "call_1"]),
    st.text(max_size=4),
)
names = st.sampled_from(["", "run", "fs__read", "naïve tool", "n" * 70])
arguments = st.one_of(
    st.sampled_from(
        [
            "",
            "{}",
            "null",
            "[]",
            '{"a": 1}',
            '{"a":1e999}',
            '{"a":NaN}',
            '{"a":"\\ud800"}',
            '{"\ud800":1}',
            "{" + '"a":{' * 200 + "}" * 201,
            '{"a":' * 200 + "1" + "}" * 200,
            "[" * 100_000,
            '{"torn": "te',
            '{"n":' + "9" * 5000 + "}",
        ]
    ),
    texts,
)
urls = st.sampled_from(
    [
        PIXEL,
        "data:image/jpg;base64,aaaa",
        "data:image/webp;charset=x;base64,aaaa",
        "data:image/bmp;base64,aaaa",
        "data:image/png;base64,aaa",
        "data:image/png;base64,",
        "data:image/png,raw",
        "data:",
        "https://example.org/a.png",
        "http://exa mple.org/a.png",
        "file:///etc/passwd",
        "\ud800",
        "",
    ]
)

parts = st.lists(st.builds(PlainText, text=texts) | st.builds(Image, url=urls), max_size=3).map(
    tuple
)
calls = st.builds(Call, call_id=call_ids, name=names, arguments=arguments)
user_turns = st.builds(
    UserTurn,
    parts=st.tuples(st.builds(PlainText, text=texts)) | parts.filter(bool),
    purpose=st.sampled_from(["prompt", "steering", "summary"]),
)
assistant_turns = st.builds(AssistantTurn, text=texts, calls=st.lists(calls, max_size=3).map(tuple))
tool_results = st.builds(ToolResult, call_id=call_ids, parts=parts, is_error=st.booleans())
histories = st.lists(user_turns | assistant_turns | tool_results, max_size=12).map(tuple)

times = st.none() | st.integers(0, 20)
stop_reasons = st.sampled_from([None, "completed", "aborted", "failed", "timeout", "new"])
cards = st.builds(
    ToolCallItem,
    key=st.just("tool_call:x"),
    tool_call_id=call_ids,
    name=names,
    arguments_text=arguments,
    call_complete=st.sampled_from([True, True, False]),
    call_stop_reason=stop_reasons,
    output=texts,
    images=st.none() | st.lists(urls, max_size=2).map(tuple),
    output_complete=st.booleans(),
    output_stop_reason=stop_reasons,
    decision=st.sampled_from([None, "allow", "deny", "forbidden"]),
    arg_started_at_ms=times,
    call_started_at_ms=times,
    approval_at_ms=times,
    duration_ms=times,
)
said = st.builds(
    AssistantTextItem,
    key=st.sampled_from(["assistant_text:1", "assistant_text:2~1"]),
    text=texts.filter(bool),
    streaming=st.sampled_from([False, False, True]),
    stop_reason=stop_reasons,
)
compactions = st.builds(
    CompactionItem,
    key=st.just("compaction:1"),
    reason=st.just("context"),
    mode=st.sampled_from(["summarize", "discard"]),
    running=st.booleans(),
    status=st.sampled_from([None, "completed", "failed", "aborted"]),
    summary_text=st.none() | texts | st.just("[summary]so far[/summary]"),
)
prompts = st.builds(UserTextItem, key=st.just("user_text:1"), text=texts)
pictures = st.builds(UserImageItem, key=st.just("user_image:1"), image_url=urls)
steerings = st.builds(
    UserSteeringItem,
    key=st.just("user_steering:1"),
    text=texts,
    images=st.none() | st.lists(urls, max_size=2).map(tuple),
)
unsaid = st.sampled_from(
    [
        ThinkingItem(key="thinking:1", thinking="hm"),
        SubagentItem(key="subagent:s", session_id="s"),
        AbortItem(key="abort:1", reason="aborted by user"),
        AbortItem(key="abort:2", reason="refusal"),
        ReconnectItem(key="reconnect:1", status="failed", attempt=1),
        McpConnectItem(key="mcp_connect:1", servers=("fs",)),
        NoticeItem(key="notice:1", name="slash_command", text="/clear"),
        NoticeItem(key="notice:2", name="refusal"),
        NoticeItem(key="notice:3", name="refusal", text="I won't."),
        TaskStatsItem(key="task_stats:1"),
    ]
)
items: st.SearchStrategy[Item] = st.one_of(
    prompts, pictures, steerings, said, cards, cards, compactions, unsaid
)
item_lists = st.lists(items, max_size=14).map(tuple)
