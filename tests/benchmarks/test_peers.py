"""The comparison gives refold the whole logical stream, and names what it can't run."""

from itertools import chain

from benchmarks.peers.__main__ import SIZES, _measured, _peers, _table
from benchmarks.peers.peer import NotRunError, Peer
from benchmarks.peers.stream import ROUND, ops
from benchmarks.peers.with_refold import _events

from refold import replay


def test_a_round_of_the_stream_is_a_text_and_a_finished_call():
    session = replay(chain.from_iterable(map(_events, ops(ROUND))), now_ms=0)
    text, card = session.items
    assert (text.text, card.output) == (
        "word0 word1 word2 word3 word4 word5 word6 word7 ",
        "output of call_0",
    )


def test_steps_behind_others_are_those_that_would_have_come_next():
    assert ops(30)[18:] == ops(12, 18)


def test_refold_comes_first_and_always_runs():
    peer = next(_peers())
    assert peer.name == "refold"
    assert isinstance(_measured(peer, 3 * ROUND), float)


def test_a_peer_that_cannot_run_is_named_with_the_reason():
    def absent(*_):
        raise NotRunError("not installed: it")

    peer = Peer(name="peer", snapshot="none", marginal=absent)
    cells = [_measured(peer, size) for size in SIZES[:1]]
    assert cells == ["not run (not installed: it)"]
    assert _table([12], [(peer, cells)]).endswith("| peer | not run (not installed: it) | none |\n")
