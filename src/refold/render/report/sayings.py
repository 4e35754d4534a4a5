"""What people and the model said: texts, thinking, images.

Rules of this file:

- What a text says stands open; thinking, and the rest of a very long text of the user's, is folded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from refold.items import (
    AssistantTextItem,
    ThinkingItem,
    UserImageItem,
    UserSteeringItem,
    UserTextItem,
)
from refold.markers import is_blank
from refold.render.numbers import count_text, duration_text
from refold.render.report.bodies import first_line, images, one_image, text_body
from refold.render.report.html import Content, Html, element
from refold.render.report.prose import prose
from refold.render.report.scenes import Scene

__all__ = ["assistant_text", "steering", "thinking", "user_image", "user_text"]

_LONG_TEXT: Final = 4000
_LONG_LINES: Final = 40
_RAN: Final = (None, "completed")


def user_text(item: UserTextItem, scene: Scene) -> Html:
    """Return what the user said."""
    return _said("user", "User", item.key, scene, item.at_ms, [_folded_if_long(item.text, scene)])


def steering(item: UserSteeringItem, scene: Scene) -> Html:
    """Return what the user said while a task ran."""
    body = [_folded_if_long(item.text, scene), images(item.images, "from the user")]
    return _said("user", "User, meanwhile", item.key, scene, item.at_ms, body)


def user_image(item: UserImageItem, scene: Scene) -> Html:
    """Return an image from the user."""
    body = [one_image(item.image_url, "from the user")]
    return _said("user", "User", item.key, scene, item.at_ms, body)


def assistant_text(item: AssistantTextItem, scene: Scene) -> Html:
    """Return what the assistant said."""
    who = _stopped("Assistant", item.stop_reason, streaming=item.streaming)
    return _said("assistant", who, item.key, scene, item.at_ms, [_prose(item.text, scene)])


def thinking(item: ThinkingItem, scene: Scene) -> Html:
    """Return what the assistant thought."""
    who = _stopped("Thinking", item.stop_reason, streaming=item.streaming)
    lasted = "" if item.duration_ms is None else duration_text(item.duration_ms)
    summary = element(
        "summary",
        {},
        element("span", {"class": "by"}, who),
        element("span", {"class": "brief"}, first_line(item.thinking).strip("*# ")),
        element("span", {"class": "remarks"}, lasted),
    )
    inside = element("div", {"class": "inside"}, _prose(item.thinking, scene))
    return element(
        "article",
        {"class": "item thinking", "id": scene.id_of(item.key)},
        element("details", {}, summary, inside),
        scene.time_of(item.key, item.started_at_ms),
    )


def _said(
    kind: str, who: str, key: str, scene: Scene, at_ms: int | None, body: Sequence[Content]
) -> Html:
    return element(
        "article",
        {"class": f"item {kind}", "id": scene.id_of(key)},
        element("div", {"class": "by"}, who, " ", scene.time_of(key, at_ms)),
        element("div", {"class": "body", "dir": "auto"}, *body),
    )


def _stopped(who: str, reason: str | None, *, streaming: bool) -> str:
    if reason not in _RAN:
        return f"{who}, {reason}"
    return f"{who}, unfinished" if streaming else who


def _prose(text: str, scene: Scene) -> Html:
    if is_blank(text):
        return element("p", {"class": "note"}, "(nothing)")
    if scene.longest and len(text) > scene.longest:
        return text_body(text, scene.longest)
    return prose(text)


def _folded_if_long(text: str, scene: Scene) -> Html:
    if len(text) <= _LONG_TEXT and text.count("\n") <= _LONG_LINES:
        return _prose(text, scene)
    size = f"{count_text(len(text))} characters"
    summary = element(
        "summary",
        {},
        element("span", {"class": "brief"}, first_line(text)),
        element("span", {"class": "remarks"}, size),
    )
    return element("details", {"class": "long"}, summary, _prose(text, scene))
