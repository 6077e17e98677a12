"""What: the ``version`` of a layer names an opset that lacks its ``type``, or no opset at all.
Why: each opset has at most one version of an operation: ``GatherElements`` came with opset6; opset17 has no Gather.
OpenVINO: rejects the file, unless the layer leads to no Result. A version that is not an opset (``extension``, or any
other name) belongs to an operation from an extension. This is a warning, one for all such layers of the file, unless it
looks like a misspelt opset (``opset-8``), or the type is one of OpenVINO's own that no known extension has.
Bad::
    <layer id="2" name="g" type="GatherElements" version="opset5">
Good::
    <layer id="2" name="g" type="GatherElements" version="opset6">
"""

from functools import partial
from typing import Any

from ovgather.ir import opsets
from ovgather.ir.positions import tag_at
from ovgather.targets.owners import CUSTOM, INTERNAL, OF_TYPE, owner
from ovgather.validation.context import Diagnostic, File, Findings, Layer, Rule
from ovgather.validation.wording import MOST_RELATED, first_of, folded

RULE = Rule(
    "OVG107", "type missing from its opset", "error warning", "rejects", "unsafe"
)
_EFFECT = "cannot create the layer from unsupported opset {!r}"
_UNLESS = ", unless an extension brings it"
_MOST_GUESSES = 1000  # to look for the nearest name costs more than all the rest


def check(file: File) -> Findings:
    kinds = {(signature.type, signature.version) for signature in file.signatures}
    unknown = {kind: names for kind in kinds if not (names := opsets.known(*kind))}
    if not unknown:
        return
    lacking = {
        id(problem.layer) for problem in file.problems.get("layer-attribute", ())
    }
    extensions: dict[str, list[Layer]] = {}
    for count, layer in enumerate(
        file.layers_where(
            lambda signature: (signature.type, signature.version) in unknown
        )
    ):
        if id(layer) in lacking and not (layer.type and layer.version):
            yield from _other_one(file, layer)  # OVG101 reports what is missing
            continue
        if unknown[layer.type, layer.version] is False:
            yield _not_in_opset(file, layer, guess=count < _MOST_GUESSES)
        elif _may_be_of_an_extension(layer):
            extensions.setdefault(layer.version, []).append(layer)
        elif layer.version or not file.model.snippet:
            yield _no_opset(file, layer)
            if layer.version and not opsets.known(layer.version, layer.type):
                yield from _no_type(file, layer)
    for version, layers in extensions.items():
        yield from folded(
            file,
            layers,
            partial(_no_opset, file),
            partial(_of_extension, file, version),
        )


def _may_be_of_an_extension(layer: Layer) -> bool:
    """Whether somebody may have added the operation: not one of OpenVINO, unless a known extension has it, too."""
    are_swapped = opsets.known(layer.version, layer.type)
    # Of an opset: 8 for opset8.
    is_number = layer.version.isdecimal()
    is_own = layer.type in opsets.types() and (is_number or layer.type not in OF_TYPE)
    return bool(layer.version.strip()) and not (
        opsets.is_misspelt(layer.version) or are_swapped or is_own
    )


def _of_extension(file: File, version: str, layers: list[Layer]) -> Diagnostic:
    types = first_of(layer.type for layer in layers)
    needs = next(filter(file.is_built, layers), layers[0])
    message = (
        f"version {version!r} of {len(layers)} layers is not an OpenVINO opset: {types}"
    )
    first, *others = [
        (f'{layer.type} "{layer.name}"', file.place(layer, "version"))
        for layer in layers
    ]
    effect = _EFFECT.format(version) + _UNLESS
    related = others[:MOST_RELATED]
    open: dict[str, Any] = {"severity": "warning", "stage": "chance"}
    return file.report(
        RULE,
        message,
        first[1],
        effect=effect,
        needs=needs,
        related=related,
        about=layers,
        **open,
    )


def _no_opset(file: File, layer: Layer) -> Diagnostic:
    message = f"version {layer.version!r} is not an OpenVINO opset"
    effect = _EFFECT.format(layer.version)
    severity = "error"
    are_swapped = opsets.known(layer.version, layer.type)
    help = "type and version are swapped" if are_swapped else _where(layer.type)
    if _may_be_of_an_extension(layer):
        severity = "warning"
        effect = effect + _UNLESS
        help = help if layer.type in opsets.types() else None
    extension = None
    if not are_swapped:
        extension = owner(layer.type, layer.version)
    if severity == "error" or extension in (None, INTERNAL):
        stage = "load"
    else:
        stage = "chance"
    if extension is CUSTOM:
        help = help or extension.load
    elif extension is not None:
        message += f": {layer.type} belongs to {extension.name}"
        help = f"{extension.load}; {help}" if help is not None else extension.load
    return file.report(
        RULE,
        message,
        "version",
        layer,
        effect=effect,
        severity=severity,
        help=help,
        stage=stage,
    )


def _no_type(file: File, layer: Layer) -> Findings:
    """A type that no opset has, beside a version that is no opset."""
    if layer.type not in opsets.types() and opsets.nearest(layer.type):
        yield _not_in_opset(file, layer, guess=True)


def _other_one(file: File, layer: Layer) -> Findings:
    """The type of a layer without a version, or the version of one without a type, if no opset has it."""
    if layer.type:
        yield from _no_type(file, layer)
    elif opsets.known("Result", layer.version) is None and layer.version:
        yield _no_opset(file, layer)


def _not_in_opset(file: File, layer: Layer, guess: bool) -> Diagnostic:
    message = f"{layer.version} has no {layer.type!r}"
    attribute = "version"
    help = _where(layer.type)
    fix = None
    if layer.type not in opsets.types():
        if layer.version:
            message = f"{message}; no opset has it"
        else:
            message = f"no opset has {layer.type!r}"
        if not layer.type.strip():
            message = f"type {layer.type!r} is the name of no operation"
        attribute = "type"
        close = None
        if guess:
            close = opsets.nearest(layer.type)
        if close:
            help = f"did you mean {close!r}?"
        tag = tag_at(file.source, layer.offset)
        what = f"the type is {close}"
        fix = None
        if close:
            fix = partial(file.fixes.value, tag, "type", close, what, False)
    return file.report(RULE, message, attribute, layer, help=help, fix=fix)


def _where(kind: str) -> str | None:
    names = opsets.where(kind)
    if names:
        return f"{kind} is in {names[0]} to {names[-1]}"
    return None
