"""One file that is followed and told to everybody who listens."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

from refold.sources.sse import SseEvent, feed, framer
from refold.views import to_json
from refold.web.feed import Feed
from tests.web.lines import said, user

Test = Callable[[Feed], Awaitable[None]]


def follow(file: Path, test: Test) -> Feed:
    """Run a test while a file is followed."""
    followed = Feed(str(file), token="t")

    async def both() -> None:
        following = asyncio.create_task(followed.follow())
        try:
            await asyncio.wait_for(test(followed), 30)
        finally:
            following.cancel()

    asyncio.run(both())
    return followed


async def events(of: AsyncIterator[str], *names: str) -> AsyncIterator[SseEvent]:
    state = framer()
    async for text in of:
        state, found = feed(state, text)
        for each in found:
            if isinstance(each, SseEvent) and each.event in names:
                yield each


def test_what_is_told_leads_to_what_is_shown(tmp_path: Path) -> None:
    file = tmp_path / "live.jsonl"
    file.write_text(user(0, "hi"))

    async def test(followed: Feed) -> None:
        told = events(followed.events(), "snapshot")
        shown = [json.loads((await anext(told)).data)["items"] for _ in "12"]
        assert [len(items) for items in shown] == [0, 1]
        patches = events(followed.events(followed.chronicle.event_id), "patch")
        with file.open("a") as growing:
            growing.write(said(1, "there"))
        (operation,) = json.loads((await anext(patches)).data)
        assert operation["value"] == to_json(followed.chronicle.latest.session)["items"][1]

    follow(file, test)


def test_a_file_that_can_t_be_read_is_told_and_read_once_it_can(tmp_path: Path) -> None:
    file = tmp_path / "folder" / "live.jsonl"
    file.parent.write_text("in the way")

    async def test(followed: Feed) -> None:
        told = events(followed.events(), "status")
        while json.loads((await anext(told)).data)["problem"] is None:
            pass
        file.parent.unlink()
        file.parent.mkdir()
        file.write_text(user(0, "hi"))
        while json.loads((await anext(told)).data)["messages"] != 1:
            pass
        assert followed.status.problem is None

    follow(file, test)


def test_whoever_listens_is_let_go_when_it_closes(tmp_path: Path) -> None:
    async def test(followed: Feed) -> None:
        told = followed.events()
        await anext(told)
        rest = asyncio.ensure_future(_all(told))
        await asyncio.sleep(0)
        followed.close()
        assert "event: snapshot" in "".join(await rest)

    follow(tmp_path / "none.jsonl", test)


def test_one_snapshot_serves_all(tmp_path: Path) -> None:
    file = tmp_path / "live.jsonl"
    file.write_text(user(0, "hi"))

    async def test(followed: Feed) -> None:
        await anext(events(followed.events(), "snapshot"))
        assert followed.snapshot(followed.chronicle) is followed.snapshot(followed.chronicle)

    follow(file, test)


async def _all(told: AsyncIterator[str]) -> list[str]:
    return [each async for each in told]
