"""A FakeQuantize of one level: OpenVINO refuses it where the CPU plugin has a kernel for it, beside OpenVINO."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from declared_oracle import Oracle, infer
from layer_chain import Chain

WINDOW = {"strides": "1,1", "pads_begin": "0,0", "pads_end": "0,0", "dilations": "1,1"}
POOL = {"strides": "1,1", "pads_begin": "0,0", "pads_end": "0,0", "kernel": "2,2"}
NUMPY = {"auto_broadcast": "numpy"}
MEAN = {"eps": "1e-6", "normalize_variance": "true", "eps_mode": "inside_sqrt"}


def image(chain: Chain) -> int:
    return chain.parameter("1,3,8,8")


def quantized(chain: Chain, data: int, levels: int = 1) -> int:
    limits = [chain.ones(1, 1, 1, 1) for _ in range(4)]
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


def of_two_convolutions(chain: Chain) -> int:
    data = image(chain)
    return added(chain, convolved(chain, data), convolved(chain, data))


def read_twice(chain: Chain) -> int:
    product = convolved(chain, image(chain))
    return added(chain, quantized(chain, product), product)


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


def joined(chain: Chain) -> int:
    data = image(chain)
    return chain.layer("Concat", data, data, attributes={"axis": "1"}, opset=1)


CASES: dict[str, Callable[[Chain], int]] = {
    "alone": lambda chain: quantized(chain, image(chain)),
    "of an open dim": lambda chain: quantized(chain, chain.parameter("?,3,8,8")),
    "behind Convolution": lambda chain: quantized(
        chain, convolved(chain, image(chain))
    ),
    "behind a bias and ReLU": lambda chain: quantized(chain, biased(chain)),
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
}


@pytest.mark.runtime
@pytest.mark.parametrize("case", CASES)
def test_one_level_is_refused_where_openvino_refuses_it(case: str) -> None:
    chain = Chain()
    xml, weights = chain.write(CASES[case](chain))
    oracle = Oracle(compiled=True)
    ours, theirs = infer(xml, weights), oracle.ask(xml, weights)
    oracle.close()
    assert (ours.get("stage"), "error" in ours) == (
        theirs.get("stage"),
        "error" in theirs,
    )
