"""What ``docs/how-to/embed.md`` shows is run: against a recorded session, cut anywhere, and in a browser."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings

from refold import Session, apply, diff, patch, read, record, replay, settled, to_json
from refold.decode import decode, encode
from refold.live import OlderWanted, Received, ResyncRequired, TaskState
from refold.messages import Message
from refold.sources.sse import SseEvent, feed, framer
from tests.docs.pages import ROOT, blocks
from tests.strategies import any_streams
from tests.web.browser import Browser
from tests.web.lines import said, user

PAGE = ROOT / "docs" / "how-to" / "embed.md"
CAPTURE = ROOT / "golden" / "penguin" / "inputs" / "live_streams" / "subagent.ndjson"


def _scope() -> dict[str, Any]:
    scope: dict[str, Any] = {"__name__": "embedded"}
    for block in blocks(PAGE):
        if block.kind == "python":
            exec(compile(block.text, str(PAGE), "exec"), scope)
    return scope


SCOPE = _scope()
Room = SCOPE["Room"]


class Viewer:
    """A browser: what it was told, put together."""

    def __init__(self, room: Any, last_id: str | None = None) -> None:
        self.shown: dict[str, Any] = {}
        self.last_id = last_id
        self._events: AsyncIterator[str] = room.listen(last_id)
        self._framer = framer()

    async def catch_up(self, room: Any) -> None:
        while self.last_id != room.events[-1][0]:
            self._framer, found = feed(self._framer, await anext(self._events))
            for each in found:
                assert isinstance(each, SseEvent)
                self._take(each.event, json.loads(each.data))
                self.last_id = each.id

    def _take(self, name: str, value: Any) -> None:
        match name:
            case "snapshot":
                self.shown = value
            case "patch":
                self.shown["view"] = patch(self.shown["view"], value)
            case "older":
                self.shown["older"] = [value, *self.shown["older"]]
            case "running" | "pending":
                self.shown[name] = value
            case "begin":
                pass
            case _:
                raise AssertionError(name)

    @property
    def items(self) -> list[Any]:
        views = [*self.shown["older"], self.shown["view"]]
        return [item for view in views for item in view["items"]]


def stored(messages: Sequence[Message]) -> Callable[[], Awaitable[Sequence[Message]]]:
    async def history() -> Sequence[Message]:
        return messages

    return history


async def settle(room: Any) -> None:
    while room.loading:
        await asyncio.gather(*room.loading)


def test_a_stream_and_a_history_become_one_view_and_patches_lead_there() -> None:
    happened = list(read(CAPTURE))

    async def session() -> None:
        room = Room(stored(list(record(happened[:40]))))
        early, room_events = Viewer(room), happened[25:]
        for message in room_events[:10]:
            room.tell(Received(message=message, now_ms=0))
        await settle(room)
        for message in room_events[10:]:
            await early.catch_up(room)
            room.tell(Received(message=message, now_ms=0))
        room.tell(TaskState(state="idle"))
        await early.catch_up(room)
        assert early.shown["view"] == to_json(room.state.session)
        assert early.shown["running"] is False
        assert settled(room.state.session) == settled(replay(happened, now_ms=0))
        late = Viewer(room)
        await late.catch_up(room)
        assert late.shown == early.shown

    asyncio.run(session())


def test_who_reconnects_gets_what_was_missed_or_all_of_it() -> None:
    happened = list(read(CAPTURE))

    async def session() -> None:
        room = Room(stored(()))
        await settle(room)
        viewer = Viewer(room)
        await viewer.catch_up(room)
        for message in happened:
            room.tell(Received(message=message, now_ms=0))
        back = Viewer(room, viewer.last_id)
        back.shown = viewer.shown
        await back.catch_up(room)
        stranger = Viewer(room, "elsewhere-7")
        await stranger.catch_up(room)
        assert back.shown == stranger.shown
        assert back.shown["view"] == to_json(room.state.session)

    asyncio.run(session())


def test_scrolling_up_brings_the_pages_in_front_until_the_beginning() -> None:
    happened = _tasks(300)

    async def session() -> None:
        room = Room(stored(happened))
        await settle(room)
        viewer = Viewer(room)
        pages = 0
        while room.state.cursor is not None:
            room.tell(OlderWanted())
            await settle(room)
            await viewer.catch_up(room)
            pages += 1
        assert pages > 1
        whole = to_json(replay(happened, now_ms=0))
        assert [each["key"] for each in viewer.items] == [each["key"] for each in whole["items"]]
        room.tell(ResyncRequired())
        await settle(room)
        await viewer.catch_up(room)
        assert len(viewer.items) == len(whole["items"])

    asyncio.run(session())


def test_a_history_that_can_t_be_loaded_is_told() -> None:
    async def broken() -> Sequence[Message]:
        raise OSError("no such store")

    async def session() -> None:
        room = Room(broken)
        await settle(room)
        assert (room.state.phase, room.state.error) == ("failed", "no such store")

    asyncio.run(session())


def test_the_stream_s_events_are_told() -> None:
    async def session() -> None:
        room, (question, *_) = Room(stored(())), _tasks(1)
        await settle(room)
        for event in ({"type": "message", "message": encode(question), "id": "e-1"},) * 2:
            SCOPE["heard"](room, event)
        SCOPE["heard"](room, {"type": "state", "state": "running"})
        assert [item.kind for item in room.state.session.items] == ["user_text"]
        assert room.state.running
        SCOPE["heard"](room, {"type": "gap"})
        assert room.state.phase == "loading"
        await settle(room)

    asyncio.run(session())


# --- in a browser ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    program, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if program is None or driver is None:
        pytest.skip("Chromium and its driver aren't installed")
    browser = Browser(program, driver)
    yield browser
    browser.close()


@settings(max_examples=25)
@given(messages=any_streams())
def test_the_browser_s_code_patches_as_refold_does(
    chromium: Browser, messages: list[Message]
) -> None:
    (code,) = [block.text for block in blocks(PAGE) if block.kind == "js"]
    versions = [Session()]
    for message in messages:
        versions.append(apply(versions[-1], message, now_ms=0))
    patches = [json.dumps(diff(before, after)) for before, after in pairwise(versions)]
    script = """
        const [before, ...patches] = arguments[0].map((text) => JSON.parse(text));
        return JSON.stringify(patches.reduce(patched, before));
    """
    texts = [json.dumps(to_json(versions[0])), *patches]
    found = chromium.driver.execute_script(f"{code}\n{script}", texts)
    assert json.loads(found) == to_json(versions[-1])


def _tasks(number: int) -> list[Message]:
    lines = [line for n in range(number) for line in (user(n, f"question {n}"), said(n, "answer"))]
    return [decode(json.loads(each)) for each in lines]
