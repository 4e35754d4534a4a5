"""What the user says: texts, images and steering.

Rules of this file (reducer.md rules 16-18 and 29):

- Whether a message starts a task is for ``boundaries`` to say, and for nothing else.
- A message that starts a task inside a compaction ends that compaction: it crashed.
"""

from __future__ import annotations

from refold.boundaries import starts_task
from refold.items import UserImageItem, UserSteeringItem, UserTextItem
from refold.markers import steering_text
from refold.messages import ImageUrl, Text
from refold.records import evolver, positional
from refold.reduce.compactions import end_running
from refold.reduce.places import next_key, place, put_placed
from refold.reduce.tasks import reopen_task, see, start_task, take_back
from refold.state import Draft, Pointers

__all__ = ["image_url", "user_text"]

_user_text = positional(UserTextItem)
_steered = evolver(Pointers, "steering")
_with_images = evolver(UserSteeringItem, "images")


def user_text(draft: Draft, payload: Text, at_ms: int | None, now_ms: int) -> None:
    """Start a task, steer the one that runs, or pass a compaction summary by."""
    if starts_task(draft.boundary, payload):
        _start(draft, at_ms, now_ms)
        place(draft, _user_text(next_key(draft, "user_text"), payload.text, at_ms))
    elif draft.compacting is None:
        steering = steering_text(payload.text)
        if steering is None:
            see(draft, at_ms)
        else:
            _steer(draft, steering, at_ms, now_ms)


def image_url(draft: Draft, payload: ImageUrl, at_ms: int | None, now_ms: int) -> None:
    """Start a task with an image, or put it to the steering in front of it."""
    if starts_task(draft.boundary, payload):
        _start(draft, at_ms, now_ms)
        key = next_key(draft, "user_image")
        place(draft, UserImageItem(key=key, image_url=payload.image_url, at_ms=at_ms))
    elif draft.compacting is None:
        see(draft, at_ms)
        slot = draft.pointers.steering
        assert slot is not None, "an image that starts no task joins a steering"
        item = draft.placed.at(slot)
        assert type(item) is UserSteeringItem
        images = (*(item.images or ()), payload.image_url)
        put_placed(draft, slot, _with_images(item, images))


def _start(draft: Draft, at_ms: int | None, now_ms: int) -> None:
    end_running(draft, "aborted")
    start_task(draft, at_ms, now_ms)


def _steer(draft: Draft, steering: str, at_ms: int | None, now_ms: int) -> None:
    take_back(draft)
    if draft.task is None and draft.requests.may_reopen:
        reopen_task(draft, at_ms, now_ms)
    see(draft, at_ms)
    key = next_key(draft, "user_steering")
    slot = place(draft, UserSteeringItem(key=key, text=steering, at_ms=at_ms))
    draft.pointers = _steered(draft.pointers, slot)
