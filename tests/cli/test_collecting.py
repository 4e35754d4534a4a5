"""The garbage collector's thresholds are a command's while it runs."""

from __future__ import annotations

import gc

import pytest

from refold.cli.collecting import collecting_rarely


def test_what_was_set_comes_back_even_behind_an_error() -> None:
    before = gc.get_threshold()

    def fail() -> None:
        with collecting_rarely():
            assert gc.get_threshold()[0] > before[0]
            raise ValueError

    with pytest.raises(ValueError):
        fail()
    assert gc.get_threshold() == before
