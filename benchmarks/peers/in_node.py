"""Peers in node: a script each in benchmarks/peers_node, which ``npm install`` there makes ready."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.peers.peer import LIMIT_S, NotRunError, Peer
from benchmarks.peers.stream import Op

__all__ = ["PEERS"]

FOLDER = Path(__file__).parents[1] / "peers_node"


def _marginal(script: str, package: str, before: Sequence[Op], coming: Sequence[Op]) -> float:
    node = shutil.which("node")
    if node is None:
        raise NotRunError("not installed: node")
    if not (FOLDER / "node_modules" / package).exists():
        raise NotRunError(f"not installed: {package} (npm install in benchmarks/peers_node)")
    taken = _run([node, script], {"before": before, "coming": coming})
    return float(taken["seconds"]) / int(taken["events"])


def _run(command: list[str], given: dict[str, Any]) -> Any:
    try:
        ran = subprocess.run(
            command,
            input=json.dumps(given),
            cwd=FOLDER,
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=True,
        )
    except subprocess.TimeoutExpired:
        raise NotRunError(f"more than {LIMIT_S:.0f} s") from None
    except subprocess.CalledProcessError as error:
        raise NotRunError(f"failed: {error.stderr.strip()[-200:]}") from None
    return json.loads(ran.stdout)


PEERS = (
    Peer(
        name="AG-UI `@ag-ui/client` (node)",
        snapshot="deep copy",
        marginal=partial(_marginal, "ag_ui.mjs", "@ag-ui/client"),
    ),
    Peer(
        name="Vercel `ai` (node), one message",
        snapshot="deep copy",
        marginal=partial(_marginal, "vercel_ai.mjs", "ai"),
    ),
)
