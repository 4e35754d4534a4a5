"""A session followed while its files grow folds to what a fresh reading of them folds to."""

from __future__ import annotations

import gzip
import json
import os
import shutil
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refold.errors import DecodeError
from refold.folding import replay
from refold.messages import Message
from refold.sources.files import open_trace
from refold.sources.files.following import Follower, Poll
from refold.sources.registry import FormatError
from refold.views import digest

GOLDEN = Path(__file__).parents[4] / "golden"
PENGUIN = GOLDEN / "penguin" / "inputs"
PARENT = next(PENGUIN.glob("subagent__*"))
CHILDREN = sorted(PENGUIN.glob("subagent_child__*"))
FIRST, SECOND = sorted(PENGUIN.glob("compact__*"))
ABORT = next(PENGUIN.glob("abort__*"))
BASIC = next(PENGUIN.glob("basic__*"))
FILES = [
    ABORT,
    next(PENGUIN.glob("torn_line_healed__*")),
    PENGUIN / "live_streams" / "subagent.ndjson",
    GOLDEN / "acp" / "inputs" / "jetbrains_transport.log",
    GOLDEN / "acp" / "inputs" / "codex_acp_terminal_full_flow.json",
    GOLDEN / "claude_code" / "inputs" / "sidechain_in_main_file_v1.jsonl",
    GOLDEN / "claude_stream_json" / "inputs" / "one_message_over_several_records.jsonl",
    GOLDEN / "codex" / "inputs" / "bare_sections.jsonl",
    GOLDEN / "anthropic_sse" / "inputs" / "arguments_cut_by_max_tokens.txt",
    GOLDEN / "openai_sse" / "inputs" / "one_call_that_wraps_several.jsonl",
]


class Folded:
    """The messages that hold, of all that were polled."""

    def __init__(self, follower: Follower) -> None:
        self.follower = follower
        self.messages: list[Message] = []
        self.restarts = 0

    def poll(self, most: int = 10_000) -> Folded:
        """Poll until there is no more."""
        poll = Poll(more=True)
        while poll.more:
            poll = self.follower.poll(most)
            if poll.restarted:
                self.messages.clear()
                self.restarts += 1
            self.messages += poll.messages
        return self

    def at_rest(self) -> list[Message]:
        """Return the messages as if nothing came any more."""
        return [*self.messages, *self.follower.due()]


def fresh(path: Path) -> list[Message]:
    return list(open_trace(path, errors="skip").messages)


def folded(messages: Iterable[Message]) -> str:
    return digest(replay(messages, now_ms=0))


def append(path: Path, content: bytes) -> None:
    with path.open("ab") as file:
        file.write(content)


