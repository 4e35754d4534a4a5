"""Golden cases: what an implementation of the fold must give (view.md, "Golden vectors").

Rules of this file:

- A case is plain JSON data; running one gives what differs first, or nothing.
- Every null is dropped; ``key``, ``binding``, ``forkable: false``, ``goal`` and the arrival of a
  reconnect that no longer waits are not compared: implementations may lack them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from refold.decode import decode
from refold.errors import DecodeError, shorten
from refold.folding import apply, discard, finalize, idle, register_decision, replay
from refold.laws.broken import first_difference
from refold.session import Session
from refold.views import to_json

__all__ = ["comparable", "run_case"]

Step = Callable[[Session, Mapping[str, Any]], Session]

_IGNORED = ("key", "binding", "goal")


def run_case(case: Mapping[str, Any]) -> str | None:
    """Run a golden case and return what differs first, or None if nothing does.

    Args:
        case: ``name``, ``steps`` and ``view``; a step may have a ``view`` too.

    Raises:
        DecodeError: the case is no case.
    """
    session = Session()
    for number, step in enumerate(_list(case, "steps"), 1):
        session = _run(session, step, f"$.steps[{number - 1}]")
        if "view" in step:
            found = _difference(session, step["view"])
            if found:
                return f"step {number} ({step['op']}): {found}"
    return _difference(session, case["view"]) if "view" in case else None


def comparable(value: Any) -> Any:
    """Return a view's JSON without what is not compared."""
    if type(value) is list:
        return [comparable(each) for each in value]
    if type(value) is not dict:
        return value
    kept = {
        name: comparable(each)
        for name, each in value.items()
        if each is not None and name not in _IGNORED
    }
    if kept.get("forkable") is False:
        del kept["forkable"]
    if kept.get("kind") == "reconnect" and (kept.get("retrying") or kept.get("gave_up")):
        kept.pop("arrived_at_ms", None)
    return kept


def _difference(session: Session, view: Any) -> str | None:
    found = first_difference(comparable(to_json(session)), comparable(view))
    return found and f"{found} (ours, or the case's)"


def _run(session: Session, step: Any, path: str) -> Session:
    run = _STEPS.get(step.get("op")) if type(step) is dict else None
    if run is None:
        raise DecodeError(f"a step with op {', '.join(_STEPS)}", path=path, value=step)
    try:
        return run(session, step)
    except KeyError as error:
        raise DecodeError(f"a step with {error}", path=path, value=shorten(step)) from error


def _push_many(session: Session, step: Mapping[str, Any]) -> Session:
    return replay(
        [decode(message) for message in step["messages"]],
        now_ms=step.get("now_ms", 0),
        server_now_ms=step.get("server_now_ms"),
        session=session,
    )


_STEPS: dict[Any, Step] = {
    "push": lambda session, step: apply(
        session, decode(step["message"]), now_ms=step.get("now_ms", 0)
    ),
    "push_many": _push_many,
    "idle": lambda session, step: idle(session),
    "finalize": lambda session, step: finalize(session),
    "discard": lambda session, step: discard(session, decode(step["message"])),
    "local_decision": lambda session, step: register_decision(session, step["tool_call_id"]),
}


def _list(case: Mapping[str, Any], name: str) -> list[Any]:
    value = case.get(name)
    if type(value) is not list:
        raise DecodeError("a list of steps", path=f"$.{name}", value=value)
    return value
