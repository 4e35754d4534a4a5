"""The benchmarks run and say what they measured; no test says how fast anything is."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from benchmarks.figures import Figure, table, verdict
from benchmarks.pages import rewrite
from benchmarks.streams import STREAMS, lines

from refold import replay
from refold.decode import decode

ROOT = Path(__file__).parents[2]
FIRST = "<!-- figures -->\n"


def test_one_command_measures_everything_and_writes_json(tmp_path):
    written = tmp_path / "figures.json"
    page = tmp_path / "page.md"
    page.write_text(f"before\n{FIRST}old\n<!-- /figures -->\nafter\n")
    command = [sys.executable, "-m", "benchmarks", "--quick", "--json", written, "--write", page]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    document = json.loads(written.read_text())
    assert set(document) == {"machine", "figures"}
    assert set(document["machine"]) == {"processor", "cores", "system", "python", "packages"}
    kinds = {figure["key"].partition(".")[0] for figure in document["figures"]}
    assert kinds == {
        "pipeline",
        "marginal",
        "memory",
        "diff",
        "latency",
        "reading",
        "collector",
        "sources",
        "import",
    }
    keys = [figure["key"] for figure in document["figures"]]
    assert len(keys) == len(set(keys))
    assert page.read_text() == f"before\n{FIRST}{ran.stdout.strip()}\n<!-- /figures -->\nafter\n"


def test_a_page_without_markers_is_left_alone(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("no markers")
    with pytest.raises(ValueError, match="expected <!-- figures --> and <!-- /figures -->"):
        rewrite(page, "figures", "text")
    assert page.read_text() == "no markers"


@pytest.mark.parametrize("name", STREAMS)
def test_a_stream_is_the_same_every_time_and_clean(name):
    assert lines(name, 600) == lines(name, 600)
    assert lines(name, 50, 550) == lines(name, 600)[550:]
    session = replay((decode(json.loads(line)) for line in lines(name, 600)), now_ms=0)
    assert [session.diagnostics.orphan, session.diagnostics.unknown] == [0, 0]


def test_the_mixed_stream_has_the_shares_it_is_named_for():
    shares = {"partial": 0, "complete": 0, "event": 0}
    for line in lines("A", 10_000):
        payload = json.loads(line)["payload"]
        partial = payload["type"].startswith("partial_")
        shares["partial" if partial else "complete" if "role" in payload else "event"] += 1
    assert {kind: round(number / 100) for kind, number in shares.items()} == {
        "partial": 57,
        "complete": 19,
        "event": 24,
    }


@pytest.mark.parametrize(
    ("value", "must", "aim", "said"),
    [
        (1.0, 2.0, 1.0, "aim"),
        (2.0, 2.0, 1.0, "must"),
        (2.1, 2.0, 1.0, "**missed**"),
        (2.1, None, 1.0, "short of the aim"),
        (2.1, None, None, ""),
    ],
)
def test_a_figure_says_which_goal_it_meets(value, must, aim, said):
    figure = Figure(key="a.b", measure="it", value=value, unit="×", must=must, aim=aim)
    assert verdict(figure) == said
    assert table([figure]).endswith(f" | {said} |\n")
