"""type that its opset does not hold (OVG107)

What: the ``version`` of a layer names an opset that lacks its ``type``, or no opset at all.

Why: each opset holds one version of an operation: ``GatherElements`` came with opset6, opset17 holds no
Gather at all.

OpenVINO: rejects the file, unless the layer leads to no Result. A version that is no opset (``extension``, or any
other name) stands for an operation that an extension brings, whatever its type: so that is a warning, unless it is an
opset's name misspelt, or the type is.

Bad::

    <layer id="2" name="g" type="GatherElements" version="opset5">

Good::

    <layer id="2" name="g" type="GatherElements" version="opset6">
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ovgather.ir import opsets
from ovgather.ir.graph import Layer
from ovgather.layers.gather_layer import is_family
from ovgather.targets.owners import CUSTOM, owner
from ovgather.validation.context import File
from ovgather.validation.diagnostic import Diagnostic

CODE = "OVG107"
TITLE = "type that its opset does not hold"
SEVERITIES = ("error", "warning")
VERDICTS = ("rejects",)
_OPSET = re.compile("op_?set", re.IGNORECASE)
_MOST_GUESSES = 1000  # to look for the nearest name costs more than all the rest


def check(file: File) -> Iterator[Diagnostic]:
    """Every layer's type and version."""
    kinds = {(signature.type, signature.version) for signature in file.signatures}
    judged = {kind: known for kind in kinds if not (known := opsets.known(*kind))}
    if not judged:
        return
    lacking = {id(problem.layer) for problem in file.problems.get("layer-attribute", ())}
    for count, layer in enumerate(file.layers_where(lambda signature: (signature.type, signature.version) in judged)):
        if id(layer) in lacking and not (layer.type and layer.version):
            continue  # said by OVG101
        if judged[layer.type, layer.version] is None:
            if not (file.model.snippet and not layer.version):
                yield _no_opset(file, layer)
        else:
            yield _not_in(file, layer, guess=count < _MOST_GUESSES)


def _no_opset(file: File, layer: Layer) -> Diagnostic:
    swapped = opsets.known(layer.version, layer.type)
    standard = bool(swapped or not layer.version.strip() or _OPSET.search(layer.version))
    known = is_family(layer) or layer.type in opsets.types()
    message = f"version {layer.version!r} is no opset of OpenVINO"
    effect = f"cannot create the layer from unsupported opset {layer.version!r}"
    brings = owner(layer.type, layer.version)
    help = _where(layer.type) if standard or known else None
    if brings is not None and brings is not CUSTOM:
        message += f": {layer.type} belongs to {brings.name}"
        help = f"{brings.load}; {help}" if help is not None else brings.load
    elif brings is not None:
        help = help or brings.load
    return file.report(
        CODE,
        "error" if standard else "warning",
        message,
        file.layer_span(layer, "version"),
        layer=layer,
        openvino="rejects",
        effect=effect if standard else f"{effect}, unless an extension brings it",
        help="type and version have changed places" if swapped else help,
    )


def _not_in(file: File, layer: Layer, guess: bool) -> Diagnostic:
    close = opsets.nearest(layer.type) if guess and layer.type not in opsets.types() else None
    return file.report(
        CODE,
        "error",
        f"{layer.version} has no {layer.type!r}" + ("" if layer.type in opsets.types() else "; no opset has it"),
        file.layer_span(layer, "version" if layer.type in opsets.types() else "type"),
        layer=layer,
        openvino="rejects",
        help=f"did you mean {close!r}?" if close else _where(layer.type),
    )


def _where(kind: str) -> str | None:
    found = opsets.where(kind)
    return f"{kind} is in {found[0]} to {found[-1]}" if found else None
