"""The facts that operations declare, and that random indices keep to them."""

from __future__ import annotations

from random import Random

import pytest

from ovgather.ir.read import read
from ovgather.ops import onnx, openvino
from ovgather.ops.operation import Operation
from ovgather.ops.sampling.random_layer import LayerChoice, random_layer
from ovgather.testing.assertions import one_layer
from ovgather.verbs.run import prepare

FACTS = {
    "Gather-1": ("excluded", "undefined"),
    "Gather-7": ("excluded", "undefined"),
    "Gather-8": ("counted", "zeros"),
    "GatherElements-6": ("tolerated", "error"),
    "GatherND-5": ("excluded", "undefined"),
    "GatherND-8": ("counted", "undefined"),
}


def test_indices_of_openvino() -> None:
    facts = {
        each.name: (each.negative_indices, each.out_of_range)
        for each in openvino.OPERATIONS
    }
    assert facts == FACTS


def test_indices_of_onnx() -> None:
    assert {operation.out_of_range for operation in onnx.OPERATIONS} == {"error"}
    excluded = [
        operation.name
        for operation in onnx.OPERATIONS
        if not operation.allows_negative_indices
    ]
    assert excluded == ["Gather-1"]


def test_shapes() -> None:
    found = {each.name: each for each in openvino.OPERATIONS}
    gather, elements, tuples = (
        found["Gather-8"],
        found["GatherElements-6"],
        found["GatherND-8"],
    )
    assert (gather.has_axis, gather.takes_axis, gather.has_batch_dims) == (
        True,
        True,
        True,
    )
    assert (elements.has_axis, elements.takes_axis, elements.has_batch_dims) == (
        True,
        False,
        False,
    )
    assert (tuples.has_axis, tuples.takes_axis, tuples.has_batch_dims) == (
        False,
        False,
        True,
    )
    assert [name for name, each in found.items() if not each.has_batch_dims] == [
        "Gather-1",
        "GatherElements-6",
    ]
    assert [name for name, each in found.items() if each.joins_batch_dims] == [
        "GatherND-5"
    ]
    assert gather.index_sizes((2, 3, 4), (7,), -1, 0) == [4]
    assert gather.index_sizes((2, 3, 4), (7,), None, 0) == []
    assert elements.index_sizes((2, 3), (2, 9), 1, 0) == [3]
    assert tuples.index_sizes((2, 3, 4), (2, 2), 0, 1) == [3, 4]
    assert tuples.index_sizes((2, 3, 4), (2, 0), None, 1) == []


@pytest.mark.parametrize("operation", openvino.OPERATIONS, ids=str)
def test_run_draws_negative_indices_only_where_they_are_allowed(
    operation: Operation,
) -> None:
    choice = LayerChoice((operation,), ("f32",), ("i64",), empty=False)
    drawn = False
    for seed in range(20):
        model = one_layer(random_layer(Random(seed), choice))
        indices = prepare(read(model.text, model.weights), seed=seed).evidence.indices
        drawn = drawn or bool((indices < 0).any())
    assert drawn == operation.allows_negative_indices
