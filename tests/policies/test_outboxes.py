"""One lane's deliveries in order, between its cursor and the host."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from refold.policies.cursors import MOST_HANDLED, Cursor
from refold.policies.delivery import CHILD_START, STATUS, DeadLetter, Outcome
from refold.policies.outboxes import GaveUp, Item, Outbox, Window, offered, ready, settled

START = Cursor(path="/p/s1.jsonl")
BEHIND = Cursor(path="/p/s1.jsonl", offset=100, line=2, fingerprint="f")


def item(item_id: str, session_id: str = "s1", event_type: str = "item") -> Item:
    return Item(
        id=item_id, session_id=session_id, event_type=event_type, payload="words", turn="t1"
    )


def window(*ids: str) -> Window:
    return Window(items=tuple(item(each) for each in ids), behind=BEHIND)


def drive(
    outbox: Outbox, *outcomes: Outcome, now_ms: int = 0
) -> tuple[Outbox, list[str], list[object]]:
    """Send whatever is ready, each with the next outcome; time passes as needed."""
    sent, effects = [], []
    for outcome in outcomes:
        now_ms += 60_000
        one = ready(outbox, now_ms)
        if one is None:
            break
        sent.append(one.id)
        outbox, more = settled(outbox, outcome, now_ms=now_ms, status=422)
        effects += more
    return outbox, sent, effects


def test_items_go_one_by_one_and_the_cursor_moves_when_all_are_handled() -> None:
    outbox = offered(Outbox(cursor=START), window("a", "b"))
    outbox, _, _ = drive(outbox, "delivered")
    assert (outbox.cursor.offset, outbox.cursor.handled) == (0, ("a",))
    outbox, sent, effects = drive(outbox, "delivered")
    assert (sent, effects) == (["b"], [])
    assert (outbox.cursor.offset, outbox.cursor.handled) == (100, ("a", "b"))
    assert ready(outbox, 10**9) is None


def test_a_poison_item_is_held_then_dropped_loudly_and_the_cursor_moves() -> None:
    outbox = offered(Outbox(cursor=START), window("poison"))
    outbox, sent, effects = drive(outbox, "rejected", "rejected")
    assert (sent, effects, outbox.cursor.offset) == (["poison", "poison"], [], 0)
    outbox, _, effects = drive(outbox, "rejected", now_ms=240_000)
    assert effects == [
        DeadLetter(
            at_ms=300_000,
            session_id="s1",
            event_type="item",
            payload="words",
            reason="rejected 3 times",
            status=422,
        ),
        GaveUp(session_id="s1", reason="poison: rejected 3 times", turn="t1"),
    ]
    assert (outbox.cursor.offset, outbox.cursor.handled) == (100, ("poison",))


def test_an_ambiguous_item_is_sent_once_handled_and_nothing_failed() -> None:
    outbox = offered(Outbox(cursor=START), window("u1"))
    outbox, sent, effects = drive(outbox, "ambiguous", "delivered")
    assert (sent, effects) == (["u1"], [])
    assert (outbox.cursor.offset, outbox.cursor.handled) == (100, ("u1",))


def test_an_item_that_provably_did_not_arrive_is_held_and_sent_again() -> None:
    outbox = offered(Outbox(cursor=START), window("u1"))
    outbox, sent, _ = drive(outbox, "unavailable", "unavailable")
    assert sent == ["u1", "u1"]
    assert (outbox.cursor.offset, outbox.cursor.handled) == (0, ())


def test_an_item_that_is_not_due_blocks_all_behind_it() -> None:
    outbox = offered(Outbox(cursor=START), window("a", "b"))
    outbox, _ = settled(outbox, "unavailable", now_ms=0)
    assert ready(outbox, 999) is None
    again = ready(outbox, 1_000)
    assert again is not None and again.id == "a"


def test_a_window_read_again_sends_only_what_is_still_to_do() -> None:
    outbox = offered(Outbox(cursor=START), window("a", "b"))
    outbox, _, _ = drive(outbox, "delivered", "unavailable")
    restarted = offered(Outbox(cursor=outbox.cursor), window("a", "b"))
    restarted, sent, _ = drive(restarted, "delivered")
    assert sent == ["b"]
    assert (restarted.cursor.offset, restarted.cursor.handled) == (100, ("a", "b"))


def test_a_childs_item_that_is_given_up_is_a_dead_letter_of_the_child() -> None:
    outbox = offered(
        Outbox(cursor=START), Window(items=(item("x", session_id="child"),), behind=BEHIND)
    )
    _, _, effects = drive(outbox, *["rejected"] * 3)
    assert [each.session_id for each in effects if isinstance(each, DeadLetter)] == ["child"]


def test_a_childs_start_that_is_given_up_is_a_dead_letter_of_the_parent() -> None:
    start = item("a7", session_id="parent", event_type="subagent_start")
    outbox = offered(Outbox(cursor=START, rules=CHILD_START), Window(items=(start,), behind=BEHIND))
    _, _, effects = drive(outbox, *["rejected"] * 3)
    letters = [each for each in effects if isinstance(each, DeadLetter)]
    assert [(each.session_id, each.event_type) for each in letters] == [
        ("parent", "subagent_start")
    ]


def test_a_status_that_is_given_up_fails_without_a_dead_letter() -> None:
    outbox = offered(Outbox(cursor=START, rules=STATUS), window("idle"))
    _, _, effects = drive(outbox, *["rejected"] * 3)
    assert [type(each) for each in effects] == [GaveUp]


def test_an_empty_window_moves_the_cursor_at_once() -> None:
    outbox = offered(Outbox(cursor=START), Window(items=(), behind=BEHIND))
    assert (outbox.cursor, outbox.window) == (BEHIND, None)


def test_a_window_offered_while_one_waits_is_left_for_later() -> None:
    outbox = offered(Outbox(cursor=START), window("a"))
    assert offered(outbox, window("b")) is outbox


def test_a_long_window_keeps_all_its_ids_until_it_is_done() -> None:
    ids = [f"i{n}" for n in range(MOST_HANDLED + 50)]
    outbox = offered(Outbox(cursor=START), window(*ids, "last"))
    for _ in ids:
        outbox, _ = settled(outbox, "delivered", now_ms=0)
    assert outbox.cursor.handled == tuple(ids)
    outbox, _ = settled(outbox, "delivered", now_ms=0)
    assert len(outbox.cursor.handled) == MOST_HANDLED


def test_an_outcome_nobody_waits_for_changes_nothing() -> None:
    outbox = Outbox(cursor=START)
    assert settled(outbox, "delivered", now_ms=0) == (outbox, ())


outcomes = st.sampled_from(["delivered", "rejected", "unavailable", "ambiguous"])


@given(st.lists(st.sampled_from("abcd"), max_size=5), st.lists(outcomes, max_size=40))
def test_every_item_is_done_at_most_once_and_in_order(ids: list[str], told: list[Outcome]) -> None:
    outbox = offered(Outbox(cursor=START), window(*ids))
    done: list[str] = []
    for outcome in told:
        one = ready(outbox, 10**12)
        if one is None:
            break
        before = outbox.cursor.handled
        outbox, _ = settled(outbox, outcome, now_ms=0)
        done += [each for each in outbox.cursor.handled if each not in before]
    unique = list(dict.fromkeys(ids))
    assert done == unique[: len(done)]
    assert (outbox.cursor.offset == 100) == (len(done) == len(unique))
