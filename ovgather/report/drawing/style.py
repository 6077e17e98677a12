"""Colours of drawings and reports, light and dark, and the style sheet made of them.

The dark ones are chosen by the reader's own setting (``prefers-color-scheme``). A program that draws SVG without
knowing style sheets that well takes the light ones.
"""

import re
from pathlib import Path

SLOTS = 8  # the number of tints that distinguish the indices along the axis

COLORS = {
    "paper": ("#ffffff", "#17181c"),
    "ink": ("#1b1c20", "#eceef2"),
    "muted": ("#595d66", "#a9afba"),
    "line": ("#767b85", "#858b96"),
    "panel": ("#f3f4f6", "#22242a"),
    "bad": ("#b3121d", "#ff8a80"),
    "good": ("#166534", "#7ee2a8"),
    "known": ("#7a4b00", "#ffc55c"),
    "link": ("#1a4fb4", "#8ab4ff"),
    "bar": ("#3b6fd4", "#6f9bf0"),
    "legal": ("#e3efe3", "#1f3325"),
    "slot0": ("#d6e6fd", "#1d3b72"),
    "slot1": ("#d8f3df", "#16492a"),
    "slot2": ("#fdf0c4", "#574208"),
    "slot3": ("#fcdfee", "#6b1b45"),
    "slot4": ("#e7e0fb", "#41297f"),
    "slot5": ("#fde3cc", "#6b3110"),
    "slot6": ("#cff3f6", "#12505a"),
    "slot7": ("#e4e6ea", "#3b4250"),
    "heat0": ("#f3f4f6", "#22242a"),
    "heat1": ("#f7c6c2", "#5a2320"),
    "heat2": ("#ee928c", "#87302b"),
    "heat3": ("#dc5a54", "#bd453d"),
    "heat4": ("#b3121d", "#ff8a80"),
}
"""Names of colours: the light and the dark one."""

_SHEET = Path(__file__).with_suffix(".css")
_NAMED = re.compile(r"(?<=:)@(\w+)")


def sheet(*more: Path) -> str:
    """The style sheet of drawings and ``more`` sheets, where ``@ink`` is a colour: such lines come light, then dark."""
    lines = [line for path in (_SHEET, *more) for line in path.read_text(encoding="utf-8").splitlines(keepends=True)]
    plain = "".join(line for line in lines if not _NAMED.search(line))
    colored = "".join(line for line in lines if _NAMED.search(line))
    light = _NAMED.sub(lambda name: COLORS[name[1]][0], colored)
    dark = _NAMED.sub(lambda name: COLORS[name[1]][1], colored)
    return f"{plain}{light}@media (prefers-color-scheme:dark){{\n{dark}}}\n"
