"""Lines straight to messages, with the ``fast`` extra.

Rules of this file:

- msgspec reads a line of a frequent kind into a struct that has the fields of the message's own
  class, and checks them on the way; the message is made of that struct.
- Only the plain case is taken: known fields, nothing beside them, counts below 2⁶³. What msgspec
  refuses goes the way of every other line, which says what it is or what is wrong with it. So the
  outcome is the same with the extra and without.
- A reader's ``message_of`` takes what its ``parse`` gave, or plain JSON data; nobody else sees a
  struct.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Annotated, Any, Final, TypeAlias

import attrs

from refold.decode.generated import BUILDERS, HOT, compiled, making, twins
from refold.decode.json_text import LineParser, line_parser, parse, scan_once
from refold.decode.messages import decode
from refold.messages import MAX_HOPS, Message, TokenCounts, Transport
from refold.records import field_names, record

__all__ = ["LineReader", "decode_line", "line_decoder", "line_reader"]

Maker: TypeAlias = Callable[[Any, Transport | None], Message]
LineDecoder: TypeAlias = Callable[[str | bytes], Message]

_WHITE: Final = " \t\r\n"
_LARGEST: Final = 2**63 - 1
# The annotations of fields that a struct holds; others are empty in the plain case.
_HELD: Final = ("str", "str | None", "int", "int | None", "TokenCounts")
_STRICT: Final[dict[str, Any]] = {"forbid_unknown_fields": True, "gc": False}


@record
class LineReader:
    """The two steps from a line to a message, between which a caller may look or turn away.

    Args:
        parse: the text or bytes of one line to a value; any ``Exception`` if that isn't plainly it.
        message_of: such a value, and its ``place`` if that is known, to its message; raises
            ``DecodeError``.
    """

    parse: LineParser
    message_of: Callable[..., Message]


def decode_line(line: str | bytes) -> Message:
    """Return the message on a line, as fast as what is installed allows.

    Args:
        line: one JSON text, or its UTF-8 bytes; white space around it is allowed.

    Raises:
        DecodeError: it is no JSON, or no message (protocol.md, "Strictness").
    """
    return _decode_line()(line)


def line_decoder(*, fast: bool = True) -> LineDecoder:
    """Return a function that does what ``decode_line`` does.

    Args:
        fast: whether the ``fast`` extra is used, if it is installed.
    """
    typed = _typed() if fast else None
    return _decoded if typed is None else typed.decoder(_decoded)


def _decoded(line: str | bytes) -> Message:
    """Return the message on a line: ``parse`` and ``decode``, with the plain case written out."""
    try:
        text = line if type(line) is str else line.decode()  # type: ignore[union-attr]
        value, end = scan_once(text, 0)
        payload = value["payload"]
        if (
            type(value) is dict
            and type(payload) is dict
            and (end == len(text) or not text[end:].strip(_WHITE))
        ):
            message = BUILDERS[payload["type"]](value, payload, None)
            if message is not None:
                return message
    except Exception:  # noqa: BLE001, S110 - whatever it is, the strict way says what
        pass
    return decode(parse(line))


def line_reader(*, fast: bool = True) -> LineReader:
    """Return how lines are read.

    Args:
        fast: whether the ``fast`` extra is used, if it is installed.
    """
    typed = _typed() if fast else None
    return typed.reader() if typed else LineReader(parse=line_parser(fast=fast), message_of=decode)


@functools.cache
def _decode_line() -> LineDecoder:
    return line_decoder()


@record
class _Typed:
    """What reads lines into structs.

    Args:
        read: a line into an envelope; raises any ``Exception`` for one that it doesn't take.
        envelopes: the structs of envelopes.
        makers: how a message is made of an envelope, by the struct of its payload.
    """

    read: LineParser
    envelopes: frozenset[type[Any]]
    makers: dict[type[Any], Maker]

    def decoder(self, otherwise: LineDecoder) -> LineDecoder:
        """Return a decoder of lines, which leaves those it doesn't take to another."""
        read, makers = self.read, self.makers

        def decode_one(line: str | bytes) -> Message:
            try:
                envelope = read(line)
            except Exception:  # noqa: BLE001 - whatever it says, the other decides
                return otherwise(line)
            return makers[type(envelope.payload)](envelope, None)

        return decode_one

    def reader(self) -> LineReader:
        """Return how lines are read."""
        read, makers, envelopes, plain = self.read, self.makers, self.envelopes, line_parser()

        def parse_one(line: Any) -> Any:
            try:
                return read(line)
            except Exception:  # noqa: BLE001 - whatever it says, the plain parser decides
                return plain(line)

        def message_of(value: Any, *, place: Transport | None = None) -> Message:
            if type(value) in envelopes:
                return makers[type(value.payload)](value, place)
            return decode(value, place=place)

        return LineReader(parse=parse_one, message_of=message_of)


