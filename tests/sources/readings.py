"""Running a source over records, as a reader would."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from refold import replay, settled, to_json
from refold.messages import Message
from refold.sources.files.opening import open_trace
from refold.sources.source import Record, Source

GOLDEN = Path(__file__).parents[2] / "golden"


def messages_of(source: Source, values: Iterable[Any], *, end: bool = True) -> list[Message]:
    """Return what a source makes of records; with ``end``, also what is due behind them."""
    messages, state = [], source.start()
    for line, value in enumerate(values, 1):
        state, made = source.step(state, Record(value=value, line=line), None)
        messages += made
    return messages + list(source.finish(state) if end else ())


def counts_of(source: Source, values: Iterable[Any]) -> dict[str, int]:
    """Return what a source didn't understand of records."""
    state = source.start()
    for value in values:
        state, _ = source.step(state, Record(value=value), None)
    return source.counts(state)


def view_of(source: Source, values: Iterable[Any]) -> dict[str, Any]:
    """Return the settled view of records, as JSON."""
    return view_of_messages(messages_of(source, values))


def view_of_messages(messages: Iterable[Message]) -> dict[str, Any]:
    """Return the settled view of messages, as JSON."""
    view: dict[str, Any] = to_json(settled(replay(list(messages), now_ms=0)))
    return view


def view_of_file(path: Path) -> dict[str, Any]:
    """Return the settled view of a file whose format is detected, as JSON."""
    return view_of_messages(open_trace(path).messages)


def kinds(view: dict[str, Any]) -> list[str]:
    """Return the kinds of a view's items, in order."""
    return [each["kind"] for each in view["items"]]


def items(view: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    """Return a view's items of a kind."""
    return [each for each in view["items"] if each["kind"] == kind]


def texts(view: dict[str, Any]) -> list[str]:
    """Return what is said in a view: by the user, the assistant and its thinking, in order."""
    return [
        each.get("text", each.get("thinking"))
        for each in view["items"]
        if each["kind"] in ("user_text", "user_steering", "assistant_text", "thinking")
    ]


def all_sessions(view: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a view and all nested ones."""
    nested = [each for one in view.get("subagents", {}).values() for each in all_sessions(one)]
    return [view, *nested]


def agrees(name: str, area: str) -> None:
    """Compare a golden file's view with what is kept of it."""
    found = view_of_file(GOLDEN / area / "inputs" / name)
    kept = json.loads((GOLDEN / area / "views" / f"{name}.json").read_text("utf-8"))
    assert found == kept


def keep_views(area: str) -> None:
    """Write the views of all golden files of an area, for a person to look over."""
    (GOLDEN / area / "views").mkdir(exist_ok=True)
    for path in sorted((GOLDEN / area / "inputs").iterdir()):
        view = json.dumps(view_of_file(path), ensure_ascii=False, indent=1, sort_keys=True)
        (GOLDEN / area / "views" / f"{path.name}.json").write_text(view + "\n", "utf-8")


if __name__ == "__main__":
    import sys

    for each in sys.argv[1:]:
        keep_views(each)
