"""The messages of a session, whatever its files."""

from __future__ import annotations

import io
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from refold.decode import encode_line
from refold.errors import DecodeError
from refold.messages import Message, SessionMeta, SourcePosition, Subagent, Text
from refold.sources.files import open_trace, read
from refold.sources.registry import FormatError

PENGUIN = Path(__file__).parents[3] / "golden" / "penguin" / "inputs"
PARENT = next(PENGUIN.glob("subagent__*"))
CHILDREN = sorted(PENGUIN.glob("subagent_child__*"))
FIRST, SECOND = sorted(PENGUIN.glob("compact__*"))
STREAM = PENGUIN / "live_streams" / "subagent.ndjson"
ABORT: dict[str, Any] = {"timestamp": "t", "type": "event_msg", "payload": {"type": "abort"}}
CLAUDE = [
    {
        "type": "user",
        "uuid": "u1",
        "parentUuid": None,
        "sessionId": "s",
        "timestamp": "2026-07-05T00:00:00.000Z",
        "message": {"role": "user", "content": "hi"},
    },
    {"type": "hologram", "uuid": "u2", "parentUuid": "u1", "sessionId": "s"},
]


def session_id_of(path: Path) -> str:
    payload = next(read(path)).payload
    assert isinstance(payload, SessionMeta)
    return payload.session_id


def own(messages: list[Message], *origin: str) -> list[Message]:
    return [each for each in messages if each.origin == origin]


# --- shards -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "sources",
    [
        [FIRST],
        [SECOND],
        [SECOND, FIRST],
        [FIRST, SECOND, FIRST],
        [str(FIRST)],
        [FIRST.with_name(FIRST.name.removesuffix("_001.jsonl"))],
    ],
)
def test_a_trace_in_shards_is_read_whole_and_once(sources: list[Any]) -> None:
    trace = open_trace(*sources)
    assert (trace.format, trace.files) == ("omni", (str(FIRST), str(SECOND)))
    assert list(trace.messages) == [*read(FIRST), *read(SECOND)]


def test_shards_are_left_alone_when_asked() -> None:
    assert open_trace(SECOND, complete=False).files == (str(SECOND),)


def test_a_numbered_file_of_another_session_is_no_shard(tmp_path: Path) -> None:
    for number, path in enumerate([FIRST, PARENT, SECOND], 1):
        shutil.copy(path, tmp_path / f"run_00{number}.jsonl")
    names = [Path(each).name for each in open_trace(tmp_path / "run_001.jsonl").files]
    assert names == ["run_001.jsonl", "run_003.jsonl"]


def test_numbered_captures_without_a_session_are_no_shards(tmp_path: Path) -> None:
    for number in (1, 2):
        (tmp_path / f"run_00{number}.jsonl").write_text(json.dumps(ABORT))
    trace = open_trace(tmp_path / "run_001.jsonl")
    assert len(list(trace.messages)) == 1


# --- nested sessions ----------------------------------------------------------------------------


def test_a_pointers_child_is_woven_in_from_beside_it() -> None:
    messages = list(open_trace(PARENT).messages)
    assert own(messages) == list(read(PARENT))
    for path in CHILDREN:
        child = session_id_of(path)
        assert [each.payload for each in own(messages, child)] == [
            each.payload for each in read(path)
        ]
        pointer = [each.payload for each in messages].index(Subagent(session_id=child))
        assert all(at > pointer for at, each in enumerate(messages) if each.origin == (child,))


def test_a_woven_trace_says_what_the_live_stream_said() -> None:
    """The trace alone holds the parent's first two messages and the pointers."""
    woven = {encode_line(_bare(each)) for each in open_trace(PARENT).messages}
    lived = {
        encode_line(_bare(each))
        for each in open_trace(STREAM).messages
        if not each.payload.kind.startswith("partial")
    }
    only_told = [json.loads(each)["payload"].get("type") for each in woven - lived]
    assert lived <= woven
    assert sorted(map(str, only_told)) == ["None", "subagent", "subagent", "text"]


def _bare(message: Message) -> Message:
    return Message(
        payload=message.payload,
        timestamp=message.timestamp,
        origin=message.origin,
        extra=message.extra,
    )


def test_every_message_says_which_file_it_came_from() -> None:
    for message in open_trace(PARENT).messages:
        source = message.transport.source if message.transport else None
        assert isinstance(source, SourcePosition)
        assert source.lane is not None
        assert bool(message.origin) == source.lane.startswith("subagent_child__")


def test_a_missing_child_keeps_its_pointer(tmp_path: Path) -> None:
    path = shutil.copy(PARENT, tmp_path)
    shutil.copy(CHILDREN[0], tmp_path)
    messages = list(open_trace(path).messages)
    assert {each.origin for each in messages} == {(), (session_id_of(CHILDREN[0]),)}
    assert sum(isinstance(each.payload, Subagent) for each in messages) == 2


def test_a_childs_torn_line_is_reported_with_its_place(tmp_path: Path) -> None:
    path = shutil.copy(PARENT, tmp_path)
    torn = tmp_path / CHILDREN[0].name
    torn.write_text(CHILDREN[0].read_text() + '{"torn')
    faults: list[DecodeError] = []
    list(open_trace(path, errors=faults.append).messages)
    assert [(each.source, each.line) for each in faults] == [(str(torn), 14)]


