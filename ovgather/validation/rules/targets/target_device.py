"""what the device does not take (OVG862)

What: ``--device NPU`` (in a configuration file ``device = "NPU"``) names a device, and the file has something that this
device does not take: dynamic shapes, a dynamic rank, a negative axis, an operation that came with a later release, or
all of it, where the device ended before the target release. What it does with an index out of range is noted.

Why: the file is right, and another device runs it. What is known of a device is documented, was read in its source or
was measured; each finding says which, and where. The device does not have to be there.

OpenVINO: the device refuses the model when it is compiled. A note is on values.

Bad::
    <data shape="?,128" element_type="i64" />
Good::
    <data shape="1,128" element_type="i64" />
"""

from collections.abc import Iterator

from ovgather.ir.graph import Layer
from ovgather.layers.gather_layer import is_family
from ovgather.targets.profile import Device, Fact, cited, ended_before
from ovgather.targets.reading import reading
from ovgather.targets.release import Release
from ovgather.tensor.shape import PartialShape
from ovgather.validation.context import File
from ovgather.validation.diagnostic import Diagnostic

CODE = "OVG862"
TITLE = "what the device does not take"
SEVERITIES = ("error", "note")
VERDICTS = ("rejects_on_compile", "undefined")
_WITH_RESULTS = 10
"""The first IR version with Result layers: what leads to none is passed over."""


def check(file: File) -> Iterator[Diagnostic]:
    """What the device that the file is meant for does not take."""
    device = file.purpose.device
    if device is None or file.model.snippet:
        return
    if (ended := ended_before(device, file.purpose.target)) is not None:
        yield file.report(
            CODE,
            "error",
            f"{device.what} is in OpenVINO up to {ended[0]}" + _not_in(file.purpose.target),
            openvino="rejects_on_compile",
            effect=cited(ended[1]),
            help=f"use OpenVINO {ended[0]}, or another device",
        )
    yield from _shapes(file, device)
    yield from _gathers(file, device)


def _not_in(target: Release | None) -> str:
    return f", not in {target}" if target is not None else ""


def _shapes(file: File, device: Device) -> Iterator[Diagnostic]:
    """Inputs with shapes that the device does not take; where they have none, layers whose outputs are dynamic."""
    found = False
    for layer in file.layers_where(lambda signature: signature.type == "Parameter"):
        text = layer.data.get("shape", "")
        try:
            shape = PartialShape.of(text)
        except ValueError:
            continue  # said by OVG210
        fact = device.static_shapes if not shape.is_static else None
        if shape.rank is None:
            fact = device.static_shapes or device.static_rank
        if fact is not None and layer.graph.parent is None:
            found = True
            yield _shape(file, device, layer, str(shape), fact)
    if not found and device.static_shapes is not None:
        origins = file.layers_where(_is_origin)
        for layer in origins[:1]:
            yield _shape(file, device, layer, "dynamic", device.static_shapes)


def _is_origin(signature: object) -> bool:
    inputs, outputs = getattr(signature, "inputs", ()), getattr(signature, "outputs", ())
    return any(-1 in port.dims for port in outputs) and not any(-1 in port.dims for port in inputs)


def _shape(file: File, device: Device, layer: Layer, shape: str, fact: Fact) -> Diagnostic:
    is_input = layer.type == "Parameter"
    what = f"input {layer.name!r} has the shape {shape}" if is_input else f"the output of {layer.name!r} is {shape}"
    sizes = ",".join("1" if dim == "?" else dim for dim in shape.strip("[]").split(",")) if is_input else "..."
    command = f"ovgather infer {file.model.path} --input-shape '{layer.name}=[{sizes}]' --write static.xml"
    return file.report(
        CODE,
        "error",
        f"{what}: {device.what} takes {'no dynamic rank' if '...' in shape else 'static shapes only'}",
        file.data_span(layer, "shape") if is_input else file.layer_span(layer),
        layer=layer,
        openvino="rejects_on_compile",
        effect=cited(fact),
        help=f"{command} makes them static",
    )


def _last_reader(file: File) -> Release | None:
    """The last release that reads a file of an early IR version; None: later ones read it too."""
    known = reading(str(file.model.ir_version))
    return known.until if known is not None else None


def _gathers(file: File, device: Device) -> Iterator[Diagnostic]:
    noted = False
    early = (file.model.ir_version or 0) < _WITH_RESULTS
    elsewhere = f", or the CPU for this layer (HETERO:{device.name},CPU)" if device.name != "CPU" else ""
    since = dict(device.operations)
    target = file.purpose.target or _last_reader(file)
    for layer in file.layers_where(is_family):
        known = since.get(layer.type)
        if known is not None and isinstance(known.release, Release) and target is not None and target < known.release:
            yield file.report(
                CODE,
                "error",
                f"{device.what} runs {layer.type} from OpenVINO {known.release} on, not in {target}",
                file.layer_span(layer, "type"),
                layer=layer,
                openvino="rejects_on_compile",
                effect=cited(known.fact),
                help=f"use OpenVINO {known.release} or later{elsewhere}",
                parsed=early,
            )
        if device.out_of_range is not None and not noted:
            noted = True
            yield file.report(
                CODE,
                "note",
                f"an index out of range gives on {device.what}: {device.out_of_range.text}",
                file.layer_span(layer, "type"),
                layer=layer,
                openvino="undefined",
                effect=f"{device.out_of_range.basis}: {device.out_of_range.source}",
            )
    for gather in file.gather_layers:
        fact, axis = device.negative_axis, gather.axis
        if fact is not None and axis is not None and axis < 0 and gather.operation.type == "GatherElements":
            rank = gather.tensors[0].shape.rank if gather.tensors else None
            yield file.report(
                CODE,
                "error",
                f"axis is {axis}: {device.what} takes no negative axis",
                file.data_span(gather.layer, "axis"),
                layer=gather.layer,
                openvino="rejects_on_compile",
                effect=cited(fact),
                help=f'write axis="{axis + rank}"' if rank is not None else "write the axis counted from the front",
            )
