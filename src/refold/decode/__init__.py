"""From bytes and plain JSON data to messages, and back: the only room that raises on input.

The files, in the order in which they build on each other:

- ``json_text``: one JSON text, strictly and in bounded depth.
- ``lines``, ``json_lines``, ``documents``: many of them, in files as they really are.
- ``values``, ``converter``: single values and payloads, strictly typed.
- ``transport``, ``generated``, ``messages``, ``typed``: whole messages.
- ``encode``: the way back.
- ``streams``: values with their lines to messages with their positions.
"""

from refold.decode.encode import encode, encode_line
from refold.decode.messages import decode
from refold.decode.typed import decode_line

__all__ = ["decode", "decode_line", "encode", "encode_line"]
