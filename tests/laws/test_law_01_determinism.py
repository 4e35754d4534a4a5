"""Law 1: the same messages give equal sessions and byte-equal JSON, in any process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from refold.checkpoints import dumps
from refold.decode import encode_line
from refold.laws.of_folds import is_deterministic
from refold.messages import Message
from refold.patches import diff
from refold.session import Session
from tests.laws.folds import fold
from tests.strategies import chaotic_streams, disciplined_streams

_FOLDING = """
import json, sys
from refold import Session, apply, digest, diff, dumps, settled, to_json
for line in sys.stdin:
    session = Session()
    for index, message in enumerate(json.loads(line)):
        session = apply(session, message, now_ms=index)
    parts = [to_json(session), to_json(settled(session)), diff(Session(), session)]
    print(json.dumps(parts), digest(session), dumps(session))
"""

_ENVIRONMENTS = (
    {"PYTHONHASHSEED": "0", "TZ": "UTC", "LC_ALL": "C"},
    {"PYTHONHASHSEED": "1", "TZ": "Asia/Kathmandu", "LC_ALL": "C.UTF-8"},
    {"PYTHONHASHSEED": "4242", "TZ": "America/St_Johns", "LC_ALL": "tr_TR.UTF-8"},
)


@given(st.one_of(chaotic_streams(), disciplined_streams()))
def test_folding_twice_gives_equal_sessions_and_equal_json(stream: list[Message]) -> None:
    """fold(S) == fold(S), byte for byte."""
    assert is_deterministic(stream) is None
    one, other = fold(stream), fold(stream)
    assert dumps(one) == dumps(other)
    assert diff(Session(), one) == diff(Session(), other)
    assert hash(one) == hash(other)


def test_processes_with_other_hash_seeds_time_zones_and_locales_print_the_same_bytes() -> None:
    """fold(S) in processes that differ in everything around them."""
    streams: list[str] = []

    @settings(max_examples=40, database=None)
    @given(st.one_of(chaotic_streams(), disciplined_streams()))
    def collect(stream: list[Message]) -> None:
        streams.append(f"[{','.join(encode_line(each) for each in stream)}]")

    collect()
    one, *others = [_folded("\n".join(streams), each) for each in _ENVIRONMENTS]
    assert len(one.splitlines()) == len(streams)
    assert all(other == one for other in others)


def _folded(streams: str, environment: dict[str, str]) -> bytes:
    source = str(Path(__file__).parents[2] / "src")
    done = subprocess.run(
        [sys.executable, "-c", _FOLDING],
        input=streams.encode(),
        capture_output=True,
        check=True,
        env={**os.environ, **environment, "PYTHONPATH": source, "PYTHONUTF8": "1"},
    )
    return done.stdout
