"""The files of a folder are the sessions a person would count in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from refold import finalize, replay, to_json
from refold.sources.claude_code.folder import AgentFile, SessionFiles, session_records, sessions_in
from tests.sources.claude_code.transcripts import GOLDEN, SOURCE, read_values, step_all


def write(path: Path, *records: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(each) + "\n" for each in records), encoding="utf-8")
    return path


def test_a_session_is_its_transcript_and_the_files_under_its_name(tmp_path: Path) -> None:
    main = write(tmp_path / "s1.jsonl", {"sessionId": "s1"})
    agent = write(tmp_path / "s1" / "subagents" / "agent-a1.jsonl", {"sessionId": "s1"})
    meta = write(agent.with_name("agent-a1.meta.json"), {"toolUseId": "t"})
    deep = write(tmp_path / "s1" / "subagents" / "flow" / "agent-a2.jsonl", {})
    other = write(tmp_path / "s2.jsonl", {"sessionId": "s2"})
    expected = SessionFiles(
        session_id="s1",
        main=main,
        agents=(
            AgentFile(agent="a1", path=agent, meta=meta),
            AgentFile(agent="a2", path=deep),
        ),
    )
    assert sessions_in(tmp_path) == (
        expected,
        SessionFiles(session_id="s2", main=other, agents=()),
    )
    assert sessions_in(main) == (expected,)
    assert sessions_in(tmp_path / "s1") == (expected,)


def test_older_files_beside_a_transcript_go_to_the_session_they_name(tmp_path: Path) -> None:
    one = write(tmp_path / "s1.jsonl", {"sessionId": "s1"})
    renamed = write(tmp_path / "copy.jsonl", {"type": "x"}, {"sessionId": "s2"})
    first = write(tmp_path / "agent-a.jsonl", {"sessionId": "s1"})
    second = write(tmp_path / "agent-b.jsonl", {"sessionId": "s2"})
    lost = write(tmp_path / "agent-c.jsonl", {"sessionId": "gone"})
    found = {each.main: each for each in sessions_in(tmp_path)}
    assert found[one].agents == (AgentFile(agent="a", path=first),)
    assert found[renamed].agents == (AgentFile(agent="b", path=second),)
    assert found[None] == SessionFiles(
        session_id="gone", main=None, agents=(AgentFile(agent="c", path=lost),)
    )


def test_an_agents_file_alone_is_a_session_without_a_transcript(tmp_path: Path) -> None:
    path = write(tmp_path / "agent-a.jsonl", {"sessionId": "s1"})
    assert sessions_in(path) == (
        SessionFiles(session_id="s1", main=None, agents=(AgentFile(agent="a", path=path),)),
    )


def test_a_folder_with_one_transcript_is_one_session() -> None:
    (files,) = sessions_in(GOLDEN / "inputs" / "subagent_pair")
    assert files.session_id == "parent"
    assert [each.agent for each in files.agents] == ["a0ad4f44468bdf20d"]


def test_a_file_that_is_no_transcript_stops_nobody(tmp_path: Path) -> None:
    write(tmp_path / "s1.jsonl", {"sessionId": "s1"})
    write(tmp_path / "s2.jsonl", {"sessionId": "s2"})
    torn = tmp_path / "agent-torn.jsonl"
    torn.write_bytes(b'\xff\xfe\n[]\n{"sessionId": 7}\n{"sess')
    assert [each.session_id for each in sessions_in(tmp_path)] == ["s1", "s2", "agent-torn"]


def test_an_empty_folder_has_no_session_and_a_missing_one_is_an_error(tmp_path: Path) -> None:
    assert sessions_in(tmp_path) == ()
    with pytest.raises(OSError, match="gone"):
        tuple(sessions_in(tmp_path / "gone"))


def test_a_whole_session_is_one_tree() -> None:
    (files,) = sessions_in(GOLDEN / "inputs" / "subagent_pair")
    state, messages = step_all(session_records(files, read_values))
    view = to_json(finalize(replay([*messages, *SOURCE.finish(state)], now_ms=0)))
    assert [item["kind"] for item in view["items"]] == [
        "user_text",
        "assistant_text",
        "tool_call",
        "subagent",
        "task_stats",
    ]
    child = view["subagents"]["a0ad4f44468bdf20d"]
    assert [item["kind"] for item in child["items"]] == ["user_text", "assistant_text", "tool_call"]
