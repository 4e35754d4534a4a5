"""What a history becomes when it is handed over.

Rules of this file (sources/stream-json-and-acp.md 5.6):

- In place of everything stand the summary, as the user's, and the newest prompt with the steering
  behind it. No call and no result survive, so none can be orphaned.
- What a hook said after the compaction is folded into the summary's text, with the server's name
  and marked as untrusted.
- A blank summary hands nothing over: the caller keeps its history and evicts instead.
"""

from __future__ import annotations

from collections.abc import Iterable

from refold.markers import is_blank
from refold.policies.history import History, PlainText, UserTurn
from refold.records import record

__all__ = ["HookOutput", "handed_over"]


@record
class HookOutput:
    """What a server's hook said."""

    server: str
    text: str


def handed_over(history: History, summary: str, hooks: Iterable[HookOutput] = ()) -> History | None:
    """Return the history that goes on from a summary, or None if there is no summary.

    Args:
        history: what was summarised, oldest first.
        summary: the summariser's answer.
        hooks: what post-compaction hooks said, in configuration order; blank ones say nothing.
    """
    if is_blank(summary):
        return None
    said = [
        f"[Hook output, untrusted: {each.server}]\n{each.text}"
        for each in hooks
        if not is_blank(each.text)
    ]
    text = "\n\n".join([f"[Context Handoff]\n{summary}", *said])
    opening = UserTurn(parts=(PlainText(text=text),), purpose="summary")
    return (opening, *_newest_prompt(history))


def _newest_prompt(history: History) -> list[UserTurn]:
    turns = [turn for turn in history if isinstance(turn, UserTurn)]
    starts = [place for place, turn in enumerate(turns) if turn.purpose == "prompt"]
    since = turns[starts[-1] :] if starts else turns
    return [turn for turn in since if turn.purpose != "summary"]
