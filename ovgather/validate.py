"""Model -> diagnostics: every problem of a file, in the order of the text."""

from __future__ import annotations

import gc
import os
from typing import NamedTuple

from ovgather.diagnostics import Diagnostic
from ovgather.ir.model import Model
from ovgather.ir.read import PathOrData, read
from ovgather.layer import is_family
from ovgather.rules import rules
from ovgather.rules._file import File


class Checked(NamedTuple):
    """A file with its findings and what a summary tells of it; ``fatal``: it could not be read at all."""

    path: str
    ir_version: int | None
    layers: int
    gather_layers: int
    diagnostics: list[Diagnostic]
    fatal: bool


def check_file(source: PathOrData, weights: str | os.PathLike[str] | bytes | None = None) -> Checked:
    """Read and check one file."""
    model = read(source, weights)
    layers = list(model.layers())
    gathers = sum(is_family(layer) for layer in layers)
    return Checked(model.path, model.ir_version, len(layers), gathers, check(model), model.fatal)


def validate(source: PathOrData | Model, weights: str | os.PathLike[str] | bytes | None = None) -> list[Diagnostic]:
    """Everything that is wrong with an IR file.

    Args:
        source: a path, the bytes, an open file, or a model that ``ovgather.read`` made.
        weights: the ``.bin``, as a path or as bytes; left out, the file beside the ``.xml`` is taken if there is one.

    Returns:
        The diagnostics in the order of the text. A file that cannot be read gives an error, not an exception.

    >>> print(validate(b'<net name="m" version="9"><layers/><edges/></net>')[-1])
    <bytes>:1:24: error[OVG004]: IR version 9 is not read by OpenVINO: it reads 10 and 11
    """
    model = source if isinstance(source, Model) else read(source, weights)
    return check(model)


def check(model: Model) -> list[Diagnostic]:
    """The diagnostics of all rules for ``model``."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        file = File(model)
        found = [diagnostic for rule in rules() for diagnostic in rule.check(file)]
    finally:
        if collecting:
            gc.enable()
    found.sort(key=lambda diagnostic: (diagnostic.line, diagnostic.column, diagnostic.code))
    return found
