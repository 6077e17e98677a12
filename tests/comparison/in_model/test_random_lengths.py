"""Lengths of open dims: conditions have one element, and a bound that is near is reached."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from crosscheck_models import requires_openvino
from unseen_models import branches

from ovgather.comparison.in_model.inputs import wanted_inputs
from ovgather.comparison.in_model.rounds import random_rounds
from ovgather.comparison.options import CrosscheckOptions
from ovgather.layers.formats import read

pytestmark = requires_openvino


def shapes(net: Any) -> list[list[tuple[int, ...]]]:
    """Of each input in each inference."""
    model: Any = read(net)
    rounds = random_rounds(model, wanted_inputs(model), CrosscheckOptions(), 0)
    return [[array.shape for array in arrays] for arrays in rounds]


def test_the_condition_of_an_if_has_one_element() -> None:
    """The specification says nothing of several; OpenVINO takes the first one."""
    import openvino

    net = branches()
    flag = net.get_parameters()[0]
    flag.set_partial_shape(openvino.PartialShape([-1]))
    net.validate_nodes_and_infer_types()
    found = shapes(net)
    assert {first for first, _ in found} == {(1,)}
    assert len({second for _, second in found}) > 2


@pytest.mark.parametrize(
    ("bound", "longest"), [(24, 24), (136, 136), (137, 17), (9, 9)]
)
def test_a_bound_that_is_near_is_reached(bound: int, longest: int) -> None:
    import openvino
    from openvino import opset13 as ops

    dim = openvino.Dimension(1, bound)
    ids = ops.parameter(openvino.PartialShape([dim]), openvino.Type.i64, name="ids")
    table = ops.constant(np.ones((4, 2), "f4"))
    rows = ops.gather(table, ids, ops.constant(0), name="rows")
    found = shapes(openvino.Model([rows], [ids], "bounded"))
    assert max(length for ((length,),) in found) == longest
