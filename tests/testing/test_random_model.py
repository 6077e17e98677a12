"""Random layers and models: valid by default, of every kind that is asked for, and run by OpenVINO as they should."""

from __future__ import annotations

from random import Random

import numpy
import pytest

import ovgather
from ovgather.errors import IndexOutOfRangeError, InvalidModelError
from ovgather.ops import openvino as ops
from ovgather.ops.sampling.random_layer import (
    ELEMENT_TYPES,
    LayerChoice,
    choose_operations,
    random_layer,
)
from ovgather.tensor import element_type
from ovgather.tensor.shape import PartialShape
from ovgather.testing.random_model import random_model

SEEDS = range(250)
ALL_TYPES = tuple(item.name for item in element_type.ALL if item.name != "dynamic")


def problems(layer: object) -> object:
    operation, _, data_type, index_type, data, indices, axis, batch_dims = layer  # type: ignore[misc]
    shapes = [PartialShape.of(data.shape), PartialShape.of(indices.shape)]
    known = axis if operation.axis_from else None
    return operation.check(
        shapes, axis=known, batch_dims=batch_dims, element_types=[data_type, index_type]
    )


def test_layers_are_valid_and_of_every_kind() -> None:
    drawn = [random_layer(Random(seed)) for seed in SEEDS]
    assert not any(map(problems, drawn))
    assert all(layer.expected().dtype == layer.data_type.dtype for layer in drawn)
    assert {layer.operation for layer in drawn} == set(ops.OPERATIONS)
    assert {layer.data_type.name for layer in drawn} == set(ELEMENT_TYPES)
    for operation in ops.OPERATIONS:
        mine = [layer for layer in drawn if layer.operation is operation]
        assert {layer.opset for layer in mine} == set(operation.opsets)
        assert {layer.data.ndim for layer in mine} == {1, 2, 3, 4}
        assert any(0 in layer.data.shape for layer in mine)
        assert any(0 in layer.indices.shape for layer in mine)
        assert any(1 in layer.data.shape for layer in mine)
        assert any(layer.batch_dims > 0 for layer in mine) == (
            "batch_dims" in mine[0].attributes
        )
        assert any(layer.axis < 0 for layer in mine) == bool(operation.axis_from)
        assert any(layer.batch_dims < 0 for layer in mine) == (
            operation.name in ("Gather-7", "Gather-8")
        )


@pytest.mark.parametrize("operation", ops.OPERATIONS, ids=str)
def test_indices_go_as_far_as_the_version_defines(operation: ops.Operation) -> None:
    drawn = [
        random_layer(Random(seed), LayerChoice((operation,), max_rank=2))
        for seed in SEEDS
    ]
    negative = any(
        layer.indices.size and int(layer.indices.min()) < 0 for layer in drawn
    )
    assert negative == (operation.name not in ("Gather-1", "Gather-7", "GatherND-5"))
    if operation.axis_from:
        pointing = [layer for layer in drawn if layer.indices.size]
        beyond = any(
            int(layer.indices.max()) >= layer.data.shape[layer.axis]
            for layer in pointing
        )
        assert beyond == (operation.name == "Gather-8")


@pytest.mark.parametrize("operation", ops.OPERATIONS, ids=str)
def test_what_is_not_defined_is_drawn_when_asked_for(operation: ops.Operation) -> None:
    refused = negative = 0
    for seed in SEEDS:
        layer = random_layer(
            Random(seed), LayerChoice((operation,), negative=True, outside=True)
        )
        assert not problems(layer)
        negative += bool(layer.indices.size and int(layer.indices.min()) < 0)
        try:
            layer.expected()
        except IndexOutOfRangeError:
            refused += 1
    assert negative
    assert bool(refused) == (operation.type != "Gather")
    calm = [
        random_layer(
            Random(seed), LayerChoice((operation,), negative=False, outside=False)
        )
        for seed in SEEDS
    ]
    assert all(
        not layer.indices.size or int(layer.indices.min()) >= 0 for layer in calm
    )


