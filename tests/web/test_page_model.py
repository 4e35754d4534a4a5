"""The page's own model in a real browser: patches mean there what they mean here (law 10)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refold.folding import apply, idle, replay
from refold.messages import Message
from refold.patches import diff
from refold.session import Session
from refold.views import to_json
from refold.web.windowed import windowed
from tests.strategies import any_streams
from tests.web.browser import Browser, Window
from tests.web.lines import user
from tests.web.served import served

PLAIN = """
    const [texts, done] = arguments;
    const plain = (model) => ({
      start: model.start,
      items: model.items,
      subagents: Object.fromEntries([...model.subagents].map(([id, each]) => [id, plain(each)])),
      ...model.frame,
    });
    import("/page/model.js").then(({ SessionModel }) => {
      const [view, ...patches] = texts.map((text) => JSON.parse(text));
      const model = new SessionModel(view);
      for (const operations of patches) model.patch(operations);
      done(JSON.stringify(plain(model)));
    }).catch((error) => done(JSON.stringify(String(error))));
"""


@pytest.fixture(scope="module")
def window(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Window]:
    file = tmp_path_factory.mktemp("model") / "any.jsonl"
    file.write_text(user(0, "hi"))
    with served(file) as server:
        yield chromium.open(server.url)
        chromium.close_windows()


def _patched(window: Window, view: Any, versions: list[Session]) -> Any:
    patches = [diff(before, after) for before, after in pairwise(versions)]
    found = json.loads(window.run_async(PLAIN, [json.dumps(each) for each in (view, *patches)]))
    assert isinstance(found, dict), found
    return found


def _started(view: dict[str, Any]) -> dict[str, Any]:
    """Return a whole view as a model holds it."""
    nested = {name: _started(each) for name, each in view.get("subagents", {}).items()}
    return {"start": 0, **view, "subagents": nested}


@settings(max_examples=40)
@given(messages=any_streams(), data=st.data())
def test_patches_lead_the_model_from_any_version_to_the_last(
    window: Window, messages: list[Message], data: st.DataObject
) -> None:
    versions = [Session()]
    for message in messages:
        versions.append(apply(versions[-1], message, now_ms=0))
        if data.draw(st.integers(0, 9)) == 0:
            versions.append(idle(versions[-1]))
    begin = data.draw(st.integers(0, len(versions) - 1))
    found = _patched(window, to_json(versions[begin]), versions[begin:])
    assert found == _started(to_json(versions[-1]))


@settings(max_examples=40)
@given(messages=any_streams(), data=st.data())
def test_patches_lead_a_window_to_the_end_of_the_last_version(
    window: Window, messages: list[Message], data: st.DataObject
) -> None:
    cut = data.draw(st.integers(0, len(messages)))
    versions = [replay(messages[:cut], now_ms=0)]
    for message in messages[cut:]:
        versions.append(apply(versions[-1], message, now_ms=0))
    view = windowed(versions[0], data.draw(st.integers(0, 4)))
    found = _patched(window, view, versions)
    whole = _started(to_json(versions[-1]))
    assert found == _cut_like(found, whole)


def _cut_like(model: Any, whole: Any) -> Any:
    """Return a whole view with the items only that a model holds."""
    nested = {
        name: _cut_like(model["subagents"][name], each) for name, each in whole["subagents"].items()
    }
    return {
        **whole,
        "start": model["start"],
        "items": whole["items"][model["start"] :],
        "subagents": nested,
    }
