"""Things a thread did, as the call of a tool and its output.

Rules of this file:

- Commands, patches, tools of servers, other threads: an item or event of one says what was done and
  what came of it. Here that is a tool's name, its arguments and an output; who called is elsewhere.
- Names are those the model calls the same tools by, as far as there is one name.
- Fields are spelled in two ways, by the app server and by everybody else.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeAlias

from refold.sources.codex.outputs import Output, as_url, output_of, result_of, status_reason
from refold.sources.fields import mapping, text
from refold.sources.logs.values import compact, first, first_text, objects

__all__ = ["Deed", "Item", "deed_of", "found_text", "kind_of"]

Item: TypeAlias = dict[str, Any]
Deed: TypeAlias = tuple[str, str, Output]

_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def kind_of(item: Item) -> str:
    """Return an item's type in lower case with underscores."""
    return _WORD.sub("_", text(item.get("type"))).lower()


def deed_of(item: Item) -> Deed | None:
    """Return the tool, the arguments and the output of an item that is something done, or None."""
    reader = _DEEDS.get(kind_of(item))
    return None if reader is None else reader(item)


def found_text(results: Any) -> str:
    """Return what a search found: a line per result, with its title and address."""
    lines = [
        " ".join([each for each in (text(one.get("title")), text(one.get("url"))) if each])
        for one in objects(results)
    ]
    return "\n".join([each for each in lines if each])


def _command(item: Item) -> Deed:
    exit_code = first(item, "exit_code", "exitCode")
    reason = status_reason(item.get("status"), exit_code) or "completed"
    put_out = first_text(item, "aggregated_output", "aggregatedOutput", "formatted_output")
    said = put_out or text(item.get("stdout")) + text(item.get("stderr"))
    told = {"cmd": item.get("command"), "workdir": item.get("cwd")}
    words = compact({each: value for each, value in told.items() if value is not None})
    return "exec_command", words, Output(text=said, reason=reason)


def _file_change(item: Item) -> Deed:
    changes = item.get("changes")
    reason = status_reason(item.get("status")) or "completed"
    said = text(item.get("stdout")) + text(item.get("stderr"))
    return "apply_patch", compact({"changes": _kinds(changes)}), Output(text=said, reason=reason)


def _kinds(changes: Any) -> Any:
    """Return what happened to each file; the texts themselves are long, and in the patch."""
    if isinstance(changes, list):
        return [{"path": text(each.get("path")), "kind": _kind(each)} for each in objects(changes)]
    return [
        {"path": path, "kind": _kind(mapping(change))} for path, change in mapping(changes).items()
    ]


def _kind(change: dict[str, Any]) -> str:
    kind = first(change, "kind", "type")
    return kind if isinstance(kind, str) else text(mapping(kind).get("type"))


def _mcp(item: Item) -> Deed:
    error = item.get("error")
    fault = error if isinstance(error, str) else text(mapping(error).get("message"))
    result = result_of(item.get("result"))
    reason = "failed" if fault else status_reason(item.get("status")) or result.reason
    output = Output(text=result.text or fault, images=result.images, reason=reason)
    tool = f"mcp__{text(item.get('server'))}__{text(item.get('tool'))}"
    return tool, compact(first(item, "arguments") or {}), output


def _dynamic(item: Item) -> Deed:
    output = output_of(first(item, "contentItems", "content_items"))
    failed = item.get("success") is False
    reason = "failed" if failed else status_reason(item.get("status")) or "completed"
    said = Output(text=output.text, images=output.images, reason=reason)
    return text(item.get("tool")), compact(first(item, "arguments") or {}), said


def _collab(item: Item) -> Deed:
    told = {
        each: item[each]
        for each in ("prompt", "receiverThreadIds", "receiver_thread_ids", "model")
        if item.get(each) is not None
    }
    states = first(item, "agentsStates", "agents_states")
    reason = status_reason(item.get("status")) or "completed"
    said = "" if not states else compact(states)
    return text(item.get("tool")) or "collab", compact(told), Output(text=said, reason=reason)


def _view(item: Item) -> Deed:
    return "view_image", compact({"path": text(item.get("path"))}), Output()


def _picture(item: Item) -> Deed:
    url = as_url(item.get("result"), None)
    words = compact({"prompt": first_text(item, "revisedPrompt", "revised_prompt") or ""})
    reason = status_reason(item.get("status")) or "completed"
    return "image_generation", words, Output(reason=reason, images=() if url is None else (url,))


_DEEDS: dict[str, Callable[[Item], Deed]] = {
    "command_execution": _command,
    "file_change": _file_change,
    "mcp_tool_call": _mcp,
    "dynamic_tool_call": _dynamic,
    "collab_tool_call": _collab,
    "collab_agent_tool_call": _collab,
    "image_view": _view,
    "image_generation": _picture,
}
