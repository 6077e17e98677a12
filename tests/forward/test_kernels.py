"""Layers that OpenVINO refuses for the layers beside them, beside OpenVINO.

A FakeQuantize of one level where the CPU plugin has a kernel for it, a Multinomial with several readers, a variable of
a type that the plugin converts, a boolean of an output of TopK, a layer of which only the shape is read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import pytest
from declared_oracle import Oracle, infer
from layer_chain import Chain

WINDOW = {"strides": "1,1", "pads_begin": "0,0", "pads_end": "0,0", "dilations": "1,1"}
POOL = {"strides": "1,1", "pads_begin": "0,0", "pads_end": "0,0", "kernel": "2,2"}
NUMPY = {"auto_broadcast": "numpy"}
MEAN = {"eps": "1e-6", "normalize_variance": "true", "eps_mode": "inside_sqrt"}


def image(chain: Chain) -> int:
    return chain.parameter("1,3,8,8")


def quantized(
    chain: Chain, data: int, levels: int = 1, limit: Sequence[int] = (1, 1, 1, 1)
) -> int:
    limits = [chain.ones(*limit) for _ in range(4)]
    attributes = {"levels": str(levels)}
    return chain.layer("FakeQuantize", data, *limits, attributes=attributes, opset=1)


def convolved(chain: Chain, data: int, filters: int | None = None) -> int:
    if filters is None:
        filters = chain.ones(3, 3, 3, 3)
    return chain.layer("Convolution", data, filters, attributes=WINDOW, opset=1)


def pooled(chain: Chain, data: int, type: str) -> int:
    attributes = POOL | ({"exclude-pad": "true"} if type == "AvgPool" else {})
    return chain.layer(type, data, attributes=attributes, opset=1)


def added(chain: Chain, one: int, other: int) -> int:
    return chain.layer("Add", one, other, attributes=NUMPY, opset=1)


def fused(chain: Chain, type: str) -> int:
    return chain.layer(type, convolved(chain, image(chain)), opset=1)


def biased(chain: Chain) -> int:
    sum = added(chain, convolved(chain, image(chain)), chain.ones(1, 3, 1, 1))
    return chain.layer("ReLU", sum, opset=1)


def biased_by_a_converted_constant(chain: Chain) -> int:
    attributes = {"destination_type": "f32"}
    bias = chain.layer(
        "Convert", chain.ones(1, 3, 1, 1), attributes=attributes, opset=1
    )
    return added(chain, convolved(chain, image(chain)), bias)


def of_two_convolutions(chain: Chain) -> int:
    data = image(chain)
    return added(chain, convolved(chain, data), convolved(chain, data))


def read_twice(chain: Chain) -> int:
    product = convolved(chain, image(chain))
    return added(chain, quantized(chain, product), product)


def of_limits(chain: Chain, limit: Sequence[int]) -> int:
    return quantized(chain, convolved(chain, image(chain)), 1, limit)


def measured(chain: Chain) -> int:
    """What is quantized and its shape, which OpenVINO computes before."""
    product = convolved(chain, image(chain))
    attributes = {"special_zero": "false"}
    data = quantized(chain, product)
    shape = chain.shape(product)
    return chain.layer("Reshape", data, shape, attributes=attributes, opset=1)


def of_quantized_data(chain: Chain) -> int:
    filters = quantized(chain, chain.ones(3, 3, 3, 3))
    return convolved(chain, quantized(chain, image(chain), 256), filters)


def centred(chain: Chain) -> int:
    axes = chain.const(2, 3)
    return chain.layer("MVN", image(chain), axes, attributes=MEAN, opset=6)


def reduced(chain: Chain) -> int:
    axes = chain.const(2, 3)
    keep = {"keep_dims": "true"}
    return chain.layer("ReduceMean", image(chain), axes, attributes=keep, opset=1)


def drawn(chain: Chain) -> int:
    attributes = {
        "convert_type": "i32",
        "with_replacement": "true",
        "log_probs": "false",
        "global_seed": "1",
        "op_seed": "2",
    }
    samples = chain.const(2, scalar=True)
    return chain.layer(
        "Multinomial", chain.parameter("2,4"), samples, attributes=attributes, opset=13
    )


def drawn_and_doubled(chain: Chain) -> int:
    data = drawn(chain)
    return added(chain, data, data)


def variable(chain: Chain, type: str, start: int | None = None) -> int:
    if start is None:
        start = chain.parameter("2", type)
    attributes = {"variable_id": "a", "variable_shape": "2", "variable_type": type}
    return chain.layer("ReadValue", start, attributes=attributes, opset=6)


def doubled_variable(
    chain: Chain, type: str, start: Callable[[Chain], int] | None = None
) -> int:
    data = variable(chain, type, None if start is None else start(chain))
    return added(chain, data, data)


def joined(chain: Chain) -> int:
    data = image(chain)
    return chain.layer("Concat", data, data, attributes={"axis": "1"}, opset=1)


def converted(chain: Chain, data: int) -> int:
    return chain.layer(
        "Convert", data, attributes={"destination_type": "boolean"}, opset=1
    )


def split(chain: Chain) -> int:
    inputs = [chain.parameter("2,4"), chain.const(1, scalar=True)]
    attributes = {"num_splits": "2"}
    return chain.layer("Split", *inputs, attributes=attributes, opset=1, outputs=2)


def largest(chain: Chain) -> int:
    inputs = [chain.parameter("2,4"), chain.const(1, scalar=True)]
    attributes = {"axis": "1", "mode": "max", "sort": "value"}
    return chain.layer("TopK", *inputs, attributes=attributes, opset=3, outputs=2)


def unreduced(chain: Chain, shape: str) -> int:
    data = chain.parameter(shape)
    attributes = {"keep_dims": "false"}
    return chain.layer("ReduceSum", data, chain.const(), attributes=attributes, opset=1)


def spread_to_shape(chain: Chain, shape: str = "2,1,8") -> int:
    target = chain.shape(chain.parameter("2,?,8"))
    attributes = {"mode": "bidirectional"}
    data = chain.parameter(shape)
    return chain.layer("Broadcast", data, target, attributes=attributes, opset=3)


def largest_of_windows(chain: Chain, is_read: bool, **attributes: str) -> int:
    """A MaxPool-8 of open dims, or what is made of its indices."""
    data = chain.parameter("?,3,?,?")
    indices = {"dilations": "1,1", "index_element_type": "i64", "axis": "0"}
    window = POOL | indices | attributes
    pool = chain.layer("MaxPool", data, attributes=window, opset=8, outputs=2)
    if not is_read:
        return pool
    places = chain.layer("Abs", pool, opset=1)
    chain.edges[-1] = chain.edges[-1].replace('from-port="9"', 'from-port="10"')
    return places


def boxes(chain: Chain, image: str) -> int:
    """A PriorBox with an aspect ratio of 0, which is computed before if the sizes are known."""
    attributes = {"min_size": "8", "aspect_ratio": "0", "offset": "0.5", "step": "0"}
    attributes |= {"flip": "true", "clip": "false", "variance": "0.1,0.1,0.2,0.2"}
    sizes = [chain.shape(chain.parameter(shape)) for shape in ("3,3", image)]
    return chain.layer("PriorBox", *sizes, attributes=attributes, opset=8)


def resized(chain: Chain, rank: int, axes: Sequence[int]) -> int:
    """An Interpolate of as many dims to the length 4 along ``axes``."""
    attributes = {"mode": "nearest", "shape_calculation_mode": "sizes"}
    data = chain.parameter(",".join("12888"[:rank]))
    inputs = [data, chain.const(*[4] * len(axes)), chain.const(*axes)]
    return chain.layer("Interpolate", *inputs, attributes=attributes, opset=11)


def put(chain: Chain, data: str, indices: str, updates: str) -> int:
    inputs = [chain.parameter(data), chain.parameter(indices, "i64")]
    return chain.layer("ScatterNDUpdate", *inputs, chain.parameter(updates), opset=4)


WINDOWS = [("strides", "-1,-1"), ("dilations", "-1,-1"), ("pads_begin", "-1,-1")]


CASES: dict[str, Callable[[Chain], int]] = {
    "Broadcast to an open shape": spread_to_shape,
    "Broadcast of no elements to an open shape": lambda chain: spread_to_shape(
        chain, "2,0,8"
    ),
    **{
        f"updates [{updates}] at [{indices}] of [{data}]": partial(
            put, data=data, indices=indices, updates=updates
        )
        for data, indices, updates in [
            *[("4,5", "2", updates) for updates in ("", "1", "?", "1,1", "0")],
            ("5", "1", "1"),
            ("4,5", "1", "?"),
            ("?,?", "2", "?"),
        ]
    },
    "boxes of known sizes": lambda chain: boxes(chain, "6,6"),
    "boxes of an open size": lambda chain: boxes(chain, "?,6"),
    **{
        f"Interpolate of {rank} dims along {axes}": partial(
            resized, rank=rank, axes=axes
        )
        for rank, axes in [
            *((4, axes) for axes in ([0, 0], [1, 1], [2, 2], [0, 1], [1, 2, 1])),
            *((5, axes) for axes in ([1, 1], [2, 3, 3])),
            (3, [0, 0]),
        ]
    },
    "boolean of one output": lambda chain: converted(chain, image(chain)),
    "boolean of a part": lambda chain: converted(chain, split(chain)),
    "boolean of the largest": lambda chain: converted(chain, largest(chain)),
    "no axes": lambda chain: unreduced(chain, "2,3"),
    "no axes, and only the shape is read": lambda chain: chain.shape(
        unreduced(chain, "2,3")
    ),
    "no axes, and only an open shape is read": lambda chain: chain.shape(
        unreduced(chain, "?,3")
    ),
    "variable of a known shape": lambda chain: doubled_variable(
        chain, "i64", lambda chain: chain.shape(chain.parameter("2,3"))
    ),
    "variable of an open shape": lambda chain: doubled_variable(
        chain, "i64", lambda chain: chain.shape(chain.parameter("?,3"))
    ),
    "alone": lambda chain: quantized(chain, image(chain)),
    "of an open dim": lambda chain: quantized(chain, chain.parameter("?,3,8,8")),
    "behind Convolution": lambda chain: quantized(
        chain, convolved(chain, image(chain))
    ),
    "behind a Convolution whose shape is read": measured,
    **{
        f"limits of {'x'.join(map(str, limit))}": partial(of_limits, limit=limit)
        for limit in [(1, 1, 6, 1), (3, 1, 1), (1, 3, 6, 1), (6,), (1,) * 5, (1,) * 6]
    },
    **{
        f"{name} of windows, indices read: {is_read}": partial(
            largest_of_windows, is_read=is_read, **{name: text}
        )
        for is_read in (False, True)
        for name, text in [*WINDOWS, ("dilations", "2,2")]
    },
    "behind a bias and ReLU": lambda chain: quantized(chain, biased(chain)),
    "behind a bias that is converted": lambda chain: quantized(
        chain, biased_by_a_converted_constant(chain)
    ),
    "behind Sigmoid": lambda chain: quantized(chain, fused(chain, "Sigmoid")),
    "behind Sign": lambda chain: quantized(chain, fused(chain, "Sign")),
    "behind MaxPool": lambda chain: quantized(
        chain, pooled(chain, image(chain), "MaxPool")
    ),
    "behind AvgPool": lambda chain: quantized(
        chain, pooled(chain, image(chain), "AvgPool")
    ),
    "behind Convolution and MaxPool": lambda chain: quantized(
        chain, pooled(chain, convolved(chain, image(chain)), "MaxPool")
    ),
    "behind MVN": lambda chain: quantized(chain, centred(chain)),
    "behind ReduceMean": lambda chain: quantized(chain, reduced(chain)),
    "behind Concat": lambda chain: quantized(chain, joined(chain)),
    "behind two Convolutions": lambda chain: quantized(
        chain, of_two_convolutions(chain)
    ),
    "behind a Convolution that is read twice": read_twice,
    "of filters": lambda chain: convolved(
        chain, image(chain), quantized(chain, chain.ones(3, 3, 3, 3))
    ),
    "of filters of a quantized model": of_quantized_data,
    "Multinomial": drawn,
    "Multinomial that is read twice": drawn_and_doubled,
    "variable of i64": lambda chain: variable(chain, "i64"),
    "variable of constant i64": lambda chain: doubled_variable(
        chain, "i64", lambda chain: chain.const(1, 2)
    ),
    **{
        f"variable of {type} that is doubled": partial(doubled_variable, type=type)
        for type in ("f16", "f32", "f64", "i16", "i32", "i64", "u8", "u16", "u32")
    },
}


@pytest.mark.runtime
@pytest.mark.parametrize("case", CASES)
def test_refused_where_openvino_refuses_it(case: str) -> None:
    chain = Chain()
    xml, weights = chain.write(CASES[case](chain))
    oracle = Oracle(compiled=True)
    ours, theirs = infer(xml, weights), oracle.ask(xml, weights)
    assert (ours.get("stage"), "error" in ours) == (
        theirs.get("stage"),
        "error" in theirs,
    )
