"""What tells a payload's class on the wire."""

from __future__ import annotations

from refold.decode.kinds import CLASSES, wire_tag
from refold.messages import Abort, SessionMeta, Text, TokenCounts


def test_classes_are_told_by_category_and_kind() -> None:
    assert CLASSES["model_msg", "text"] is Text
    assert CLASSES["event_msg", "abort"] is Abort
    assert ("event_msg", "text") not in CLASSES
    assert len(CLASSES) == 26


def test_payloads_carry_a_type_and_session_meta_does_not() -> None:
    assert wire_tag(Text) == {"type"}
    assert wire_tag(SessionMeta) == wire_tag(TokenCounts) == frozenset()
