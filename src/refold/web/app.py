"""The answers of ``refold serve`` (extra ``web``).

Rules of this file:

- A session is asked for by its number among those that are served; no path of a file comes in.
- Every answer, an error too, carries the same security headers; nothing but reading is allowed.
- A page of older items is of the very version that the asker shows (``at``), so that the patches
  which follow that version fit it; if that isn't kept any more, the asker must begin anew.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final

from refold.errors import MissingExtraError
from refold.web.access import SECURITY_HEADERS, is_own_host, is_own_origin, is_own_site
from refold.web.assets import Asset, read_assets
from refold.web.chronicle import Chronicle, version_at
from refold.web.feed import Feed
from refold.web.summaries import summary_json
from refold.web.windowed import json_text, nested_at, page

try:
    from starlette.applications import Starlette
    from starlette.middleware import Middleware
    from starlette.requests import HTTPConnection, Request
    from starlette.responses import Response, StreamingResponse
    from starlette.routing import Route
    from starlette.types import ASGIApp, Message, Receive, Scope, Send
except ImportError as error:
    raise MissingExtraError("refold serve", "web") from error

__all__ = ["make_app"]

_SAFE: Final = ("GET", "HEAD")
_JSON: Final = "application/json"
_DIGITS: Final = 15


def make_app(feeds: Sequence[Feed], *, names: Sequence[str] = ()) -> Starlette:
    """Return the ASGI application that serves sessions.

    Args:
        feeds: the sessions' files; they are followed while the application lives.
        names: host names that requests may use beside localhost and addresses.

    Raises:
        MissingExtraError: starlette isn't installed (when this file is imported).
    """
    answers = _Answers(feeds, read_assets())
    routes = [
        Route("/", answers.index),
        Route("/page/{name}", answers.asset),
        Route("/api/sessions", answers.sessions),
        Route("/api/session/{number:int}", answers.session),
        Route("/api/session/{number:int}/events", answers.events),
    ]
    own = frozenset(name.lower().removesuffix(".") for name in names)
    return Starlette(
        routes=routes, middleware=[Middleware(_Guard, names=own)], lifespan=_following(feeds)
    )


def _following(feeds: Sequence[Feed]) -> Any:
    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with asyncio.TaskGroup() as tasks:
            following = [tasks.create_task(each.follow()) for each in feeds]
            yield
            for each in following:
                each.cancel()

    return lifespan


class _Answers:
    """What is answered to whom was let in."""

    def __init__(self, feeds: Sequence[Feed], assets: Mapping[str, Asset]) -> None:
        self._feeds = feeds
        self._assets = assets

    async def index(self, request: Request) -> Response:
        return _file(self._assets["index.html"])

    async def asset(self, request: Request) -> Response:
        found = self._assets.get(request.path_params["name"])
        return _problem(404, "no such file of the page") if found is None else _file(found)

    async def sessions(self, request: Request) -> Response:
        return _json(
            [
                {**each.status_json(), **summary_json(each.chronicle.latest.session)}
                for each in self._feeds
            ]
        )

    async def session(self, request: Request) -> Response:
        feed = self._feed(request)
        if feed is None:
            return _problem(404, "no such session")
        if "before" in request.query_params:
            return _page(feed.chronicle, request)
        chronicle = feed.chronicle
        status = json_text(feed.status_json())
        head = f'{{"id":{json_text(chronicle.event_id)},"status":{status},"view":'
        return _response(f"{head}{feed.snapshot(chronicle)}}}")

    async def events(self, request: Request) -> Response:
        feed = self._feed(request)
        if feed is None:
            return _problem(404, "no such session")
        if request.method == "HEAD":
            return Response(media_type="text/event-stream")
        after = request.headers.get("last-event-id") or request.query_params.get("after")
        return StreamingResponse(feed.events(after), media_type="text/event-stream")

    def _feed(self, request: Request) -> Feed | None:
        number: int = request.path_params["number"]
        return self._feeds[number] if number < len(self._feeds) else None


def _page(chronicle: Chronicle, request: Request) -> Response:
    asked = request.query_params
    before = asked["before"]
    if not (before.isascii() and before.isdigit() and len(before) <= _DIGITS):
        return _problem(400, "before is the index of an item")
    version = version_at(chronicle, asked["at"]) if "at" in asked else chronicle.latest
    if version is None:
        return _problem(409, "that version isn't kept any more")
    session = nested_at(version.session, asked.getlist("in"))
    if session is None:
        return _problem(404, "no such nested session")
    return _json({"id": chronicle.id_of(version), **page(session, int(before))})


def _json(value: Any, status: int = 200) -> Response:
    return _response(json_text(value), status)


def _response(text: str, status: int = 200) -> Response:
    return Response(text, status, media_type=_JSON)


def _problem(status: int, says: str) -> Response:
    return _json({"problem": says}, status)


def _file(asset: Asset) -> Response:
    return Response(asset.content, media_type=asset.media_type)


class _Guard:
    """Lets nobody else's pages and names in, and puts the security headers on every answer."""

    def __init__(self, app: ASGIApp, names: frozenset[str]) -> None:
        self._app = app
        self._names = names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            refused = self._refusal(HTTPConnection(scope), scope["method"])
            await (refused or self._app)(scope, receive, _secured(send))

    def _refusal(self, asked: HTTPConnection, method: str) -> Response | None:
        host = asked.headers.get("host")
        if not is_own_host(host, self._names):
            return _problem(403, "this server answers to localhost and addresses; see --allow-host")
        if not is_own_origin(asked.headers.get("origin"), host):
            return _problem(403, "this server answers to its own pages only")
        is_page = asked.url.path == "/"
        if not is_page and not is_own_site(asked.headers.get("sec-fetch-site")):
            return _problem(403, "this server answers to its own pages only")
        return None if method in _SAFE else _problem(405, "nothing here can be changed")


def _secured(send: Send) -> Send:
    added = [(name.encode(), value.encode()) for name, value in SECURITY_HEADERS.items()]
    added.append((b"cache-control", b"no-store"))

    async def send_secured(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], *added]
        await send(message)

    return send_secured
