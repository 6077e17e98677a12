"""What: ``--target 2021.4`` (in a configuration file ``target = "2021.4"``) names a release of OpenVINO, and the file
has an IR version, an operation set or an element type that came later, or something that this release gets wrong.
Why: a file is often written by a later release than the one that reads it, such as that of a driver, of a container or
of a small device. The table of docs/opsets.md says since when what is read, each entry with its source.
OpenVINO: the target release rejects the file. ``ovgather inspect`` tells which releases read it.
Bad::
    <layer id="8" name="pool" type="MaxPool" version="opset14">
Good::
    <layer id="8" name="pool" type="MaxPool" version="opset8">
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ovgather.ops import openvino as ops
from ovgather.targets.device import from_front
from ovgather.targets.release import Release, find_quirk, newest
from ovgather.validation.context import File, Findings, GatherLayer, Rule

if TYPE_CHECKING:
    from ovgather.targets.needs import Need

RULE = Rule(
    "OVG861",
    "what the target release does not read",
    "error note",
    "rejects accepts",
    of_snippets=False,
    needs="purpose.target",
)


def check(file: File) -> Findings:
    target = file.purpose.target
    if target is None:
        return
    from ovgather.targets.needs import needs

    for need in needs(file.model):
        if not need.reading.read_by(target):
            yield from (
                _version(file, need, target)
                if need.kind == "ir"
                else _layers(file, need, target)
            )
    for gather in file.gather_layers:
        axis = from_front(gather.axis, gather.shapes[0].rank if gather.shapes else None)
        quirk = find_quirk("negative-axis", gather.operation.name, target)
        if axis is not None and quirk is not None:
            message = f"axis {gather.axis} is right, but OpenVINO {target} {quirk.text}"
            effect = f"a mistake of {target} ({quirk.source})"
            help = f"{quirk.remedy}: axis {axis}"
            yield file.report(
                RULE, message, "name", gather.layer, effect=effect, help=help
            )
        yield from _merged(file, gather)


def _version(file: File, need: Need, target: Release) -> Findings:
    message = f"IR version {need.reading.name} is read by OpenVINO {need.reading.span}, not by {target}"
    effect = f"{target} no longer reads it"
    help = f"OpenVINO {need.reading.span} read it"
    if target < need.reading.since:
        effect = f"{target} reads IR versions up to {newest('ir_versions', target)}"
        help = f"write the model with OpenVINO {target}"
    yield file.report(
        RULE,
        message,
        lambda: file.element_at(0).attribute_span("version"),
        effect=effect,
        help=help,
    )


def _layers(file: File, need: Need, target: Release) -> Findings:
    name = need.reading.name
    opset = newest("opsets", target)
    if opset:
        has = f"{target} has the opsets up to {opset}"
    else:
        has = f"{target} has no opsets"
    for layer in need.layers:
        is_opset = need.kind == "opset"
        if is_opset:
            what = f"{layer.type} {name}"
        else:
            what = f"element type {name}"
        message = f"{what} is read by OpenVINO {need.reading.since} and later, not by {target}"
        unsupported = (
            f"{has}: Cannot create {layer.type} layer from unsupported opset: {name}"
        )
        if is_opset:
            effect = unsupported
        else:
            effect = f"{target} does not have it"
        help = f"use OpenVINO {need.reading.since} or later{f', or write the model with {target}' if is_opset else ''}"
        yield file.report(
            RULE,
            message,
            "version" if is_opset else "type",
            layer,
            effect=effect,
            help=help,
        )


def _merged(file: File, gather: GatherLayer) -> Findings:
    """GatherND-5 and GatherND-8 differ in the output's shape where several dims are batch dims."""
    if (
        gather.operation.name != "GatherND-5"
        or gather.batch_dims < 2
        or gather.inference is None
    ):
        return
    newer = ops.find("GatherND", "opset8")
    other = None
    if newer is not None:
        other = newer.check_and_infer(gather.shapes[:2], None, gather.batch_dims)[1]
    if other is not None:
        result = f"the output is {gather.inference.shape}, not {other.shape}"
        message = f"GatherND-5 merges its {gather.batch_dims} batch dims: {result}"
        effect = "as its specification says; GatherND-8 (2022.1 and later) keeps them"
        yield file.report(
            RULE,
            message,
            "data/batch_dims",
            gather.layer,
            "accepts",
            effect,
            severity="note",
        )
