"""Records in the user's place: prompts, tool results, and what the client wrote there itself.

Rules of this file (sources/claude-code.md 2.1, 2.4, 8.3):

- Results come in front of the text of the same record: they belong to the turn that ends, the text
  opens the next.
- What is marked as the client's own (``isMeta``) shows no text, but its results count.
- An image is kept where it stands among the texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any

from refold.json_values import JsonObject, freeze
from refold.messages import Text, ToolCallOutput
from refold.records import evolve, positional
from refold.sources.anthropic_blocks import blocks_of, result_payload, text_of, user_payload
from refold.sources.claude_code.commands import EFFORT_WORDS, command_class
from refold.sources.claude_code.fields import digest, flag, key_of, string
from refold.sources.claude_code.markup import (
    Human,
    Interrupted,
    Notification,
    Scaffolding,
    Shell,
    SlashCommand,
    Stopped,
    read_markup,
)
from refold.sources.claude_code.readings import (
    Dropped,
    Interrupt,
    Known,
    Prompt,
    PromptPart,
    Reading,
    Result,
    Said,
    Steer,
    Summary,
    Unknown,
)

__all__ = ["MARKUP_READERS", "read_queued_prompt", "read_text", "read_user"]

_answer = positional(Result)
_asked = positional(Prompt)
_text = positional(Text, "role", "text")
_REFUSED = "The user doesn't want to proceed with this tool use."


def read_user(record: dict[str, Any], message: dict[str, Any]) -> tuple[Reading, ...]:
    """Read a record whose message has the role ``user``.

    Args:
        record: a transcript record.
        message: its message.
    """
    blocks = blocks_of(message.get("content"))
    if len(blocks) == 1 and blocks[0].get("type") == "tool_result":
        return (_result(record, 0, blocks[0], record.get("toolUseResult")),)
    results = [block for block in blocks if block.get("type") == "tool_result"]
    rest = [block for block in blocks if block.get("type") != "tool_result"]
    structured = record.get("toolUseResult") if len(results) == 1 else None
    return (
        *[_result(record, index, block, structured) for index, block in enumerate(results)],
        *(_words(record, rest) if rest else ()),
    )


def read_text(record: dict[str, Any], text: str) -> tuple[Reading, ...]:
    """Read one text in the user's place, markup and all.

    Args:
        record: the record it stands in.
        text: the text.
    """
    found = read_markup(text)
    return MARKUP_READERS[type(found)](record, found)


def read_queued_prompt(record: dict[str, Any], content: Any) -> Steer:
    """Read a prompt that was queued while the model worked and given to it in the turn.

    Args:
        record: the record that tells of it.
        content: the prompt, a string or blocks.
    """
    blocks = blocks_of(content)
    text = _joined(blocks)
    return Steer(text=text, said=_shown(record, blocks), key=key_of(record, "steer", digest(text)))


def _words(record: dict[str, Any], blocks: list[dict[str, Any]]) -> tuple[Reading, ...]:
    if flag(record, "isCompactSummary"):
        text = _joined(blocks)
        return (Summary(text=text, key=key_of(record, digest(text))),)
    if flag(record, "isMeta"):
        return (Dropped(what="meta"),)
    return _shown(record, blocks)


def _shown(record: dict[str, Any], blocks: list[dict[str, Any]]) -> tuple[Reading, ...]:
    """Return the readings of blocks in order, the parts of one prompt together."""
    readings = list(_each(record, blocks))
    others = [each for each in readings if not isinstance(each, Prompt)]
    parts = [part for each in readings if isinstance(each, Prompt) for part in each.parts]
    return (*others, _prompt(record, _joined_parts(parts))) if parts else tuple(others)


def _each(record: dict[str, Any], blocks: list[dict[str, Any]]) -> Iterator[Reading]:
    for block in blocks:
        payload = user_payload(block)
        if payload is None:
            yield Unknown(what=f"user block {block.get('type')}")
        elif isinstance(payload, Text):
            yield from read_text(record, payload.text)
        else:
            yield _prompt(record, (payload,))


def _joined_parts(parts: list[PromptPart]) -> tuple[PromptPart, ...]:
    """Return the parts of a prompt, texts behind each other as one, line by line."""
    if len(parts) == 1:
        return (parts[0],)
    joined: list[PromptPart] = []
    for is_text, group in groupby(parts, lambda each: isinstance(each, Text)):
        if is_text:
            joined.append(Text(role="user", text="\n".join(map(_body, group))))
        else:
            joined += group
    return tuple(joined)


def _prompt(record: dict[str, Any], parts: tuple[PromptPart, ...]) -> Prompt:
    return _asked(parts, key_of(record, "prompt", digest("".join(map(_body, parts)))))


def _body(part: PromptPart) -> str:
    if type(part) is Text:
        return part.text
    return getattr(part, "image_url", "") or getattr(part, "data", "")


def _joined(blocks: list[dict[str, Any]]) -> str:
    return "\n".join(text_of(block.get("text")) for block in blocks)


def _human(record: dict[str, Any], found: Human) -> tuple[Reading, ...]:
    return (_prompt(record, (_text("user", found.text),)),)


def _interrupted(record: dict[str, Any], found: Interrupted) -> tuple[Reading, ...]:
    return (Interrupt(in_tool=found.in_tool, key=key_of(record, "interrupt")),)


def _stopped(record: dict[str, Any], found: Stopped) -> tuple[Reading, ...]:
    key = key_of(record, digest(found.text))
    return (Said(name="hook_stopped", text=found.text, key=key),)


def _scaffolding(record: dict[str, Any], found: Scaffolding) -> tuple[Reading, ...]:
    return (Dropped(what="scaffolding"),)


def _slash(record: dict[str, Any], command: SlashCommand) -> tuple[Reading, ...]:
    wanted = command_class(command.name)
    if wanted == "silent":
        return (Dropped(what="slash command"),)
    said = f"/{command.name} {command.arguments}".rstrip()
    if wanted == "prompt":
        return (_prompt(record, (Text(role="user", text=said),)),)
    data = {"name": command.name, "arguments": command.arguments}
    if command.output is not None:
        data["output"] = command.output
    key = key_of(record, "command", digest(said))
    notice = Said(name="slash_command", text=said, data=JsonObject(data), key=key)
    word = command.arguments.lower()
    if command.name == "effort" and word in EFFORT_WORDS:
        return (notice, Known(name="effort", value=word))
    return (notice,)


def _shell(record: dict[str, Any], shell: Shell) -> tuple[Reading, ...]:
    said: list[Reading] = []
    if shell.input is not None:
        key = key_of(record, "shell", digest(shell.input))
        said.append(Said(name="shell_command", text=shell.input, key=key))
    if shell.stdout is not None or shell.stderr is not None:
        data = {"stdout": shell.stdout, "stderr": shell.stderr}
        text = "\n".join(filter(None, data.values()))
        key = key_of(record, "shell output", digest(text))
        said.append(Said(name="shell_output", text=text, data=freeze(data), key=key))
    return tuple(said)


def _notification(record: dict[str, Any], report: Notification) -> tuple[Reading, ...]:
    text = report.fields.get("summary") or report.fields.get("text")
    data = freeze(dict(report.fields))
    key = key_of(record, "notification", digest(repr(report.fields)))
    return (Said(name=report.name, text=text, data=data, key=key),)


def _result(record: dict[str, Any], index: int, block: dict[str, Any], structured: Any) -> Result:
    output = result_payload(block, call_id="", structured=structured)
    denied = _is_refusal(record, output)
    return _answer(
        evolve(output, stop_reason="aborted") if denied else output,
        structured,
        denied,
        string(record, "sourceToolAssistantUUID") or string(record, "parentUuid"),
        key_of(record, f"result {index}", output.tool_call_id),
    )


def _is_refusal(record: dict[str, Any], output: ToolCallOutput) -> bool:
    if output.stop_reason != "failed":
        return False
    return string(record, "toolDenialKind") is not None or output.output.startswith(_REFUSED)


MARKUP_READERS: dict[type, Callable[[dict[str, Any], Any], tuple[Reading, ...]]] = {
    Human: _human,
    Interrupted: _interrupted,
    Notification: _notification,
    Scaffolding: _scaffolding,
    Shell: _shell,
    SlashCommand: _slash,
    Stopped: _stopped,
}
