"""Messages for properties: awkward values first, then streams an engine would send, then chaos.

``disciplined_streams`` keeps the discipline of protocol.md (start, deltas, stop, complete);
``chaotic_streams`` keeps none: any message, any order, few ids so that they collide.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from refold.json_values import JsonObject
from refold.messages import (
    Abort,
    ApprovalDecision,
    CompactionBegin,
    CompactionEnd,
    Fact,
    GoalFinished,
    ImageUrl,
    InlineData,
    InlineThinking,
    McpConnectBegin,
    McpConnectEnd,
    McpServerResult,
    Message,
    Notice,
    PartialText,
    PartialThinking,
    PartialToolCall,
    PartialToolCallOutput,
    RequestBegin,
    RequestEnd,
    SessionMeta,
    Subagent,
    Text,
    Thinking,
    TokenCounts,
    TokenUsage,
    ToolCall,
    ToolCallOutput,
    ToolDescription,
    ToolListReady,
    TracePosition,
    Transport,
    UnknownPayload,
)
from refold.times import format_ms

__all__ = [
    "chaotic_streams",
    "conversations",
    "disciplined_streams",
    "interleaved",
    "interrupted",
    "messages",
    "timed",
]

START_MS = 1_783_209_600_000

ids = st.sampled_from(["t1", "t2", "a#1", "%", ""])
origins = st.sampled_from([(), (), (), (), ("c1",), ("c1", "d1"), ("c2",), ("",)])
texts = st.sampled_from(
    [
        "a",
        "b",
        "ab",
        "",
        " \ufeff\n",
        "\x1c",
        "hello world",
        "\ud83d",
        "\ude00x",
        "\U0001f600",
        "x" * 200,
    ]
)
reasons = st.sampled_from([None, "completed", "completed", "failed", "aborted", "timeout", "odd"])
events = st.sampled_from(["start", "delta", "delta", "stop", "restart"])
counts = st.integers(0, 50)
images = st.sampled_from([None, (), ("data:image/png;base64,AA",), ("u1", "u2")])


def timestamps() -> st.SearchStrategy[str | None]:
    """Any of a few dozen moments, some out of order, some unreadable."""
    near = st.integers(0, 40).map(lambda tenths: format_ms(START_MS + tenths * 100))
    odd = st.sampled_from(
        [None, "yesterday", "2026-07-05", "2026-07-05T00:00:01+02:00", "2026-07-05T24:00:00Z"]
    )
    return st.one_of(near, near, near, odd)


def token_counts() -> st.SearchStrategy[TokenCounts]:
    """Small counts, whose total is the sender's own."""
    return st.builds(
        TokenCounts, cache_read=counts, cache_write=counts, output=counts, total=counts
    )


usages = st.builds(TokenUsage, session=token_counts(), request=token_counts())

user_texts = st.sampled_from(
    [
        "do it",
        "do it",
        "",
        "[user_steering]\nturn left\n[/user_steering]",
        "[user_steering]\n\n[/user_steering]\n ",
        "[context_summary]\nso far",
        "<context_summary>old",
        "mentions [user_steering]\nx\n[/user_steering] only",
    ]
)

metas = st.builds(
    SessionMeta,
    session_id=st.just("s"),
    provider=st.just("p"),
    model_id=st.sampled_from(["m", "n"]),
    model_context_window=st.just(1000),
    system_prompt=st.just(""),
    agent_state=st.sampled_from(["", "/a", "/agents/x/state", "C:\\agents\\y\\state"]),
    workspace=st.just("/w"),
    source=st.sampled_from([None, "subagent"]),
    parent_tool_call_id=st.one_of(st.none(), ids),
)

named = st.sampled_from(
    [
        JsonObject(),
        JsonObject(),
        JsonObject({"parent_tool_call_id": "t1"}),
        JsonObject({"parent_tool_call_id": 7}),
    ]
)

completes = st.one_of(
    st.builds(Text, role=st.just("user"), text=user_texts, stop_reason=reasons, extra=named),
    st.builds(Text, role=st.just("assistant"), text=texts, stop_reason=reasons, extra=named),
    st.builds(Thinking, role=st.just("assistant"), thinking=texts, stop_reason=reasons),
    st.builds(
        ToolCall,
        role=st.just("assistant"),
        name=st.sampled_from(["run_subagent", "run_subagent", "exec", ""]),
        arguments=st.sampled_from(["{}", "ab", ""]),
        tool_call_id=ids,
        stop_reason=reasons,
    ),
    st.builds(
        ToolCallOutput,
        role=st.just("user"),
        output=texts,
        tool_call_id=ids,
        images=images,
        stop_reason=reasons,
    ),
    st.builds(ImageUrl, role=st.just("user"), image_url=st.just("u")),
    st.sampled_from(
        [
            InlineData(role="user", data="AA", mime_type="text/plain"),
            InlineThinking(role="assistant", data="AA", mime_type="x/y"),
        ]
    ),
)

