"""The picture of the README shows what the program prints."""

from __future__ import annotations

import re
import sys
from html import unescape

import pytest
from paths import ROOT

sys.path.insert(0, str(ROOT / "tools"))
import screenshot


def test_the_finding_in_the_picture_is_what_validate_prints(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder, command = screenshot.COMMANDS[0]
    lines = screenshot.output_of(folder, command)
    assert any("\x1b[31;1m" in line for line in lines)  # FORCE_COLOR
    drawn = [
        unescape(text)
        for text in re.findall(
            r"<text [^>]*>([^<]*)</text>", screenshot.PICTURE.read_text()
        )
    ]
    wanted = [
        unescape(text)
        for text in re.findall(r"<text [^>]*>([^<]*)</text>", screenshot.picture(lines))
    ]
    assert drawn[2 : 2 + len(wanted)] == wanted
    assert command in drawn


def test_text_is_escaped_and_stands_in_its_column() -> None:
    drawing = screenshot.picture(["\x1b[34m -->\x1b[0m a<b & c"])
    assert ">--&gt;</text>" in drawing or ">--></text>" in drawing
    assert "a&lt;b &amp; c" in drawing
    x = [float(each) for each in re.findall(r'<text x="([\d.]+)"', drawing)]
    assert round((x[1] - x[0]) / 8.4) == 4
