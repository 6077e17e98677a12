"""A hypothesis: a small repair of a file, which says what was most likely done to it."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from ovgather.ir.positions import Element, Span
from ovgather.ir.text import Edit, Source
from ovgather.validation.context import Place
from ovgather.validation.diagnostic import Diagnostic

if TYPE_CHECKING:
    from ovgather.ir.constants import Weights
    from ovgather.ir.graph import Layer


EDGES = "accepts the edges as they are, and computes with the wrong tensors"
"""What OpenVINO does with a wrong edge that it accepts."""


class Hypothesis(NamedTuple):
    """A repair that may explain findings.

    Attributes:
        message: what was most likely done.
        layer, place: where; see ``File.report``.
        edits: of the original text.
        what: the fix in a sentence; empty: the repair is only a trial, and no fix.
        price: how many values it changes; of repairs that explain equally much the cheapest is the finding.
        changes: how many texts it replaces by others; one that stands in several places counts once.
        reach: how many findings it may explain: those that may explain many are tried first.
        least: the gain below which it is no explanation.
        is_value: it replaces a value: what a rule reports of that value says better what is wrong with it.
        is_one: all texts that cannot be read, and can with it, are one mistake.
        finding: the finding whose fix it is.
        weights: the ``.bin`` that the file has then; None: its own.
        drops_weights: the file has no ``.bin`` then.
        is_part: the text is a part of a file: of what it lacks nothing is said.
        needs_refusal: it explains what OpenVINO refuses, or nothing.
        added: the names of the layers that the repair adds, of which nothing is said.
        without: the byte where a layer starts of which nothing is said after the repair.
        many: the message where it holds of ``{count}`` layers, each with its own repair; ``{first}`` is what is said of
            the first; empty: there is none.
        parts: the repairs that it makes together, each of which has to explain something; empty: it is one.
        least_parts: so many of them have to; fewer are a mistake each.
        part: what of the layer it repairs: two hypotheses about one part exclude each other.
        help: what to do.
        effect: what OpenVINO does, where it accepts the file.
        safe: OpenVINO computes the same afterwards, or what it could not read has one meaning only.
        name: the module that proposes it; empty for the fix of a rule.
    """

    message: str
    layer: Layer | None = None
    place: Place | None = None
    edits: tuple[Edit, ...] = ()
    what: str = ""
    price: float = 1.0
    changes: int = 1
    reach: int = 1
    least: float = 0.0
    is_value: bool = False
    is_one: bool = False
    finding: Diagnostic | None = None
    weights: Weights | None = None
    drops_weights: bool = False
    is_part: bool = False
    needs_refusal: bool = False
    added: tuple[str, ...] = ()
    without: int | None = None
    many: str = ""
    parts: tuple[Hypothesis, ...] = ()
    least_parts: int = 2
    part: Hashable = None
    help: str | None = None
    effect: str = ""
    safe: bool = False
    name: str = ""


def joint(hypotheses: Sequence[Hypothesis]) -> Hypothesis:
    """The repairs of several layers together."""
    first = hypotheses[0]
    count = len(hypotheses)
    edits = tuple(
        {edit[:3]: edit for each in hypotheses for edit in each.edits}.values()
    )
    message = ""
    if first.finding is None:
        message = first.many.format(count=count, first=first.message)
    if first.what:
        what = f"{first.what}, and so on for {count - 1} more"
    else:
        what = ""
    help = first.help
    if len({each.help for each in hypotheses}) > 1:
        help = f"{help} (and so on)"
    price = first.price + 0.5
    is_safe = all(each.safe for each in hypotheses)
    return first._replace(
        message=message,
        edits=edits,
        what=what,
        price=price,
        reach=count,
        many="",
        parts=tuple(hypotheses),
        help=help,
        safe=is_safe,
    )


def edits_of(
    source: Source, changes: Sequence[tuple[Span, str | bytes]]
) -> tuple[Edit, ...]:
    """The edits of the original for texts that replace spans of the parsed text."""
    edits = []
    for (begin, end), text in changes:
        if isinstance(text, str):
            inserted = text.encode()
        else:
            inserted = text
        edits.append(source.edit_of_original(Edit(begin, end - begin, inserted, "")))
    return tuple(edits)


def attribute_change(tag: Element, name: str, text: str) -> tuple[Span, str]:
    """The span to replace and its new text, with which an attribute of ``tag``, which may lack it, is ``text``."""
    span = tag.attribute_span(name)
    if span == tag.name_span:
        return (span[1], span[1]), f' {name}="{text}"'
    if tag.data[slice(*span)] in (b'""', b"''"):
        return span, f'"{text}"'
    return span, text
