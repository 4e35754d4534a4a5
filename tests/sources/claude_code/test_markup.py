"""Markup counts where it is the whole text; a person's words are shown as they wrote them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.sources.claude_code.markup import (
    Human,
    Interrupted,
    Markup,
    Notification,
    Scaffolding,
    Shell,
    SlashCommand,
    Stopped,
    read_markup,
)


@pytest.mark.parametrize(
    ("text", "markup"),
    [
        ("fix the tests", Human(text="fix the tests")),
        ("[Request interrupted by user]", Interrupted(in_tool=False)),
        ("[Request interrupted by user for tool use]", Interrupted(in_tool=True)),
        ("[Request interrupted by user?]", Human(text="[Request interrupted by user?]")),
        ("", Scaffolding()),
        (" \n", Scaffolding()),
        (
            (
                "<command-message>review</command-message>\n<command-name>/team:review</command-name>"
                "\n<command-args>src</command-args>"
            ),
            SlashCommand(name="team:review", arguments="src", output=None),
        ),
        (
            "<command-name>/effort</command-name><command-args> high </command-args>",
            SlashCommand(name="effort", arguments="high", output=None),
        ),
        (
            (
                "<command-name>//model</command-name>"
                "<local-command-stdout> now opus </local-command-stdout>"
            ),
            SlashCommand(name="model", arguments="", output=" now opus "),
        ),
        ("<command-name></command-name>", Scaffolding()),
        ("<command-name> / </command-name>", Scaffolding()),
        ("<local-command-stdout>Goodbye!</local-command-stdout>", Scaffolding()),
        ("<local-command-caveat>generated</local-command-caveat>", Scaffolding()),
        ("<command-args>left over</command-args>", Scaffolding()),
        ("<bash-input>pwd</bash-input>", Shell(input="pwd", stdout=None, stderr=None)),
        (
            "<bash-stdout>/w</bash-stdout><bash-stderr></bash-stderr>",
            Shell(input=None, stdout="/w", stderr=""),
        ),
        (
            "<bash-input>pwd</bash-input>\n<bash-stdout>/w</bash-stdout>",
            Shell(input="pwd", stdout="/w", stderr=None),
        ),
        (
            "<bash-stdout>a </bash-stdout> b</bash-stdout>",
            Shell(input=None, stdout="a </bash-stdout> b", stderr=None),
        ),
        (
            "<task-notification>done</task-notification>",
            Notification(name="task_notification", fields={"text": "done"}),
        ),
        (
            (
                "<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n"
                "<summary>It ended</summary>\n</task-notification>\nRead the output file."
            ),
            Notification(
                name="task_notification",
                fields={
                    "task-id": "b1",
                    "status": "completed",
                    "summary": "It ended",
                    "note": "Read the output file.",
                },
            ),
        ),
        ("Operation stopped by hook: no", Stopped(text="Operation stopped by hook: no")),
        ("<system-reminder>be brief</system-reminder>", Scaffolding()),
        ("<system-reminder>be brief</system-reminder>\n\nhello", Human(text="hello")),
        ("<ide_selection>x = 1</ide_selection> why?", Human(text="why?")),
    ],
)
def test_a_text_is_what_all_of_it_is(text: str, markup: Markup) -> None:
    assert read_markup(text) == markup


@pytest.mark.parametrize(
    "text",
    [
        "what does <command-name>/foo</command-name> mean?",
        "<command-name>/foo</command-name> is what I typed",
        "the log says <bash-stdout>ok</bash-stdout>, is that right?",
        "<bash-stdout>ok</bash-stdout> is that right?",
        "<command-name>/unclosed",
        "<div>my page</div>",
        "<b>bold</b> <command-name>/x</command-name>",
        "I stopped it: [Request interrupted by user]",
    ],
)
def test_a_person_who_writes_about_markup_is_shown(text: str) -> None:
    assert read_markup(text) == Human(text=text)


@given(
    st.lists(
        st.sampled_from(
            [
                "<command-name>",
                "</command-name>",
                "<bash-input>",
                "</bash-input>",
                "<bash-stdout>",
                "<system-reminder>",
                "</system-reminder>",
                "<task-notification>",
                "</task-notification>",
                "/x",
                " ",
                "\n",
                "<",
                "word",
            ]
        ),
        max_size=12,
    ).map("".join)
)
def test_any_text_is_something_and_the_same_twice(text: str) -> None:
    assert read_markup(text) == read_markup(text)


def test_a_hundred_thousand_elements_are_read_in_one_pass() -> None:
    many = "<system-reminder>x</system-reminder>" * 100_000
    assert read_markup(many) == Scaffolding()
    assert read_markup(many + "<system-reminder>" * 100_000 + "!") == Human(
        text="<system-reminder>" * 100_000 + "!"
    )
