"""How often hooks may keep an agent from ending its turn.

Rules of this file (sources/stream-json-and-acp.md 5.8):

- Hooks are asked only when the model ends its turn of itself, and only while the prompt's budget
  lasts; once it is spent, the end is accepted without asking.
- However many hooks object, one round is one rejection. The budget is per prompt, fresh each time;
  ends that follow one another go on consuming it.
- An objection reaches the model as a call and its result, so it can't pass for the user's word.
  A hook that is late, fails or says nothing doesn't object.
"""

from __future__ import annotations

import json
from typing import ClassVar, Literal, TypeAlias

from refold.markers import is_blank
from refold.policies.history import AssistantTurn, Call, HistoryItem, PlainText, ToolResult
from refold.records import record

__all__ = [
    "Accept",
    "AskHooks",
    "HookAnswer",
    "HooksAnswered",
    "ModelEnded",
    "PromptBegan",
    "Reroll",
    "StopConfig",
    "StopInput",
    "StopOutput",
    "StopState",
    "step",
]

_HOOK = "_Stop"


@record
class StopConfig:
    """How many rejections a prompt may have."""

    max_rejections: int


@record
class StopState:
    """What is counted: the prompt's rejections, and the synthetic calls made so far."""

    rejections: int = 0
    made_calls: int = 0


@record
class PromptBegan:
    """The user sent a prompt."""

    kind: ClassVar[Literal["prompt_began"]] = "prompt_began"


@record
class ModelEnded:
    """The model made no call; ``stop_reason`` is ACP's."""

    kind: ClassVar[Literal["model_ended"]] = "model_ended"

    stop_reason: str = "end_turn"


@record
class HookAnswer:
    """What one server's hook did; ``text`` is None unless it answered in time without error."""

    server: str
    text: str | None = None


@record
class HooksAnswered:
    """Every hook answered or was given up, in configuration order."""

    kind: ClassVar[Literal["hooks_answered"]] = "hooks_answered"

    answers: tuple[HookAnswer, ...]


StopInput: TypeAlias = PromptBegan | ModelEnded | HooksAnswered


@record
class AskHooks:
    """Ask the stop hooks."""

    kind: ClassVar[Literal["ask_hooks"]] = "ask_hooks"


@record
class Accept:
    """End the turn."""

    kind: ClassVar[Literal["accept"]] = "accept"


@record
class Reroll:
    """Add these turns to the history and ask the model again."""

    kind: ClassVar[Literal["reroll"]] = "reroll"

    turns: tuple[HistoryItem, ...]


StopOutput: TypeAlias = AskHooks | Accept | Reroll


def step(
    config: StopConfig, state: StopState, event: StopInput
) -> tuple[StopState, StopOutput | None]:
    """Take what happened and say what to do, or None if there is nothing.

    Args:
        config: the budget.
        state: what is counted.
        event: what happened.
    """
    match event:
        case PromptBegan():
            return _refreshed(state), None
        case ModelEnded():
            asks = event.stop_reason == "end_turn" and state.rejections < config.max_rejections
            return state, AskHooks() if asks else Accept()
        case HooksAnswered():
            return _judged(state, event.answers)


def _refreshed(state: StopState) -> StopState:
    return StopState(made_calls=state.made_calls) if state.rejections else state


def _judged(state: StopState, answers: tuple[HookAnswer, ...]) -> tuple[StopState, StopOutput]:
    objections = [(each.server, each.text) for each in answers if each.text is not None]
    objections = [(server, text) for server, text in objections if not is_blank(text)]
    if not objections:
        return state, Accept()
    first = state.made_calls
    pairs = [_pair(first + n, *objection) for n, objection in enumerate(objections)]
    calls, results = zip(*pairs, strict=True)
    then = StopState(rejections=state.rejections + 1, made_calls=first + len(pairs))
    return then, Reroll(turns=(AssistantTurn(calls=calls), *results))


def _pair(number: int, server: str, text: str) -> tuple[Call, ToolResult]:
    call_id = f"hook_stop_{number}"
    said = json.dumps({"hook": _HOOK, "server": server, "text": text}, ensure_ascii=False)
    call = Call(call_id=call_id, name=f"{server}__{_HOOK}")
    return call, ToolResult(call_id=call_id, parts=(PlainText(text=said),))