partials = st.one_of(
    st.builds(
        PartialText, role=st.just("assistant"), event_type=events, text=texts, stop_reason=reasons
    ),
    st.builds(
        PartialThinking,
        role=st.just("assistant"),
        event_type=events,
        thinking=texts,
        stop_reason=reasons,
    ),
    st.builds(
        PartialToolCall,
        role=st.just("assistant"),
        event_type=events,
        name=st.sampled_from(["run_subagent", "exec", ""]),
        arguments=texts,
        tool_call_id=ids,
        stop_reason=reasons,
    ),
    st.builds(
        PartialToolCallOutput,
        role=st.just("user"),
        event_type=events,
        output=texts,
        tool_call_id=ids,
        images=images,
        stop_reason=reasons,
    ),
)

event_payloads = st.one_of(
    st.just(RequestBegin()),
    st.just(RequestBegin()),
    st.builds(
        RequestEnd,
        status=st.sampled_from(["completed", "completed", "failed", "aborted", "timeout", "auth"]),
        attempt=st.sampled_from([None, None, 3]),
        retry_in_ms=st.sampled_from([None, 0, 500]),
    ),
    st.builds(
        ApprovalDecision,
        decision=st.sampled_from(["allow", "allow", "deny"]),
        tool_call_id=ids,
    ),
    usages,
    usages,
    st.builds(
        CompactionBegin,
        reason=st.just("manual"),
        mode=st.sampled_from(["summarize", "discard"]),
        context=counts,
        turns=counts,
    ),
    st.builds(
        CompactionEnd,
        reason=st.just("manual"),
        mode=st.just("summarize"),
        status=st.sampled_from(["completed", "failed", "aborted"]),
        error_message=st.sampled_from([None, "broke"]),
    ),
    st.builds(Abort, reason=st.sampled_from([None, "user"])),
    st.just(Subagent(session_id="c1")),
    st.builds(
        ToolListReady,
        tools=st.just(
            (ToolDescription(name="mcp__a__b", description="d"), ToolDescription(name="read"))
        ),
    ),
    st.just(McpConnectBegin(servers=("a",))),
    st.builds(
        McpConnectEnd,
        status=st.sampled_from(["completed", "aborted"]),
        results=st.just(
            (
                McpServerResult(
                    server="a", transport="stdio", status="failed", duration_ms=3, error="e" * 600
                ),
                McpServerResult(
                    server="b", transport="stdio", status="completed", duration_ms=3, tools=2
                ),
            )
        ),
    ),
    st.just(GoalFinished(outcome="done", rounds=1, tokens_used=2)),
    st.builds(Notice, name=st.just("slash"), text=st.sampled_from([None, "/clear"])),
    st.builds(
        Fact, name=st.sampled_from(["title", "model"]), value=st.sampled_from(["x", 1, None])
    ),
    st.just(UnknownPayload(category="event_msg", body=JsonObject({"type": "later"}))),
    st.just(UnknownPayload(category="model_msg", body=JsonObject({"type": "later"}))),
    st.just(UnknownPayload(category="later", body=JsonObject({}))),
)

transports = st.sampled_from(
    [None, None, None, Transport(trace_position=TracePosition(file_index=0, ordinal=3))]
)


def messages(
    payloads: st.SearchStrategy[Any] | None = None,
) -> st.SearchStrategy[Message]:
    """Any message at all."""
    anything = st.one_of(completes, completes, event_payloads, partials, partials, metas)
    return st.builds(
        Message,
        payload=anything if payloads is None else payloads,
        timestamp=timestamps(),
        origin=origins,
        transport=transports,
    )


def chaotic_streams(max_size: int = 40) -> st.SearchStrategy[list[Message]]:
    """Any messages in any order."""
    return st.lists(messages(), max_size=max_size)


def timed(payloads: list[Any], origin: tuple[str, ...] = ()) -> list[Message]:
    """Return payloads as messages of one session, 100 ms apart."""
    return [
        Message(payload=payload, timestamp=format_ms(START_MS + 100 * n), origin=origin)
        for n, payload in enumerate(payloads)
    ]


# --- disciplined streams ------------------------------------------------------------------------


