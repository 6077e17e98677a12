"""The page of a rule or a hypothesis: its docstring, taken apart, and the severities and verdicts of a rule."""

import re
from textwrap import dedent, wrap
from types import ModuleType
from typing import Any, NamedTuple

from ovgather.text import docstring
from ovgather.validation.releases import SEEN
from ovgather.validation.rules import RuleModule

_BETWEEN_BLOCKS = re.compile(
    r"\n[ \t]*\n(?=\S)|\n(?=Why: |OpenVINO: |Runtimes: |Bad::|Good::)|(?<=::)\n(?:[ \t]*\n)?"
)


class Page(NamedTuple):
    """The page of a rule: what it says of itself, its folder below ``rules``, and the paragraphs of its docstring.

    That of a hypothesis has its name for the code, its folder below ``hypotheses``, and no severities.
    """

    code: str
    title: str
    severities: tuple[str, ...]
    verdicts: tuple[str, ...] = ()
    fixes: tuple[str, ...] = ()
    name: str = ""
    group: str = ""
    blocks: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Page {self.code}: {self.title}>"

    @property
    def what(self) -> str:
        """The first paragraph, on one line, without its label."""
        if self.blocks:
            return " ".join(self.blocks[0].replace("``", "`").split()).removeprefix(
                "What: "
            )
        return self.title

    @property
    def text(self) -> str:
        """The page as plain text."""
        return "\n\n".join(self.blocks).replace("``", "`")

    @property
    def markdown(self) -> str:
        """The page as Markdown, without its heading."""
        return "\n\n".join(_markdown(block) for block in self.blocks)


def page_of_hypothesis(module: ModuleType) -> Page:
    """Its title is what its first paragraph says up to a full stop or a colon."""
    *_, group, name = module.__name__.split(".")
    blocks = tuple(
        part.rstrip()
        for part in _BETWEEN_BLOCKS.split(docstring(module).strip("\n"))
        if part.strip()
    )
    known = Page(name, "", (), name=name, group=group, blocks=blocks)
    return known._replace(title=re.split(r"[.:](?:\s|$)", known.what, maxsplit=1)[0])


def page(rule: RuleModule[Any]) -> Page:
    path = getattr(rule, "__name__", rule.RULE.code).removeprefix(
        "ovgather.validation.rules."
    )
    group = path.split(".")[0] if "." in path else ""
    module = path.split(".")[-1]
    name = ("Onnx" if group == "onnx" else "") + "".join(
        part.title() for part in module.split("_")
    )
    facts = rule.RULE
    parts = _BETWEEN_BLOCKS.split(docstring(rule).strip("\n"))
    blocks = tuple(
        _with_releases([part.rstrip() for part in parts if part.strip()], facts.code)
    )
    return Page(
        facts.code,
        facts.title,
        facts.severities,
        facts.verdicts,
        facts.fixes,
        name,
        group,
        blocks,
    )


def _with_releases(blocks: list[str], code: str) -> list[str]:
    """The paragraphs with one more, before the examples: the releases on which each of the rule's hazards was seen."""
    hazards: dict[str, list[str]] = {}
    for seen in SEEN.values():
        if seen.rule == code:
            hazards.setdefault(
                f"{seen.on} ({seen.otherwise})" if seen.otherwise else seen.on, []
            ).append(seen.what)
    if hazards:
        text = ". ".join(
            f"{releases}: {'; '.join(names)}" for releases, names in hazards.items()
        )
        index = next(
            (index for index, block in enumerate(blocks) if block.startswith("Bad")),
            len(blocks),
        )
        blocks.insert(index, "\n".join(wrap(f"Releases: seen on {text}.", 118)))
    return blocks


def _markdown(block: str) -> str:
    if block.startswith("    "):
        return f"```{'xml' if '<' in block else 'text'}\n{dedent(block)}\n```"
    label, colon, rest = block.partition(":")
    text = block.replace("``", "`")
    if colon and label.isalnum():
        return f"**{label}**:{'' if rest == ':' else text[len(label) + 1 :]}"
    return text
