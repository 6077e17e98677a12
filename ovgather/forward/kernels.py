"""Refusals of the CPU plugin that the layers before and behind decide.

It takes a FakeQuantize of static shape apart into arithmetic, unless it is fused with the layer before it, or is
computed when the model is compiled. It takes a Multinomial that one input reads, and keeps the element type of a
variable that is only stored and given out. Of a MaxPool whose indices nothing reads it computes none. It gives the
output of an Assign to no layer, and converts no output of a TopK or VariadicSplit to booleans.

A layer of which only the shape is read is not compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ovgather.ir.graph import Layer
from ovgather.tensor.tensor import Tensor

_PARENTS = frozenset(
    [
        "AvgPool",
        "BinaryConvolution",
        "Convolution",
        "ConvolutionBackpropData",
        "GroupConvolution",
        "GroupConvolutionBackpropData",
        "Interpolate",
        "LSTMCell",
        "MVN",
        "MatMul",
        "NormalizeL2",
        "ReduceL1",
        "ReduceL2",
        "ReduceMax",
        "ReduceMean",
        "ReduceMin",
        "ReduceProd",
        "ReduceSum",
    ]
)
"""Their kernels take in simple layers behind them."""
_LINKS = frozenset(
    [
        "Abs",
        "Clamp",
        "Elu",
        "FakeQuantize",
        "Gelu",
        "HSigmoid",
        "HSwish",
        "MaxPool",
        "Mish",
        "PReLU",
        "ReLU",
        "Sigmoid",
        "Sqrt",
        "Swish",
        "Tanh",
    ]
)
_LINKS_TO_CONSTANTS = frozenset({"Add", "Divide", "Multiply", "Subtract"})
_MOST_LINKS = 16

_IsConstant = Callable[[Layer], bool]


def is_refused(layer: Layer, argument: str, is_constant: _IsConstant) -> bool:
    """Whether the plugin refuses ``argument`` of a layer as its declaration says.

    ``is_constant`` tells of each layer before it whether it depends on no input of the model.
    """
    decided = _DECIDED.get(f"{layer.type} {argument}", _DECIDED.get(layer.type))
    return decided is not None and decided(layer, is_constant)


def is_only_measured(layer: Layer, outputs: Sequence[Tensor]) -> bool:
    """Whether nothing but ShapeOf reads the outputs, of static shapes: OpenVINO takes the layer out."""
    if not all([tensor.shape.is_static for tensor in outputs]):
        return False
    readers = [
        reader.type
        for index in range(len(layer.outputs))
        for reader, _ in layer.consumers(index)
    ]
    return bool(readers) and all([type == "ShapeOf" for type in readers])


def _has_no_default(layer: Layer, _: _IsConstant) -> bool:
    """Whether the input is of a layer that OpenVINO names no one output of."""
    source = _source(layer, 0)
    return source is not None and source.type in ("TopK", "VariadicSplit")


def _has_kernel(layer: Layer, is_constant: _IsConstant) -> bool:
    """Whether a FakeQuantize of static data is computed by a kernel."""
    source = _source(layer, 0)
    if source is not None and is_constant(source):
        # Of a quantized model, its transformations compute constants.
        return not any(
            [each is not layer and _is_quantized(each) for each in layer.graph.layers]
        )
    for _ in range(_MOST_LINKS):
        if source is None or len(_readers(source)) != 1:
            return False
        if source.type in _PARENTS:
            return True
        source = _source_of_link(source, is_constant)
    return False


def _readers(layer: Layer) -> list[Layer]:
    """What reads the first output of a static shape; a ShapeOf is computed before."""
    readers = [reader for reader, _ in layer.consumers(0)]
    return [reader for reader in readers if reader.type != "ShapeOf"]


def _source_of_link(link: Layer, is_constant: _IsConstant) -> Layer | None:
    """What feeds a layer that may be taken in by a kernel; None for another layer."""
    if link.type in _LINKS:
        return _source(link, 0)
    if link.type not in _LINKS_TO_CONSTANTS:
        return None
    sources = [_source(link, index) for index in range(2)]
    others = [each for each in sources if each is not None and not is_constant(each)]
    if len(others) == 1:
        return others[0]
    return None


def _source(layer: Layer, index: int) -> Layer | None:
    producer = layer.producer(index)
    if producer is None:
        return None
    return producer[0]


def _is_quantized(layer: Layer) -> bool:
    """Whether a layer quantizes to levels that OpenVINO takes for a quantized model."""
    return layer.type == "FakeQuantize" and layer.data.get("levels") in _LEVELS


_LEVELS = frozenset(
    ["16", "15", "255", "256", "65535", "65536", "4294967295", "4294967296"]
)


def _is_shared(layer: Layer, _: _IsConstant) -> bool:
    """Whether several inputs read the output."""
    return len([*layer.consumers(0)]) > 1


def _is_computed_with(layer: Layer, _: _IsConstant) -> bool:
    """Whether the value of a variable flows into more than outputs of the model and variables."""
    return any([each.type not in _ENDS for each, _ in layer.consumers(0)])


def _is_read(layer: Layer, _: _IsConstant) -> bool:
    """Whether a layer that leads on takes the output."""
    return any(
        [each.type == "Result" or _leads_on(each) for each, _ in layer.consumers(0)]
    )


def _leads_on(layer: Layer) -> bool:
    return any(map(layer.is_read, range(len(layer.outputs))))


def _gives_indices(layer: Layer, _: _IsConstant) -> bool:
    """Whether a MaxPool is one with indices: without a reader of them it is another kernel."""
    return layer.is_read(1)


def _gives_no_indices(layer: Layer, is_constant: _IsConstant) -> bool:
    return not _gives_indices(layer, is_constant)


_ENDS = ("Assign", "Result")
_DECIDED: dict[str, Callable[[Layer, _IsConstant], bool]] = {
    "Assign": _is_read,
    "Convert": _has_no_default,
    "ConvertLike": _has_no_default,
    "FakeQuantize": _has_kernel,
    "MaxPool": _gives_no_indices,
    "MaxPool data": _gives_indices,
    "Multinomial": _is_shared,
    "ReadValue": _is_computed_with,
}
