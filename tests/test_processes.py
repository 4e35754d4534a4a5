"""Jobs on many processes: one that ends its process costs no other."""

from __future__ import annotations

import os
import signal

from refold.processes import pool_of, run


def double(number: int) -> int:
    """Return twice a number; 13 ends the process."""
    if number == 13:
        os.kill(os.getpid(), signal.SIGKILL)
    return 2 * number


def test_one_process_is_this_one() -> None:
    with pool_of(1) as pool:
        assert pool is None
        assert list(run(double, [1, 2], pool, str)) == [(0, 2), (1, 4)]


def test_a_job_that_ends_its_process_is_the_only_one_lost() -> None:
    jobs = [1, 13, 3]
    with pool_of(2) as pool:
        done = dict(run(double, jobs, pool, lambda job: -job))
    assert done == {0: 2, 1: -13, 2: 6}
