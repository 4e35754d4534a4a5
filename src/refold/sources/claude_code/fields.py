"""Reading single fields of a record, whatever stands in them.

Rules of this file:

- A field of the wrong type is a field that isn't there; nothing raises.
- A digest stands for a text where two texts are only compared: it is the same in every process.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

__all__ = ["dict_at", "digest", "flag", "integer", "key_of", "string", "strings_at"]

_DIGEST_BYTES = 12
_TOO_MUCH = 1 << 63


def string(record: dict[str, Any], name: str) -> str | None:
    """Return a field that is a string with something in it, else None."""
    value = record.get(name)
    return value if type(value) is str and value else None


def strings_at(record: dict[str, Any], *names: str) -> str | None:
    """Return the string at the end of a path of fields, else None."""
    for name in names[:-1]:
        record = dict_at(record, name)
    return string(record, names[-1])


def dict_at(record: dict[str, Any], name: str) -> dict[str, Any]:
    """Return a field that is an object, else an empty one."""
    value = record.get(name)
    return value if type(value) is dict else {}


def flag(record: dict[str, Any], name: str) -> bool:
    """Tell whether a field is exactly true."""
    return record.get(name) is True


def integer(record: dict[str, Any], name: str) -> int | None:
    """Return a field that is a number from 0 to 2**63, without its fraction, else None."""
    value: Any = record.get(name)
    is_number = type(value) is int or type(value) is float
    return int(value) if is_number and 0 <= value < _TOO_MUCH else None


def digest(text: str) -> str:
    """Return a short name of a text."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_DIGEST_BYTES).hexdigest()


def key_of(record: dict[str, Any], *said: str) -> str | None:
    """Return the key of what a record says, or None if the record has no id.

    Args:
        record: the record; its ``uuid`` names it.
        said: what tells this from other things under the same id. A copy with other content
            (an export whose ids were all replaced by one word) is no copy.
    """
    uuid = string(record, "uuid")
    return None if uuid is None else "|".join((uuid, *said))
