"""Hostile input, end to end: a clear error or a correct view, and a cost that grows with the input."""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from refold.checkpoints import dumps, loads
from refold.cli import main
from refold.decode import decode
from refold.errors import DecodeError
from refold.folding import apply, idle, replay
from refold.live import HistoryLoaded, Received, connect, step
from refold.messages import MAX_HOPS, Fact, McpConnectBegin, Message
from refold.patches import diff
from refold.session import Session
from refold.views import digest, to_json
from tests.notation import CB, CE, RB, RE, TU, A, C, K, O, S, T, U, X, fold, of, pC, pK, pO, pT

# --- lines ----------------------------------------------------------------------------------------


def _line(text: str, **fields: Any) -> str:
    payload = {"type": "text", "role": "user", "text": text}
    return json.dumps({"type": "model_msg", "payload": payload, **fields})


def _nested(levels: int) -> str:
    return '{"type":"event_msg","payload":{"type":"later","x":' + "[" * levels + "]" * levels + "}}"


BAD = {
    "nests too deep": (_nested(100_000), "at most 128 levels of nesting"),
    "has a number that is none": (
        '{"type":"event_msg","payload":{"type":"fact","name":"x","value":NaN}}',
        "a finite number",
    ),
    "has a number beyond any float": (
        '{"type":"event_msg","payload":{"type":"fact","name":"x","value":1e999}}',
        "a finite number",
    ),
    "has an integer beyond all use": (
        '{"type":"event_msg","payload":{"type":"fact","name":"x","value":' + "9" * 100_000 + "}}",
        "an integer of at most 4000 digits",
    ),
    "comes through 10,000 sessions": (
        _line("x", origin=["s"] * 10_000),
        f"at most {MAX_HOPS} nested sessions",
    ),
    "is no JSON": ("}" * 50_000, "a JSON value"),
}
GOOD = [
    _line("surrogate \ud83d"),
    _line("absurd", timestamp="9999-12-31T23:59:59.999-23:59"),
    _line("absurd", timestamp="0001-01-01T00:00:00+23:59"),
    _line("absurd", timestamp="\u0660" * 100_000),
    _line("long " + "x" * 2_000_000),
    _line("deep", origin=["s"] * MAX_HOPS),
    _nested(100),
]


@pytest.mark.parametrize("command", ["json", "show", "convert", "record"])
def test_what_is_bad_is_reported_with_its_place_and_what_is_good_is_kept(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str
) -> None:
    path = tmp_path / "hostile.jsonl"
    lines = [line for bad, _ in BAD.values() for line in (GOOD[0], bad)] + GOOD
    path.write_text("\n".join(lines) + "\n", "utf-8")
    assert main([command, str(path)]) == 3
    shown = capsys.readouterr()
    reported = [line for line in shown.err.splitlines() if "expected" in line]
    assert len(reported) == len(BAD)
    for number, (line, (_, said)) in enumerate(zip(reported, BAD.values(), strict=True)):
        assert f"line {2 * number + 2}: expected {said}" in line
        assert len(line) < 400
    assert "Traceback" not in shown.err
    if command == "json":
        assert len(json.loads(shown.out)["items"]) == len(BAD) + 6


def test_an_origin_of_ten_thousand_sessions_is_refused_or_counted() -> None:
    with pytest.raises(DecodeError, match="at most 64 nested sessions"):
        decode(json.loads(_line("x", origin=["s"] * 10_000)))
    session = apply(Session(), Message(payload=T("a"), origin=("s",) * 10_000), now_ms=0)
    assert session.diagnostics.unknown == 1


def test_a_chain_of_sessions_as_long_as_may_be_is_shown_stored_compared_and_patched() -> None:
    origin = tuple(f"s{depth}" for depth in range(MAX_HOPS))
    session = fold(U("q"), *[Message(payload=each, origin=origin) for each in (T("a"), K("b"))])
    assert loads(dumps(session)) == session
    assert len(digest(idle(session))) == 16
    after = fold(Message(payload=pT("start", "c"), origin=origin), session=session)
    assert diff(session, after)
    assert hash(after) != hash(session)


# --- how much it costs ----------------------------------------------------------------------------
# Calls are counted for a stream and one four times as long; then what one more message makes anew is
# weighed. Both tell quadratic work from linear whatever the machine does.


def _open_calls(count: int) -> Iterator[Any]:
    yield U("q")
    yield from (C(str(number)) for number in range(count))
    yield X()


def _spawning_calls(count: int) -> Iterator[Any]:
    for number in range(count):
        yield C(str(number), "run_subagent")
        yield A(str(number))


def _calls_that_never_complete(count: int) -> Iterator[Any]:
    for number in range(count):
        yield pC(str(number), "start")
        yield pC(str(number), "stop")
        yield RE("failed")


def _outputs_of_no_call(count: int) -> Iterator[Any]:
    for number in range(count):
        yield O(str(number))
        yield pO("no such", "delta", "x")


def _one_id(count: int) -> Iterator[Any]:
    yield from (C("1") for _ in range(count))


def _kept_approvals(count: int) -> Iterator[Any]:
    yield from (A(str(number)) for number in range(count))


