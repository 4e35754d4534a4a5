"""What differs between two views, for comparing runs, and live against stored.

Other than a patch, which turns one version of a session into its next, a comparison finds what
belongs together although something stands in between: ``alignment`` pairs items by what they say,
``values`` compares JSON values, ``views`` whole sessions.
"""

from refold.differences.values import ABSENT, Difference, Part
from refold.differences.views import Ignored, differences

__all__ = ["ABSENT", "Difference", "Ignored", "Part", "differences"]
