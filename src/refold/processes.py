"""Jobs on many processes, where one that ends its process costs no other.

Rules of this file:

- Processes are fresh, not forked: they inherit no threads, files or locks.
- Results come as they are done, each with the place of its job.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context
from typing import TypeVar

__all__ = ["pool_of", "run"]

J = TypeVar("J")
R = TypeVar("R")


@contextmanager
def pool_of(processes: int) -> Iterator[Executor | None]:
    """Yield a pool of so many processes; None, which is this one, for 1."""
    if processes <= 1:
        yield None
        return
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        try:
            yield pool
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def run(
    function: Callable[[J], R], jobs: Iterable[J], pool: Executor | None, lost: Callable[[J], R]
) -> Iterator[tuple[int, R]]:
    """Yield what a function makes of each job, and its place, as they are done.

    A job that ends its process takes the others that wait for that pool with it: these get a
    process of their own each, and only the one that ends it again is lost.
    """
    listed = list(jobs)
    if pool is None:
        yield from ((place, function(job)) for place, job in enumerate(listed))
        return
    left: list[int] = []
    for place, future in _submitted(function, listed, pool, left):
        try:
            yield place, future.result()
        except BrokenProcessPool:
            left.append(place)
    for place in left:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as alone:
            try:
                yield place, alone.submit(function, listed[place]).result()
            except BrokenProcessPool:
                yield place, lost(listed[place])


def _submitted(
    function: Callable[[J], R], jobs: Sequence[J], pool: Executor, left: list[int]
) -> Iterator[tuple[int, Future[R]]]:
    futures: dict[Future[R], int] = {}
    for place, job in enumerate(jobs):
        try:
            futures[pool.submit(function, job)] = place
        except BrokenProcessPool:
            left.append(place)
    yield from ((futures[future], future) for future in as_completed(futures))
