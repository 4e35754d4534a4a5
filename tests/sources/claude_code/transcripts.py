"""Records of transcripts, written short, and what becomes of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from refold import finalize, replay, to_json
from refold.messages import Message, Payload
from refold.sources.claude_code import SOURCE, State
from refold.sources.source import Record

GOLDEN = Path(__file__).parents[3] / "golden" / "claude_code"
INPUTS = sorted((GOLDEN / "inputs").glob("*.jsonl"))

Raw = dict[str, Any]


def user(content: Any, uuid: str = "u", **fields: Any) -> Raw:
    return {
        "type": "user",
        "uuid": uuid,
        "sessionId": "s",
        "message": {"role": "user", "content": content},
        **fields,
    }


def assistant(
    *blocks: Raw, uuid: str = "a", id: str | None = "m", usage: Raw | None = None, **fields: Any
) -> Raw:
    message: Raw = {"role": "assistant", "model": "claude", "content": list(blocks)}
    message |= {} if id is None else {"id": id}
    message |= {} if usage is None else {"usage": usage}
    return {"type": "assistant", "uuid": uuid, "sessionId": "s", "message": message, **fields}


def text(words: str) -> Raw:
    return {"type": "text", "text": words}


def thinking(words: str) -> Raw:
    return {"type": "thinking", "thinking": words, "signature": "sig"}


def call(id: str, name: str = "Bash", **given: Any) -> Raw:
    return {"type": "tool_use", "id": id, "name": name, "input": given}


def result(id: str, content: Any = "ok", uuid: str = "r", **fields: Any) -> Raw:
    block = {"type": "tool_result", "tool_use_id": id, "content": content}
    block |= {"is_error": True} if fields.pop("is_error", False) else {}
    return user([block], uuid=uuid, **fields)


def system(subtype: str, uuid: str = "sys", **fields: Any) -> Raw:
    return {"type": "system", "subtype": subtype, "uuid": uuid, **fields}


def attachment(uuid: str = "att", **fields: Any) -> Raw:
    return {"type": "attachment", "uuid": uuid, "attachment": fields}


def tokens(output: int, fresh: int = 0, read: int = 0, written: int = 0) -> Raw:
    return {
        "input_tokens": fresh,
        "cache_read_input_tokens": read,
        "cache_creation_input_tokens": written,
        "output_tokens": output,
    }


def step_all(records: Iterable[Any], state: State | None = None) -> tuple[State, list[Message]]:
    """Fold records, raw or placed, without the end of the file."""
    state = SOURCE.start() if state is None else state
    messages: list[Message] = []
    for line, each in enumerate(records, 1):
        record = each if isinstance(each, Record) else Record(value=each, line=line)
        state, more = SOURCE.step(state, record, None)
        messages += more
    return state, messages


def messages_of(*records: Any) -> list[Message]:
    state, messages = step_all(records)
    return messages + list(SOURCE.finish(state))


def payloads_of(*records: Any) -> list[Payload]:
    """Return what records say, without the session's meta and facts."""
    return [
        each.payload
        for each in messages_of(*records)
        if each.payload.kind not in ("session_meta", "fact")
    ]


def facts_of(*records: Any) -> dict[str, Any]:
    facts = {}
    for message in messages_of(*records):
        if message.payload.kind == "fact":
            facts[message.payload.name] = message.payload.value
    return facts


def view_of(*records: Any) -> Raw:
    return to_json(finalize(replay(messages_of(*records), now_ms=0)))


def kinds(view: Raw) -> list[str]:
    return [item["kind"] for item in view["items"]]


def read_values(path: Path) -> Iterator[tuple[int, Any]]:
    """Yield every JSON value of a file with its line; a line may hold several."""
    decoder = json.JSONDecoder()
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        end, text = 0, line.strip()
        while end < len(text):
            value, end = decoder.raw_decode(text, end)
            yield number, value


def read_records(path: Path) -> list[Record]:
    return [Record(value=value, line=line) for line, value in read_values(path)]
