"""Whatever stands in a session is text on the page: nothing of it runs, loads or leads away."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from selenium.common.exceptions import NoAlertPresentException

from tests.web.browser import Browser, Window
from tests.web.lines import call, event, line, output, said, user
from tests.web.served import served, wait_for

PAYLOADS = [
    "<script>alert(1); window.pwned = 1</script>",
    "<img src=x onerror='alert(1); window.pwned = 1'>",
    "\"><svg onload='window.pwned = 1'>",
    "<iframe srcdoc='<script>parent.pwned = 1</script>'></iframe>",
    "[click](javascript:window.pwned=1) <a href='javascript:window.pwned=1'>x</a>",
    "[click](data:text/html,<script>opener.pwned=1</script>)",
    "**<b onmouseover=window.pwned=1>bold</b>** `<i>` *<u>*",
    "```<script>window.pwned=1</script>\n</code></pre><script>window.pwned=1</script>\n```",
    "| <script>window.pwned=1</script> | x |\n|---|---|\n| <img src=x onerror=window.pwned=1> | y |",
    "# <style>*{display:none}</style>\n- <base href=//evil.example>\n> <form action=//evil.example>",
    "<meta http-equiv=refresh content='0;url=//evil.example'>",
    "{{constructor.constructor('window.pwned=1')()}} ${window.pwned=1}",
    "</textarea></title></style></script><script>window.pwned=1</script>",
    "\u202e\u2066gnp.exe\u2069 \u0000 \x1b]8;;javascript:window.pwned=1\x07link\x1b]8;;\x07 \ud800",
    "https://evil.example/\"onmouseover=\"window.pwned=1 http://x'onclick='window.pwned=1",
    "__proto__",
]
NOT_THERE = "script, iframe, object, embed, form, style, base, meta, link, svg, b, u, i[class='']"


@pytest.fixture(scope="module")
def window(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Window]:
    file = tmp_path_factory.mktemp("hostile") / "<img src=x onerror=window.pwned=1>.jsonl"
    file.write_text(user(0, "harmless"))
    with served(file, file) as server:
        window = chromium.open(server.url)
        window.run(
            "document.addEventListener('securitypolicyviolation', (e) => window.violated = e)"
        )
        window.shows("harmless")
        with file.open("a") as growing:
            growing.write("".join(corpus()))
        window.shows("the end")
        window.open_everything()
        wait_for(lambda: window.count("nav a") == 2)
        yield window
        chromium.close_windows()


def corpus() -> list[str]:
    lines = []
    for n, text in enumerate(PAYLOADS):
        lines += [
            user(n, text),
            said(n, f"{text}\n\n{text}\n"),
            line(n, "model_msg", type="thinking", role="assistant", thinking=text),
            call(n, f"{text}{n}", text, {text: text, "command": text, "old_string": text}),
            output(n, f"{text}{n}", text, images=[text, f"data:image/svg+xml,{text}"]),
            line(n, "model_msg", type="image_url", role="user", image_url=text),
            line(n, "model_msg", type="image_url", role="user", image_url="javascript:window.pwned=1"),
            event(n, "request_end", status=text if n % 2 else "failed", error_message=text),
            event(n, "mcp_connect_begin", servers=[text]),
            event(n, "notice", name=text, text=text, data={text: [text]}),
            event(n, "fact", name=("title", "model", "cwd", "__proto__", text)[n % 5], value=text),
            event(n, "fact", name="todos", value=[{"content": text, "status": text}, text, None]),
            event(n, "abort", reason=text),
            user(n, f"nested {text}", [text]),
            said(n, text, [text, text]),
        ]  # fmt: skip
    return [*lines, said(99, "the end")]


def test_nothing_of_it_runs(window: Window) -> None:
    assert window.run("return window.pwned ?? null") is None
    assert window.run("return window.violated?.violatedDirective ?? null") is None
    with pytest.raises(NoAlertPresentException):
        _ = window.browser.driver.switch_to.alert.text
    assert [each for each in window.browser.complaints() if "favicon" not in each] == []


def test_all_of_it_is_there_as_text(window: Window) -> None:
    assert window.count(f"main :is({NOT_THERE}), header :is({NOT_THERE})") == 0
    text = window.text
    for payload in ("<script>alert(1); window.pwned = 1</script>", "onerror='alert(1)", "srcdoc="):
        assert text.count(payload) >= 8


def test_links_lead_to_the_web_and_pictures_come_from_the_session(window: Window) -> None:
    links = window.run(
        "return [...document.querySelectorAll('main a')].map((a) => [a.href, a.rel])"
    )
    assert {link.partition(":")[0] for link, _ in links} <= {"http", "https"}
    assert {rel for _, rel in links} == {"noopener noreferrer nofollow"}
    pictures = window.run("return [...document.querySelectorAll('img')].map((img) => img.src)")
    assert {each.partition("/")[0] for each in pictures} == {"data:image"}
    handlers = "[...e.attributes].some((a) => a.name.startsWith('on') || a.name === 'style')"
    assert (
        window.run(f"return [...document.querySelectorAll('*')].some((e) => {handlers})") is False
    )


def test_the_policy_stops_what_the_page_itself_would_get_wrong(window: Window) -> None:
    attempts = {
        "inner": "document.body.innerHTML = '<p>'",
        "inline": """
            const made = document.createElement("script");
            made.text = "window.pwned = 1";
            document.body.append(made);
        """,
    }
    for name, attempt in attempts.items():
        script = f"try {{ {attempt} }} catch (error) {{ return error.name }}"
        assert window.run(script) == "TypeError", name
    loads = """
        const [done] = arguments;
        fetch("https://evil.example/").then(() => done("loaded"), (error) => done(error.name));
    """
    assert window.run_async(loads) == "TypeError"
    assert window.run("return window.pwned ?? null") is None
    assert len(window.browser.complaints()) >= len(attempts)


def test_no_file_of_the_page_makes_markup_of_text_or_names_another_host() -> None:
    from refold.web.assets import read_assets

    for name, asset in read_assets().items():
        text = asset.content.decode()
        for word in (
            "innerHTML",
            "outerHTML",
            "insertAdjacent",
            "document.write",
            "eval(",
            "style=",
        ):
            assert word not in text, f"{word} in {name}"
        others = text.replace("http://www.w3.org/2000/svg", "").replace("(https?:\\/\\/", "")
        assert "http://" not in others, name
        assert "https://" not in others, name
