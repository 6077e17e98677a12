"""What: a Parameter of static shape, or the output of a layer, takes more than 256 TiB (2^48 bytes); as a warning, the
output of a layer takes more than 64 GiB.
Why: no process can address so much memory. Usually a dim is corrupt, or it stands for an unknown dim: write ``?``. The
length of an output is often computed: of the depth of a OneHot, or the repeats of a Tile.
OpenVINO: reads the file, but fails to allocate the inputs when it compiles the model for the CPU: "Cannot allocate
memory for type: f32 and shape: [2147483648,1,2147483648]", or ``std::bad_alloc``. Tensors with a dynamic dim are
allocated only when the model runs. Whether 64 GiB are too much is a question of the machine.
Bad::
    <data shape="2147483648,1,2147483648" element_type="f32"/>
Good::
    <data shape="?,1,?" element_type="f32"/>
"""

from math import prod

from ovgather.forward.kernels import is_only_measured
from ovgather.forward.order import rows_in_order
from ovgather.layers.tensors import output_tensor, too_large
from ovgather.tensor import element_type
from ovgather.tensor.tensor import Tensor
from ovgather.validation.context import (
    ElementType,
    File,
    Findings,
    GatherLayer,
    PartialShape,
    Rule,
)

RULE = Rule(
    "OVG709",
    "tensor larger than any memory",
    "error warning",
    "rejects_on_compile undefined",
)
_MOST_USUAL = 1 << 36
_LARGEST = (1 << 63) - 1
_SOURCES = ("Const", "Parameter")
_NOT_USUAL = (
    "reads it; most machines have no memory for it when it compiles it for the CPU"
)
_EFFECT = "reads it; there is no memory for it when it compiles it for the CPU"


def check(file: File) -> Findings:
    large = set()
    if not file.model.snippet:
        for layer in file.layers_of(["Parameter"]):
            if (
                "shape" not in layer.data
                or not layer.outputs
                or layer.graph.parent is not None
            ):
                continue
            tensor = output_tensor(layer, 0)
            if (
                tensor.certain
                and (size := _size(tensor.shape, tensor.element_type)) is not None
            ):
                large.add(layer)
                message = f"a Parameter of shape {tensor.shape} takes {size}"
                help = "is one of the dims not known? Then it is ?"
                yield file.report(
                    RULE, message, "data/shape", layer, effect=_EFFECT, help=help
                )
    for gather in file.unusual_gathers_where(
        lambda gather: _output_size(gather) is not None
    ):
        sources = [
            gather.layer.producer(index) for index in range(len(gather.layer.inputs))
        ]
        if gather.inference is not None and not any(
            source is not None and source[0] in large for source in sources
        ):
            message = f"the output of shape {gather.inference.shape} takes {_output_size(gather)}"
            large.add(gather.layer)
            yield file.report(RULE, message, "output/0", gather.layer, effect=_EFFECT)
    if not large and not file.model.snippet:
        yield from _first_output(file)


def _first_output(file: File) -> Findings:
    """The first layer that computes a large tensor of others that are not; what is behind it follows."""
    sizes = {
        tensor: size
        for tensor in file.forward.tensors.values()
        if (size := _bytes(tensor)) > _MOST_USUAL
    }
    if not sizes:
        return
    graph = file.model.graph
    for row in rows_in_order(graph):
        outputs = file.forward.outputs[graph.offsets[row]]
        place = next((place for place, each in enumerate(outputs) if each in sizes), -1)
        layer = graph.layer(row)
        is_source = layer.type in _SOURCES or place < 0
        if is_source or not file.is_built(layer) or is_only_measured(layer, outputs):
            continue
        shape, size = outputs[place].shape, sizes[outputs[place]]
        kind = element_type.find(outputs[place].element_type)
        message = f"the output of shape {shape} takes "
        path = f"output/{place}"
        if (text := _size(shape, kind)) is not None:
            yield file.report(RULE, message + text, path, layer, effect=_EFFECT)
        else:
            yield file.report(
                RULE,
                f"{message}{size} bytes",
                path,
                layer,
                "undefined",
                _NOT_USUAL,
                severity="warning",
            )
        return


def _bytes(tensor: Tensor) -> int:
    """The bytes of a tensor that OpenVINO computes itself, if all of its lengths are known."""
    kind = element_type.find(tensor.element_type)
    if kind is None or tensor.basis or not tensor.shape.is_static:
        return 0
    return prod([dim.length for dim in tensor.shape]) * kind.bits // 8


def _output_size(gather: GatherLayer) -> str | None:
    if gather.inference is None:
        return None
    return _size(gather.inference.shape, gather.output_type)


def _size(shape: PartialShape, kind: ElementType | None) -> str | None:
    """The bytes of a tensor that no memory holds; None for any other tensor."""
    # OVG210 reports dims beyond 63 bits, which OpenVINO reads as others.
    size = too_large(shape, kind)
    if size is None or any(dim.length >= _LARGEST for dim in shape):
        return None
    if size < 1 << 100:
        return f"{size} bytes"
    return "more than 2^100 bytes"
