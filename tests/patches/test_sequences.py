"""What changed between the items of two versions."""

from __future__ import annotations

from typing import Any

from hypothesis import given

from refold.folding import idle
from refold.messages import Message
from refold.patches import patch
from refold.patches.sequences import diff_sequences
from refold.session import Session
from refold.views import to_json
from tests.laws.folds import fold as folded
from tests.notation import CB, CE, TU, C, K, T, U, X, fold, of, pC, pK, pT
from tests.strategies import any_streams


def _diff(before: Session, after: Session) -> list[dict[str, Any]]:
    operations: list[dict[str, Any]] = []
    diff_sequences(before, after, "", False, operations)
    document = {"items": to_json(before)["items"]}
    assert patch(document, operations) == {"items": to_json(after)["items"]}
    return operations


def _ops(before: Session, after: Session) -> list[str]:
    return [each["op"] for each in _diff(before, after)]


def test_shared_items_need_no_operation() -> None:
    session = fold(*[U("q")] * 100)
    assert _diff(session, fold(U("q"), session=session)) == [
        {
            "op": "add",
            "path": "/items/100",
            "value": to_json(fold(U("q")))["items"][0] | {"key": "user_text:101"},
        }
    ]


def test_floating_items_move_behind_what_is_placed() -> None:
    before = fold(pT("start", "a"), pC("1", "start"))
    assert _ops(before, fold(U("q"), session=before)) == ["add"]


def test_a_fragment_closed_early_takes_another_key() -> None:
    before = fold(pT("start", "a"))
    after = fold(X(), session=before)
    assert "remove" in _ops(before, after)


def test_a_removed_fragment_is_one_removal() -> None:
    before = fold(K("a"), pK("start", "x"), pT("start", "y"))
    assert _diff(before, fold(K(" "), session=before)) == [{"op": "remove", "path": "/items/1"}]


def test_a_row_comes_and_goes_in_its_place() -> None:
    before = fold(U("q"), TU(9, 9), CB, CE(), pC("1", "start"))
    resting = idle(before)
    rows = [each for each in _diff(before, resting) if each["op"] == "add"]
    assert rows[0]["path"] == "/items/1"
    assert _diff(resting, before)


def test_late_usage_changes_the_figures_of_a_row_and_nothing_else() -> None:
    before = idle(fold(U("q"), T("answer"), of("a", T("x")), TU(9, 9)))
    after = fold(of("a", TU(4, 4)), session=before)
    operations = _diff(before, after)
    assert operations
    assert all("/stats/" in each["path"] for each in operations)


def test_a_text_that_comes_late_is_in_the_row_as_well() -> None:
    before = idle(fold(U("q"), T("answer"), TU(9, 9)))
    after = fold(T("and more"), session=before)
    row = to_json(after)["items"].index(next(i for i in to_json(after)["items"] if "stats" in i))
    assert {
        "op": "append",
        "path": f"/items/{row}/assistant_text",
        "value": "\n\nand more",
    } in _diff(before, after)


def test_a_hole_is_filled_in_its_place() -> None:
    before = fold(U("q"), TU(9, 9), CB, CE(), C("1"))
    after = fold(U("next"), session=before)
    assert [each["path"] for each in _diff(before, after)][-1].startswith("/items/")


@given(any_streams(), any_streams())
def test_items_of_any_version_lead_to_those_of_any_other(
    one: list[Message], other: list[Message]
) -> None:
    _diff(folded(one), folded(other))
    _diff(idle(folded(one)), folded([*one, *other]))