@st.composite
def _fragment(draw: st.DrawFn, complete: Any, piece: Any, body: str) -> list[Any]:
    """Start, deltas, stop and complete of one body; or the complete alone, as in a trace."""
    if draw(st.integers(0, 3)) == 0:
        return [complete]
    cuts = sorted(draw(st.lists(st.integers(0, len(body)), max_size=4)))
    pieces = [body[a:b] for a, b in zip([0, *cuts], [*cuts, len(body)], strict=True)]
    first = pieces.pop(0) if draw(st.booleans()) else ""
    last = pieces.pop() if pieces and draw(st.booleans()) else ""
    return [
        piece("start", first),
        *[piece("delta", each) for each in pieces],
        piece("stop", last),
        complete,
    ]


bodies = st.sampled_from(["hello world", "", "  \n", "a", "\U0001f600 ok", "x" * 300])


@st.composite
def _said(draw: st.DrawFn) -> list[Any]:
    body, reason = draw(bodies), draw(st.sampled_from(["completed", None, "failed"]))
    return draw(
        _fragment(
            Text(role="assistant", text=body, stop_reason=reason),
            lambda event, text: PartialText(role="assistant", event_type=event, text=text),
            body,
        )
    )


@st.composite
def _thought(draw: st.DrawFn) -> list[Any]:
    body = draw(bodies)
    return draw(
        _fragment(
            Thinking(role="assistant", thinking=body),
            lambda event, text: PartialThinking(role="assistant", event_type=event, thinking=text),
            body,
        )
    )


@st.composite
def _tool(draw: st.DrawFn, number: int) -> tuple[list[Any], list[Any]]:
    """A call with its decision, and its output; the two may lie apart."""
    tool_call_id = draw(st.sampled_from([f"call{number}", "same"]))
    name = draw(st.sampled_from(["exec", "run_subagent"]))
    body = draw(st.sampled_from(["{}", '{"a": 1}', ""]))
    call = draw(
        _fragment(
            ToolCall(role="assistant", name=name, arguments=body, tool_call_id=tool_call_id),
            lambda event, text: PartialToolCall(
                role="assistant",
                event_type=event,
                name=name,
                arguments=text,
                tool_call_id=tool_call_id,
            ),
            body,
        )
    )
    if draw(st.booleans()):
        decision = draw(st.sampled_from(["allow", "allow", "deny"]))
        call.append(ApprovalDecision(decision=decision, tool_call_id=tool_call_id))
    output, shown = draw(bodies), draw(images)
    result = draw(
        _fragment(
            ToolCallOutput(role="user", output=output, tool_call_id=tool_call_id, images=shown),
            lambda event, text: PartialToolCallOutput(
                role="user",
                event_type=event,
                output=text,
                tool_call_id=tool_call_id,
                images=shown if event == "stop" else None,
            ),
            output,
        )
    )
    return call, result


@st.composite
def _request(draw: st.DrawFn, number: int) -> list[Any]:
    """One request: what the model says, how it ends, and what its tools give back."""
    strands: list[list[Any]] = []
    results: list[list[Any]] = []
    for index in range(draw(st.integers(0, 3))):
        part = draw(st.sampled_from(["said", "thought", "tool", "tool"]))
        if part == "tool":
            call, result = draw(_tool(number * 10 + index))
            strands.append(call)
            results.append(result)
        else:
            strands.append(draw(_said() if part == "said" else _thought()))
    said: list[Any] = [RequestBegin(), *draw(_woven(strands))]
    if draw(st.booleans()):
        said.append(draw(usages))
    status = draw(st.sampled_from(["completed", "completed", "failed", "timeout", "auth"]))
    said.append(RequestEnd(status=status, retry_in_ms=draw(st.sampled_from([None, 500]))))
    return said + [each for result in draw(st.permutations(results)) for each in result]


@st.composite
def _woven(draw: st.DrawFn, strands: list[list[Any]]) -> list[Any]:
    """Fragments one behind the other, or, if no two are of one kind and id, side by side."""
    names = [_strand(each[0]) for each in strands]
    if len(set(names)) < len(names) or draw(st.booleans()):
        return [each for strand in strands for each in strand]
    order = draw(st.permutations([n for n, each in enumerate(strands) for _ in each]))
    queues = [iter(each) for each in strands]
    return [next(queues[n]) for n in order]


def _strand(payload: Any) -> tuple[str, str]:
    kind = payload.kind.removeprefix("partial_")
    return kind, getattr(payload, "tool_call_id", "")


