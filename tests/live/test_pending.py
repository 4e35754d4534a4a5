"""Questions about a tree of sessions (reducer.md rule 40)."""

from __future__ import annotations

import pytest

from refold.folding import credentials_updated
from refold.live import approval_key, find_card, is_auth_dead, is_pending_below
from tests.notation import RE, C, O, fold, of


def test_an_approvals_key_is_its_chain_and_its_id() -> None:
    assert approval_key((), "1") == " 1"
    assert approval_key(("a", "b"), "1") == "a/b 1"


@pytest.mark.parametrize(
    ("origin", "waits"),
    [((), True), (("a",), True), (("a", "b"), True), (("a", "b", "c"), False), (("ab",), False)],
)
def test_an_approval_waits_at_or_below_a_chain(origin: tuple[str, ...], waits: bool) -> None:
    assert is_pending_below([approval_key(("a", "b"), "1")], origin) is waits


def test_nothing_waits_where_nothing_is_pending() -> None:
    assert not is_pending_below([], ())
    assert not is_pending_below([" 1"], ("a",))


def test_the_latest_card_of_an_id_is_found_at_its_chain() -> None:
    session = fold(C("1"), C("1", "read"), of("a/b", C("1", "write")))
    assert find_card(session, (), "1") is session.items[1]
    assert find_card(session, ("a", "b"), "1").name == "write"  # type: ignore[union-attr]


@pytest.mark.parametrize("origin", [("x",), ("a", "x"), ("a",), ()])
def test_a_card_that_is_not_there_is_none(origin: tuple[str, ...]) -> None:
    assert find_card(fold(of("a/b", C("1")), O("2")), origin, "1") is None


def test_a_model_is_dead_from_a_failed_credential_to_the_next_good_one() -> None:
    failed = fold(RE("auth"))
    assert is_auth_dead(failed)
    assert not is_auth_dead(fold())
    assert not is_auth_dead(credentials_updated(failed))
    assert not is_auth_dead(fold(RE(), session=failed))
