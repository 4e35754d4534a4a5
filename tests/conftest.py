"""How hard the properties are tried: ``HYPOTHESIS_PROFILE=dev|ci|nightly`` (dev if unset).

Rules of this file:

- No deadline: a slow machine is no fault.
- ``ci`` draws the same examples every time; the others remember what failed.
- Commands under test can be interrupted, also where the suite itself runs in the background: a shell
  starts such a job with the interrupt ignored, and whatever it starts would inherit that.
"""

from __future__ import annotations

import os
import signal

from hypothesis import HealthCheck, settings

_SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large]

settings.register_profile("dev", max_examples=60, deadline=None, suppress_health_check=_SLOW)
settings.register_profile(
    "ci", max_examples=150, deadline=None, derandomize=True, suppress_health_check=_SLOW
)
settings.register_profile(
    "nightly", max_examples=5_000, deadline=None, print_blob=True, suppress_health_check=_SLOW
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