def test_types_and_sizes_that_are_asked_for() -> None:
    choice = LayerChoice(
        element_types=ALL_TYPES,
        index_types=ALL_TYPES,
        empty=False,
        max_rank=2,
        max_length=3,
    )
    drawn = [random_layer(Random(seed), choice) for seed in SEEDS]
    assert not any(map(problems, drawn))
    assert {layer.data_type.name for layer in drawn} == set(ALL_TYPES)
    assert {layer.index_type.name for layer in drawn} == {
        item.name for item in element_type.ALL if item.is_integral
    }
    for layer in drawn:
        layer.expected()
        assert layer.data.size
        assert layer.indices.size
        assert max(layer.data.shape) <= 3
        assert layer.data.ndim <= 2


def test_wide_data_needs_64_bits() -> None:
    for wide in (False, True):
        choice = LayerChoice(element_types=("i64",), wide=wide, empty=False)
        drawn = [random_layer(Random(seed), choice).data for seed in range(20)]
        assert (
            any(abs(int(value)) >= 1 << 31 for data in drawn for value in data.ravel())
            == wide
        )


@pytest.mark.parametrize(
    "name", [item.name for item in element_type.ALL if item.is_real and item.bits >= 8]
)
def test_plain_data_are_ordinary_numbers(name: str) -> None:
    for seed in range(20):
        data = random_layer(
            Random(seed), LayerChoice(element_types=(name,), plain=True)
        ).data.astype("f8")
        assert ((abs(data) >= 0.4) & (abs(data) <= 2)).all()


class Smallest(Random):
    """What hypothesis shrinks to."""

    def randint(self, a: int, b: int) -> int:
        return max(a, min(0, b))

    def choice(self, seq: object) -> object:
        return seq[0]  # type: ignore[index]


@pytest.mark.parametrize("name", ALL_TYPES)
def test_the_smallest_layer_is_plain(name: str) -> None:
    layer = random_layer(Smallest(), LayerChoice(element_types=(name,), max_rank=1))
    assert (layer.data.shape, layer.indices.shape, layer.indices.tolist()) == (
        (1,),
        (),
        0,
    )
    shape = tuple(layer.data.shape)
    assert layer.expected().shape == ()
    assert shape == (1,)


def test_messages() -> None:
    with pytest.raises(InvalidModelError) as caught:
        random_layer(
            Random(0),
            LayerChoice(choose_operations(["GatherElements"]), index_types=("u8",)),
        )
    assert str(caught.value) == "none of GatherElements-6 takes indices of type u8"
    with pytest.raises(InvalidModelError) as caught:
        random_layer(Random(0), LayerChoice(element_types=("float",)))
    assert str(caught.value) == "element type 'float' is none of OpenVINO's"
    with pytest.raises(InvalidModelError) as caught:
        choose_operations(["Gather-2"])
    assert str(caught.value) == (
        "no operation is called 'Gather-2': there are"
        " Gather-1, Gather-7, Gather-8, GatherElements-6, GatherND-5, GatherND-8"
    )


def test_models_hold_what_they_say() -> None:
    lengths, parameters = set(), set()
    for seed in range(150):
        model = random_model(Random(seed))
        read = ovgather.read(model.text, model.weights)
        errors = [
            str(found) for found in ovgather.validate(read) if found.severity == "error"
        ]
        assert not errors
        lengths.add(len(model.layers))
        named = {layer.name for layer in read.layers() if layer.type == "Parameter"}
        assert named == set(model.inputs)
        parameters.add(len(named))
    assert lengths == {1, 2, 3}
    assert {0, 1, 2, 3} <= parameters


def test_models_as_they_are_asked_for() -> None:
    whole = LayerChoice(element_types=("f32",))
    for seed in range(40):
        assert not random_model(Random(seed), whole, constant=True).inputs
        model = random_model(
            Random(seed), whole, constant=False, dynamic=False, length=1
        )
        assert set(model.inputs) == {"data_0", "indices_0"}
        assert b"-1</dim>" not in model.text
        assert numpy.array_equal(
            model.expected, model.layers[0].expected(), equal_nan=True
        )
