"""The page on daily use: its files are written, its commands run, in order, and print what it shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from forked import shell
from paths import ROOT

PAGE = (ROOT / "docs" / "usage.md").read_text(encoding="utf-8")
FILE_OR_COMMAND = re.compile(
    r"`(?P<name>[\w.]+)`:\n\n```\w+\n(?P<text>[\s\S]*?)```|```text\n\$ (?P<line>.*)\n(?P<out>[\s\S]*?)```"
)


def test_examples(tmp_path: Path) -> None:
    for path in (ROOT / "samples_xml" / "demo").glob("[bg]*.*"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    commands = 0
    for block in FILE_OR_COMMAND.finditer(PAGE):
        if block["name"]:
            (tmp_path / block["name"]).write_text(block["text"], encoding="utf-8")
            continue
        done = shell(block["line"], tmp_path)
        assert done.stderr + done.stdout == block["out"], block["line"]
        commands += 1
    assert commands == PAGE.count("\n$ ")


KEYS = [
    "select",
    "ignore",
    "severity",
    "strict",
    "format",
    "baseline",
    "jobs",
    "max-findings",
    "target",
    "device",
    "exclude",
    "per-file-ignores",
]


@pytest.mark.parametrize("key", KEYS)
def test_every_key_is_on_the_page(key: str) -> None:
    assert re.search(rf"^\|.*`{key}`", PAGE, re.MULTILINE)


def test_there_are_no_other_keys() -> None:
    from ovgather.validation.selection.configuration import _KEYS

    assert set(_KEYS) == set(KEYS)
