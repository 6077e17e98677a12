"""What: ``--device NPU`` (in a configuration file ``device = "NPU"``) names a device, and the file has something that
this device does not take: dynamic shapes, dims without an upper bound, a dynamic rank, a negative axis, a negative
constant index of GatherND, an operation that came with a later release, or all of it, where the device ended before the
target release. What it does with an index out of range is noted. With a target release, a layer that the device gets
wrong in it is a warning: docs/devices.md has these defects.
Why: the file is right, and another device runs it. What is known of a device is documented, was read in its source or
was measured; each finding says which, and where. The device does not have to be there.
OpenVINO: the device refuses the model when it is compiled. A note is on values.
Bad::
    <data shape="?,128" element_type="i64" />
Good::
    <data shape="1,128" element_type="i64" />
"""

from ovgather.layers.gather_layer import GatherLayer, is_family
from ovgather.layers.tensors import parameter_shape
from ovgather.ops.openvino import find
from ovgather.targets.device import Device, Fact, cited, ended_before, from_front
from ovgather.targets.release import Release, reading
from ovgather.validation.context import (
    Diagnostic,
    File,
    Findings,
    Layer,
    LayerSignature,
    Rule,
)

RULE = Rule(
    "OVG862",
    "what the device does not take",
    "error warning note",
    "rejects_on_compile undefined",
    of_snippets=False,
    needs="purpose.target purpose.device",
)
_ELEMENTWISE = frozenset(
    {"Add", "Divide", "Maximum", "Minimum", "Multiply", "Power", "Subtract"}
)
"""Types that the GPU plugin fuses into the layer before them."""
_WITH_RESULTS = 10
"""The first IR version with Result layers: what leads to none is passed over."""


def check(file: File) -> Findings:
    target, device = file.purpose
    if device is None:
        return
    if (ended := ended_before(device, target)) is not None:
        message = f"{device.what} is in OpenVINO up to {ended[0]}{f', not in {target}' if target is not None else ''}"
        yield file.report(
            RULE,
            message,
            effect=cited(ended[1]),
            help=f"use OpenVINO {ended[0]}, or another device",
        )
    yield from _shapes(file, device)
    reader = reading(str(file.model.ir_version))
    # Of a file of an early IR version.
    last_reader = reader.until if reader is not None else None
    yield from _since(file, device, target or last_reader)
    yield from _negative_axes(file, device)
    yield from _negative_tuples(file, device)
    yield from _defects(file, device, target)


def _shapes(file: File, device: Device) -> Findings:
    """Inputs with shapes that the device does not take; where they have none, the first layer with a dynamic output."""
    is_reported = False
    for layer in file.layers_of(["Parameter"]):
        shape = parameter_shape(layer.data.get("shape"))
        if shape is None:
            continue  # said by OVG210
        if (
            refusal := device.refuses(shape)
        ) is not None and layer.graph.parent is None:
            is_reported = True
            yield _shape(file, device, layer, str(shape), *refusal)
    if not is_reported and device.static_shapes is not None:
        for layer in file.layers_where(_is_origin)[:1]:
            yield _shape(
                file,
                device,
                layer,
                "dynamic",
                device.static_shapes,
                "takes static shapes only",
            )


def _is_origin(signature: LayerSignature) -> bool:
    inputs, outputs = (
        [-1 in port.dims for port in ports]
        for ports in (signature.inputs, signature.outputs)
    )
    return any(outputs) and not any(inputs)


def _shape(
    file: File, device: Device, layer: Layer, shape: str, fact: Fact, takes: str
) -> Diagnostic:
    is_input = layer.type == "Parameter"
    place = "data/shape" if is_input else "name"
    if is_input:
        what = f"input {layer.name!r} has the shape {shape}"
    else:
        what = f"the output of {layer.name!r} is {shape}"
    message = f"{what}: {device.what} {takes}"
    # The upper bound, which a range has, is static; a range would be reported again.
    sizes = ",".join(
        dim.rpartition("..")[2].strip("?") or "1"
        for dim in shape.strip("[]").split(",")
    )
    if not is_input or "..." in shape:
        sizes = "..."
    command = f"ovgather infer {file.model.path} --input-shape '{layer.name}=[{sizes}]' --write static.xml"
    return file.report(
        RULE,
        message,
        place,
        layer,
        effect=cited(fact),
        help=f"{command} makes them static",
    )


