"""Reading files: the only room of ``sources`` that opens anything.

- ``inputs``: a path, standard input, a file or lines, as chunks.
- ``reading``: the messages of one of them.
- ``shards``: which files hold one trace, and where the traces of nested sessions are.
- ``opening``: the messages of a session, whatever the format.
"""

from refold.sources.files.opening import Trace, open_trace
from refold.sources.files.reading import read

__all__ = ["Trace", "open_trace", "read"]
