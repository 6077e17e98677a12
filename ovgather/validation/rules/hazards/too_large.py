"""What: a Parameter of static shape, or the output of a Gather layer, takes more than 256 TiB (2^48 bytes).

Why: no process can address so much memory. Usually a dim is corrupt, or it stands for an unknown dim, which is written
``?``.

OpenVINO: reads the file, but fails to allocate the inputs when it compiles the model for the CPU: "Cannot allocate
memory for type: f32 and shape: [2147483648,1,2147483648]", or ``std::bad_alloc``. Tensors with a dynamic dim are
allocated only when the model runs.

Bad::

    <data shape="2147483648,1,2147483648" element_type="f32"/>

Good::

    <data shape="?,1,?" element_type="f32"/>
"""

from ovgather.layers.gather_layer import GatherLayer
from ovgather.layers.tensors import exceeds_memory, memory_needed, output_tensor
from ovgather.tensor.element_type import ElementType
from ovgather.tensor.shape import PartialShape
from ovgather.validation.context import File, Findings

CODE = "OVG709"
TITLE = "tensor larger than any memory"
SEVERITIES = ("error",)
VERDICTS = ("rejects_on_compile",)
_LARGEST = (1 << 63) - 1
_EFFECT = "reads it; there is no memory for it when it compiles it for the CPU"


def check(file: File) -> Findings:
    """The inputs of the model, and what layers of the family make of theirs."""
    large = set()
    for layer in file.layers_of(["Parameter"]) if not file.model.snippet else ():
        if layer.graph.parent is None and "shape" in layer.data and layer.outputs:
            tensor = output_tensor(layer, 0)
            if tensor.certain and _is_large(tensor.shape, tensor.element_type):
                large.add(layer)
                span, verdict = file.data_span(layer, "shape"), "rejects_on_compile"
                message = f"a Parameter of shape {tensor.shape} takes {_size(tensor.shape, tensor.element_type)}"
                help = "is one of the dims not known? Then it is ?"
                yield file.report(
                    CODE, "error", message, span, layer=layer, openvino=verdict, effect=_EFFECT, help=help
                )
    for gather in file.gather_layers_where(_makes_a_large_one):
        shape = gather.inference.shape if gather.inference is not None else None
        sources = [gather.layer.producer(index) for index in range(len(gather.layer.inputs))]
        if shape is None or any(source is not None and source[0] in large for source in sources):
            continue
        span, verdict = file.port_span(gather.layer, "output", 0), "rejects_on_compile"
        message = f"the output of shape {shape} takes {_size(shape, gather.output_type)}"
        yield file.report(CODE, "error", message, span, layer=gather.layer, openvino=verdict, effect=_EFFECT)


def _makes_a_large_one(gather: GatherLayer) -> bool:
    return gather.inference is not None and _is_large(gather.inference.shape, gather.output_type)


def _is_large(shape: PartialShape, kind: ElementType | None) -> bool:
    # Of a dim beyond 63 bits, which OpenVINO takes for another, speaks OVG210.
    return exceeds_memory(shape, kind) and all(dim.length < _LARGEST for dim in shape)


def _size(shape: PartialShape, kind: ElementType | None) -> str:
    bytes = memory_needed(shape, kind)
    return f"{bytes} bytes" if bytes < 1 << 100 else "more than 2^100 bytes"
