"""Output of terminals reaches the card that shows them, whoever runs them."""

from __future__ import annotations

from base64 import b64encode

from refold.messages import PartialToolCallOutput
from refold.sources.acp import SOURCE
from tests.sources.acp.wire import call, change, request, result, update
from tests.sources.readings import items, messages_of, view_of

SHOWN = [{"type": "terminal", "terminalId": "x"}]


def output(records: list[dict[str, object]]) -> str:
    (card,) = items(view_of(SOURCE, records), "tool_call")
    found: str = card["output"]
    return found


def test_pieces_sent_along_with_the_call_are_streamed_and_kept() -> None:
    def piece(data: str) -> dict[str, object]:
        return change(_meta={"terminal_output_delta": {"terminal_id": "x", "data": data}})

    records = [call(status="in_progress", title="ls", content=SHOWN), piece("a\n"), piece("b\n")]
    streamed = [
        each.payload.output
        for each in messages_of(SOURCE, records, end=False)
        if isinstance(each.payload, PartialToolCallOutput)
    ]
    assert streamed == ["a\n", "b\n"]
    assert output([*records, change(status="completed")]) == "a\nb\n"


def test_what_the_client_answers_is_the_terminals_output() -> None:
    records = [
        request(1, "terminal/create", sessionId="ses", command="ls"),
        result(1, terminalId="x"),
        call(status="in_progress", title="ls", content=SHOWN),
        request(2, "terminal/output", sessionId="ses", terminalId="x"),
        result(2, output="a\n", truncated=False),
        request(3, "terminal/output", sessionId="ses", terminalId="x"),
        result(3, output="a\nb\n", truncated=False),
        change(status="completed"),
    ]
    assert output(records) == "a\nb\n"


def test_bytes_of_a_terminal_are_joined_before_they_are_read() -> None:
    data = "né\n".encode()

    def chunk(part: bytes) -> dict[str, object]:
        words = b64encode(part).decode()
        return update("terminal_output_chunk", terminalId="x", data=words)

    records = [call(status="in_progress", title="ls", content=SHOWN)]
    records += [chunk(data[each : each + 1]) for each in range(len(data))]
    assert output([*records, change(status="completed")]) == "né\n"


def test_a_terminals_output_as_a_whole_replaces_what_was_there() -> None:
    whole = b64encode(b"all").decode()
    records = [
        call(status="in_progress", title="ls", content=SHOWN),
        update("terminal_output_chunk", terminalId="x", data=whole),
        update("terminal_update", terminalId="x", output={"data": whole}),
        update("terminal_update", terminalId="x", exitStatus={"exitCode": 0}),
        update("terminal_output_chunk", terminalId="x", data="not base64!"),
        change(status="completed"),
    ]
    assert output(records) == "all"
