"""What the README shows is what the program prints."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from forked import shell
from paths import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```text\n\$ (.*)\n([\s\S]*?)```", README)
NEEDS_OPENVINO = "crosscheck"


@pytest.mark.parametrize(
    ("line", "expected"), BLOCKS, ids=[line[:60] for line, _ in BLOCKS]
)
def test_commands_print_what_is_shown(line: str, expected: str, tmp_path: Path) -> None:
    if NEEDS_OPENVINO in line:
        pytest.importorskip("openvino")
    (tmp_path / "samples_xml").symlink_to(ROOT / "samples_xml")
    done = shell(line, tmp_path)
    assert done.stderr == ""
    assert done.stdout == expected


def test_every_link_leads_somewhere() -> None:
    links = re.findall(r"\]\(([^)]+)\)", README)
    assert len(links) > 20
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_it_is_short_and_shows_five_commands() -> None:
    assert README.count("\n") <= 120
    assert (
        len(
            re.findall(
                r"^\*\*.*\?\*\*", README.split("## Five commands")[1], re.MULTILINE
            )
        )
        == 5
    )
