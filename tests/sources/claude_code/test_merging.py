"""The files of a session are one stream: each in its order, between them by time."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from refold.sources.claude_code import merged
from refold.sources.source import Record


def at(second: int | None, name: str = "", lane: str | None = None) -> Record:
    value = {"name": name}
    if second is not None:
        value["timestamp"] = f"2026-01-01T00:00:{second:02}.000Z"
    return Record(value=value, lane=lane)


def order(main: list[Record], **agents: list[Record]) -> list[str]:
    return [record.value["name"] for record in merged(main, agents)]


def test_between_files_time_decides() -> None:
    assert order([at(1, "m1"), at(4, "m4")], a=[at(2, "a2"), at(5, "a5")]) == [
        "m1",
        "a2",
        "m4",
        "a5",
    ]


def test_at_a_tie_the_main_thread_comes_first_then_agents_by_id() -> None:
    assert order([at(1, "m")], b=[at(1, "b")], a=[at(1, "a")]) == ["m", "a", "b"]


def test_a_record_without_a_time_stays_with_the_one_in_front_of_it() -> None:
    assert order([at(3, "m3"), at(None, "m?"), at(9, "m9")], a=[at(5, "a5")]) == [
        "m3",
        "m?",
        "a5",
        "m9",
    ]


def test_what_begins_without_a_time_comes_at_once() -> None:
    assert order([at(3, "m3")], a=[at(None, "meta"), at(5, "a5")]) == ["meta", "m3", "a5"]


def test_a_time_that_steps_back_moves_nothing_in_its_file() -> None:
    assert order([at(5, "m5"), at(2, "m2")], a=[at(4, "a4"), at(6, "a6")]) == [
        "a4",
        "m5",
        "m2",
        "a6",
    ]


def test_each_record_is_on_the_lane_of_its_file() -> None:
    lanes = [each.lane for each in merged([at(1)], {"a1": [at(2), at(3, lane="other")]})]
    assert lanes == [None, "a1", "a1"]


def test_what_is_no_object_stays_in_its_place() -> None:
    records = [at(1, "x"), Record(value=7), Record(value={"timestamp": 5})]
    assert [each.value for each in merged(records, {})] == [each.value for each in records]


def test_no_more_than_one_record_of_a_file_is_taken_ahead() -> None:
    taken: list[int] = []

    def endless() -> list[Record]:
        for second in range(60):
            taken.append(second)
            yield at(second)  # type: ignore[misc]

    stream = merged(endless(), {"a": [at(50)]})
    for _ in range(3):
        next(stream)
    assert len(taken) <= 4


@given(st.lists(st.lists(st.none() | st.integers(0, 59), max_size=5), min_size=1, max_size=4))
def test_every_file_keeps_its_order_and_nothing_is_lost(times: list[list[int | None]]) -> None:
    files = [
        [at(second, f"{number}.{place}") for place, second in enumerate(each)]
        for number, each in enumerate(times)
    ]
    agents = {str(number): each for number, each in enumerate(files[1:])}
    names = order(files[0], **agents)
    assert sorted(names) == sorted(each.value["name"] for file in files for each in file)
    for number, file in enumerate(files):
        own = [name for name in names if name.startswith(f"{number}.")]
        assert own == [each.value["name"] for each in file]
