"""Records of type ``system``: what the client tells of itself.

Rules of this file (sources/stream-json-and-acp.md 1.4, 7.2; census S3, S6, S8):

- An init record may come late, often or never; it says what is new.
- A retry ends the request it is about; the next one begins with the message that follows.
- A hook shows if it failed. A background task shows when it reports after its call has returned;
  what reports while its call still runs is that call's own business.
- A subtype that isn't in the table is unknown and counted; one that shows nothing is in it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeAlias

from refold.messages import RequestEnd, SessionMeta, ToolDescription, ToolListReady
from refold.records import evolve
from refold.sources.claude_code.assistant_records import failure_status
from refold.sources.claude_stream_json.compactions import (
    boundary,
    compaction_begun,
    compaction_failed,
)
from refold.sources.claude_stream_json.knowledge import learn, notice
from refold.sources.claude_stream_json.lanes import PROVIDER, key_of, said, with_lane
from refold.sources.claude_stream_json.requests import begun, ended
from refold.sources.claude_stream_json.state import MAIN, Entry, State, Step
from refold.sources.drafts import Draft
from refold.sources.fields import frozen, listing, name, text
from refold.sources.tally import unknown

__all__ = ["SUBTYPES", "system"]

Reader: TypeAlias = Callable[[State, Entry], Step]

_LONGEST_RETRY_MS = 24 * 60 * 60 * 1000


def system(state: State, entry: Entry) -> Step:
    """Take a record of type ``system``."""
    subtype = name(entry.value.get("subtype"))
    reader = SUBTYPES.get(subtype or "")
    if reader is None:
        return evolve(state, counts=unknown(state.counts, "system record", subtype)), ()
    return reader(state, entry)


def _init(state: State, entry: Entry) -> Step:
    value = entry.value
    session_id = name(value.get("session_id")) or name(value.get("sessionId")) or ""
    session = (session_id, text(value.get("model")), text(value.get("cwd")))
    tools = tuple([each for each in listing(value.get("tools")) if isinstance(each, str)])
    main = evolve(state.main, active=False)
    state = with_lane(state, main)
    drafts: list[Draft] = []
    if session != state.session:
        state = evolve(state, session=session)
        drafts.extend(said(entry, main, _meta(*session)))
    if frozen(list(tools)) != state.tools:
        state = evolve(state, tools=frozen(list(tools)))
        described = tuple([ToolDescription(name=each) for each in tools])
        drafts.extend(said(entry, main, ToolListReady(tools=described)))
    state, more = _facts(state, entry, _INIT_FACTS)
    return state, (*drafts, *more)


def _meta(session_id: str, model: str, workspace: str) -> SessionMeta:
    return SessionMeta(
        session_id=session_id,
        provider=PROVIDER,
        model_id=model,
        model_context_window=0,
        system_prompt="",
        agent_state="",
        workspace=workspace,
    )


def _facts(state: State, entry: Entry, fields: tuple[tuple[str, str], ...]) -> Step:
    drafts: list[Draft] = []
    for field, fact in fields:
        value = entry.value.get(field)
        if value is not None and value != []:
            state, more = learn(state, entry, fact, frozen(value))
            drafts.extend(more)
    return state, tuple(drafts)


def _status(state: State, entry: Entry) -> Step:
    state, drafts = _facts(state, entry, (("permissionMode", "permission_mode"),))
    if entry.value.get("status") == "compacting":
        state, more = compaction_begun(state, entry)
    elif entry.value.get("compact_result") == "failed":
        state, more = compaction_failed(state, entry, name(entry.value.get("compact_error")))
    else:
        more = ()
    return state, (*drafts, *more)


def _retry(state: State, entry: Entry) -> Step:
    value = entry.value
    key = key_of(entry) if key_of(entry) in state.nested else MAIN
    message = name(value.get("error_message")) or name(value.get("error"))
    told = {"status": value.get("error_status"), "type": value.get("error")}
    end = RequestEnd(
        status=failure_status(told, message or ""),
        error_message=message,
        attempt=_whole(value.get("attempt")) or None,
        retry_in_ms=_wait_ms(value.get("retry_delay_ms")),
    )
    state, begin = begun(state, key)
    state, over = ended(state, key, end)
    return state, (*begin, *over)


def _whole(value: Any) -> int:
    if type(value) is float and math.isfinite(value):
        value = int(value)
    return max(0, value) if type(value) is int else 0


def _wait_ms(value: Any) -> int | None:
    wait = min(_whole(value), _LONGEST_RETRY_MS)
    return wait or None


def _hook(state: State, entry: Entry) -> Step:
    value = entry.value
    code = value.get("exit_code")
    outcome = value.get("outcome")
    if code in (0, None) and outcome in ("success", None):
        return state, ()
    words = name(value.get("stderr")) or name(value.get("output"))
    told = {each: value[each] for each in ("hook_name", "outcome", "exit_code") if each in value}
    return state, notice(state, entry, "hook", words, frozen(told))


def _task_report(state: State, entry: Entry) -> Step:
    value = entry.value
    call = state.calls.get(text(value.get("tool_use_id")))
    if call is not None and call.open:
        return state, ()
    names = ("task_id", "tool_use_id", "status", "output_file")
    told = {each: value[each] for each in names if each in value}
    words = name(value.get("summary"))
    return state, notice(state, entry, "task_notification", words, frozen(told))


def _turn_summary(state: State, entry: Entry) -> Step:
    names = ("status_category", "status_detail", "needs_action")
    told = {each: entry.value[each] for each in names if each in entry.value}
    return learn(state, entry, "turn_summary", frozen(told))


def _session_state(state: State, entry: Entry) -> Step:
    return _facts(state, entry, (("state", "status"),))


def _words(kind: str, field: str) -> Reader:
    def read(state: State, entry: Entry) -> Step:
        words = name(entry.value.get(field))
        return (state, ()) if words is None else (state, notice(state, entry, kind, words))

    return read


def _whole_record(kind: str) -> Reader:
    def read(state: State, entry: Entry) -> Step:
        left_out = ("type", "subtype", "uuid", "session_id")
        told = {each: value for each, value in entry.value.items() if each not in left_out}
        return state, notice(state, entry, kind, None, frozen(told))

    return read


def _nothing(state: State, entry: Entry) -> Step:
    return state, ()


_INIT_FACTS = (
    ("model", "model"),
    ("permissionMode", "permission_mode"),
    ("mcp_servers", "mcp_servers"),
    ("claude_code_version", "version"),
)

SUBTYPES: dict[str, Reader] = {
    "init": _init,
    "status": _status,
    "compact_boundary": boundary,
    "microcompact_boundary": _whole_record("microcompaction"),
    "api_retry": _retry,
    "hook_started": _nothing,
    "hook_progress": _nothing,
    "hook_response": _hook,
    "notification": _words("notification", "text"),
    "local_command_output": _words("local_command_output", "content"),
    "task_started": _nothing,
    "task_progress": _nothing,
    "task_updated": _nothing,
    "task_notification": _task_report,
    "post_turn_summary": _turn_summary,
    "session_state_changed": _session_state,
    "model_refusal_fallback": _whole_record("model_fallback"),
    "thinking_tokens": _nothing,
    "files_persisted": _nothing,
    "elicitation_complete": _nothing,
}
