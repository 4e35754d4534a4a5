"""What the documentation takes from the code is what the code says."""

from __future__ import annotations

from importlib import import_module

import pytest
from docs.generator import PAGES, ROOT
from docs.generator.docstrings import in_markdown
from docs.generator.names import definition, exported
from docs.generator.parts import filled
from docs.generator.python_page import MODULES


@pytest.mark.parametrize("name", PAGES)
def test_a_generated_page_is_up_to_date(name: str) -> None:
    written = (ROOT / name).read_text("utf-8")
    assert written == PAGES[name](ROOT), "write it anew: python -m docs.generator"


@pytest.mark.parametrize("module", MODULES)
def test_the_page_lists_what_the_module_exports(module: str) -> None:
    assert exported(module) == list(import_module(module).__all__)


def test_a_name_is_followed_to_where_it_is_written() -> None:
    found = definition("refold", "read")
    assert found is not None
    assert found[0] == "refold.sources.files.reading"


def test_a_module_is_no_definition() -> None:
    assert definition("refold", "live") is None


def test_a_docstring_becomes_a_sentence_and_lists() -> None:
    docstring = (
        "Do it.\n\nArgs:\n    one: what\n        goes on.\n    two: that.\n\n"
        "Raises:\n    ValueError: it can't."
    )
    assert in_markdown(docstring) == (
        "Do it.\n\n- `one`: what goes on.\n- `two`: that.\n\n- Raises `ValueError`: it can't."
    )


def test_a_part_nobody_makes_is_an_error() -> None:
    page = "a\n<!-- generated: x -->\nold\n<!-- end -->\nb\n"
    assert filled(page, {"x": "new"}) == "a\n<!-- generated: x -->\nnew\n<!-- end -->\nb\n"
    with pytest.raises(ValueError, match="expected the parts"):
        filled(page, {"y": "new"})
