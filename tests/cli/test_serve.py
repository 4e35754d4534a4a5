"""``refold serve`` as a command: its address, its warnings, what it needs."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from refold.cli import main
from refold.cli.exits import UNUSABLE
from refold.web.serving import address_of, bound, is_loopback
from tests.web.lines import user
from tests.web.served import served

WITHOUT = """
import sys
for name in {missing!r}:
    sys.modules[name] = None
from refold.cli import main
sys.exit(main(["serve", "--port", "0", "any.jsonl"]))
"""


def test_it_prints_where_it_is(tmp_path: Path) -> None:
    file = tmp_path / "one.jsonl"
    file.write_text(user(0, "hi"))
    with served(file) as server:
        assert server.url == f"http://127.0.0.1:{server.port}/"
        assert server.get("/").status == 200


def test_a_port_that_is_taken_is_said_in_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    with bound("127.0.0.1", 0) as taken:
        port = str(taken.getsockname()[1])
        assert main(["serve", "--port", port, "any.jsonl"]) == UNUSABLE
    assert capsys.readouterr().err.startswith("refold: ")


@pytest.mark.parametrize("port", ["-1", "65536", "x", ""])
def test_a_port_that_is_none_is_refused(port: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["serve", f"--port={port}", "any.jsonl"])
    assert ended.value.code == UNUSABLE
    assert "--port" in capsys.readouterr().err


def test_addresses_are_those_a_browser_takes() -> None:
    with bound("127.0.0.1", 0) as near, bound("0.0.0.0", 0) as far:
        assert [is_loopback(near), is_loopback(far)] == [True, False]
        assert address_of(far) == f"http://127.0.0.1:{far.getsockname()[1]}/"


@pytest.mark.skipif(not socket.has_ipv6, reason="this machine has no IPv6")
def test_an_address_of_ipv6_stands_in_brackets() -> None:
    try:
        listening = bound("::1", 0)
    except OSError:
        pytest.skip("this machine has no IPv6 loopback")
    with listening:
        assert address_of(listening) == f"http://[::1]:{listening.getsockname()[1]}/"
        assert is_loopback(listening)


@pytest.mark.parametrize("missing", ["starlette", "uvicorn"])
def test_without_the_extra_it_says_how_to_get_it(missing: str) -> None:
    script = WITHOUT.format(missing=[missing])
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert ran.returncode == UNUSABLE
    assert "pip install 'refold[web]'" in ran.stderr