def test_nested_sessions_are_left_alone_when_asked() -> None:
    assert list(open_trace(PARENT, complete=False).messages) == list(read(PARENT))


# --- formats ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(map(json.dumps, CLAUDE)),
        json.dumps(CLAUDE),
        json.dumps(CLAUDE, indent=2),
        "\n".join(json.dumps(each, indent=2) for each in CLAUDE),
        "\ufeff" + json.dumps(CLAUDE, indent=2),
    ],
    ids=["lines", "array", "printed array", "printed values", "byte order mark"],
)
def test_a_foreign_file_is_told_by_its_records_in_any_shape(text: str) -> None:
    trace = open_trace(io.StringIO(text))
    messages = list(trace.messages)
    assert (trace.format, trace.files) == ("claude-code", ("the input",))
    assert "hi" in [getattr(each.payload, "text", None) for each in messages]
    assert sum(trace.counts().values()) == 1


def test_omni_may_be_an_array() -> None:
    trace = open_trace(io.StringIO(json.dumps([ABORT, ABORT], indent=1)))
    assert (trace.format, len(list(trace.messages))) == ("omni", 2)


def test_a_format_that_is_said_is_taken() -> None:
    trace = open_trace(["{}", json.dumps(ABORT)], format="omni", errors="skip")
    assert len(list(trace.messages)) == 1
    assert open_trace([json.dumps(ABORT)], format="claude-code").format == "claude-code"


def test_an_empty_file_of_a_format_that_is_said_is_an_empty_session() -> None:
    assert list(open_trace([], format="omni").messages) == []


def test_an_unknown_file_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "f.json"
    path.write_text('{"a": 1}')
    with pytest.raises(FormatError, match=r"f\.json: none of its first 1 records is of a known"):
        open_trace(path)


def test_a_foreign_files_bad_lines_are_reported() -> None:
    lines = [json.dumps(CLAUDE[0]), '{"torn', "[DEBUG] noise"]
    faults: list[DecodeError] = []
    trace = open_trace(lines, errors=faults.append)
    list(trace.messages)
    assert [each.line for each in faults] == [2]


def test_a_missing_file_is_an_os_error_at_once(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        open_trace(tmp_path / "gone.jsonl")


def test_nothing_to_read_is_an_error() -> None:
    with pytest.raises(ValueError, match="no source was given"):
        open_trace()


# --- a Claude Code session is more files than one -----------------------------------------------


def claude_line(uuid: str, ms: int, text: str, **more: Any) -> str:
    message = {"role": "user", "content": text}
    stamp = f"2026-07-05T00:00:00.{ms:03}Z"
    known = {"type": "user", "uuid": uuid, "parentUuid": None, "sessionId": "s", "timestamp": stamp}
    return json.dumps({**known, "message": message, **more})


@pytest.fixture
def claude_folder(tmp_path: Path) -> Path:
    (tmp_path / "s.jsonl").write_text(
        f"{claude_line('u1', 1, 'outer')}\n{claude_line('u2', 9, 'last')}\n"
    )
    agents = tmp_path / "s" / "subagents"
    agents.mkdir(parents=True)
    inner = claude_line("a1", 5, "inner", isSidechain=True, agentId="x")
    (agents / "agent-x.jsonl").write_text(inner)
    return tmp_path


@pytest.mark.parametrize("given_name", ["s.jsonl", "s", "."])
def test_a_transcript_is_read_with_its_subagents(claude_folder: Path, given_name: str) -> None:
    trace = open_trace(claude_folder / given_name)
    texts = [
        (bool(each.origin), each.payload.text)
        for each in trace.messages
        if isinstance(each.payload, Text)
    ]
    assert texts == [(False, "outer"), (True, "inner"), (False, "last")]
    assert [Path(each).name for each in trace.files] == ["s.jsonl", "agent-x.jsonl"]


def test_a_transcript_is_read_alone_when_asked(claude_folder: Path) -> None:
    trace = open_trace(claude_folder / "s.jsonl", complete=False)
    assert {each.origin for each in trace.messages} == {()}


def test_a_folder_of_several_sessions_is_refused_with_their_names(claude_folder: Path) -> None:
    (claude_folder / "t.jsonl").write_text(claude_line("u", 1, "other"))
    with pytest.raises(FormatError, match=r"holds 2 sessions, name the file of one: s, t"):
        open_trace(claude_folder)


def test_a_folder_without_a_session_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"is a folder and holds no session: name a file$"):
        open_trace(tmp_path)


def test_a_subagents_bad_line_is_reported_with_its_place(claude_folder: Path) -> None:
    path = claude_folder / "s" / "subagents" / "agent-x.jsonl"
    path.write_text(path.read_text() + '\n{"torn')
    faults: list[DecodeError] = []
    list(open_trace(claude_folder / "s.jsonl", errors=faults.append).messages)
    assert [(each.source, each.line) for each in faults] == [(str(path), 2)]
