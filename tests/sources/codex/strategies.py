"""Files of Codex for properties: records as it writes them, and records broken in any place."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import strategies as st

from tests.sources.acp.strategies import anything
from tests.sources.codex.lines import (
    agent_event,
    agent_item,
    app_item,
    call,
    done_item,
    event,
    header,
    item,
    output,
    reasoning,
    record,
    tokens,
    told,
    usage,
    user_event,
    user_item,
)

__all__ = ["anything", "broken_files", "files", "streams"]

_words = st.sampled_from(["a", "b", "", "<environment_context>x", "one\ntwo", "\ud83d"])
_ids = st.sampled_from(["c", "d", ""])
_threads = st.sampled_from(["s", "s", "k", "f"])
_total = st.integers(0, 40)


@st.composite
def _records(draw: st.DrawFn) -> Any:
    words, identity, thread = draw(_words), draw(_ids), draw(_threads)
    total, last = draw(_total), draw(_total)
    at = draw(st.sampled_from([None, "2026-01-01T00:00:00Z", "2026-01-01T00:01:00Z", "odd"]))
    return draw(
        st.sampled_from(
            [
                header(thread),
                header(thread, forked_from_id="s"),
                header(thread, source={"subagent": {"thread_spawn": {"parent_thread_id": "s"}}}),
                record("turn_context", {"model": words}, at),
                user_item(words),
                user_event(words, images=["u"]),
                agent_item(words, phase="final_answer"),
                agent_event(words),
                done_item("AgentMessage", content=[{"text": words}]),
                done_item("CommandExecution", id=identity, aggregated_output=words, exit_code=1),
                reasoning(words, "z"),
                event("agent_reasoning", text=words),
                call(identity, words),
                output(words, identity),
                output([{"text": words}, {"image_url": "u"}], identity),
                item("web_search_call", id=identity, action={"query": words}),
                event("web_search_end", call_id=identity, action={"query": words}),
                event("exec_command_end", call_id=identity, stdout=words, exit_code=0),
                event("collab_agent_spawn_end", call_id=identity, new_thread_id="k"),
                tokens(total, last),
                record("compacted", {"message": words}, at),
                event("context_compacted"),
                event("task_started", turn_id="t"),
                event("task_complete"),
                event("turn_aborted", reason=words),
                event("error", message=words),
                {"type": "thread.started", "thread_id": thread},
                {"type": "turn.completed", "usage": usage(total, min(total, last))},
                {"type": "item.started", "item": {"type": "command_execution", "id": identity}},
                {"type": "item.completed", "item": {"type": "agent_message", "text": words}},
                told("item/agentMessage/delta", itemId=identity, delta=words),
                told(
                    "item/reasoning/summaryTextDelta", itemId=identity, delta=words, summaryIndex=1
                ),
                told("item/commandExecution/outputDelta", itemId=identity, delta=words),
                app_item("started", "commandExecution", id=identity, command=words),
                app_item("completed", "agentMessage", id=identity, text=words),
                app_item("completed", "reasoning", id=identity, summary=[words]),
                app_item("completed", "commandExecution", id=identity, aggregatedOutput=words),
                told("turn/completed", turn={"status": "interrupted"}),
                told("thread/tokenUsage/updated", tokenUsage={"total": usage(total)}),
                {"record_type": "state"},
                words,
            ]
        )
    )


files: st.SearchStrategy[list[Any]] = st.lists(_records(), max_size=25)


@st.composite
def _broken(draw: st.DrawFn) -> Any:
    """Return a record with something else in one of its places."""
    value = copy.deepcopy(draw(_records()))
    place, key, holder = None, None, value
    while isinstance(holder, dict | list) and holder and draw(st.integers(0, 3)):
        keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        place, key = holder, draw(st.sampled_from(keys))
        holder = place[key]
    if place is None:
        return draw(anything)
    place[key] = draw(anything)
    return value


broken_files: st.SearchStrategy[list[Any]] = st.lists(_broken() | _records(), max_size=20)


@st.composite
def streams(draw: st.DrawFn) -> list[Any]:
    """Return what the app server says of some turns: items streamed, some together, some cut."""
    records: list[Any] = []
    for turn in range(draw(st.integers(1, 3))):
        user = [{"type": "text", "text": f"prompt {turn}"}]
        records += [told("turn/started"), app_item("completed", "userMessage", content=user)]
        places = range(draw(st.integers(0, 4)))
        lanes = [_streamed_item(draw, f"{turn}.{place}") for place in places]
        while any(lanes):
            lane = draw(st.sampled_from([each for each in lanes if each]))
            records.append(lane.pop(0))
        status = draw(st.sampled_from(["completed", "interrupted", "failed"]))
        records.append(told("turn/completed", turn={"status": status}))
    return records


def _streamed_item(draw: st.DrawFn, identity: str) -> list[Any]:
    pieces = draw(st.lists(st.sampled_from(["a", "bc ", "\n", "é"]), max_size=4))
    words = "".join(pieces)
    what, method, fields = draw(
        st.sampled_from(
            [
                ("agentMessage", "agentMessage/delta", {"text": words}),
                ("reasoning", "reasoning/summaryTextDelta", {"summary": [words]}),
                ("commandExecution", "commandExecution/outputDelta", {"aggregatedOutput": words}),
            ]
        )
    )
    begun = app_item("started", what, id=identity, command="ls")
    deltas = [told(f"item/{method}", itemId=identity, delta=each) for each in pieces]
    done = app_item("completed", what, id=identity, command="ls", **fields)
    return [begun, *deltas, done][: draw(st.integers(1, len(pieces) + 2))]
