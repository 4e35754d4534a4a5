"""What changed between two JSON documents.

Rules of this file:

- Objects are compared member by member, strings by growth; arrays element by element, then their
  ends. Nothing is known here of what the documents mean.
- It recurses as deep as the documents nest, which decoding bounds.
"""

from __future__ import annotations

from typing import Any

from refold.patches.operations import Operation, add, append, escaped, remove, replace

__all__ = ["diff_documents", "diff_strings", "same"]


def diff_documents(before: Any, after: Any, path: str, pure: bool) -> list[Operation]:
    """Return operations that turn one JSON value into another.

    Args:
        before: the earlier value.
        after: the later one.
        path: where it stands.
        pure: RFC 6902 only, no ``append``.
    """
    if same(before, after):
        return []
    if type(before) is dict and type(after) is dict:
        return _diff_objects(before, after, path, pure)
    if type(before) is list and type(after) is list:
        return _diff_arrays(before, after, path, pure)
    if type(before) is str and type(after) is str:
        return diff_strings(before, after, path, pure)
    return [replace(path, after)]


def diff_strings(before: str, after: str, path: str, pure: bool) -> list[Operation]:
    """Return the operation that turns one string into another, if they differ."""
    if before == after:
        return []
    if not pure and before and after.startswith(before):
        return [append(path, after[len(before) :])]
    return [replace(path, after)]


def same(before: Any, after: Any) -> bool:
    """Tell whether two JSON values are equal, true and 1 told apart."""
    return before is after or (type(before) is type(after) and _equal(before, after))


def _equal(before: Any, after: Any) -> bool:
    if type(before) is dict:
        return before.keys() == after.keys() and all(
            same(value, after[name]) for name, value in before.items()
        )
    if type(before) is list:
        return len(before) == len(after) and all(map(same, before, after))
    return bool(before == after)


def _diff_objects(
    before: dict[str, Any], after: dict[str, Any], path: str, pure: bool
) -> list[Operation]:
    operations = [remove(f"{path}/{escaped(name)}") for name in before if name not in after]
    for name, value in after.items():
        at = f"{path}/{escaped(name)}"
        if name in before:
            operations += diff_documents(before[name], value, at, pure)
        else:
            operations.append(add(at, value))
    return operations


def _diff_arrays(before: list[Any], after: list[Any], path: str, pure: bool) -> list[Operation]:
    common = min(len(before), len(after))
    operations: list[Operation] = []
    for index in range(common):
        operations += diff_documents(before[index], after[index], f"{path}/{index}", pure)
    operations += [remove(f"{path}/{index}") for index in reversed(range(common, len(before)))]
    operations += [add(f"{path}/{index}", after[index]) for index in range(common, len(after))]
    return operations