@st.composite
def _compaction(draw: st.DrawFn) -> list[Any]:
    """A compaction, with its prompt outside its requests; some crash inside a request."""
    inside: list[Any] = [Text(role="user", text="summarize")] if draw(st.booleans()) else []
    for status in draw(st.lists(st.sampled_from(["completed", "failed"]), max_size=2)):
        inside += [RequestBegin(), *draw(st.one_of(_said(), _thought()))]
        if draw(st.booleans()):
            inside.append(draw(usages))
        inside.append(RequestEnd(status=status))
    begin = CompactionBegin(reason="context", mode="summarize", context=1, turns=1)
    if draw(st.integers(0, 5)) == 0:
        return [begin, *inside, RequestBegin(), *draw(_said())]
    status = draw(st.sampled_from(["completed", "failed"]))
    end = CompactionEnd(reason="context", mode="summarize", status=status)
    return [begin, *inside, end, *draw(st.sampled_from([[], [SUMMARY]]))]


SUMMARY = Text(role="user", text="[context_summary]\nso far")
STEERING = Text(role="user", text="[user_steering]\nleft\n[/user_steering]")


@st.composite
def _connection(draw: st.DrawFn) -> list[Any]:
    end = McpConnectEnd(
        status=draw(st.sampled_from(["completed", "aborted"])),
        results=(McpServerResult(server="a", transport="stdio", status="failed", duration_ms=3),),
    )
    return [McpConnectBegin(servers=("a",)), *draw(st.sampled_from([[], [end], [end, TOOLS]]))]


TOOLS = ToolListReady(tools=(ToolDescription(name="mcp__a__b"), ToolDescription(name="read")))

task_starts = st.sampled_from(
    [Text(role="user", text="do it"), ImageUrl(role="user", image_url="u")]
)


@st.composite
def _beside(draw: st.DrawFn) -> list[Any]:
    """What may stand between two requests."""
    return draw(
        st.one_of(
            st.just([]),
            st.just([]),
            _compaction(),
            _compaction(),
            st.sampled_from([[STEERING], [STEERING, ImageUrl(role="user", image_url="u")]]),
            st.just([Abort(reason="user")]),
            _connection(),
            event_payloads.filter(_is_no_compaction).map(lambda each: [each]),
        )
    )


def _is_no_compaction(payload: Any) -> bool:
    return not isinstance(payload, CompactionBegin | CompactionEnd)


@st.composite
def conversations(draw: st.DrawFn, *, most_tasks: int = 4) -> list[Any]:
    """Payloads of one session that keeps the discipline of protocol.md."""
    payloads: list[Any] = [draw(metas)] if draw(st.booleans()) else []
    for number in range(draw(st.integers(1, most_tasks))):
        payloads.append(draw(task_starts))
        for index in range(draw(st.integers(0, 2))):
            payloads += draw(_request(number * 10 + index))
            payloads += draw(_beside())
    return payloads


@st.composite
def interrupted(draw: st.DrawFn, payloads: list[Any]) -> list[Any]:
    """Put events, and whatever else makes no fragment, in the middle of a conversation's fragments."""
    interruptions = st.one_of(
        event_payloads.filter(_is_no_compaction),
        task_starts,
        st.sampled_from([STEERING, SUMMARY, InlineData(role="user", data="AA", mime_type="a/b")]),
    )
    places = st.integers(0, len(payloads))
    for place, payload in draw(st.lists(st.tuples(places, interruptions), max_size=3)):
        payloads = [*payloads[:place], payload, *payloads[place:]]
    return payloads


@st.composite
def interleaved(draw: st.DrawFn, lanes: list[tuple[tuple[str, ...], list[Any]]]) -> list[Message]:
    """Payloads of several sessions as one stream, at times that don't go back."""
    order = draw(st.permutations([n for n, (_, lane) in enumerate(lanes) for _ in lane]))
    queues = [iter(lane) for _, lane in lanes]
    steps = draw(st.lists(st.integers(0, 3), min_size=len(order), max_size=len(order)))
    stream, at_ms = [], START_MS
    for n, step in zip(order, steps, strict=True):
        at_ms += 100 * step
        timestamp = format_ms(at_ms)
        stream.append(Message(payload=next(queues[n]), timestamp=timestamp, origin=lanes[n][0]))
    return stream


@st.composite
def disciplined_streams(
    draw: st.DrawFn, *, most_tasks: int = 3, interruptions: bool = True
) -> list[Message]:
    """A session an engine would send, with sessions nested in it, interleaved at any point.

    Every fragment gets its complete, equal to what streamed; but events, task starts and other
    sessions' messages may come in the middle of it.
    """
    origins = draw(
        st.lists(st.sampled_from([("c1",), ("c2",), ("c1", "d1")]), unique=True, max_size=2)
    )
    lanes = []
    for origin in [(), *origins]:
        payloads = draw(conversations(most_tasks=1 if origin else most_tasks))
        if interruptions and draw(st.booleans()):
            payloads = draw(interrupted(payloads))
        lanes.append((origin, payloads))
    return draw(interleaved(lanes))
