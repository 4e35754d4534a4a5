"""Prompts that were typed while the model worked.

Rules of this file (sources/claude-code.md 8.3; docs/decisions/claude-code.md):

- A prompt that reached the model in the middle of a turn is steering. Newer clients write it as an
  attachment. Older ones write only that it was queued and that it was taken out of the queue
  (``remove``); then the taking out is where it reached the model.
- A client that writes attachments is believed from its first one on; a prompt that both told of
  around then is matched by its text.
- What left the queue to become a prompt of its own (``dequeue``) or to be edited (``popAll``) is
  shown by the record it became, if it became one.
- The queue is bounded: a session that queues more than 64 prompts forgets the oldest.
"""

from __future__ import annotations

from refold.messages import ImageUrl, Notice, Payload, Text
from refold.sources.claude_code.outs import Out, now
from refold.sources.claude_code.readings import Prompt, Queued, Reading, Said, Steer
from refold.sources.claude_code.state import LaneDraft
from refold.sources.claude_code.values import Place

__all__ = ["fold_queued", "fold_steer"]

_LONGEST_QUEUE = 64


def fold_queued(lane: LaneDraft, said: Queued, place: Place) -> list[Out]:
    """Follow what happened to the queue.

    Args:
        lane: the lane.
        said: the operation.
        place: its record.
    """
    if lane.attaches:
        return []
    match said.operation:
        case "enqueue":
            lane.queue = (*lane.queue, said.prompt)[-_LONGEST_QUEUE:]
        case "popAll":
            lane.queue = ()
        case "dequeue":
            _take(lane, said.prompt)
        case "remove":
            return _reached(lane, _take(lane, said.prompt), place)
    return []


def fold_steer(lane: LaneDraft, said: Steer, place: Place) -> list[Out]:
    """Show a prompt that its attachment tells of, unless the queue told of it.

    Args:
        lane: the lane.
        said: the prompt.
        place: its record.
    """
    told = said.text in lane.steered
    lane.attaches, lane.queue, lane.steered = True, (), ()
    return [] if told else _shown(lane, said, place)


def _take(lane: LaneDraft, wanted: Steer | None) -> Steer | None:
    """Take a prompt out of the queue: the one with the same text, else the oldest."""
    texts = [None if each is None else each.text for each in lane.queue]
    if not texts:
        return None
    at = texts.index(wanted.text) if wanted is not None and wanted.text in texts else 0
    taken = lane.queue[at]
    lane.queue = lane.queue[:at] + lane.queue[at + 1 :]
    return taken


def _reached(lane: LaneDraft, prompt: Steer | None, place: Place) -> list[Out]:
    if prompt is None:
        return []
    lane.steered = (*lane.steered, prompt.text)[-_LONGEST_QUEUE:]
    return _shown(lane, prompt, place)


def _shown(lane: LaneDraft, prompt: Steer, place: Place) -> list[Out]:
    lane.input_at = place.timestamp or lane.input_at
    return [now(place, payload) for reading in prompt.said for payload in _payloads(reading)]


def _payloads(reading: Reading) -> list[Payload]:
    match reading:
        case Prompt(parts=parts):
            text = "\n".join(each.text for each in parts if isinstance(each, Text))
            marked = Text(role="user", text=f"[user_steering]\n{text}\n[/user_steering]")
            return [marked, *(each for each in parts if isinstance(each, ImageUrl))]
        case Said(name=name, text=text, data=data):
            return [Notice(name=name, text=text, data=data)]
        case _:
            return []
