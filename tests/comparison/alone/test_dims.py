"""Every step keeps a layer valid, and what it still gathers stays what it was."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from reduce_trials import random_trial, trial

from ovgather.comparison.alone.dims import dims_of, focused, keep, shorter, without
from ovgather.comparison.reduce.plainer import (
    plain_data,
    plainer,
    plainer_forms,
    weight,
)
from ovgather.ops import openvino as ops
from ovgather.ops.sampling.random_layer import LayerChoice
from ovgather.runtimes.trial import Trial
from ovgather.tensor.element_type import ALL, named
from ovgather.tensor.shape import PartialShape

INSIDE = LayerChoice(negative=True, outside=False, empty=False, max_length=4)
TABLE = np.arange(12).reshape(4, 3)


@pytest.mark.parametrize("seed", range(40))
def test_every_step_leaves_a_valid_layer(seed: int) -> None:
    whole = random_trial(Random(seed), INSIDE)
    for step in (shorter, plainer, plainer_forms):
        for smaller in step(whole):
            shapes = [
                PartialShape.of(list(array.shape))
                for array in (smaller.data, smaller.indices)
            ]
            call = {
                "axis": smaller.axis,
                "batch_dims": smaller.batch_dims,
                "element_types": smaller.element_types,
            }
            assert not smaller.operation.check(shapes, **call), (whole, smaller)
            assert smaller.data.dtype == smaller.element_types[0].dtype
            assert smaller.indices.dtype == smaller.element_types[1].dtype
            if step is shorter and smaller.data.size:
                smaller.want()  # no index that was inside has come to be outside


@pytest.mark.parametrize("seed", range(40))
def test_what_is_kept_is_gathered_as_before(seed: int) -> None:
    whole = random_trial(Random(seed), INSIDE)
    want = whole.want()
    if not want.size:
        return
    place = tuple(Random(seed).randrange(length) for length in want.shape)
    alone = focused(whole, place)
    assert alone is not None
    assert alone.want().size == 1
    assert str(alone.want().ravel()[0]) == str(want[place])


def test_an_index_points_at_the_same_value_after_a_cut() -> None:
    whole = trial("Gather", "opset8", ("i32", "i64"), TABLE, [0, 3, -1, 5, -7])
    axis = next(dim for dim in dims_of(whole) if dim.part == 0)
    cut = keep(whole, axis, [0, 3])
    assert cut.indices.tolist() == [0, 1, -1, 3, -5]
    assert cut.want()[:3].tolist() == whole.want()[:3].tolist()


def test_attributes_follow_the_dims() -> None:
    data, indices = np.zeros((2, 3, 4, 5)), np.zeros((2, 6), int)
    for axis, batch_dims, want in ((2, 1, (1, 0)), (-2, -1, (-2, -1))):
        whole = trial(
            "Gather",
            "opset8",
            ("f32", "i32"),
            data,
            indices,
            axis,
            batch_dims=batch_dims,
        )
        smaller = without(whole, dims_of(whole)[0], 0)
        assert (smaller.axis, smaller.batch_dims) == want
        smaller.want()


def test_a_part_of_a_tuple_goes_with_its_dim() -> None:
    whole = trial("GatherND", "opset8", ("i32", "i64"), TABLE, [[1, 2], [3, 0]], None)
    smaller = without(whole, dims_of(whole)[0], 2)
    assert smaller.indices.tolist() == [[2], [0]]
    assert smaller.want().tolist() == TABLE[2][[2, 0]].tolist()


@pytest.mark.parametrize("element_type", [each for each in ALL if each.bits], ids=str)
def test_plain_data_is_of_its_type(element_type: object) -> None:
    data = plain_data(element_type, (2, 2))  # type: ignore[arg-type]
    assert data.dtype == element_type.dtype  # type: ignore[attr-defined]
    assert len(set(map(str, data.ravel().tolist()))) >= 2


def test_the_lighter_trial_is_the_simpler_one() -> None:
    large = trial("Gather", "opset8", ("f32", "i64"), np.zeros((2, 2)), [0])
    small = trial("Gather", "opset8", ("f32", "i64"), np.zeros((1, 2)), [0])
    plain = trial(
        "Gather",
        "opset8",
        ("f32", "i64"),
        plain_data(small.element_types[0], (1, 2)),
        [0],
    )
    assert weight(plain) < weight(small) < weight(large)
    assert weight(plain) < weight(
        plain._replace(placement=plain.placement._replace(static=True))
    )


def test_strings_that_shrink_to_a_scalar_stay_strings() -> None:
    operation = ops.find("Gather", "opset8")
    assert operation is not None
    words = np.array(["a", "\x1b[2Jb", "c"], object)
    types = named("string"), named("i32")
    text = Trial(operation, "opset8", types, words, np.array([1], "i4"), 0, 0)
    for smaller in shorter(text):
        assert smaller.data.dtype == smaller.want().dtype == object
        assert smaller.model().text
