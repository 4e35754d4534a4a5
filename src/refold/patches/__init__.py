"""Patches: what changed between two views, as JSON values (see ``diff`` and ``patch``)."""

from refold.patches.applying import PatchError, patch
from refold.patches.sessions import diff

__all__ = ["PatchError", "diff", "patch"]
