"""When a conversation is handed to a fresh context, with a summary in place of its history.

Rules of this file (sources/stream-json-and-acp.md 5.6):

- Tokens measured for a request describe that request; what the history has grown since is added
  at one token a byte, which over-estimates. The pair is stored together and cleared together.
- With no measurement the bytes alone decide, against the token threshold or nine tenths of the
  byte budget, whichever is less, and only above it.
- A response without usage leaves the measurement as it is: unknown is not zero.
- Before each request exactly one thing happens: the handoff fires, or old groups are evicted. What
  fired and came to nothing is evicted then.
"""

from __future__ import annotations

from typing import ClassVar, Literal, TypeAlias

from refold.records import record

__all__ = [
    "BeforeRequest",
    "GateConfig",
    "GateInput",
    "GateState",
    "HandoffPerformed",
    "HandoffSkipped",
    "PromptArrived",
    "UsageReported",
    "Verdict",
    "step",
    "token_threshold",
    "unmeasured_threshold",
]


@record
class GateConfig:
    """What a gate decides by.

    Args:
        window: the model's context, in tokens.
        output: the most tokens a response may have.
        history_budget: what the history may weigh, in bytes.
        max_handoffs: the most handoffs per scope; 0 is none.
        scope: whether they are counted per session or per prompt.
    """

    window: int
    output: int
    history_budget: int
    max_handoffs: int
    scope: Literal["session", "prompt"] = "session"


@record
class GateState:
    """What a gate remembers.

    Args:
        measured: tokens of the last request whose usage is known.
        measured_bytes: the pressure bytes of the history that request sent.
        handoffs: how many were performed in this scope.
        pending_tokens: the estimate that made the gate fire, until its handoff is done or skipped.
    """

    measured: int | None = None
    measured_bytes: int = 0
    handoffs: int = 0
    pending_tokens: int | None = None


@record
class UsageReported:
    """A request was answered.

    Args:
        tokens: its input tokens, cached ones included; None if it reported none.
        sent_bytes: the pressure bytes of exactly the history it sent.
    """

    kind: ClassVar[Literal["usage_reported"]] = "usage_reported"

    tokens: int | None
    sent_bytes: int


@record
class BeforeRequest:
    """A request is about to be sent; ``pressure_bytes`` is what its history weighs."""

    kind: ClassVar[Literal["before_request"]] = "before_request"

    pressure_bytes: int


@record
class HandoffPerformed:
    """The history was replaced; ``pressure_bytes`` is what the new one weighs."""

    kind: ClassVar[Literal["handoff_performed"]] = "handoff_performed"

    pressure_bytes: int


@record
class HandoffSkipped:
    """The handoff that fired came to nothing: no summary, a blank one or an error."""

    kind: ClassVar[Literal["handoff_skipped"]] = "handoff_skipped"


@record
class PromptArrived:
    """The user sent a new prompt."""

    kind: ClassVar[Literal["prompt_arrived"]] = "prompt_arrived"


GateInput: TypeAlias = (
    UsageReported | BeforeRequest | HandoffPerformed | HandoffSkipped | PromptArrived
)


@record
class Verdict:
    """What to do, and the figures it rests on.

    Args:
        action: ``fire`` the handoff, ``evict`` old groups, or ``none``.
        tokens: the estimate before; of a handoff performed, the one that made it fire.
        threshold: what the estimate was held against; None where nothing was.
        tokens_after: of a handoff performed, the estimate of the new history.
        handoff: of a handoff performed, its number in this scope, from 1.
    """

    action: Literal["fire", "evict", "none"] = "none"
    tokens: int | None = None
    threshold: int | None = None
    tokens_after: int | None = None
    handoff: int | None = None


_NOTHING = Verdict()


def token_threshold(window: int, output: int) -> int:
    """Return the tokens at which a history is too long.

    Args:
        window: the model's context, in tokens.
        output: the most tokens a response may have.
    """
    return min(window // 10 * 9, max(0, window - output))


def unmeasured_threshold(config: GateConfig) -> int:
    """Return the bytes above which a history is too long while no tokens are known."""
    threshold = token_threshold(config.window, config.output)
    return min(threshold, config.history_budget // 10 * 9)


def step(config: GateConfig, state: GateState, event: GateInput) -> tuple[GateState, Verdict]:
    """Take what happened and say what to do.

    Args:
        config: the limits.
        state: what the gate remembers.
        event: what happened.
    """
    match event:
        case UsageReported():
            return _measured(state, event), _NOTHING
        case BeforeRequest():
            return _judged(config, state, event.pressure_bytes)
        case HandoffPerformed():
            return _performed(state, event.pressure_bytes)
        case HandoffSkipped():
            return _fired_at(state, None), Verdict(action="evict")
        case PromptArrived():
            again = config.scope == "prompt" and state.handoffs != 0
            return (_recounted(state) if again else state), _NOTHING


def _measured(state: GateState, usage: UsageReported) -> GateState:
    if usage.tokens is None:
        return state
    return GateState(
        measured=usage.tokens,
        measured_bytes=usage.sent_bytes,
        handoffs=state.handoffs,
        pending_tokens=state.pending_tokens,
    )


def _fired_at(state: GateState, tokens: int | None) -> GateState:
    return GateState(
        measured=state.measured,
        measured_bytes=state.measured_bytes,
        handoffs=state.handoffs,
        pending_tokens=tokens,
    )


def _recounted(state: GateState) -> GateState:
    return GateState(measured=state.measured, measured_bytes=state.measured_bytes)


def _judged(config: GateConfig, state: GateState, pressure: int) -> tuple[GateState, Verdict]:
    tokens, threshold, too_long = _estimate(config, state, pressure)
    fires = too_long and state.handoffs < config.max_handoffs
    verdict = Verdict(action="fire" if fires else "evict", tokens=tokens, threshold=threshold)
    return (_fired_at(state, tokens) if fires else state), verdict


def _estimate(config: GateConfig, state: GateState, pressure: int) -> tuple[int, int, bool]:
    if state.measured is None:
        threshold = unmeasured_threshold(config)
        return pressure, threshold, pressure > threshold
    tokens = state.measured + max(0, pressure - state.measured_bytes)
    threshold = token_threshold(config.window, config.output)
    return tokens, threshold, tokens >= threshold


def _performed(state: GateState, pressure: int) -> tuple[GateState, Verdict]:
    done = GateState(handoffs=state.handoffs + 1)
    return done, Verdict(tokens=state.pending_tokens, tokens_after=pressure, handoff=done.handoffs)
