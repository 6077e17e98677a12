"""Healthy models that do not run on random inputs are no failures of theirs."""

import numpy as np
import pytest

import ovgather
from ovgather.ir.writer import Flow, Writer, WrittenTensor
from ovgather.tensor.element_type import named
from ovgather.tensor.shape import PartialShape

pytest.importorskip("openvino")

F32, I64 = named("f32"), named("i64")


def tensor(kind: str, *dims: int) -> WrittenTensor:
    return WrittenTensor(named(kind), PartialShape.of(dims))


def integers(writer: Writer, *values: int) -> Flow:
    return writer.const(f"c{writer.next}", I64, np.array(values, "i8"))


def outcome(writer: Writer, output: Flow) -> tuple[str, str]:
    writer.result("out", output)
    report = ovgather.crosscheck(
        writer.text, weights=writer.weights, mode="in-place", variants=()
    )
    (record,) = report.records
    return record.verdict, record.reason


def test_a_reshape_to_a_length_that_no_random_input_has() -> None:
    writer = Writer("m")
    data = writer.parameter("data", tensor("f32", 2, 6))
    target = writer.parameter("target", tensor("i64", 2))
    reshaped = writer.layer(
        "reshape",
        "Reshape",
        "opset1",
        {"special_zero": "false"},
        [data, target],
        tensor("f32", -1, -1),
    )
    gather = writer.layer(
        "pick",
        "Gather",
        "opset8",
        {"batch_dims": "0"},
        [reshaped, integers(writer, 0), writer.number("axis", I64, 0)],
        tensor("f32", 1, -1),
    )
    verdict, reason = outcome(writer, gather)
    assert verdict == "skipped"
    assert "not compared: the model refuses these inputs, give some" in reason


def test_indices_that_random_inputs_lead_out_of_range() -> None:
    writer = Writer("m")
    table = writer.const("table", F32, np.ones((10, 3), "f4"))
    given = writer.parameter("given", tensor("i64", 4, 1))
    sums = writer.layer(
        "add",
        "Add",
        "opset1",
        {"auto_broadcast": "numpy"},
        [given, integers(writer, 12)],
        tensor("i64", 4, 1),
    )
    gather = writer.layer(
        "pick",
        "GatherND",
        "opset8",
        {"batch_dims": "0"},
        [table, sums],
        tensor("f32", 4, 3),
    )
    verdict, reason = outcome(writer, gather)
    assert verdict == "skipped"
    assert "random inputs lead to indices that the specification" in reason


def test_open_dims_are_as_long_as_constant_indices_need() -> None:
    writer = Writer("m")
    data = writer.parameter("data", tensor("f32", -1, -1))
    indices = writer.const("indices", I64, np.array([[20, 6], [3, 11]]))
    gather = writer.layer(
        "pick",
        "GatherND",
        "opset8",
        {"batch_dims": "0"},
        [data, indices],
        tensor("f32", 2),
    )
    assert outcome(writer, gather) == ("equal", "")
