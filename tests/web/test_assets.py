"""The page's files: all there, all of this package, leading only to each other."""

from __future__ import annotations

import re

from refold.web.assets import read_assets

IMPORT = re.compile(r'from "\./([a-z]+\.js)"')
NAMED = re.compile(r'(?:href|src)="/page/([^"]+)"')


def test_every_file_that_is_named_is_there_and_every_file_is_named() -> None:
    assets = read_assets()
    texts = [each.content.decode() for each in assets.values()]
    named = {name for text in texts for name in [*IMPORT.findall(text), *NAMED.findall(text)]}
    assert named | {"index.html"} == set(assets)


def test_files_say_what_they_are() -> None:
    types = {name: each.media_type.partition(";")[0] for name, each in read_assets().items()}
    assert types["index.html"] == "text/html"
    assert types["style.css"] == "text/css"
    assert {types[name] for name in types if name.endswith(".js")} == {"text/javascript"}


def test_every_script_opens_with_its_rules() -> None:
    scripts = {name: each for name, each in read_assets().items() if name.endswith((".js", ".css"))}
    assert [
        name for name, each in scripts.items() if b"Rules of this file:" not in each.content
    ] == []
