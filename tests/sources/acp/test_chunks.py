"""Chunks become messages by their kind and id, never by their size."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from refold.messages import PartialText, Text
from refold.sources.acp import SOURCE
from tests.sources.acp.wire import call, ended, prompt, said, thought, update, user
from tests.sources.readings import counts_of, items, kinds, messages_of, texts, view_of

WORDS = st.sampled_from(["a", "b ", "\n", "é", "\ud83d", "\ude00", "", "long enough to be cut"])


def test_a_chunk_is_said_at_once_and_the_message_when_it_ends() -> None:
    chunks = [said("Hel"), said("lo")]
    open_ones = [each.payload for each in messages_of(SOURCE, chunks, end=False)][1:]
    assert open_ones == [
        PartialText(role="assistant", event_type="start", text="Hel"),
        PartialText(role="assistant", event_type="delta", text="lo"),
    ]
    last = messages_of(SOURCE, chunks)[-1]
    assert last.payload == Text(role="assistant", text="Hello", stop_reason="completed")


def test_the_message_points_at_its_first_line_and_has_the_time_of_its_last_chunk() -> None:
    def at(time: str, words: str) -> dict[str, object]:
        return {"at": time, "message": said(words)}

    chunks = [at("2026-01-01T00:00:01Z", "a"), at("2026-01-01T00:00:02Z", "b")]
    last = messages_of(SOURCE, chunks)[-1]
    assert last.timestamp == "2026-01-01T00:00:02Z"
    assert last.transport is not None and last.transport.source is not None
    assert last.transport.started_at == "2026-01-01T00:00:01Z"
    assert last.transport.source.line == 1


def test_another_kind_another_id_and_another_phase_begin_another_message() -> None:
    def phase(name: str) -> dict[str, object]:
        return {"codex": {"phase": name}}

    chunks = [
        thought("t"),
        said("a"),
        said("b", messageId="m1"),
        said("c", messageId="m2"),
        said("d", _meta=phase("commentary")),
        said("e", _meta=phase("final_answer")),
    ]
    assert texts(view_of(SOURCE, chunks)) == ["t", "a", "b", "c", "d", "e"]


def test_what_takes_no_place_does_not_end_a_message() -> None:
    neutral = [
        update("usage_update", used=1, size=2),
        update("plan", entries=[]),
        update("available_commands_update", availableCommands=[]),
        update("current_mode_update", currentModeId="ask"),
        update("session_info_update", title="T"),
        update("keepalive"),
    ]
    records = [call(status="in_progress"), said("Hel")]
    for each in neutral:
        records += [each, said("l")]
    records += [update("tool_call_update", toolCallId="t", status="completed"), said("o")]
    assert texts(view_of(SOURCE, records)) == ["Helllllllo"]


def test_a_call_ends_a_message() -> None:
    view = view_of(SOURCE, [said("a"), call(status="in_progress"), said("b")])
    assert kinds(view) == ["assistant_text", "tool_call", "assistant_text"]


def test_a_picture_of_the_agents_ends_a_message_and_is_noted() -> None:
    picture = {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png", "uri": "/p.png"}
    view = view_of(SOURCE, [said("a"), update("agent_message_chunk", content=picture), said("b")])
    assert kinds(view) == ["assistant_text", "notice", "assistant_text"]
    assert items(view, "notice")[0]["text"] == "/p.png"


def test_an_echo_of_the_prompt_is_dropped_however_it_is_cut() -> None:
    records = [prompt("do it\nnow"), user("do it"), user("\n"), user("now"), said("ok"), ended()]
    assert texts(view_of(SOURCE, records)) == ["do it\nnow", "ok"]


def test_what_the_user_puts_in_while_the_agent_works_is_steering() -> None:
    view = view_of(SOURCE, [prompt("go"), said("on it"), user("faster"), said("ok"), ended()])
    assert kinds(view) == [
        "user_text",
        "assistant_text",
        "user_steering",
        "assistant_text",
        "task_stats",
    ]


def test_without_prompts_the_users_chunks_are_the_prompts() -> None:
    view = view_of(SOURCE, [user("hi", messageId="u"), said("hello"), user("more"), said("yes")])
    assert texts(view) == ["hi", "hello", "more", "yes"]
    assert len(items(view, "task_stats")) == 2


def test_a_picture_of_the_users_is_the_users() -> None:
    picture = {"type": "image", "data": "QUJD", "mimeType": "image/png"}
    chunks = [user("look"), update("user_message_chunk", content=picture), said("nice")]
    view = view_of(SOURCE, chunks)
    assert items(view, "user_image")[0]["image_url"] == "data:image/png;base64,QUJD"


def test_a_whole_message_replaces_what_was_chunked_under_its_id() -> None:
    def whole(words: str, **fields: object) -> dict[str, object]:
        return update("agent_message", messageId="m", content=[{"type": "text", "text": words}])

    assert texts(view_of(SOURCE, [said("Hel", messageId="m"), whole("Hello")])) == ["Hello"]
    assert texts(view_of(SOURCE, [said("Hal", messageId="m"), whole("Hello")])) == ["Hello"]
    then = [whole("Hel"), said("lo", messageId="m")]
    assert texts(view_of(SOURCE, then)) == ["Hello"]
    cleared = [said("Hel", messageId="m"), update("agent_message", messageId="m", content=None)]
    assert texts(view_of(SOURCE, cleared)) == []
    kept = [said("Hel", messageId="m"), update("agent_message", messageId="m")]
    assert texts(view_of(SOURCE, kept)) == ["Hel"]


def test_a_message_that_is_over_cannot_be_changed_and_that_is_counted() -> None:
    again = update("agent_message", messageId="m", content=[{"type": "text", "text": "B"}])
    records = [said("A", messageId="m"), call(status="in_progress"), again]
    assert texts(view_of(SOURCE, records)) == ["A"]
    assert counts_of(SOURCE, records) == {"message changed when over": 1}


@given(st.lists(st.tuples(st.sampled_from(["agent", "thought", "user"]), WORDS), max_size=12))
def test_how_text_is_cut_into_chunks_changes_nothing(pieces: list[tuple[str, str]]) -> None:
    makers = {"agent": said, "thought": thought, "user": user}
    whole: list[tuple[str, str]] = []
    for kind, words in pieces:
        if whole and whole[-1][0] == kind:
            whole[-1] = (kind, _joined(whole[-1][1] + words))
        else:
            whole.append((kind, words))
    small = [makers[kind](each) for kind, words in pieces for each in (*words, "")]
    large = [makers[kind](words) for kind, words in whole]
    assert view_of(SOURCE, small) == view_of(SOURCE, large)


def _joined(words: str) -> str:
    """Return a text as a decoder gives it: with what pairs of surrogates stand for."""
    return words.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
