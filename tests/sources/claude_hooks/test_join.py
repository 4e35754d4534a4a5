"""The delta/commit join: what it shows, in every order of arrival."""

from __future__ import annotations

from itertools import combinations, permutations
from typing import Any

from hypothesis import given, settings

from refold.sources.claude_hooks import join
from refold.sources.claude_hooks.deltas import Delta
from refold.sources.claude_hooks.join import Close, Join, JoinEvent, Said
from tests.sources.claude_hooks.strategies import deltas_of, shuffled_turns

LONE = "\ud83d"


def fold(*events: JoinEvent) -> Join:
    state = Join()
    for event in events:
        state, _ = join.step(state, event)
    return state


def shown(*events: JoinEvent) -> list[str]:
    return [str(each.text) for each in join.overlay(fold(*events))]


def delta(message_id: str, index: int, text: str, *, final: bool = False) -> Delta:
    return Delta(message_id=message_id, index=index, final=final, text=text)


def test_a_stream_is_shown_until_its_text_is_committed() -> None:
    assert shown(delta("m", 0, "Su")) == ["Su"]
    assert shown(delta("m", 0, "Su"), delta("m", 1, "re.", final=True)) == ["Sure."]
    assert shown(delta("m", 0, "Su"), Said(text="Sure.")) == []


def test_pieces_are_joined_by_index_and_a_gap_waits() -> None:
    assert shown(delta("m", 0, "a"), delta("m", 2, "c", final=True)) == ["a"]
    assert shown(delta("m", 0, "a"), delta("m", 2, "c", final=True), delta("m", 1, "b")) == ["abc"]


def test_a_later_index_makes_no_earlier_one_a_duplicate() -> None:
    first, last = delta("m", 0, "Su"), delta("m", 1, "re.", final=True)
    for order in permutations([first, last, Said(text="Sure.")]):
        assert shown(*order) == []


def test_equal_texts_are_matched_by_count() -> None:
    streams = [delta("mA", 0, "OK", final=True), delta("mB", 0, "OK", final=True)]
    for order in permutations([*streams, Said(text="OK"), Said(text="OK")]):
        state = fold(*order)
        assert (state.streams, state.commits) == ((), ())
    for order in permutations([*streams, Said(text="OK")]):
        assert shown(*order) == ["OK"]


def test_an_unrelated_stream_never_matches() -> None:
    assert shown(delta("m", 0, "other", final=True), Said(text="Hello")) == ["other"]


def test_a_commit_of_an_unfinished_stream_hides_it_until_they_part() -> None:
    assert shown(Said(text="Hello world"), delta("m", 0, "Hello")) == []
    parted = shown(Said(text="Hello world"), delta("m", 0, "Hello"), delta("m", 1, " all"))
    assert parted == ["Hello all"]


def test_a_hard_close_forgets_the_turn_and_ignores_late_pieces() -> None:
    state = fold(delta("m", 0, "Su"), Close(), delta("m", 1, "re.", final=True))
    assert join.overlay(state) == ()
    assert shown(delta("m", 0, "Su"), Close(), delta("n", 0, "New")) == ["New"]


def test_what_changes_nothing_returns_the_same_join() -> None:
    state = fold(delta("m", 0, "Su"))
    assert join.step(state, delta("m", 0, "Su"))[0] is state
    assert join.step(Join(), Close())[0] == Join()


def test_streams_commits_and_retired_ids_are_bounded() -> None:
    state = Join()
    for number in range(600):
        state, _ = join.step(state, delta(f"m{number}", 0, f"text {number}"))
        state, _ = join.step(state, Said(text=f"other {number}"))
    assert len(state.streams) == join.MOST_STREAMS
    assert len(state.commits) == join.MOST_COMMITS
    assert len(state.retired) == join.MOST_RETIRED


def test_a_long_text_whose_commit_came_first_costs_what_its_pieces_cost() -> None:
    text = "ab" * 100_000
    state, _ = join.step(Join(), Said(text=text + "!"))
    for index in range(20_000):
        state, _ = join.step(state, delta("m", index, text[10 * index : 10 * index + 10]))
    assert join.overlay(state) == ()
    assert str(state.streams[0].text) == text


@given(shuffled_turns())
def test_every_order_of_arrival_ends_with_nothing_shown(
    orders: tuple[list[JoinEvent], ...],
) -> None:
    for order in orders:
        state = fold(*order)
        assert join.overlay(state) == ()
        assert state.commits == ()


@settings(max_examples=300)
@given(shuffled_turns(losses=True))
def test_every_order_of_arrival_shows_the_same_in_the_end_whatever_was_lost(
    orders: tuple[list[JoinEvent], ...],
) -> None:
    one, other = (sorted(shown(*order)) for order in orders)
    assert one == other


@settings(max_examples=300)
@given(shuffled_turns(losses=True))
def test_what_is_shown_is_what_the_most_commits_can_not_account_for(
    orders: tuple[list[JoinEvent], ...],
) -> None:
    for order in orders:
        assert len(shown(*order)) == _fewest_shown(order)


def test_a_thousand_orders_of_two_texts_that_begin_alike_converge() -> None:
    one = deltas_of("m1", ("I ", "will"))
    other = deltas_of("m2", ("I ", "won't"))
    events: list[JoinEvent] = [*one, *other, Said(text="I will"), Said(text="I won't")]
    for order in permutations(events):
        assert shown(*order) == []


def test_a_character_cut_between_two_pieces_is_shown_whole() -> None:
    assert shown(delta("m", 0, "a" + LONE)) == ["a"]
    assert shown(delta("m", 0, "a" + LONE), delta("m", 1, "\ude00", final=True)) == ["a\U0001f600"]
    assert shown(delta("m", 0, LONE, final=True)) == [LONE]


def _fewest_shown(events: list[JoinEvent]) -> int:
    """Count what is left by brute force: complete streams by equality, the rest by any pairing."""
    texts = [each.text for each in events if isinstance(each, Said)]
    complete, rest = [], []
    for message_id in {each.message_id for each in events if isinstance(each, Delta)}:
        text, whole = _beginning(
            [e for e in events if isinstance(e, Delta) and e.message_id == message_id]
        )
        (complete if whole else rest).append(text)
    for text in list(complete):
        if text in texts:
            texts.remove(text)
            complete.remove(text)
    rest = [each for each in rest if each]
    return len([each for each in complete if each]) + len(rest) - _most_pairs(rest, texts)


def _beginning(deltas: list[Delta]) -> tuple[str, bool]:
    by_index: dict[int, Delta] = {}
    for each in deltas:
        by_index.setdefault(each.index, each)
    pieces, index = [], 0
    while index in by_index:
        pieces.append(by_index[index].text)
        index += 1
    whole = index > 0 and by_index[index - 1].final
    text = "".join(pieces).encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    if not whole and text and "\ud800" <= text[-1] <= "\udbff":
        text = text[:-1]
    return text, whole


def _most_pairs(beginnings: list[str], texts: list[str]) -> int:
    def fits(chosen: tuple[str, ...], order: tuple[Any, ...]) -> bool:
        return all(text.startswith(each) for each, text in zip(chosen, order, strict=True))

    for size in range(min(len(beginnings), len(texts)), 0, -1):
        for chosen in combinations(beginnings, size):
            if any(fits(chosen, order) for order in permutations(texts, size)):
                return size
    return 0
