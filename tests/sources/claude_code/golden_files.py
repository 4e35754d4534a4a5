"""The golden files: every recorded input, and how what becomes of it is written down.

``python -m tests.sources.claude_code.golden_files`` writes the expected files anew; look at the
difference before you commit it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from refold import replay, settled, to_json
from refold.decode import encode
from refold.messages import Message
from refold.sources.claude_code import SOURCE, State
from refold.sources.claude_code.folder import session_records, sessions_in
from refold.sources.source import Record
from tests.sources.claude_code.transcripts import GOLDEN, read_records, read_values, step_all

__all__ = ["CASES", "expected", "folded", "messages_text", "records_of", "view_text"]

CASES = sorted(each.stem if each.is_file() else each.name for each in (GOLDEN / "inputs").iterdir())


def records_of(case: str) -> list[Record]:
    """Return the records of a case: of one transcript, or of a folder."""
    folder = GOLDEN / "inputs" / case
    if folder.is_dir():
        (files,) = sessions_in(folder)
        return list(session_records(files, read_values))
    return read_records(folder.with_name(f"{case}.jsonl"))


def folded(case: str) -> tuple[State, list[Message]]:
    state, messages = step_all(records_of(case))
    return state, [*messages, *SOURCE.finish(state)]


def messages_text(messages: list[Message]) -> str:
    """Write messages as lines: where from, when, through whom, what."""
    return "".join(f"{_line(each)}\n" for each in messages)


def view_text(messages: list[Message]) -> str:
    """Write the settled view as JSON, an item a line."""
    return _written(to_json(settled(replay(messages, now_ms=0)))) + "\n"


def expected(case: str, kind: str) -> Path:
    return GOLDEN / "expected" / kind / f"{case}.{'txt' if kind == 'messages' else 'json'}"


def _line(message: Message) -> str:
    source = message.transport.source if message.transport else None
    assert source is not None
    lane = "" if source.lane is None else f"{source.lane}:"
    payload = _json(encode(message)["payload"])
    origin = "/".join(message.origin) or "-"
    return f"{lane}{source.line}.{source.ordinal} {message.timestamp or '-'} {origin} {payload}"


def _written(view: dict[str, Any]) -> str:
    items = ",\n".join(_json(each) for each in view["items"])
    fields = [f'"items": [\n{items}\n]']
    if "subagents" in view:
        children = [f"{_json(name)}: {_written(each)}" for name, each in view["subagents"].items()]
        fields.append('"subagents": {' + ",\n".join(children) + "}")
    rest = {name: view[name] for name in view if name not in ("items", "subagents")}
    fields += [f"{_json(name)}: {_json(value)}" for name, value in rest.items()]
    return "{" + ",\n".join(fields) + "}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def main() -> None:
    for case in CASES:
        _, messages = folded(case)
        for kind, text in (("messages", messages_text(messages)), ("views", view_text(messages))):
            path = expected(case, kind)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
