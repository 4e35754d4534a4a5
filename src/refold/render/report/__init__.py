"""A session as one self-contained page (analysis.md, "On the command line").

Rules of this package:

- ``subject_of`` folds and analyses a stream, ``report_html`` writes what came of it as a page: text
  out, no file, no clock, no network.
- Escaping can't be forgotten: only ``html`` writes markup, and what it is given as text it escapes.
- Read in the order: ``links``, ``html``, ``assets``; ``subject``, ``names``, ``moments``; ``bars``,
  ``lanes``, ``plots``, ``drawing``, ``timeline``; ``bodies``, ``prose``, ``scenes``, ``calls``,
  ``sayings``, ``happenings``, ``transcript``; ``tables``, ``page``.
"""

from refold.render.report.cover import Cover
from refold.render.report.page import report_html
from refold.render.report.subject import Subject, subject_of

__all__ = ["Cover", "Subject", "report_html", "subject_of"]