@functools.cache
def _typed() -> _Typed | None:
    """Return what reads lines into structs if the ``fast`` extra is installed."""
    try:
        import msgspec  # noqa: PLC0415 - an extra
    except ImportError:
        return None
    makers: dict[type[Any], Maker] = {}
    envelopes = [_envelope(msgspec, category, makers) for category in ("model_msg", "event_msg")]
    read = msgspec.json.Decoder(envelopes[0] | envelopes[1]).decode
    return _Typed(read=read, envelopes=frozenset(envelopes), makers=makers)


# --- structs ------------------------------------------------------------------------------------


def _envelope(msgspec: Any, category: str, makers: dict[type[Any], Maker]) -> Any:
    """Return the struct of the messages of a category, and note how each is made of it."""
    types = _types(msgspec)
    payloads: Any = None
    for cls in HOT:
        if cls.category == category and _is_plain(cls, types):
            struct = _struct(msgspec, cls, types, tag=cls.kind, tag_field="type")
            makers[struct] = _maker(cls)
            payloads = struct if payloads is None else payloads | struct
    origin: Any = Annotated[list[str], msgspec.Meta(max_length=MAX_HOPS)]
    fields = [
        ("payload", payloads),
        ("timestamp", str | None, None),
        ("origin", origin | None, None),
    ]
    return msgspec.defstruct(category, fields, tag=category, tag_field="type", **_STRICT)


def _types(msgspec: Any) -> dict[str, Any]:
    """Return the types of a struct's fields by the annotations of the class it stands for."""
    count: Any = Annotated[int, msgspec.Meta(ge=0, le=_LARGEST)]
    plain = (str, str | None, count, count | None)
    types: dict[str, Any] = dict(zip(_HELD, plain, strict=False))
    return types | {"TokenCounts": _struct(msgspec, TokenCounts, types)}


def _is_plain(cls: type[Any], types: dict[str, Any]) -> bool:
    """Tell whether a struct can hold all that a class requires."""
    required = [field.name for field in attrs.fields(cls) if field.default is attrs.NOTHING]
    return all(cls.__annotations__[name] in types for name in required)


def _struct(msgspec: Any, cls: type[Any], types: dict[str, Any], **tag: str) -> Any:
    fields = [
        (name, types[cls.__annotations__[name]], *_default_of(cls, name))
        for name in _held(cls, types)
    ]
    return msgspec.defstruct(cls.__name__, fields, **tag, **_STRICT)


def _held(cls: type[Any], types: dict[str, Any]) -> list[str]:
    return [name for name in field_names(cls) if cls.__annotations__[name] in types]


def _default_of(cls: type[Any], name: str) -> tuple[Any, ...]:
    default = attrs.fields_dict(cls)[name].default
    return () if default is attrs.NOTHING else (default,)


# --- messages of them ---------------------------------------------------------------------------


def _maker(cls: type[Any]) -> Maker:
    """Write a function that makes a message of an envelope and the place it stood at."""
    counts = [name for name, kind in cls.__annotations__.items() if kind == "TokenCounts"]
    lines = ["def make(envelope, transport):", "    payload = envelope.payload"]
    for name in counts:
        lines += [
            f"    each = payload.{name}",
            *making(TokenCounts, name, **_read(TokenCounts, "each")),
        ]
    fields = _read(cls, "payload") | {name: name for name in counts}
    lines += [
        *making(cls, "content", **fields),
        "    names = envelope.origin",
        "    origin = tuple(names) if names else ()",
        *making(
            Message, "message", payload="content", timestamp="envelope.timestamp", extra="EMPTY"
        ),
        "    return message",
    ]
    return compiled(lines, twins(cls, Message, TokenCounts))


def _read(cls: type[Any], owner: str) -> dict[str, str]:
    """Return the expression for each field of a record; what a struct doesn't hold is empty."""
    kinds = {name: cls.__annotations__[name] for name in field_names(cls)}
    return {
        name: f"{owner}.{name}" if kind in _HELD else "EMPTY" if name == "extra" else "None"
        for name, kind in kinds.items()
    }
