"""Where a reader stands, and whether it still may stand there."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refold.policies.cursors import (
    MOST_HANDLED,
    Cursor,
    advanced,
    begun,
    fresh,
    from_json,
    handled,
    migrated,
    to_json,
    validated,
)
from refold.policies.probes import fingerprint, probe, window

PATH = "/p/s1.jsonl"
OLD = b'{"n": 1}\n{"n": 2}\n'
NEW = b'{"other": 1}\n{"other": 2}\n'


def at(content: bytes, offset: int, **fields: Any) -> Cursor:
    return Cursor(
        path=PATH, offset=offset, fingerprint=fingerprint(offset, content[window(offset)]), **fields
    )


def test_starting_at_the_end_is_behind_the_last_whole_line() -> None:
    content = OLD + b'{"half'
    cursor = begun(PATH, probe(content), at_end=True)
    assert cursor == at(content, len(OLD))
    assert validated(cursor, probe(content + b'": 1}\n', len(OLD))) == (cursor, "same")


def test_starting_otherwise_is_at_0() -> None:
    assert begun(PATH, probe(OLD)) == at(OLD, 0)


def test_a_length_measured_before_is_believed_over_the_end_of_now() -> None:
    grown = OLD + b'{"first": "prompt"}\n'
    assert begun(PATH, probe(grown, len(OLD)), at_end=True, measured=len(OLD)) == at(
        grown, len(OLD)
    )
    assert begun(PATH, probe(OLD, 999), measured=999) == at(OLD, len(OLD))


def test_an_old_cursor_that_counted_lines_gets_an_offset_once() -> None:
    old = Cursor(path=PATH, offset=None, line=1, handled=("a",))
    moved = migrated(old, OLD)
    assert moved == at(OLD, 9, line=1, handled=("a",))
    assert migrated(moved, NEW) is moved


def test_a_missing_file_keeps_a_fresh_cursor_without_a_fingerprint() -> None:
    cursor = begun(PATH, None, at_end=True)
    assert cursor == Cursor(path=PATH)
    assert validated(cursor, None) == (cursor, "missing")
    adopted, verdict = validated(cursor, probe(OLD))
    assert (adopted, verdict) == (at(OLD, 0), "adopted")


def test_a_fingerprint_that_changed_skips_to_the_end_and_then_reads_on() -> None:
    cursor, verdict = validated(at(OLD, len(OLD), line=2, turn="t1"), probe(NEW, len(OLD)))
    assert (cursor, verdict) == (at(NEW, len(NEW)), "stale")
    longer = NEW + b'{"more": 1}\n'
    assert validated(cursor, probe(longer, len(NEW))) == (cursor, "same")


def test_an_offset_beyond_the_end_skips_to_the_end() -> None:
    beyond = Cursor(path=PATH, offset=4_096, line=25)
    assert validated(beyond, probe(NEW, 4_096)) == (at(NEW, len(NEW)), "stale")


def test_a_rewritten_file_is_never_replayed_but_what_is_appended_is_read() -> None:
    cursor, _ = validated(at(OLD, len(OLD), line=2), probe(NEW, len(OLD)))
    content = NEW + b'{"fresh": 1}\n'
    assert cursor.offset is not None
    assert content[cursor.offset :] == b'{"fresh": 1}\n'


def test_no_fingerprint_behind_a_read_line_is_stale_even_at_offset_0() -> None:
    legacy = Cursor(path=PATH, offset=0, line=25, turn="t1", handled=("old",))
    assert validated(legacy, probe(NEW)) == (at(NEW, len(NEW), handled=("old",)), "stale")


def test_a_cursor_that_read_nothing_adopts_the_file_and_keeps_everything() -> None:
    pristine = Cursor(path=PATH, turn="t1", handled=("a", "b"))
    adopted, verdict = validated(pristine, probe(NEW))
    assert (adopted, verdict) == (at(NEW, 0, turn="t1", handled=("a", "b")), "adopted")


def test_a_stale_cursor_keeps_what_was_handled_and_forgets_the_turn() -> None:
    stale = at(OLD, len(OLD), line=5, turn="t1", handled=("a", "b"))
    cursor, _ = validated(stale, probe(NEW, len(OLD)))
    assert cursor == at(NEW, len(NEW), handled=("a", "b"))


def test_a_reader_that_asks_for_it_starts_a_replaced_log_anew() -> None:
    cursor, verdict = validated(at(OLD, len(OLD), line=2), probe(NEW, len(OLD)), stale="start")
    assert (cursor, verdict) == (at(NEW, 0), "stale")


def test_reading_moves_the_cursor_whether_or_not_a_record_said_anything() -> None:
    cursor = advanced(at(OLD, 0), 9, OLD[window(9)], lines=1, turn="t1")
    cursor = advanced(cursor, len(OLD), OLD[window(len(OLD))], lines=1)
    assert cursor == at(OLD, len(OLD), line=2)


def test_what_was_handled_is_kept_newest_last_and_bounded() -> None:
    cursor = handled(Cursor(path=PATH), [str(n) for n in range(MOST_HANDLED + 5)])
    assert (len(cursor.handled), cursor.handled[-1]) == (MOST_HANDLED, str(MOST_HANDLED + 4))
    assert handled(cursor, [cursor.handled[0]]) is cursor


def test_only_what_was_not_handled_is_fresh_once_each_and_in_order() -> None:
    cursor = Cursor(path=PATH, handled=("a", "c"))
    assert fresh(cursor, ["a", "b", "c", "d", "b"]) == ("b", "d")


def test_a_cursor_survives_json_and_nothing_stored_is_a_fresh_one() -> None:
    cursor = at(OLD, 9, line=1, turn="t1", handled=("a",))
    assert from_json(json.loads(json.dumps(to_json(cursor))), PATH) == cursor
    assert from_json(None, PATH) == Cursor(path=PATH)
    assert from_json({"offset": 512}, PATH).offset == 512
    assert from_json({"line": 3}, PATH) == Cursor(path=PATH, offset=None, line=3)
    assert from_json(to_json(cursor), "/p/other.jsonl") == Cursor(path="/p/other.jsonl")


@pytest.mark.parametrize("value", [True, -1, "9", 1.5, [], {}])
def test_a_stored_field_of_the_wrong_type_is_absent(value: Any) -> None:
    stored = {"offset": value, "line": value, "fingerprint": 3, "turn": [], "handled": value}
    assert from_json(stored, PATH) == Cursor(path=PATH)


@given(st.binary(max_size=600), st.binary(max_size=600), st.integers(0, 600))
def test_a_validated_cursor_stands_where_the_file_can_be_read_on_from(
    before: bytes, after: bytes, place: int
) -> None:
    offset = min(place, len(before))
    cursor, verdict = validated(at(before, offset), probe(after, offset))
    assert cursor.offset is not None and cursor.offset <= len(after)
    assert validated(cursor, probe(after, cursor.offset)) == (cursor, "same")
    assert verdict in ("same", "stale")


@given(st.binary(max_size=600), st.binary(max_size=200), st.integers(0, 600))
def test_a_file_that_only_grew_is_never_stale(content: bytes, more: bytes, place: int) -> None:
    cursor = at(content, min(place, len(content)))
    assert validated(cursor, probe(content + more, cursor.offset or 0)) == (cursor, "same")
