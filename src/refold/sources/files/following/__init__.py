"""Following files while they grow.

The files, in the order in which they build on each other:

- ``growing``: a file or a stream, as the bytes that came since the last look.
- ``arriving``: these bytes, as values as soon as they are whole.
- ``trails``: the values of one trace, through its shards.
- ``strands``: several of these, braided into one by time.
- ``routes``: the messages of a session, format by format.
- ``follower``: all of it.
"""

from refold.sources.files.following.follower import Follower, Poll

__all__ = ["Follower", "Poll"]
