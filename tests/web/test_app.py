"""What ``refold serve`` answers, asked over a socket."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from refold.patches import patch
from refold.sources.sse import SseEvent
from tests.web.lines import delta, said, start, user
from tests.web.served import Server, served, wait_for

SECRET = "nobody asked for this"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("served")
    (made / "one.jsonl").write_text(user(0, "first") + said(1, "answer"))
    (made / "two.jsonl").write_text("".join(user(n, f"text {n}") for n in range(450)))
    (made / "secret.jsonl").write_text(user(0, SECRET))
    return made


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Server]:
    with served(folder / "one.jsonl", folder / "two.jsonl") as running:
        running.has_read(2, 0)
        running.has_read(450, 1)
        yield running


def test_the_list_says_what_is_served(server: Server) -> None:
    listed = server.get("/api/sessions").json
    assert [(each["name"], each["title"], each["items"]) for each in listed] == [
        ("one.jsonl", "first", 2),
        ("two.jsonl", "text 0", 450),
    ]


def test_a_snapshot_is_the_end_of_the_view_with_its_event_id(server: Server) -> None:
    snapshot = server.get("/api/session/1").json
    assert snapshot["id"].endswith("-0")
    assert snapshot["view"]["start"] == 250
    assert [each["text"] for each in snapshot["view"]["items"]][::199] == ["text 250", "text 449"]


def test_older_pages_lead_to_the_beginning(server: Server) -> None:
    snapshot = server.get("/api/session/1").json
    older = server.get(f"/api/session/1?before=250&at={snapshot['id']}").json
    oldest = server.get(f"/api/session/1?before={older['start']}").json
    assert (older["start"], len(older["items"]), older["id"]) == (50, 200, snapshot["id"])
    assert (oldest["start"], len(oldest["items"])) == (0, 50)


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("before=", 400),
        ("before=-1", 400),
        ("before=x", 400),
        ("before=1e3", 400),
        ("before=1&at=x-1", 409),
        ("before=1&in=nobody", 404),
        ("before=" + "9" * 400, 400),
    ],
)
def test_what_can_t_be_given_is_refused(server: Server, query: str, status: int) -> None:
    answer = server.get(f"/api/session/1?{query}")
    assert (answer.status, set(answer.json)) == (status, {"problem"})


PATHS = [
    "/secret.jsonl",
    "/page/../secret.jsonl",
    "/page/../../../../../../etc/passwd",
    "/page/%2e%2e/%2e%2e/secret.jsonl",
    "/page/..%2fsecret.jsonl",
    "/page//etc/passwd",
    "/page/style.css/../../app.py",
    "/page/",
    "/page/__init__.py",
    "/api/session/2",
    "/api/session/-1",
    "/api/session/0/../2",
    "/api/session/one.jsonl",
    "/api/session/..%2fsecret.jsonl",
    "/api/session/00000000000000000000000000000000000000000000002/events",
    "/api/session/0/events/x",
    "//etc/passwd",
    "/%00",
]


@pytest.mark.parametrize("path", PATHS)
def test_nothing_is_served_but_what_was_given(server: Server, path: str) -> None:
    answer = server.get(path)
    assert answer.status in (400, 404, 422)
    assert SECRET.encode() not in answer.body
    assert b"root:" not in answer.body


@pytest.mark.parametrize(
    "path", ["/", "/page/main.js", "/api/sessions", "/nothing", "/api/session/9"]
)
def test_every_answer_carries_the_policy(server: Server, path: str) -> None:
    headers = server.get(path).headers
    assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'self';")
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] == "no-store"
    assert "server" not in headers


@pytest.mark.parametrize("path", ["/", "/api/sessions", "/api/session/0/events", "/page/main.js"])
def test_other_names_and_other_sites_are_kept_out(server: Server, path: str) -> None:
    other = [
        {"host": "evil.example"},
        {"host": f"evil.example:{server.port}"},
        {"origin": "http://evil.example"},
        {"origin": "null"},
        {"origin": f"http://localhost:{server.port}", "host": f"127.0.0.1:{server.port}"},
    ]
    for headers in other:
        answer = server.get(path, **headers)
        assert (answer.status, b"answer" in answer.body) == (403, b"answers" in answer.body)
        assert "content-security-policy" in answer.headers


def test_own_names_are_let_in(server: Server) -> None:
    for host in (f"localhost:{server.port}", f"127.0.0.1:{server.port}", "[::1]:80", "10.0.0.7"):
        assert server.get("/api/sessions", host=host, origin=f"http://{host}").status == 200


def test_other_sites_may_link_to_the_page_but_not_ask(server: Server) -> None:
    assert server.get("/", sec_fetch_site="cross-site").status == 200
    for path in ("/api/sessions", "/api/session/0/events", "/page/main.js"):
        assert server.get(path, sec_fetch_site="cross-site").status == 403
        assert server.get(path, sec_fetch_site="same-site").status == 403


def test_nothing_can_be_changed(server: Server) -> None:
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "PATCH"):
        assert server.get("/api/sessions", method).status == 405
    assert server.get("/api/sessions", "HEAD").status == 200
    assert server.get("/api/session/0/events", "HEAD").status == 200


def test_a_name_can_be_allowed(folder: Path) -> None:
    with served(folder / "one.jsonl", more=("--allow-host", "box.lan")) as named:
        assert named.get("/api/sessions", host="box.lan:1").status == 200
        assert named.get("/api/sessions", host="lan:1").status == 403


# --- the stream -----------------------------------------------------------------------------------


def test_a_stream_begins_with_status_and_snapshot_and_goes_on_with_patches(tmp_path: Path) -> None:
    file = tmp_path / "live.jsonl"
    file.write_text(user(0, "hi") + start(1))
    with _read(file, 2) as server, server.events("/api/session/0/events") as events:
        assert next(events).event == "status"
        snapshot = next(events)
        assert snapshot.event == "snapshot"
        document = _whole(json.loads(snapshot.data))
        for n, piece in enumerate(["Hel", "lo", " \u2028 wörld"]):
            _grow(file, delta(2 + n, piece))
            patched = _next(events, "patch")
            document = patch(document, json.loads(patched.data))
        assert json.loads(patched.data)[0]["op"] == "append"
        assert document["items"][1]["text"] == "Hello \u2028 wörld"
        assert patched.id == server.get("/api/session/0").json["id"]


def test_who_comes_back_gets_what_was_missed(tmp_path: Path) -> None:
    file = tmp_path / "live.jsonl"
    file.write_text(user(0, "hi") + start(1))
    with _read(file, 2) as server:
        seen = server.get("/api/session/0").json["id"]
        _grow(file, delta(2, "missed"))
        server.has_read(3)
        with server.events("/api/session/0/events", Last_Event_ID=seen) as events:
            (operation,) = json.loads(_next(events, "patch").data)
        with server.events(f"/api/session/0/events?after={seen}") as events:
            assert json.loads(_next(events, "patch").data) == [operation]
        assert (operation["path"], operation["value"]) == ("/items/1/text", "missed")


@pytest.mark.parametrize("seen", ["", "x", "other-0", "../../x-1", "x" * 5000 + "-1"])
def test_who_comes_back_from_elsewhere_gets_a_snapshot(server: Server, seen: str) -> None:
    with server.events("/api/session/0/events", Last_Event_ID=seen) as events:
        next(events)
        assert next(events).event == "snapshot"


def test_a_replaced_file_begins_a_new_epoch(tmp_path: Path) -> None:
    file = tmp_path / "live.jsonl"
    file.write_text(user(0, "a rather long beginning"))
    with _read(file, 1) as server, server.events("/api/session/0/events") as events:
        before = server.get("/api/session/0").json["id"]
        (tmp_path / "new").write_text(user(0, "another") + said(1, "answer"))
        (tmp_path / "new").replace(file)
        server.has_read(2)
        after = server.get("/api/session/0").json
        texts = [each["text"] for each in after["view"]["items"]]
        assert texts == ["another", "answer"]
        assert after["id"].rpartition("-")[0] != before.rpartition("-")[0]
        shown = [json.loads(_next(events, "snapshot").data)["items"][0]["text"] for _ in "12"]
        assert shown == ["a rather long beginning", "another"]


def test_a_file_that_isn_t_there_may_come(tmp_path: Path) -> None:
    file = tmp_path / "later.jsonl"
    with served(file) as server:
        assert server.status()["items"] == 0
        file.write_text(user(0, "here"))
        server.has_read(1)


def test_what_can_t_be_read_is_counted_or_told(tmp_path: Path) -> None:
    torn, odd = tmp_path / "torn.jsonl", tmp_path / "odd.jsonl"
    torn.write_text(user(0, "a") + '{"timestamp": 7, "type": "model_msg"}\n' + user(1, "b"))
    odd.write_text('{"what": "is this"}\n' * 40)
    with served(torn, odd) as server:
        server.has_read(2)
        assert server.status(0)["faults"] == 1
        assert "format" in wait_for(lambda: server.status(1)["problem"])


def test_an_interrupt_ends_it_though_streams_are_open(tmp_path: Path) -> None:
    file = tmp_path / "live.jsonl"
    file.write_text(user(0, "hi"))
    with _read(file, 1) as server, server.events("/api/session/0/events") as events:
        _next(events, "snapshot")
        server.process.send_signal(signal.SIGINT)
        assert [each.event for each in events if each.event != "status"] == []
        assert server.process.wait(20) in (0, 130)


@contextmanager
def _read(file: Path, messages: int) -> Iterator[Server]:
    with served(file) as server:
        server.has_read(messages)
        yield server


def _next(events: Iterator[SseEvent], name: str) -> SseEvent:
    return next(each for each in events if each.event == name)


def _whole(view: dict[str, Any]) -> dict[str, Any]:
    assert view.pop("start") == 0
    return view


def _grow(file: Path, text: str) -> None:
    with file.open("a") as growing:
        growing.write(text)
