"""Growing sessions in a browser: ``refold serve``.

The files, in the order in which they build on each other:

- ``windowed``: of a session's view, the end, and pages in front of it.
- ``growth``: what a file has folded to so far, and whether it is shown at rest.
- ``chronicle``: its versions by event id, with what changed from each to the next.
- ``server_events``: these as text of an event stream.
- ``access``: who may ask, and what every answer says about its use.
- ``feed``: one file, followed and told to everybody who listens.
- ``assets``, ``app``, ``serving``: the page, the answers, the socket (extra ``web``).

All but the last three lines are pure; nothing here is imported by the rest of the package.
"""
