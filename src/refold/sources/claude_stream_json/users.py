"""Records in the user's place: prompts, and what the client wrote there itself.

Rules of this file (sources/stream-json-and-acp.md 7.2; census S9, S11):

- Results come first (``tool_results``): they belong to the turn that ends, a text opens the next.
- A prompt starts a task. What a person sends while the model works is steering. A nested session's
  first text is its prompt, from the parent.
- The client repeats prompts if asked to; what repeats one shows nothing twice.
- What the client wrote itself (marked synthetic, or beside a tool's result) shows nothing; a summary
  of the conversation is passed on as one.
- The marker of an interrupt is the abort; the result that follows doesn't say it again.
"""

from __future__ import annotations

from typing import Any

from refold.messages import Abort, ImageUrl, Notice, Payload, RequestEnd, Text
from refold.records import evolve
from refold.sources.anthropic_blocks import blocks_of, text_of
from refold.sources.claude_code.readings import Interrupt, Prompt, PromptPart, Reading, Said
from refold.sources.claude_code.user_records import read_queued_prompt
from refold.sources.claude_stream_json.compactions import broken_off
from refold.sources.claude_stream_json.lanes import entered, heard, key_of, lane_at, said, with_lane
from refold.sources.claude_stream_json.requests import ended, left_message
from refold.sources.claude_stream_json.state import (
    MAIN,
    NOTHING_STREAMED,
    Entry,
    Lane,
    Run,
    State,
    Step,
)
from refold.sources.claude_stream_json.tool_results import tool_results
from refold.sources.drafts import Draft
from refold.sources.fields import mapping
from refold.sources.tally import counted

__all__ = ["INTERRUPTED", "user"]

INTERRUPTED = "user_interrupt"

_MOST_UNECHOED = 64
_SUMMARY_MARKER = "[context_summary]"


def user(state: State, entry: Entry) -> Step:
    """Take a record of type ``user``."""
    state, drafts = entered(state, entry)
    blocks = blocks_of(mapping(entry.value.get("message")).get("content"))
    results = [each for each in blocks if each.get("type") == "tool_result"]
    words = [each for each in blocks if each.get("type") != "tool_result"]
    state, outputs = tool_results(state, entry, results)
    state, shown = _words(state, entry, words) if words else (state, ())
    lane = heard(lane_at(state, key_of(entry)), entry)
    return with_lane(state, lane), (*drafts, *outputs, *shown)


def _words(state: State, entry: Entry, blocks: list[dict[str, Any]]) -> Step:
    lane = lane_at(state, key_of(entry))
    text = "\n".join([text_of(each.get("text")) for each in blocks])
    if entry.value.get("isCompactSummary") is True:
        summary = Text(role="user", text=f"{_SUMMARY_MARKER}\n{text}", sender="harness")
        return state, said(entry, lane, summary)
    if lane.prompted and _is_the_clients(entry):
        return evolve(state, counts=counted(state.counts, "synthetic user text")), ()
    if _is_echo(state, entry, text):
        return evolve(state, run=_with_echo(state.run, text)), ()
    return _read(state, entry, read_queued_prompt(entry.value, blocks).said, text)


def _is_the_clients(entry: Entry) -> bool:
    marked = entry.value.get("isSynthetic") is True or entry.value.get("isMeta") is True
    return marked or "tool_use_result" in entry.value


def _is_echo(state: State, entry: Entry, text: str) -> bool:
    comes_back = entry.value.get("isReplay") is True or entry.outbound is False
    return comes_back and text in state.run.unechoed


def _with_echo(run: Run, text: str) -> Run:
    at = run.unechoed.index(text)
    return evolve(run, unechoed=run.unechoed[:at] + run.unechoed[at + 1 :])


def _read(state: State, entry: Entry, readings: tuple[Reading, ...], text: str) -> Step:
    drafts: list[Draft] = []
    for reading in readings:
        state, more = _reading(state, entry, reading, text)
        drafts.extend(more)
    return state, tuple(drafts)


def _reading(state: State, entry: Entry, reading: Reading, text: str) -> Step:
    lane = lane_at(state, key_of(entry))
    match reading:
        case Prompt(parts=parts):
            if lane.active:
                return _echoable(state, entry, text), said(entry, lane, *_steering(parts))
            return _prompt(state, entry, lane, parts, text)
        case Said(name=name, text=words, data=data):
            return state, said(entry, lane, Notice(name=name, text=words, data=data))
        case Interrupt():
            return _interrupt(state, entry, lane)
        case _:
            return evolve(state, counts=counted(state.counts, reading.kind)), ()


def _prompt(
    state: State, entry: Entry, lane: Lane, parts: tuple[PromptPart, ...], text: str
) -> Step:
    state, broken = broken_off(state, entry) if lane.key == MAIN else (state, ())
    state, left = left_message(state, lane.key)
    if lane.key == MAIN:
        asked = text.startswith("/compact")
        state = evolve(state, run=Run(unechoed=state.run.unechoed, compact_asked=asked))
        state = _echoable(state, entry, text)
    state = with_lane(state, evolve(lane_at(state, lane.key), prompted=True))
    sender = None if lane.key == MAIN else "parent_agent"
    payloads = [evolve(each, sender=sender) if type(each) is Text else each for each in parts]
    return state, (*broken, *left, *said(entry, lane, *payloads))


def _echoable(state: State, entry: Entry, text: str) -> State:
    """Remember a prompt of the host's, which the client may repeat."""
    inbound = entry.outbound is False or "uuid" in entry.value or entry.value.get("isReplay")
    if inbound and entry.outbound is not True:
        return state
    unechoed = (*state.run.unechoed, text)[-_MOST_UNECHOED:]
    return evolve(state, run=evolve(state.run, unechoed=unechoed))


def _steering(parts: tuple[PromptPart, ...]) -> list[Payload]:
    text = "\n".join([each.text for each in parts if isinstance(each, Text)])
    marked = Text(role="user", text=f"[user_steering]\n{text}\n[/user_steering]")
    return [marked, *[each for each in parts if isinstance(each, ImageUrl)]]


def _interrupt(state: State, entry: Entry, lane: Lane) -> Step:
    if lane.key != MAIN:
        return state, said(entry, lane, Abort(reason=INTERRUPTED))
    if state.run.aborted:
        return state, ()
    state, over = ended(state, MAIN, RequestEnd(status="aborted"))
    state = evolve(state, run=evolve(state.run, aborted=True))
    lane = evolve(state.main, streamed=NOTHING_STREAMED)
    return with_lane(state, lane), (*over, *said(entry, lane, Abort(reason=INTERRUPTED)))
