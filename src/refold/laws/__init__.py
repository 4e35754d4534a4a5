"""What refold promises, as functions of a list of messages (laws.md).

``check(messages)`` tries every law and gives the broken ones, each with a small counterexample. The
property tests and ``refold verify`` run these same functions.
"""

from refold.laws.broken import Broken, Law
from refold.laws.catalogue import LAWS, check
from refold.laws.shrinking import shrunk
from refold.laws.streaming import rechunked, streamed

__all__ = ["LAWS", "Broken", "Law", "check", "rechunked", "shrunk", "streamed"]
