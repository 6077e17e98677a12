"""Write docs/hypotheses.md, pages of hypotheses out of their docstrings: ``python tools/generate_hypotheses.py``."""

from __future__ import annotations

import os

from ovgather.validation.diagnosis.proposals import hypotheses
from ovgather.validation.rule_page import Page, page_of_hypothesis

FOLDER = os.path.join(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "docs"
)
TARGET = os.path.join(FOLDER, "hypotheses.md")
_HEAD = """\
<!-- Made by tools/generate_hypotheses.py (`make docs`) from the docstrings of the hypotheses: change those. -->

# Hypotheses

What may have been done to a file whose parts contradict each other. `ovgather validate` tries each of these as a small
repair: [how it does so](diagnosis.md). `ovgather explain NAME` prints the same pages.

| Name | What was done | About |
| --- | --- | --- |
"""


def text() -> str:
    """What the file should hold."""
    pages = sorted(map(page_of_hypothesis, hypotheses()))
    return _HEAD + "".join(map(_row, pages)) + "".join(map(_page, pages))


def _row(known: Page) -> str:
    return f"| [{known.code}](#{known.code}) | {known.title} | {known.group} |\n"


def _page(known: Page) -> str:
    folder = f"samples_xml/hypotheses/{known.code}"
    return f"\n## {known.code}\n\n*{known.title}*\n\n{known.markdown}\n\nSamples: [`{folder}`](../{folder})\n"


def main() -> None:
    """Write the file."""
    with open(TARGET, "w", encoding="utf-8", newline="\n") as file:
        file.write(text())


if __name__ == "__main__":
    main()
