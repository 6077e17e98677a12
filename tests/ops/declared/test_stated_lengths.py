"""Inputs that OpenVINO reads as a shape: it takes -1 of a Const, and no negative length that is computed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from declared_oracle import Oracle, infer
from layer_chain import Chain

AXES = {"mode": "nearest", "axes": "2,3"}
WINDOW = {"strides": "1,1", "pads_begin": "0,0", "pads_end": "0,0", "dilations": "1,1"}
BOXES = {"offset": "0.5", "step": "4", "variance": "1"}
EYE = {"output_type": "f32"}


def _resized(chain: Chain, target: int) -> int:
    image = chain.parameter("1,1,4,4")
    return chain.layer("Interpolate", image, target, attributes=AXES, opset=1)


def _resized_to_sizes(chain: Chain, target: int) -> int:
    attributes = {"mode": "nearest", "shape_calculation_mode": "sizes"}
    image, axes = chain.parameter("1,1,4,4"), chain.const(2, 3)
    return chain.layer(
        "Interpolate", image, target, axes, attributes=attributes, opset=11
    )


def _convolved_back(chain: Chain, target: int) -> int:
    image, filters = chain.parameter("1,3,4,4"), chain.parameter("3,2,3,3")
    return chain.layer(
        "ConvolutionBackpropData", image, filters, target, attributes=WINDOW, opset=1
    )


def _random(chain: Chain, target: int) -> int:
    ends = chain.parameter("1", "i32"), chain.parameter("1", "i32")
    return chain.layer(
        "RandomUniform", target, *ends, attributes={"output_type": "i32"}
    )


def _boxes(chain: Chain, target: int) -> int:
    attributes = BOXES | {"width": "4", "height": "4"}
    image = chain.const(100, 100)
    return chain.layer(
        "PriorBoxClustered", target, image, attributes=attributes, opset=1
    )


def _best(chain: Chain, target: int) -> int:
    attributes = {"axis": "0", "mode": "max", "sort": "value"}
    return chain.layer(
        "TopK",
        chain.parameter("9,4"),
        _last(chain, target),
        attributes=attributes,
        opset=3,
    )


def _last(chain: Chain, target: int, scalar: bool = True) -> int:
    index = chain.const(1) if not scalar else chain.const(1, scalar=True)
    return chain.layer("Gather", target, index, chain.const(0, scalar=True))


def _one_hot(chain: Chain, target: int) -> int:
    values = chain.parameter("", "f32"), chain.parameter("", "f32")
    indices, depth = chain.parameter("3", "i64"), _last(chain, target)
    return chain.layer(
        "OneHot", indices, depth, *values, attributes={"axis": "-1"}, opset=1
    )


def _identity(chain: Chain, target: int) -> int:
    rows = _last(chain, target, scalar=False)
    return chain.layer(
        "Eye", rows, chain.const(2), chain.const(0), attributes=EYE, opset=9
    )


def _identities(chain: Chain, target: int) -> int:
    numbers = chain.const(2), chain.const(2), chain.const(0)
    return chain.layer("Eye", *numbers, target, attributes=EYE, opset=9)


def _drawn(chain: Chain, target: int) -> int:
    attributes = {
        "convert_type": "i32",
        "with_replacement": "true",
        "log_probs": "false",
    }
    samples = _last(chain, target, scalar=False)
    return chain.layer(
        "Multinomial",
        chain.parameter("2,4"),
        samples,
        attributes=attributes,
        opset=13,
    )


def _segments(chain: Chain, target: int) -> int:
    indices, segments = chain.parameter("4", "i64"), chain.parameter("4", "i64")
    table, count = chain.parameter("5,2"), _last(chain, target)
    return chain.layer("EmbeddingSegmentsSum", table, indices, segments, count, opset=3)


def _largest(chain: Chain, target: int) -> int:
    data, segments = chain.parameter("4,3"), chain.parameter("4", "i64")
    return chain.layer(
        "SegmentMax",
        data,
        segments,
        _last(chain, target),
        attributes={"fill_mode": "ZERO"},
        opset=16,
    )


def _image(chain: Chain, target: int) -> int:
    kernel = chain.const(2, 2)
    attributes = WINDOW | {"dilations": "1,1"}
    return chain.layer(
        "Col2Im",
        chain.parameter("1,12,?"),
        target,
        kernel,
        attributes=attributes,
        opset=15,
    )


READERS: dict[str, Callable[[Chain, int], int]] = {
    "Broadcast": lambda chain, target: chain.layer(
        "Broadcast",
        chain.parameter("1,1"),
        target,
        attributes={"mode": "numpy"},
        opset=3,
    ),
    "Tile": lambda chain, target: chain.layer("Tile", chain.parameter("1,1"), target),
    "AdaptiveAvgPool": lambda chain, target: chain.layer(
        "AdaptiveAvgPool", chain.parameter("1,1,5,5"), target
    ),
    "Interpolate-1": _resized,
    "Interpolate-11": _resized_to_sizes,
    "ConvolutionBackpropData": _convolved_back,
    "RandomUniform": _random,
    "PriorBoxClustered": _boxes,
    "TopK": _best,
    "OneHot": _one_hot,
    "Eye": _identity,
    "Eye with batches": _identities,
    "Multinomial": _drawn,
    "EmbeddingSegmentsSum": _segments,
    "SegmentMax": _largest,
    "Col2Im": _image,
    "Reshape": lambda chain, target: chain.layer(
        "Reshape",
        chain.parameter("?,6"),
        target,
        attributes={"special_zero": "false"},
    ),
    "DFT": lambda chain, target: chain.layer(
        "DFT", chain.parameter("4,4,2"), chain.const(0, 1), target
    ),
}


def _targets(chain: Chain, kind: str, last: int) -> int:
    """Two lengths, of which the second is ``last``: stored in a Const, computed of Consts, or beside a length."""
    if kind == "stored":
        return chain.const(2, last)
    if kind == "computed":
        numpy = {"auto_broadcast": "numpy"}
        difference = chain.layer(
            "Subtract", chain.const(5), chain.const(5 - last), attributes=numpy
        )
        return chain.joined(chain.const(3), difference)
    length = chain.picked(chain.shape(chain.parameter("2..9,3")), 0)
    if kind == "beside an open one":
        length = chain.layer(
            "Gather",
            chain.parameter("4", "i64"),
            chain.const(0),
            chain.const(0, scalar=True),
        )
    return chain.joined(length, chain.const(last))


@pytest.mark.runtime
@pytest.mark.parametrize("reader", READERS)
def test_negative_lengths_are_refused_where_openvino_refuses_them(reader: str) -> None:
    oracle = Oracle()
    for kind in ("stored", "computed", "beside a length", "beside an open one"):
        for last in (3, -1, -2):
            chain = Chain()
            output = READERS[reader](chain, _targets(chain, kind, last))
            xml, weights = chain.write(output)
            ours, theirs = infer(xml, weights), oracle.ask(xml, weights)
            is_read = "error" not in ours or ours["stage"] == "compile"
            assert is_read == ("error" not in theirs), (kind, last, ours, theirs)


def test_the_words_name_the_input_and_the_length() -> None:
    chain = Chain()
    output = READERS["Broadcast"](chain, _targets(chain, "beside a length", -1))
    answer = infer(*chain.write(output))
    assert (
        "target_shape is computed, and may be -1, at least 0 is expected"
        in answer["error"]
    )