def lines(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


# --- growing ----------------------------------------------------------------------------------


@pytest.mark.parametrize("source", FILES, ids=lambda path: path.name[:30])
@settings(max_examples=12)
@given(cuts=st.lists(st.integers(0, 10**6), max_size=5), most=st.sampled_from([1, 3, 10_000]))
def test_a_file_cut_anywhere_gives_the_messages_of_the_whole(
    tmp_path_factory: pytest.TempPathFactory, source: Path, cuts: list[int], most: int
) -> None:
    path = tmp_path_factory.mktemp("grown") / source.name
    content = source.read_bytes()
    ends = sorted({each % (len(content) + 1) for each in cuts} | {0, len(content)})
    path.touch()
    following = Folded(Follower(path))
    for start, end in pairwise(ends):
        append(path, content[start:end])
        following.poll(most)
    whole = fresh(path)
    assert following.at_rest() == whole
    assert following.follower.format == open_trace(path, errors="skip").format
    assert folded(following.at_rest()) == folded(whole)


def test_messages_come_with_the_line_that_they_are_on() -> None:
    positions = [each.transport for each in Folded(Follower(ABORT)).poll().messages]
    assert positions == [each.transport for each in fresh(ABORT)]


def test_a_torn_line_waits_until_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    first, second, *_ = lines(ABORT)
    path.write_bytes(first + second[:40])
    following = Folded(Follower(path))
    assert len(following.poll().messages) == 1
    append(path, second[40:-1])
    assert len(following.poll().messages) == 2
    append(path, b"\n")
    assert (len(following.poll().messages), following.restarts) == (2, 0)


def test_bad_lines_are_reported_once_with_their_places(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    first, second, *_ = lines(ABORT)
    path.write_bytes(first + b"no message\n")
    found: list[DecodeError] = []
    following = Folded(Follower(path, errors=found.append)).poll()
    append(path, b"{}\n" + second)
    assert len(following.poll().messages) == 2
    assert [(each.source, each.line) for each in found] == [(str(path), 2), (str(path), 3)]


def test_a_bad_line_is_raised_if_asked(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    path.write_bytes(lines(ABORT)[0] + b"no message\n")
    with pytest.raises(DecodeError, match="line 2"):
        Follower(path, errors="raise").poll()


# --- restarts ---------------------------------------------------------------------------------


@pytest.mark.parametrize("source", [ABORT, FILES[3], FILES[5]], ids=lambda path: path.name[:20])
def test_a_file_that_was_replaced_begins_anew(tmp_path: Path, source: Path) -> None:
    path = tmp_path / source.name
    path.write_bytes(b"".join(lines(source)[:9]))
    following = Folded(Follower(path)).poll()
    path.write_bytes(b"".join(lines(source)[1:]))
    assert (following.poll().at_rest(), following.restarts) == (fresh(path), 1)


def test_a_file_that_was_cut_begins_anew_and_may_be_another_session(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    shutil.copy(ABORT, path)
    following = Folded(Follower(path)).poll()
    path.write_bytes(b"")
    assert (following.poll().messages, following.restarts) == ([], 1)
    append(path, BASIC.read_bytes())
    assert (following.poll().at_rest(), following.restarts) == (fresh(path), 1)


def test_a_file_that_was_moved_away_is_followed_by_the_one_in_its_place(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    shutil.copy(ABORT, path)
    following = Folded(Follower(path)).poll()
    path.rename(tmp_path / "old")
    assert (following.poll().at_rest(), following.restarts) == (fresh(tmp_path / "old"), 0)
    shutil.copy(BASIC, path)
    assert (following.poll().at_rest(), following.restarts) == (fresh(path), 1)


def test_a_document_is_read_anew_when_it_grows(tmp_path: Path) -> None:
    source = GOLDEN / "acp" / "inputs" / "codex_acp_load_session_history.json"
    path = tmp_path / "updates.json"
    path.write_bytes(source.read_bytes()[:2000])
    following = Folded(Follower(path)).poll()
    append(path, source.read_bytes()[2000:])
    assert (following.poll().at_rest(), following.restarts) == (fresh(source), 1)


# --- more files than one ----------------------------------------------------------------------


def test_a_shard_that_appears_is_followed(tmp_path: Path) -> None:
    first, second = tmp_path / "s_001.jsonl", tmp_path / "s_002.jsonl"
    first.write_bytes(FIRST.read_bytes().rstrip(b"\n")[:-10])
    following = Folded(Follower(first)).poll()
    append(first, FIRST.read_bytes().rstrip(b"\n")[-10:])
    second.write_bytes(lines(SECOND)[0])
    following.poll()
    append(second, b"".join(lines(SECOND)[1:]))
    assert (following.poll().at_rest(), following.restarts) == (fresh(first), 0)
    assert following.follower.files == (str(first), str(second))


def test_a_shard_of_another_session_is_not_followed(tmp_path: Path) -> None:
    first = tmp_path / "s_001.jsonl"
    shutil.copy(FIRST, first)
    following = Folded(Follower(first)).poll()
    shutil.copy(ABORT, tmp_path / "s_002.jsonl")
    assert following.poll().at_rest() == fresh(first)
    assert following.follower.files == (str(first),)


def test_any_shard_or_the_beginning_of_their_names_is_the_whole_trace() -> None:
    stem = FIRST.with_name(FIRST.name.removesuffix("_001.jsonl"))
    for path in (FIRST, SECOND, stem):
        assert Folded(Follower(path)).poll().at_rest() == fresh(FIRST)


def test_one_file_is_followed_alone_if_asked() -> None:
    following = Folded(Follower(SECOND, complete=False)).poll()
    assert following.messages == list(open_trace(SECOND, complete=False).messages)


@pytest.mark.parametrize("most", [1, 5, 10_000])
def test_nested_sessions_are_woven_in_as_a_reading_weaves_them(most: int) -> None:
    following = Folded(Follower(PARENT)).poll(most)
    assert following.at_rest() == fresh(PARENT)
    assert set(following.follower.files) == {str(PARENT), *map(str, CHILDREN)}


def test_a_nested_trace_that_comes_late_is_woven_in_from_then_on(tmp_path: Path) -> None:
    parent = tmp_path / PARENT.name
    shutil.copy(PARENT, parent)
    following = Folded(Follower(parent)).poll()
    assert all(not each.origin for each in following.messages)
    for child in CHILDREN:
        (tmp_path / child.name).write_bytes(lines(child)[0])
    following.poll()
    for child in CHILDREN:
        append(tmp_path / child.name, b"".join(lines(child)[1:]))
    following.poll()
    by_origin = lambda messages: sorted(messages, key=lambda each: each.origin)  # noqa: E731
    assert by_origin(following.messages) == by_origin(fresh(parent))
    assert following.restarts == 0


def test_a_nested_trace_that_was_replaced_begins_the_session_anew(tmp_path: Path) -> None:
    for path in (PARENT, *CHILDREN):
        shutil.copy(path, tmp_path)
    following = Folded(Follower(tmp_path / PARENT.name)).poll()
    child = tmp_path / CHILDREN[0].name
    child.write_bytes(b"".join(lines(child)[:4]))
    assert following.poll().at_rest() == fresh(tmp_path / PARENT.name)
    assert following.restarts == 1


@pytest.mark.parametrize("whole_folder", [False, True])
def test_the_transcripts_of_subagents_are_followed_as_they_come(
    tmp_path: Path, whole_folder: bool
) -> None:
    source = GOLDEN / "claude_code" / "inputs" / "subagent_pair"
    main = tmp_path / "parent.jsonl"
    shutil.copy(source / "parent.jsonl", main)
    following = Folded(Follower(tmp_path if whole_folder else main)).poll()
    (transcript,) = (source / "subagents").iterdir()
    agent = tmp_path / "subagents" / transcript.name
    agent.parent.mkdir()
    agent.write_bytes(lines(transcript)[0])
    following.poll()
    append(agent, b"".join(lines(transcript)[1:]))
    following.poll()
    assert following.follower.format == "claude-code"
    assert len(following.follower.files) == 2
    assert folded(following.at_rest()) == folded(fresh(main))


# --- formats ----------------------------------------------------------------------------------


def test_the_format_is_told_as_soon_as_records_tell_it(tmp_path: Path) -> None:
    path = tmp_path / "later.jsonl"
    follower = Follower(path)
    assert (follower.poll(), follower.format) == (Poll(), None)
    path.write_bytes(b'{"what": "is this"}\n')
    assert (follower.poll(), follower.format) == (Poll(), None)
    append(path, BASIC.read_bytes())
    following = Folded(follower).poll()
    assert follower.format == "omni"
    assert following.messages == fresh(path)


def test_records_of_no_known_format_are_refused_when_there_are_enough(tmp_path: Path) -> None:
    path = tmp_path / "other.jsonl"
    path.write_bytes(b'{"what": "is this"}\n' * 40)
    with pytest.raises(FormatError, match=r"other\.jsonl"):
        Follower(path).poll()


def test_a_compressed_file_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(BASIC.read_bytes()))
    with pytest.raises(FormatError, match=r"a\.jsonl\.gz is compressed \(gzip\)"):
        Follower(path).poll()


def test_a_format_that_is_not_known_is_refused_at_once() -> None:
    with pytest.raises(FormatError, match="no format 'omnibus'"):
        Follower("anything", format="omnibus")


def test_a_format_that_is_given_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    path.write_bytes(b'{"what": "is this"}\n')
    follower = Follower(path, format="codex")
    follower.poll()
    assert follower.format == "codex"
    assert sum(follower.counts().values()) == 1


def test_standard_input_is_followed_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading) as stream, monkeypatch.context() as patched:
        patched.setattr("sys.stdin", stream)
        following = Folded(Follower("-")).poll()
        assert (following.messages, following.follower.ended) == ([], False)
        os.write(writing, ABORT.read_bytes()[:3000])
        following.poll()
        os.write(writing, ABORT.read_bytes()[3000:])
        os.close(writing)
        following.poll().poll()
        assert following.follower.ended
    assert [each.payload for each in following.messages] == [each.payload for each in fresh(ABORT)]


def test_what_would_be_due_is_not_taken(tmp_path: Path) -> None:
    source = GOLDEN / "claude_code" / "inputs" / "tail_on_tool_use_4rec.jsonl"
    path = tmp_path / "session.jsonl"
    shutil.copy(source, path)
    following = Folded(Follower(path)).poll()
    due = following.follower.due()
    assert due
    assert following.poll().messages == fresh(path)[: -len(due)]
    assert following.follower.due() == due


def test_a_large_file_is_polled_in_parts(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    line = json.dumps(
        {
            "timestamp": "2026-07-05T00:00:00.000Z",
            "type": "model_msg",
            "payload": {"type": "text", "role": "assistant", "text": "x" * 1000},
        }
    )
    path.write_text((line + "\n") * 1200, "utf-8")
    follower = Follower(path)
    polls = [follower.poll(500) for _ in range(4)]
    assert [(len(each.messages), each.more) for each in polls] == [
        (500, True),
        (500, True),
        (200, False),
        (0, False),
    ]
