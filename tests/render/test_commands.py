"""Command lines as a person types them."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.render.commands import command_text


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["bash", "-lc", "ls | wc -l"], "ls | wc -l"),
        (["/bin/zsh", "-c", "true"], "true"),
        (["bash", "-lc"], "bash -lc"),
        (["bash", "-x", "a.sh"], "bash -x a.sh"),
        (["python", "-c", "print(1)"], "python -c 'print(1)'"),
        (["ls -a ~/Desktop"], "ls -a ~/Desktop"),
        ([], ""),
    ],
)
def test_a_command_is_what_the_shell_is_given(words: list[str], text: str) -> None:
    assert command_text(words) == text


@given(st.lists(st.text(min_size=1), min_size=4))
def test_other_words_can_be_taken_apart_again(words: list[str]) -> None:
    assert shlex.split(command_text(words)) == words