def _since(file: File, device: Device, target: Release | None) -> Findings:
    """Layers that the device runs from a later release on; what it does with an index out of range, once."""
    early = (file.model.ir_version or 0) < _WITH_RESULTS
    if device.name != "CPU":
        elsewhere = f", or the CPU for this layer (HETERO:{device.name},CPU)"
    else:
        elsewhere = ""
    outside = device.out_of_range
    since = dict(device.operations)
    for layer in file.layers_where(is_family):
        operation = find(layer.type, layer.version)
        names = [layer.type, *([operation.name] if operation is not None else ())]
        name = next(filter(since.__contains__, names), layer.type)
        known = since.get(name)
        if known is not None and known.release is None:
            message = f"{device.what} runs {name} in no release that is known"
            at = "type", layer, "undefined", cited(known.fact)
            help = f"write the layer in a newer opset{elsewhere}"
            yield file.report(RULE, message, *at, severity="warning", help=help)
        elif (
            known is not None
            and isinstance(known.release, Release)
            and target is not None
            and target < known.release
        ):
            message = f"{device.what} runs {layer.type} from OpenVINO {known.release} on, not in {target}"
            effect = cited(known.fact)
            help = f"use OpenVINO {known.release} or later{elsewhere}"
            yield file.report(
                RULE, message, "type", layer, effect=effect, help=help, parsed=early
            )
        if outside is not None:
            message = f"an index out of range gives on {device.what}: {outside.text}"
            effect = f"{outside.basis}: {outside.source}"
            outside = None
            yield file.report(
                RULE, message, "type", layer, "undefined", effect, severity="note"
            )


def _negative_axes(file: File, device: Device) -> Findings:
    fact = device.negative_axis
    if fact is None:
        return
    for gather in file.gather_layers:
        axis = from_front(gather.axis, gather.shapes[0].rank if gather.shapes else None)
        if axis is not None and gather.operation.type == "GatherElements":
            message = f"axis is {gather.axis}: {device.what} takes no negative axis"
            if axis.isdigit():
                help = f'write axis="{axis}"'
            else:
                help = "write the axis counted from the front"
            yield file.report(
                RULE,
                message,
                "data/axis",
                gather.layer,
                effect=cited(fact),
                help=help,
            )


def _negative_tuples(file: File, device: Device) -> Findings:
    fact = device.negative_tuples
    if fact is None:
        return
    for gather in file.gather_layers:
        held = None
        if gather.operation.indexes_by_tuples and len(gather.tensors) > 1:
            held = gather.constant(1)
        negative = min((held.integers() if held is not None else None) or (0,))
        if negative < 0:
            message = f"the constant indices hold {negative}: {device.what} counts no index of GatherND from the end"
            help = "write the indices counted from the front"
            at = ("input/1", gather.layer, "undefined")
            effect = cited(fact)
            yield file.report(RULE, message, *at, effect, severity="warning", help=help)


def _defects(file: File, device: Device, target: Release | None) -> Findings:
    """Layers that the device gets wrong in the target release, whose fix came later."""
    defects = [
        each for each in device.defects if target is not None and target <= each.last
    ]
    if defects:
        for gather in file.gather_layers:
            facts = _facts(gather)
            for defect in defects:
                if defect.concerns(gather.operation.type, facts):
                    message = (
                        f"{device.what} up to OpenVINO {defect.last}: {defect.text}"
                    )
                    effect = f"documented: {defect.source}, proposed on {defect.opened}"
                    help = f"use a release after {defect.last} that has the fix, or another device"
                    at = "type", gather.layer, "undefined", effect
                    yield file.report(RULE, message, *at, severity="warning", help=help)


def _facts(gather: GatherLayer) -> dict[str, object]:
    """What defects of devices depend on; of what is not known there is nothing."""
    data, indices = gather.shapes[:2] if len(gather.shapes) > 1 else (None, None)
    if data is None or indices is None or data.rank is None or indices.rank is None:
        return {}
    held = gather.constant(1)
    values = held.integers() if held is not None else None
    layer = gather.layer
    readers = map(layer.graph.with_id, layer.graph.readers.get(layer.id, ()))
    return {
        "axis": gather.axis,
        "data_rank": data.rank,
        "indices_rank": indices.rank,
        "batch_dims": gather.batch_dims,
        "has_batch_dims": gather.batch_dims > 0,
        "is_dynamic": not (data.is_static and indices.is_static),
        "has_constant_indices": held is not None,
        "has_negative_index": bool(values) and min(values or (0,)) < 0,
        "has_one_index": all(
            dim.is_static and dim.length == 1 for dim in indices.dims or ()
        ),
        "drops_dim": indices.rank == gather.batch_dims,
        "feeds_elementwise": any(
            each is not None and each.type in _ELEMENTWISE for each in readers
        ),
    }
