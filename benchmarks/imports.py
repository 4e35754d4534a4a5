"""What importing refold costs the processor, each time in a new process."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

from benchmarks.figures import Figure

__all__ = ["imports"]

TIMED = "import time; begin = time.process_time(); {}; print(time.process_time() - begin)"
THIRD_PARTY = (
    "import sys; before = set(sys.modules); {}; "
    "tops = {{name.split('.')[0] for name in set(sys.modules) - before}}; "
    "print(*sorted(tops - set(sys.stdlib_module_names) - {{'refold'}}))"
)
BASE = "import attrs, cattrs"
ALLOWED = {"attr", "attrs", "cattr", "cattrs", "dateutil", "six", "typing_extensions"}
STANDARD = "_sysconfigdata"
WAYS = {
    "refold": "import refold",
    "fold": "from refold import Session, apply",
    "decode": "from refold import Session, apply; from refold.decode import decode",
}


def imports(runs: int) -> Iterator[Figure]:
    """Yield what ways of importing cost against importing attrs and cattrs, and what else came in."""
    best = dict.fromkeys([BASE, *WAYS.values()], 9e9)
    for _ in range(runs):
        best = {code: min(seconds, float(_run(TIMED, code))) for code, seconds in best.items()}
    for key, code in WAYS.items():
        yield Figure(
            key=f"import.{key}",
            measure=f"`{code}`, against `{BASE}`",
            value=best[code] / best[BASE],
            unit="×",
            must=2,
        )
    found = set(_run(THIRD_PARTY, WAYS["decode"]).split()) - ALLOWED
    others = [name for name in found if not name.startswith(STANDARD)]
    yield Figure(
        key="import.others",
        measure="packages imported beyond the three and what they need",
        value=len(others),
        unit="packages",
        must=0,
    )


def _run(template: str, code: str) -> str:
    command = [sys.executable, "-c", template.format(code)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout
