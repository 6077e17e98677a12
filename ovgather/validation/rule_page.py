"""The page of a rule: its docstring, taken apart, and the severities and verdicts it declares."""

from __future__ import annotations

import re
from collections.abc import Iterator
from textwrap import dedent, wrap
from typing import NamedTuple

from ovgather.text import docstring
from ovgather.validation.releases import SEEN
from ovgather.validation.rules import Rule
from ovgather.validation.rules.onnx import OnnxRule


class Page(NamedTuple):
    """What a rule says of itself: ``blocks`` are its docstring's paragraphs.

    Before the examples one more says on which releases of OpenVINO a hazard was seen.

    ``severities`` and ``verdicts`` are those that its findings can have, worst first; none for ONNX files.
    """

    code: str
    name: str
    title: str
    blocks: tuple[str, ...]
    severities: tuple[str, ...]
    verdicts: tuple[str, ...]

    @property
    def what(self) -> str:
        """The first paragraph, on one line, without its label.

        >>> from ovgather.validation.rules import rules
        >>> page(rules()[0]).what.endswith(".")
        True
        """
        return " ".join(self.blocks[0].replace("``", "`").split()).removeprefix("What: ") if self.blocks else self.title

    @property
    def text(self) -> str:
        """The page as plain text."""
        return "\n\n".join(self.blocks).replace("``", "`")

    @property
    def markdown(self) -> str:
        """The page as Markdown, without its heading.

        >>> Page("OVG999", "X", "x", ("What: ``a``.", "Bad::", "    <a/>"), (), ()).markdown
        '**What**: `a`.\\n\\n**Bad**:\\n\\n```xml\\n<a/>\\n```'
        """
        return "\n\n".join(_markdown(block) for block in self.blocks)


def page(rule: Rule | OnnxRule) -> Page:
    """The page of ``rule``.

    >>> from ovgather.validation.rules import rules
    >>> found = next(page(rule) for rule in rules() if rule.CODE == "OVG102")
    >>> found.name, found.title, found.severities, found.verdicts
    ('UnknownAttribute', 'unknown attribute', ('error', 'warning'), ('accepts',))
    """
    module = getattr(rule, "__name__", rule.CODE).rpartition(".")[2]
    is_onnx = getattr(rule, "__name__", "").startswith("ovgather.validation.rules.onnx.")
    return Page(
        rule.CODE,
        ("Onnx" if is_onnx else "") + "".join(part.title() for part in module.split("_")),
        rule.TITLE,
        tuple(_with_releases(list(_blocks(docstring(rule))), rule.CODE)),
        rule.SEVERITIES,
        rule.VERDICTS,
    )


def _with_releases(blocks: list[str], code: str) -> list[str]:
    """The paragraphs with one more, before the examples: the releases on which each of the rule's hazards was seen."""
    whats: dict[str, list[str]] = {}
    for seen in SEEN.values():
        if seen.rule == code:
            whats.setdefault(f"{seen.on} ({seen.otherwise})" if seen.otherwise else seen.on, []).append(seen.what)
    if whats:
        told = ". ".join(f"{on}: {'; '.join(those)}" for on, those in whats.items())
        place = next((place for place, block in enumerate(blocks) if block.startswith("Bad")), len(blocks))
        blocks.insert(place, "\n".join(wrap(f"Releases: seen on {told}.", 118)))
    return blocks


def _blocks(page: str) -> Iterator[str]:
    """Paragraphs; an example with blank lines in it is one."""
    for block in re.split(r"\n[ \t]*\n(?=\S)|(?<=::)\n[ \t]*\n", page.strip("\n")):
        if block.strip():
            yield block.rstrip()


def _markdown(block: str) -> str:
    if block.startswith("    "):
        return f"```{'xml' if '<' in block else 'text'}\n{dedent(block)}\n```"
    label, colon, rest = block.partition(":")
    text = block.replace("``", "`")
    if colon and label.isalnum():
        return f"**{label}**:{'' if rest == ':' else text[len(label) + 1 :]}"
    return text
