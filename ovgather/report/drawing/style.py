"""Colours of drawings and reports, light and dark, and the style sheet made of them.

The dark ones are chosen by the reader's own setting (``prefers-color-scheme``). A program that draws SVG without
knowing style sheets that well takes the light ones.
"""

import re
from pathlib import Path

SLOTS = 8  # the number of tints that distinguish the indices along the axis

_NAMED = re.compile(r"(?<=:)@(\w+)")
_COLOR = re.compile(r"^@(\w+) (#\w+) (#\w+)\n", re.MULTILINE)
_SHEET = Path(__file__).with_suffix(".css").read_text(encoding="utf-8")

COLORS = {name: colors for name, *colors in _COLOR.findall(_SHEET)}
"""Names of colours, with which the sheet begins: the light and the dark one."""


def sheet(more: str = "") -> str:
    """The style sheet of drawings, and ``more``, where ``@ink`` is a colour: such lines come light, then dark."""
    lines = f"{_COLOR.sub('', _SHEET)}{more}".splitlines(keepends=True)
    plain = "".join(line for line in lines if not _NAMED.search(line))
    colored = "".join(line for line in lines if _NAMED.search(line))
    light = _NAMED.sub(lambda name: COLORS[name[1]][0], colored)
    dark = _NAMED.sub(lambda name: COLORS[name[1]][1], colored)
    return f"{plain}{light}@media (prefers-color-scheme:dark){{\n{dark}}}\n"
