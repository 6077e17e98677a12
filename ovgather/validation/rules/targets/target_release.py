"""what the target release does not read (OVG861)

What: ``--target 2021.4`` (in a configuration file ``target = "2021.4"``) names a release of OpenVINO, and the file has
an IR version, an operation set or an element type that came later, or something that this release gets wrong.

Why: a file is often written by a later release than the one that reads it, such as that of a driver, of a container or
of a small device. The table of docs/opsets.md says since when what is read, each entry with its source.

OpenVINO: the target release rejects the file. ``ovgather inspect`` tells which releases read it. `convert --target`
writes a file for an earlier release where that is exact.

Bad::

    <layer id="8" name="pool" type="MaxPool" version="opset14">

Good::

    <layer id="8" name="pool" type="MaxPool" version="opset8">
"""

from collections.abc import Iterator

from ovgather.layers.gather_layer import GatherLayer
from ovgather.ops import openvino as ops
from ovgather.targets.needs import Need, needs
from ovgather.targets.quirks import QUIRKS
from ovgather.targets.reading import newest_ir_version, newest_opset
from ovgather.targets.release import Release
from ovgather.validation.context import File
from ovgather.validation.diagnostic import Diagnostic

CODE = "OVG861"
TITLE = "what the target release does not read"
SEVERITIES = ("error", "note")
VERDICTS = ("rejects", "accepts")


def check(file: File) -> Iterator[Diagnostic]:
    """Every need that the target release does not meet, and its mistakes."""
    target = file.purpose.target
    if target is None or file.model.snippet:
        return
    for need in needs(file.model):
        if not need.reading.read_by(target):
            yield from _version(file, need, target) if need.kind == "ir" else _layers(file, need, target)
    for gather in file.gather_layers:
        yield from _quirks(file, gather, target)
        yield from _merged(file, gather)


def _version(file: File, need: Need, target: Release) -> Iterator[Diagnostic]:
    newest = newest_ir_version(target)
    later = target < need.reading.since
    help = f"write the model with OpenVINO {target}" if later else f"OpenVINO {need.reading.span} read it"
    if (later, need.reading.name) == (True, "11"):
        help = f"`ovgather convert --target {target}` writes an IR v10 where nothing is lost"
    yield file.report(
        CODE,
        "error",
        f"IR version {need.reading.name} is read by OpenVINO {need.reading.span}, not by {target}",
        lambda: file.element_at(0).attribute_span("version"),
        openvino="rejects",
        effect=f"{target} reads IR versions up to {newest}" if later else f"{target} no longer reads it",
        help=help,
    )


def _layers(file: File, need: Need, target: Release) -> Iterator[Diagnostic]:
    name, since = need.reading.name, need.reading.since
    newest = newest_opset(target)
    has = f"{target} has the opsets up to {newest}" if newest else f"{target} has no opsets"
    for layer in need.layers:
        if need.kind == "opset":
            yield file.report(
                CODE,
                "error",
                f"{layer.type} {name} is read by OpenVINO {since} and later, not by {target}",
                file.layer_span(layer, "version"),
                layer=layer,
                openvino="rejects",
                effect=f"{has}: Cannot create {layer.type} layer from unsupported opset: {name}",
                help=f"use OpenVINO {since} or later, or write the model with {target}",
            )
        else:
            yield file.report(
                CODE,
                "error",
                f"element type {name} is read by OpenVINO {since} and later, not by {target}",
                file.layer_span(layer, "type"),
                layer=layer,
                openvino="rejects",
                effect=f"{target} does not have it",
                help=f"use OpenVINO {since} or later",
            )


def _quirks(file: File, gather: GatherLayer, target: Release) -> Iterator[Diagnostic]:
    for quirk in QUIRKS:
        if gather.operation.name not in quirk.operations or not quirk.holds(target):
            continue
        if quirk.name == "negative-axis" and gather.axis is not None and gather.axis < 0:
            rank = gather.tensors[0].shape.rank if gather.tensors else None
            front = f"axis {gather.axis + rank}" if rank is not None else "rank + axis"
            yield file.report(
                CODE,
                "error",
                f"axis {gather.axis} is right, but OpenVINO {target} {quirk.text}",
                file.layer_span(gather.layer),
                layer=gather.layer,
                openvino="rejects",
                effect=f"a mistake of {target} ({quirk.source})",
                help=f"{quirk.remedy}: {front}",
            )


def _merged(file: File, gather: GatherLayer) -> Iterator[Diagnostic]:
    """GatherND-5 and GatherND-8 differ in the output's shape where several dims are batch dims."""
    if gather.operation.name != "GatherND-5" or gather.batch_dims < 2 or gather.inference is None:
        return
    newer = ops.find("GatherND", "opset8")
    if newer is not None and not newer.check(gather.shapes[:2], axis=None, batch_dims=gather.batch_dims):
        kept = newer.infer(gather.shapes[:2], axis=None, batch_dims=gather.batch_dims).shape
        yield file.report(
            CODE,
            "note",
            f"GatherND-5 merges its {gather.batch_dims} batch dims: the output is {gather.inference.shape}, not {kept}",
            file.data_span(gather.layer, "batch_dims"),
            layer=gather.layer,
            openvino="accepts",
            effect="as its specification says; GatherND-8 (2022.1 and later) keeps them",
        )
