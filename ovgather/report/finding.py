"""A finding in words, and told from others: what the renderers of findings share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from ovgather.layers.reference import called
from ovgather.text import printable
from ovgather.validation.checked import Checked
from ovgather.validation.diagnostic import Diagnostic

_ALL = "--max-findings 0 shows all"
_VERDICTS = {
    "rejects": "rejects it",
    "rejects_on_compile": "reads it, but compiling for the CPU fails",
    "accepts": "accepts it without a word",
    "crashes": "crashes",
}


def shown(checked: Checked) -> list[Diagnostic]:
    """The findings of a file, then one without a place for each code and severity that is only counted.

    >>> from ovgather.validation.checked import Counted
    >>> from ovgather.validation.check import check_file
    >>> checked = check_file(b"")._replace(path="m.xml", diagnostics=[], more=(Counted("OVG102", "error", 99900),))
    >>> [str(finding) for finding in shown(checked)]
    ['m.xml: error[OVG102]: and 99,900 more']
    """
    return [
        *checked.diagnostics,
        *(
            Diagnostic(code, severity, f"and {number:,} more", path=checked.path, line=0, column=0, help=_ALL)
            for code, severity, number in checked.more
        ),
    ]


def notes(found: Diagnostic) -> Iterator[tuple[str, str]]:
    """What is to be said besides the message, each with its name: ``in``, ``OpenVINO``, ``help`` and the like."""
    if found.layer is not None:
        yield "in", called(found.layer)
    if found.effect or found.openvino != "undefined":
        yield "OpenVINO", found.effect or _VERDICTS.get(found.openvino, "undefined")
    if found.openvino_message:
        yield "OpenVINO says", found.openvino_message
    if found.help:
        yield "help", found.help


def lines(found: Diagnostic) -> list[str]:
    """The message and its notes, fit to print.

    >>> lines(Diagnostic("OVG102", "error", "unknown attribute `Axis`", path="m.xml", openvino="accepts"))
    ['unknown attribute `Axis`', 'OpenVINO: accepts it without a word']
    """
    related = [f"related: line {each.line}: {printable(each.message)}" for each in found.related]
    return [printable(found.message), *(f"{name}: {printable(text)}" for name, text in notes(found)), *related]


def fingerprints(diagnostics: Iterable[Diagnostic], scope: str = "") -> list[str]:
    """For each finding of a file what tells it from the others, and stays when lines are added above it.

    It is made of the code, the layer with its bodies, and the message; equal findings are numbered. ``scope``
    (such as the path) goes into all.

    >>> def found(line): return Diagnostic("OVG102", "error", "unknown attribute `Axis`", path="m.xml", line=line)
    >>> before, after = fingerprints([found(3), found(9)]), fingerprints([found(4), found(12)])
    >>> before == after, len(set(before))
    (True, 2)
    """
    from hashlib import sha256

    seen: Counter[str] = Counter()
    made = []
    for found in diagnostics:
        layer = found.layer
        who = (*layer.body, layer.type, layer.name or layer.id) if layer is not None else ()
        key = repr((scope, found.code, who, _placeless(found.message)))
        made.append(sha256(f"{key}{seen[key]}".encode()).hexdigest()[:32])
        seen[key] += 1
    return made


def _placeless(message: str) -> str:
    # The XML parser names lines in some of its messages; how many more there are changes with every line.
    import re

    return re.sub(r"\b(line|column) \d+|^(and) [\d,]+(?= more$)", r"\1\2", message)
