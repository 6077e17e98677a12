"""Model -> diagnostics: every problem of a file, in the order of the text."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from operator import attrgetter
from typing import NamedTuple

from ovgather.diagnostics import Diagnostic, Suppressed
from ovgather.ir.model import Model
from ovgather.ir.read import PathOrData, read
from ovgather.layer import is_family
from ovgather.onnx_file.source import is_onnx
from ovgather.rules import rules
from ovgather.rules._file import File
from ovgather.rules.weights_fit import without_foreign
from ovgather.selection import is_usual

Keeps = Callable[[str], bool]
"""Whether the rule with a code is asked for."""


class Checked(NamedTuple):
    """A file with its findings and what a summary tells of it; ``fatal``: it could not be read at all."""

    path: str
    ir_version: int | None
    layers: int
    gather_layers: int
    diagnostics: list[Diagnostic]
    fatal: bool
    suppressed: list[Suppressed]


everything: Keeps = is_usual
"""Every rule is asked for, but those that have to be named."""


def check_file(
    source: PathOrData,
    weights: str | os.PathLike[str] | bytes | None = None,
    *,
    keeps: Keeps = everything,
    suppressions: bool = True,
    follow_links: bool = False,
) -> Checked:
    """Read and check one file by the rules that ``keeps`` asks for; comments in it may suppress findings."""
    if is_onnx(source):
        from ovgather.onnx_file.check import check_file as check_onnx

        return check_onnx(source, keeps, follow_links)
    model = read(source, weights, follow_links=follow_links)
    layers = list(model.layers())
    gathers = sum(is_family(layer) for layer in layers)
    reported, suppressed = _judge(model, keeps, suppressions)
    return Checked(model.path, model.ir_version, len(layers), gathers, reported, model.fatal, suppressed)


def validate(
    source: PathOrData | Model,
    weights: str | os.PathLike[str] | bytes | None = None,
    *,
    follow_links: bool = False,
) -> list[Diagnostic]:
    """Everything that is wrong with an IR file, but for what a comment in it suppresses, or with an ONNX file.

    Args:
        source: a path (of an ONNX file one that ends with ``.onnx``), the bytes, an open file, or a model that
            ``ovgather.read`` made.
        weights: the ``.bin``, as a path or as bytes; left out, the file beside the ``.xml`` is taken if there is one.
        follow_links: take a file beside the model also where it is a link to a place of its own; see ``ovgather.read``.

    Returns:
        The diagnostics in the order of the text. A file that cannot be read gives an error, not an exception.

    >>> print(validate(b'<net name="m" version="9"><layers/><edges/></net>')[-1])
    <bytes>:1:24: error[OVG004]: IR version 9 is not read by OpenVINO: it reads 10 and 11
    """
    if not isinstance(source, Model):
        if is_onnx(source):
            return check_file(source, follow_links=follow_links).diagnostics
        source = read(source, weights, follow_links=follow_links)
    return check(source)


def check(model: Model) -> list[Diagnostic]:
    """The diagnostics of all rules for ``model``, but for what a comment suppresses."""
    return _judge(model, everything, suppressions=True)[0]


def _judge(model: Model, keeps: Keeps, suppressions: bool) -> tuple[list[Diagnostic], list[Suppressed]]:
    """What is to be reported of ``model``, and what comments suppress.

    Why a file cannot be read at all is told whatever is asked for.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        file = without_foreign(File(model))
        found = [found for rule in rules() if model.fatal or keeps(rule.CODE) for found in rule.check(file)]
        suppressed: list[Suppressed] = []
        if suppressions and file.suppressions is not None:
            from ovgather.rules import suppression

            found, suppressed = file.suppressions.split(found)
            if keeps(suppression.CODE):
                found += suppression.unused(file, keeps)
    finally:
        if collecting:
            gc.enable()
    found.sort(key=attrgetter("line", "column", "code"))
    return found, suppressed
