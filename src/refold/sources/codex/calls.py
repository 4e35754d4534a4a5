"""Calls and their outputs.

Rules of this file (census.md X0, X6, X7):

- The model's item says what was called; its output says what the model was told. The event or item
  of the thing done says what came out for a person: where there is one with something in it, it is
  the output, and what the model was told is not shown again.
- A call that only such an event tells of is made of it. One that is announced again once it has its
  output is another.
- A call that was aborted stays so, whatever its process still says.
- One without an id is given one, by its number.
"""

from __future__ import annotations

from refold.messages import ToolCall, ToolCallOutput
from refold.records import evolve, evolver
from refold.sources.codex.outputs import Output
from refold.sources.codex.talk import settled_thought
from refold.sources.codex.threads import Call, Channel, Thread, say
from refold.sources.codex.twins import agent_acts, agent_writes
from refold.sources.logs.spots import Spot

__all__ = ["answer_call", "call_made", "deed_begun", "deed_done", "nameless_deed"]

_with_calls = evolver(Thread, "calls")


def call_made(
    thread: Thread, identity: str | None, tool: str, arguments: str, spot: Spot
) -> tuple[Thread, str]:
    """Take a call.

    Args:
        thread: the session.
        identity: its id, if it has one.
        tool: the tool's name.
        arguments: what it was called with, as the text that was written.
        spot: where it was.

    Returns:
        The thread, and the call's id.
    """
    thread = agent_acts(settled_thought(thread))
    if identity is None:
        thread = evolve(thread, unnamed=thread.unnamed + 1)
        identity = f"{tool}-{thread.unnamed}"
    payload = ToolCall(
        role="assistant",
        name=tool,
        arguments=arguments or "{}",
        tool_call_id=identity,
        stop_reason="completed",
    )
    thread = _with_calls(thread, thread.calls.put(identity, Call(name=tool)))
    return say(thread, payload, spot, id=identity), identity


def answer_call(
    thread: Thread, identity: str, output: Output, channel: Channel, spot: Spot
) -> Thread:
    """Take an output.

    Args:
        thread: the session.
        identity: the call's id.
        output: what came out.
        channel: who says so.
        spot: where it was.
    """
    call = thread.calls.get(identity) or Call(name="")
    if channel == "response" and call.by in ("event", "item") and call.output:
        return thread
    reason = "aborted" if call.reason == "aborted" else output.reason
    said = output.text or (call.output if channel != "response" else "")
    if (call.output, call.reason) == (said, reason) and call.by is not None and not output.images:
        return thread
    answered = Call(name=call.name, output=said, reason=reason, by=channel)
    payload = ToolCallOutput(
        role="user",
        output=said,
        tool_call_id=identity,
        images=output.images or None,
        stop_reason=reason,
    )
    thread = _with_calls(thread, thread.calls.put(identity, answered))
    return say(thread, payload, spot, id=identity)


def deed_begun(
    thread: Thread, identity: str | None, tool: str, arguments: str, spot: Spot
) -> tuple[Thread, str]:
    """Take the beginning of something done: the call, unless it is known.

    Args:
        thread: the session.
        identity: the call's id, if there is one.
        tool: the tool's name.
        arguments: what it was called with.
        spot: where it was.

    Returns:
        The thread, and the call's id.
    """
    if identity is not None and identity in thread.calls:
        return thread, identity
    return call_made(thread, identity, tool, arguments, spot)


def deed_done(
    thread: Thread,
    identity: str | None,
    tool: str,
    arguments: str,
    output: Output,
    channel: Channel,
    spot: Spot,
) -> Thread:
    """Take something done: the call, unless it is known, and its output.

    Args:
        thread: the session.
        identity: the call's id, if there is one.
        tool: the tool's name.
        arguments: what it was called with.
        output: what came out.
        channel: who says so.
        spot: where it was.
    """
    thread, identity = deed_begun(thread, identity, tool, arguments, spot)
    return answer_call(thread, identity, output, channel, spot)


def nameless_deed(
    thread: Thread,
    identity: str | None,
    tool: str,
    arguments: str,
    output: Output,
    channel: Channel,
    spot: Spot,
) -> Thread:
    """Take something done whose ids differ between the channels that write it: its arguments tell.

    Args: as for ``deed_done``.
    """
    deed = f"{tool} {arguments}"
    thread, is_news = agent_writes(settled_thought(thread), deed, channel)
    if is_news:
        thread, made = call_made(thread, identity, tool, arguments, spot)
        thread = evolve(thread, deeds=thread.deeds.put(deed, made))
    return answer_call(thread, thread.deeds[deed], output, channel, spot)