def _compactions(count: int) -> Iterator[Any]:
    yield U("q")
    for _ in range(count):
        yield CB
        yield CE()


def _given_up_fragments(count: int) -> Iterator[Any]:
    for _ in range(count):
        yield pT("start", "a")
        yield pK("start", "b")
    yield CB


def _nested_sessions(count: int) -> Iterator[Any]:
    yield from (of(f"c{number}", T("a")) for number in range(count))


def _unbound_sessions(count: int) -> Iterator[Any]:
    yield from (of(f"c{number}", pT("start", "a")) for number in range(count))


def _sessions_that_wait_for_their_calls(count: int) -> Iterator[Any]:
    yield from (of(f"c{number}", T("a", names=str(number))) for number in range(count))
    yield from (C(str(number)) for number in range(count))


def _connections(count: int) -> Iterator[Any]:
    yield from (McpConnectBegin(servers=("a",)) for _ in range(count))


def _facts(count: int) -> Iterator[Any]:
    yield from (Fact(name=str(number), value=number) for number in range(count))


def _deltas(count: int) -> Iterator[Any]:
    yield pT("start", "a")
    yield from (pT("delta", "x") for _ in range(count))


def _argument_deltas(count: int) -> Iterator[Any]:
    yield pC("1", "start")
    yield from (pC("1", "delta", "x") for _ in range(count))


def _summary_deltas(count: int) -> Iterator[Any]:
    yield CB
    yield from (pT("delta", "x") for _ in range(count))


def _texts_of_one_task(count: int) -> Iterator[Any]:
    yield U("q")
    yield from (T("a") for _ in range(count))


def _tasks(count: int) -> Iterator[Any]:
    for _ in range(count):
        yield U("q")
        yield T("a")
        yield TU(1, 1)


def _reconnects(count: int) -> Iterator[Any]:
    for _ in range(count):
        yield RB
        yield RE("timeout", retry_in_ms=5)


def _steering(count: int) -> Iterator[Any]:
    yield U("q")
    yield from (S("left") for _ in range(count))


SHAPES: list[Callable[[int], Iterator[Any]]] = [
    _open_calls,
    _spawning_calls,
    _calls_that_never_complete,
    _outputs_of_no_call,
    _one_id,
    _kept_approvals,
    _compactions,
    _given_up_fragments,
    _nested_sessions,
    _unbound_sessions,
    _sessions_that_wait_for_their_calls,
    _connections,
    _facts,
    _deltas,
    _argument_deltas,
    _summary_deltas,
    _texts_of_one_task,
    _tasks,
    _reconnects,
    _steering,
]
by_shape = pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__.strip("_"))


def _messages(shape: Callable[[int], Iterator[Any]], count: int) -> list[Message]:
    return [each if isinstance(each, Message) else Message(payload=each) for each in shape(count)]


def _calls(run: Callable[[], object]) -> int:
    """Count the function calls, of Python's and C's, that something makes."""
    count = 0

    def note(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(None)
    return count


@by_shape
def test_the_cost_of_a_stream_grows_with_the_stream(
    shape: Callable[[int], Iterator[Any]],
) -> None:
    small, large = _messages(shape, 300), _messages(shape, 1_200)
    few = _calls(lambda: replay(small, now_ms=0))
    many = _calls(lambda: replay(large, now_ms=0))
    assert many < 5.5 * few


def _reachable(value: object) -> dict[int, int]:
    """Return the sizes of all objects that a session holds, by identity; classes aside."""
    found: dict[int, int] = {}
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if id(each) in found or isinstance(each, type):
            continue
        found[id(each)] = sys.getsizeof(each)
        waiting += gc.get_referents(each)
    return found


@by_shape
def test_one_more_message_copies_nothing_that_grew(shape: Callable[[int], Iterator[Any]]) -> None:
    """A bit a slot may be copied, which is an eighth of a byte; a pointer a slot may not."""
    count = 4_000
    *messages, last = _messages(shape, count)
    before = replay(messages, now_ms=0)
    after = apply(before, last, now_ms=0)
    shared = _reachable(before)
    fresh = {name: size for name, size in _reachable(after).items() if name not in shared}
    if shape not in (_open_calls, _given_up_fragments):  # their last message closes all of them
        assert sum(fresh.values()) < 12_000


def test_a_live_session_pays_for_its_own_message_only() -> None:
    """However many sessions overlap and are over."""
    history = tuple(_messages(_nested_sessions, 2_000))

    def run(count: int) -> None:
        state, _ = step(connect(), HistoryLoaded(messages=history[:count]))
        for message in history[:count]:
            state, _ = step(state, Received(message=message))
            state, _ = step(state, Received(message=Message(payload=K("x"), origin=message.origin)))

    assert _calls(lambda: run(800)) < 5 * _calls(lambda: run(200))


@pytest.mark.parametrize("shape", [_open_calls, _compactions, _nested_sessions])
def test_views_and_checkpoints_of_the_largest_are_made(
    shape: Callable[[int], Iterator[Any]],
) -> None:
    session = replay(_messages(shape, 3_000), now_ms=0)
    assert len(to_json(idle(session))["items"]) >= 3_000
    assert loads(dumps(session)) == session
