"""Claude Code transcripts of any size, as large and as mixed as recorded ones.

Rules of this file:

- The records are the golden ones over and over, every id made new, so that nothing is a copy.
- Golden texts are cut and unread fields left out. ``claude_code_sizes.json`` holds what the
  recordings had: the length of each text that was cut, in characters and in the order they stand
  in, and of each record. Texts grow to that, and the rest of a record becomes fields nobody reads.
- What texts grow by is code-like: one character of twenty is escaped, as in the recordings, and
  one text of five isn't ASCII.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

__all__ = ["lines_of", "values"]

INPUTS = Path(__file__).parents[1] / "golden" / "claude_code" / "inputs"
SIZES = Path(__file__).with_name("claude_code_sizes.json")
OWN_IDS = frozenset(
    {"uuid", "parentUuid", "id", "tool_use_id", "requestId", "agentId", "parentToolUseID"}
)
CUT = "…"
CODE = '\n\tif name == "recorded" and it is not None:  # a line, as most texts are made of'
NOT_ASCII = 5
NUMBERS = {"counted": {"long": 5199, "short": 0}}
FIELD = 40
SMALL_FIELDS = 4


def lines_of(size: int) -> Iterator[str]:
    """Yield lines of about so many characters, without their ends."""
    recorded = [record for name in json.loads(SIZES.read_text("utf-8")) for record in grown(name)]
    copy = 0
    while size > 0:
        for value in recorded:
            line = written(renewed(value, f"{copy}-"))
            yield line
            size -= len(line) + 1
        copy += 1


def grown(name: str) -> Iterator[Any]:
    """Yield the records of a golden transcript at the sizes they had."""
    sizes = json.loads(SIZES.read_text("utf-8"))[name]
    texts = iter(enumerate(sizes["texts"]))
    for value, size in zip(values(INPUTS / f"{name}.jsonl"), sizes["records"], strict=True):
        whole = with_texts(value, texts)
        yield {**whole, **unread(size - len(written(whole)))}


def unread(missing: int) -> dict[str, Any]:
    """Return fields of so many characters: numbers, small texts, and one text for the rest."""
    fields: dict[str, Any] = {}
    if missing > len(written(NUMBERS)):
        fields |= NUMBERS
        missing -= len(written(NUMBERS))
    while missing > 2 * FIELD:
        length = FIELD if len(fields) < SMALL_FIELDS else missing
        fields[f"unread{len(fields)}"] = code(length - len('"unread0":"",'))
        missing -= length
    return fields


def values(path: Path) -> Iterator[Any]:
    """Yield the values of a file; a line may hold several."""
    decoder = json.JSONDecoder()
    for line in path.read_text(encoding="utf-8").splitlines():
        end = 0
        while end < len(line):
            value, end = decoder.raw_decode(line, end)
            yield value


def with_texts(value: Any, texts: Iterator[tuple[int, int]]) -> Any:
    """Return a value with the texts that were cut grown to their lengths."""
    if isinstance(value, dict):
        return {field: with_texts(each, texts) for field, each in value.items()}
    if isinstance(value, list):
        return [with_texts(each, texts) for each in value]
    if not isinstance(value, str) or not value.endswith(CUT):
        return value
    number, length = next(texts)
    end = CUT if number % NOT_ASCII == 0 else "."
    return value[:-1] + code(length - len(value)) + end


def code(length: int) -> str:
    """Return so many characters of code."""
    return (CODE * (length // len(CODE) + 1))[: max(0, length)]


def renewed(value: Any, prefix: str, name: str = "") -> Any:
    """Return a value with new ids."""
    if isinstance(value, dict):
        return {field: renewed(each, prefix, field) for field, each in value.items()}
    if isinstance(value, list):
        return [renewed(each, prefix) for each in value]
    return prefix + value if isinstance(value, str) and name in OWN_IDS else value


def written(value: Any) -> str:
    """Return a value as the client writes it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
