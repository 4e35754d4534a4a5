"""What differs between two JSON values.

Rules of this file:

- A difference says where it is on both sides, and what stands there; what stands nowhere is
  ``ABSENT``, which null is not.
- Objects are compared member by member, arrays element by element; strings are compared whole.
- It recurses as deep as the values nest, which decoding bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import zip_longest
from typing import Any, Final

from refold.patches.documents import same
from refold.patches.operations import escaped
from refold.records import record

__all__ = ["ABSENT", "Difference", "Part", "compared"]


class _Absent:
    """Stands for a value that isn't there."""

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = _Absent()


@record
class Part:
    """An item, a nested session, or what is left of a session: what is compared as one.

    Args:
        path: where it is in the first view, as a JSON pointer; in the second if only that has it.
        path_b: the same, the other way round.
        label: what it is, for a person.
    """

    path: str
    path_b: str
    label: str


@record
class Difference:
    """One difference between two views.

    Args:
        part: what it belongs to.
        within: where in that part, as a JSON pointer; empty for the whole.
        a: what the first view has there, as plain JSON, or ``ABSENT``.
        b: what the second has.
    """

    part: Part
    within: str
    a: Any
    b: Any

    @property
    def path(self) -> str:
        """Where it is in the first view, as a JSON pointer; in the second if only that has it."""
        return self.part.path + self.within

    @property
    def path_b(self) -> str:
        """Where it is in the second view; in the first if only that has it."""
        return self.part.path_b + self.within


def compared(
    part: Part, a: Any, b: Any, is_ignored: Callable[[str], bool], within: str = ""
) -> Iterator[Difference]:
    """Yield what differs between two values, the outermost parts that do.

    Args:
        part: what they belong to.
        a: plain JSON, or ``ABSENT``.
        b: the same.
        is_ignored: tells whether a member isn't compared, from its name.
        within: where they stand in the part.
    """
    if same(a, b):
        return
    if type(a) is dict and type(b) is dict:
        for name in [*a, *[each for each in b if each not in a]]:
            if not is_ignored(name):
                at = f"{within}/{escaped(name)}"
                yield from compared(part, a.get(name, ABSENT), b.get(name, ABSENT), is_ignored, at)
    elif type(a) is list and type(b) is list:
        for index, (left, right) in enumerate(zip_longest(a, b, fillvalue=ABSENT)):
            yield from compared(part, left, right, is_ignored, f"{within}/{index}")
    else:
        yield Difference(part=part, within=within, a=a, b=b)
