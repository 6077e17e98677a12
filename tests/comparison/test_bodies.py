"""Layers in bodies, compared in place: their values leave the body as further outputs."""

from __future__ import annotations

import sys
from typing import Any

import numpy
from crosscheck_models import requires_openvino
from paths import SHARED

from ovgather import crosscheck
from ovgather.comparison.report import Record

pytestmark = requires_openvino


def looped(grows: bool) -> Any:
    """A Loop of two iterations whose body gathers from what it carries; with ``grows`` that becomes longer."""
    import openvino
    from openvino import opset8 as ops

    rows, zero = (
        ops.parameter([-1, 4], openvino.Type.f32, name="rows"),
        ops.constant(numpy.int64(0)),
    )
    picks = ops.parameter([-1, 2], openvino.Type.i64, name="picks")
    carried, pick = (
        ops.parameter([-1, 4], openvino.Type.f32, name="carried"),
        ops.parameter([1, 2], openvino.Type.i64, name="pick"),
    )
    chosen = ops.gather(carried, ops.squeeze(pick, zero), zero)
    chosen.set_friendly_name("choose")
    total = ops.reduce_sum(chosen, zero, keep_dims=True)
    following = ops.concat([carried, chosen], 0) if grows else ops.add(carried, total)
    body = openvino.Model(
        [ops.result(following), ops.result(ops.constant(True))], [carried, pick], "body"
    )
    loop = ops.loop(ops.constant(numpy.int64(2)), ops.constant(True))
    loop.set_function(body)
    loop.set_special_body_ports([-1, 1])
    loop.set_merged_input(carried, rows.output(0), following.output(0))
    loop.set_sliced_input(pick, picks.output(0), 0, 1, 1, -1, 0)
    loop.set_friendly_name("loop")
    output = loop.get_iter_value(following.output(0), -1)
    return openvino.Model([ops.result(output)], [rows, picks], "looped")


def in_place(model: Any, **options: Any) -> Record:
    (record,) = crosscheck(model, mode="in-place", **options).records
    return record


def test_every_iteration_is_compared() -> None:
    model = looped(grows=False)
    assert in_place(model).verdict == "equal"
    given = {"rows": numpy.zeros((3, 4), "f4"), "picks": numpy.array([[0, 1], [1, 7]])}
    record = in_place(model, inputs=given)
    assert (record.verdict, record.cause) == ("equal", "outside")
    assert record.reason.startswith("1 of 2 values of the input 'pick' of its body is")
    assert "outside [-3, 2], the first is 7 at [1]" in record.reason


def test_a_crash_outside_of_a_body_is_not_that_of_its_layers() -> None:
    from openvino import Model, Type
    from openvino import opset8 as ops

    model = looped(grows=False)
    at = ops.parameter([-1, 1], Type.i64, name="at")
    numbers = ops.constant(numpy.arange(6, dtype="f4"))
    tuples = ops.gather_nd(numbers, at, name="tuples")
    right = ops.gather(numbers, at, ops.constant(0), name="right")
    results = [*model.get_results(), ops.result(tuples), ops.result(right)]
    model = Model(results, [*model.get_parameters(), at], "both")
    start = [sys.executable, str(SHARED / "unseen_openvino.py"), "aborts_on_tuples"]
    records = crosscheck(model, mode="in-place", start=start).records
    verdicts = {each.layer.name: each.verdict for each in records}
    assert verdicts == {"tuples": "crash", "right": "equal", "choose": "equal"}


def test_values_that_change_their_shape_cannot_leave() -> None:
    record = in_place(looped(grows=True))
    assert record.verdict == "skipped"
    assert record.reason == (
        "its values have other shapes in other iterations, and cannot leave its body"
    )
