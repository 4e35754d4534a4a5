"""What one transcript record says, before anybody asks what it means for the session.

Rules of this file:

- A reading is a pure function of one record: no lane, no state, no order.
- ``key`` names what is said by the format's own ids, so that a copy of a record (a resume, a
  fork, a progress record beside the agent's own file) says nothing twice; None if it has no id.
- The union below is what ``lanes`` folds; a test holds that no kind is forgotten.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal, TypeAlias

from refold.json_values import Json
from refold.messages import (
    ImageUrl,
    InlineData,
    Notice,
    Text,
    TokenCounts,
    ToolCallOutput,
    UnknownPayload,
)
from refold.records import record
from refold.sources.anthropic_blocks import AssistantPayload

__all__ = [
    "AgentNamed",
    "Block",
    "BlockPayload",
    "Boundary",
    "Dropped",
    "Failure",
    "Interrupt",
    "Known",
    "Prompt",
    "PromptPart",
    "Queued",
    "Reading",
    "Response",
    "Result",
    "Retry",
    "Said",
    "Steer",
    "Summary",
    "Titled",
    "TurnEnd",
    "Unknown",
]

PromptPart: TypeAlias = Text | ImageUrl | InlineData
BlockPayload: TypeAlias = AssistantPayload | Notice | UnknownPayload


@record
class Prompt:
    """What somebody asks for: it starts a task."""

    kind: ClassVar[Literal["prompt"]] = "prompt"

    parts: tuple[PromptPart, ...]
    key: str | None = None


@record
class Steer:
    """A prompt that was queued and reached the model in the middle of a turn.

    Args:
        text: its raw text, by which two records that tell of one prompt are matched.
        said: what it says: a prompt, or notices where the client queued something itself.
    """

    kind: ClassVar[Literal["steer"]] = "steer"

    text: str
    said: tuple[Reading, ...]
    key: str | None = None


@record
class Queued:
    """Something happened to the queue of prompts typed while the model works.

    Args:
        operation: ``enqueue``, ``dequeue``, ``remove``, ``popAll``.
        prompt: what the record tells of the prompt, if anything.
    """

    kind: ClassVar[Literal["queued"]] = "queued"

    operation: str
    prompt: Steer | None
    key: str | None = None


@record
class Block:
    """One content block of a response.

    Args:
        key: what the block is within its response.
        payload: what it says; of a kind this version doesn't know, itself.
        input: a call's input as plain JSON data, for those who look into it.
        unnamed: a call that the record gives no id.
    """

    key: str
    payload: BlockPayload
    input: Any = None
    unnamed: bool = False


@record
class Response:
    """One line of a model response; a response has one line per block, or one for all.

    Args:
        id: what the lines of one response share: ``message.id``, else ``requestId``, else the
            record's own id; None if there is none.
        usage: the tokens of the request as far as this line knows.
        model: the model that answered.
        aborted: the response was cut off.
    """

    kind: ClassVar[Literal["response"]] = "response"
    key: ClassVar[None] = None

    id: str | None
    blocks: tuple[Block, ...]
    usage: TokenCounts | None = None
    model: str | None = None
    aborted: bool = False


@record
class Retry:
    """A request failed and is tried again.

    Args:
        attempt: which try failed, from 1.
        retry_in_ms: how long the client waits, in ms.
    """

    kind: ClassVar[Literal["retry"]] = "retry"

    status: str
    error_message: str | None
    attempt: int | None
    retry_in_ms: int | None
    key: str | None = None


@record
class Failure:
    """A request failed for good; the client wrote the error where the answer would stand."""

    kind: ClassVar[Literal["failure"]] = "failure"

    status: str
    text: str
    key: str | None = None


@record
class Result:
    """A tool's result.

    Args:
        output: what the model sees; its ``tool_call_id`` is empty if the block names no call.
        structured: the client's own form of the result (plain JSON data).
        denied: the user refused the call.
        caller: the record that made the call, where the result tells it.
    """

    kind: ClassVar[Literal["result"]] = "result"

    output: ToolCallOutput
    structured: Any = None
    denied: bool = False
    caller: str | None = None
    key: str | None = None


@record
class Interrupt:
    """The user stopped the turn; ``in_tool`` if a tool was running or waiting for a yes."""

    kind: ClassVar[Literal["interrupt"]] = "interrupt"

    in_tool: bool
    key: str | None = None


@record
class Boundary:
    """The conversation was compacted here.

    Args:
        reason: ``context`` or ``manual``.
        tokens: the context before, in tokens.
        duration_ms: how long it took, if that is known.
    """

    kind: ClassVar[Literal["boundary"]] = "boundary"

    reason: str
    tokens: int
    duration_ms: int | None
    key: str | None = None


@record
class Summary:
    """The summary a compaction put in the place of the conversation."""

    kind: ClassVar[Literal["summary"]] = "summary"

    text: str
    key: str | None = None


@record
class Said:
    """Something to show that is neither the user's nor the model's."""

    kind: ClassVar[Literal["said"]] = "said"

    name: str
    text: str | None = None
    data: Json = None
    key: str | None = None


@record
class Known:
    """The latest value of a fact."""

    kind: ClassVar[Literal["known"]] = "known"
    key: ClassVar[None] = None

    name: str
    value: Json


@record
class Titled:
    """A title.

    Args:
        rank: a title never replaces one of a higher rank.
        leaf: the record that the titled conversation ended with, if the title says so.
    """

    kind: ClassVar[Literal["titled"]] = "titled"
    key: ClassVar[None] = None

    rank: int
    text: str
    leaf: str | None = None


@record
class AgentNamed:
    """What the side file of a subagent tells: which call spawned it, and what it is."""

    kind: ClassVar[Literal["agent_named"]] = "agent_named"
    key: ClassVar[None] = None

    agent_type: str | None
    tool_call_id: str | None


@record
class TurnEnd:
    """The client says that a turn is over."""

    kind: ClassVar[Literal["turn_end"]] = "turn_end"

    key: str | None = None


@record
class Dropped:
    """A record, or a part of one, that is known and shows nothing."""

    kind: ClassVar[Literal["dropped"]] = "dropped"
    key: ClassVar[None] = None

    what: str


@record
class Unknown:
    """A record, or a part of one, that this version doesn't know."""

    kind: ClassVar[Literal["unknown"]] = "unknown"
    key: ClassVar[None] = None

    what: str


Reading: TypeAlias = (
    Prompt
    | Steer
    | Queued
    | Response
    | Retry
    | Failure
    | Result
    | Interrupt
    | Boundary
    | Summary
    | Said
    | Known
    | Titled
    | AgentNamed
    | TurnEnd
    | Dropped
    | Unknown
)
