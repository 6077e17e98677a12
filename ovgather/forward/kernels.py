"""Which layers the CPU plugin computes with a kernel of their own or of the layer before them.

It takes a FakeQuantize of static shape apart into arithmetic, unless it is fused with the layer before it, or is
computed when the model is compiled.
"""

from __future__ import annotations

from ovgather.ir.graph import Layer

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


def has_kernel(layer: Layer, is_constant: bool) -> bool:
    """Whether a FakeQuantize of static data, constant or not, is computed by a kernel."""
    if is_constant:
        # Of a quantized model, its transformations compute constants.
        return not any(
            [each is not layer and _is_quantized(each) for each in layer.graph.layers]
        )
    source = _source(layer, 0)
    for _ in range(_MOST_LINKS):
        if source is None or len([*source.consumers(0)]) != 1:
            return False
        if source.type in _PARENTS:
            return True
        source = _source_of_link(source)
    return False


def _source_of_link(link: Layer) -> Layer | None:
    """What feeds a layer that may be taken in by a kernel; None for another layer."""
    if link.type in _LINKS:
        return _source(link, 0)
    if link.type not in _LINKS_TO_CONSTANTS:
        return None
    sources = [_source(link, index) for index in range(2)]
    others = [each for each in sources if each is not None and each.type != "Const"]
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
