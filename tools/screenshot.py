"""Draw the picture of the README: two commands and what they print, as a terminal shows it.

    python tools/screenshot.py           # writes docs/images/terminal.svg; needs openvino

The text comes from running the commands. The colors are those of the program; the picture fetches no font.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "images" / "terminal.svg"
COMMANDS = (
    ("samples_xml/demo", "ovgather validate broken.xml --select OVG102"),
    ("docs/findings/empty-dim", "ovgather crosscheck model.xml"),
)
"""Folders and what is typed in them."""
_COLORS = {
    "31;1": "#ff7b72",
    "33;1": "#e3b341",
    "36;1": "#76e3ea",
    "1": "#ffffff",
    "34": "#79c0ff",
    "32": "#7ee787",
}
_INK, _PAPER, _BAR, _PROMPT = "#e6edf3", "#0d1117", "#161b22", "#8b949e"
_LETTER, _LINE, _SIZE, _LEFT, _TOP = 8.4, 19, 14, 18, 58
_FONT = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"
_PART = re.compile(r"\x1b\[([\d;]*)m")


def output_of(folder: str, command: str) -> list[str]:
    """The lines that ``command`` prints in ``folder``, with colors."""
    paths = os.pathsep.join(
        (str(Path(sys.executable).parent), os.environ.get("PATH", ""))
    )
    environment = {**os.environ, "PATH": paths, "FORCE_COLOR": "1"}
    environment.pop("NO_COLOR", None)
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=ROOT / folder,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    return done.stdout.rstrip("\n").split("\n")


def picture(lines: list[str]) -> str:
    """The lines as an SVG; text with escape sequences for colors."""
    columns = max(len(_PART.sub("", line)) for line in lines)
    width, height = 2 * _LEFT + columns * _LETTER, _TOP + len(lines) * _LINE + 4
    dots = (
        f'<circle cx="{_LEFT + 4 + 20 * place}" cy="18" r="6" fill="{color}"/>'
        for place, color in enumerate(("#ff5f57", "#febc2e", "#28c840"))
    )
    rows = (
        row
        for number, line in enumerate(lines)
        for row in _row(line, _TOP + number * _LINE)
    )
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" '
            f'viewBox="0 0 {width:.0f} {height}" role="img" aria-labelledby="title">',
            '<title id="title">ovgather validate finds a misspelt attribute; ovgather crosscheck '
            "finds a layer that ends the OpenVINO process</title>",
            f'<rect width="100%" height="100%" rx="8" fill="{_PAPER}"/>',
            f'<path d="M0 36V8a8 8 0 0 1 8-8H{width - 8:.0f}a8 8 0 0 1 8 8v28z" fill="{_BAR}"/>',
            *dots,
            f'<g font-family="{_FONT}" font-size="{_SIZE}" fill="{_INK}" xml:space="preserve">',
            *rows,
            "</g>",
            "</svg>\n",
        )
    )


def _row(line: str, y: int) -> list[str]:
    """Each part of a line in its color, at the column where it begins: so columns agree in every font."""
    parts, column, style = [], 0, ""
    for place, part in enumerate(_PART.split(line)):
        if place % 2:
            style = part
            continue
        text = part.strip(" ")
        if text:
            x = _LEFT + (column + len(part) - len(part.lstrip(" "))) * _LETTER
            color = f' fill="{_COLORS[style]}"' if style in _COLORS else ""
            weight = ' font-weight="bold"' if style.endswith("1") else ""
            wide = f' textLength="{len(text) * _LETTER:.1f}" lengthAdjust="spacingAndGlyphs"'
            parts.append(
                f'<text x="{x:.1f}" y="{y}"{wide}{color}{weight}>{escape(text, quote=False)}</text>'
            )
        column += len(part)
    return parts


def main() -> None:
    """Run the commands and write the picture."""
    lines: list[str] = []
    for folder, command in COMMANDS:
        lines += [
            *([""] if lines else []),
            f"\x1b[34m$\x1b[0m \x1b[1m{command}\x1b[0m",
            *output_of(folder, command),
        ]
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(picture(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
