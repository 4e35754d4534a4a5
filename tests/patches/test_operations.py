"""Operations and pointers."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from refold.patches import patch
from refold.patches.operations import add, append, escaped, move, remove, replace


def test_operations_are_plain_json() -> None:
    assert add("/a", 1) == {"op": "add", "path": "/a", "value": 1}
    assert remove("/a") == {"op": "remove", "path": "/a"}
    assert replace("/a", 1) == {"op": "replace", "path": "/a", "value": 1}
    assert move("/a", "/b") == {"op": "move", "from": "/a", "path": "/b"}
    assert append("/a", "x") == {"op": "append", "path": "/a", "value": "x"}


def test_tildes_and_slashes_are_escaped() -> None:
    assert escaped("a/b~c~1") == "a~1b~0c~01"


@given(st.text())
def test_any_name_can_be_pointed_at(name: str) -> None:
    assert patch({name: 1}, [replace(f"/{escaped(name)}", 2)]) == {name: 2}
