"""What the logs tell, as facts."""

from __future__ import annotations

from refold.json_values import thaw
from refold.messages import Fact, SourcePosition, Transport
from refold.sources.claude_hooks.badge import Badge
from refold.sources.claude_hooks.compaction import Banner, Boundary
from refold.sources.claude_hooks.facts import Place, banners, fact, rotated, shown
from refold.sources.claude_hooks.rotation import Rotate
from refold.sources.claude_hooks.status import Edge


def test_a_fact_says_where_it_was_read_and_has_no_time() -> None:
    told = fact("session", "s1", Place(line=3, at_ms=5))
    assert told.payload == Fact(name="live.session", value="s1")
    assert told.timestamp is None
    assert told.transport == Transport(
        source=SourcePosition(format="claude-code-hooks", lane="hooks", line=3)
    )


def test_an_edge_that_leaves_the_badge_tells_nothing() -> None:
    edge = Edge(state="idle", background=0, at_ms=5)
    badge, messages = shown(Badge(), [edge, edge], Place())
    assert badge == Badge(state="idle")
    assert [thaw(each.payload.value) for each in messages if isinstance(each.payload, Fact)] == [
        {"state": "idle", "background": 0, "at_ms": 5}
    ]


def test_a_banner_is_whether_a_compaction_runs_and_a_boundary_is_the_transcripts() -> None:
    marks = [Banner(state="in_progress"), Boundary(number=1), Banner(state="completed")]
    values = [
        each.payload.value for each in banners(marks, Place()) if isinstance(each.payload, Fact)
    ]
    assert values == [True, False]


def test_a_rotation_tells_what_is_known_of_it() -> None:
    told = rotated(Rotate(kind="fork", native="n2", read_from="end"), Place(at_ms=5)).payload
    assert isinstance(told, Fact)
    assert thaw(told.value) == {"kind": "fork", "native": "n2", "read_from": "end", "at_ms": 5}
