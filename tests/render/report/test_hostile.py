"""Hostile text in every field of every message, in a real browser: it is shown, and that is all."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from refold.json_values import JsonObject
from refold.messages import (
    Abort,
    ApprovalDecision,
    CompactionBegin,
    CompactionEnd,
    Fact,
    ImageUrl,
    McpConnectBegin,
    McpConnectEnd,
    McpServerResult,
    Message,
    Notice,
    Payload,
    RequestBegin,
    RequestEnd,
    SessionMeta,
    Text,
    Thinking,
    ToolCall,
    ToolCallOutput,
    ToolDescription,
    ToolListReady,
)
from refold.render.report import Cover, report_html, subject_of
from refold.render.terminal.harmless import harmless
from tests.analysis.streams import at, usage
from tests.render.report.browser import Browser, browsing

GOLDEN = Path(__file__).parents[3] / "golden" / "report" / "inputs"
PAYLOADS: list[str] = json.loads((GOLDEN / "xss_payloads.json").read_text("utf-8"))


def said(p: str) -> list[Payload]:
    """A task in which everything that can be said is said with one text."""
    return [
        Text(role="user", text=p),
        Text(role="user", text=f"[user_steering]\n{p}\n[/user_steering]"),
        ImageUrl(role="user", image_url=p),
        RequestBegin(),
        Thinking(role="assistant", thinking=p, stop_reason=p),
        Text(role="assistant", text=p, stop_reason=p),
        ToolCall(role="assistant", name=p, arguments=p, tool_call_id=p),
        ToolCall(role="assistant", name=p, arguments=json.dumps({p: p}), tool_call_id=f"{p}2"),
        ApprovalDecision(decision=p, tool_call_id=p),
        usage(1, 2, 3, 6),
        RequestEnd(status="failed", error_message=p),
        ToolCallOutput(role="user", output=p, tool_call_id=p, images=(p,), stop_reason=p),
        ToolCallOutput(role="user", output=p, tool_call_id=f"{p}2"),
    ]


def happened(p: str) -> list[Payload]:
    """Everything that can happen around it."""
    result = McpServerResult(server=p, transport=p, status="failed", duration_ms=1, error=p)
    return [
        Notice(name=p, text=p, data=JsonObject({p: (p, JsonObject({p: p}))})),
        Fact(name=p, value=p),
        McpConnectBegin(servers=(p,)),
        McpConnectEnd(status=p, results=(result,)),
        ToolListReady(tools=(ToolDescription(name=f"mcp__{p}", description=p),)),
        CompactionBegin(reason=p, mode=p, context=1, turns=1),
        Text(role="assistant", text=p),
        CompactionEnd(reason=p, mode=p, status=p, error_message=p),
        Abort(reason=p),
    ]


def nested(p: str) -> list[Payload]:
    """What a session says of itself, and something it did."""
    meta = SessionMeta(
        session_id=p,
        provider=p,
        model_id=p,
        model_context_window=1,
        system_prompt=p,
        agent_state=f"/{p}/state",
        workspace=p,
    )
    return [meta, Text(role="assistant", text=p)]


def stream() -> list[Message]:
    ms = 0
    messages = [at(0, payload) for payload in nested("<script>window.pwned=1</script>")]
    for p in PAYLOADS:
        for payload in [*said(p), *happened(p)]:
            ms += 7
            messages.append(at(ms, payload))
        messages += [at(ms, payload, p) for payload in nested(p)]
    return messages


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browsing(tmp_path_factory.mktemp("hostile")) as started:
        started.open(
            report_html(
                subject_of(stream()),
                Cover(title=PAYLOADS[1], files=tuple(PAYLOADS), format=PAYLOADS[6]),
            )
        )
        yield started


@pytest.fixture(scope="module")
def text(browser: Browser) -> str:
    whole: str = browser.run("return document.querySelector('main').textContent;")
    return whole


OPEN_ALL = "document.querySelectorAll('details').forEach((each) => { each.open = true; });"
FOUND = """
return [...document.querySelectorAll("*")].map((each) => [
  each.localName, each.namespaceURI, [...each.attributes].map((one) => [one.name, one.value])]);
"""


def test_nothing_ran_when_the_page_was_opened_unfolded_and_pointed_at(browser: Browser) -> None:
    browser.run(OPEN_ALL)
    browser.run(
        "for (const each of document.querySelectorAll('a, summary, td, p, pre'))"
        " for (const name of ['focus', 'mouseover', 'pointermove', 'toggle'])"
        " each.dispatchEvent(new Event(name, { bubbles: true }));"
    )
    assert browser.later("return [window.pwned === undefined, document.title];") == [
        True,
        harmless(PAYLOADS[1]),
    ]
    assert browser.address == browser.page
    assert browser.complaints() == []


def test_nothing_but_the_page_was_asked_for(browser: Browser) -> None:
    asked = [each for each in browser.requests() if not each.startswith("data:image/")]
    assert asked == [browser.page]
    assert browser.run("return performance.getEntriesByType('resource').length;") == 0


def test_the_page_has_none_but_its_own_elements(browser: Browser) -> None:
    found = browser.run(FOUND)
    names = {(name, space.rpartition("/")[2]) for name, space, _ in found}
    inert = "a article body button code dd details div dl dt footer h1 h2 h3 head header html img"
    inert += " li main meta nav p pre script section small span strong style summary table tbody"
    inert += " td th thead time title tr ul"
    drawn = "a g path rect svg text title"
    assert names <= {(name, "xhtml") for name in inert.split()} | {
        (name, "svg") for name in drawn.split()
    }
    assert [name for name, _, _ in found].count("script") == 1
    for _, _, attributes in found:
        for name, value in attributes:
            assert not name.startswith("on")
            assert name not in ("srcdoc", "action", "formaction", "xlink:href", "ping")
            assert name != "href" or value.startswith(("#", "https://attacker.example/pixel.png"))
            assert name != "src" or value.startswith("data:image/png;base64,")


def test_every_link_on_the_page_leads_to_a_place_on_it(browser: Browser) -> None:
    dangling = browser.run(
        "return [...document.querySelectorAll('a[href^=\"#\"]')].map((each) => each.getAttribute('href').slice(1))"
        ".filter((place) => !document.getElementById(place));"
    )
    assert dangling == []


@pytest.mark.parametrize("number", range(len(PAYLOADS)))
def test_each_text_is_shown_as_it_is(text: str, number: int) -> None:
    assert harmless(PAYLOADS[number].strip("\n")) in text


def test_script_that_got_onto_the_page_after_all_would_not_run(browser: Browser) -> None:
    browser.run(
        "const box = document.body.appendChild(document.createElement('div'));"
        "box.innerHTML = '<img src=x onerror=window.pwned=1>"
        '<iframe srcdoc="<script>parent.pwned=1</script>"></iframe>\';'
        "const code = document.createElement('script'); code.textContent = 'window.pwned = 1';"
        "box.append(code); location.href = 'javascript:window.pwned=1';"
    )
    assert browser.later("return window.pwned === undefined;")
    assert any("Content Security Policy" in each for each in browser.complaints())
