"""ONNX files: what is read of them, and what ``validate`` finds."""

from __future__ import annotations

from typing import Any

import numpy
import onnx_models as models
import pytest
from onnx_child import requires_onnx
from onnx_models import findings

import ovgather

pytestmark = requires_onnx


@pytest.mark.parametrize(
    ("kind", "arguments", "named", "code", "message"),
    [
        (
            "GatherElements",
            ([3, 4], [3, 4]),
            {"axis": 5},
            "OVG807",
            "axis 5 is out of range [-2, 1] for data of rank 2: data [3,4], indices [3,4], axis 5",
        ),
        (
            "GatherND",
            ([3, 4], [3, 4, 1]),
            {"batch_dims": 2},
            "OVG807",
            "batch_dims 2 must be below the rank of data, which is 2: data [3,4], indices [3,4,1], batch_dims 2",
        ),
        (
            "GatherElements",
            ([3, 4], [3]),
            {},
            "OVG808",
            "data and indices must have the same rank, not 2 and 1: data [3,4], indices [3], axis 0",
        ),
        (
            "GatherElements",
            ([3, 4], [3, 5]),
            {},
            "OVG808",
            "dim 1 is 4 in data but 5 in indices, and only dim 0, the axis, may be longer:"
            " data [3,4], indices [3,5], axis 0",
        ),
        (
            "GatherElements",
            ([3, 4], [2, 4], [9, 4]),
            {},
            "OVG809",
            "output dim 0 is declared 9, but 2 is inferred from the inputs",
        ),
        (
            "Gather",
            ([3, "n"], [2], [2]),
            {},
            "OVG809",
            "the output is declared [2], but [2,n] is inferred from the inputs",
        ),
        (
            "Gather",
            ([3, 4], [2]),
            {"types": ("float", "int64", "double")},
            "OVG809",
            "the output is declared tensor(double), but data are tensor(float)",
        ),
        (
            "GatherND",
            ([3, 4], [2, 1]),
            {"types": ("float", "int32", "float")},
            "OVG806",
            "indices must be tensor(int64), not tensor(int32): data tensor(float), indices tensor(int32)",
        ),
        (
            "GatherElements",
            ([3], [2]),
            {"types": ("bfloat16", "int64", "bfloat16"), "opset": 12},
            "OVG806",
            "GatherElements-11 takes no data of tensor(bfloat16): data tensor(bfloat16), indices tensor(int64)",
        ),
        (
            "GatherElements",
            ([3], [2]),
            {"opset": 10},
            "OVG803",
            "opset 10 has no GatherElements: opset 11 is the first that has one",
        ),
        (
            "GatherND",
            ([3, 4], [2, 1]),
            {"opset": 11, "batch_dims": 0},
            "OVG804",
            "GatherND-11 has no attribute `batch_dims`",
        ),
        (
            "Gather",
            ([3, 4], [2]),
            {"axes": 1},
            "OVG804",
            "Gather-13 has no attribute `axes`; did you mean `axis`?",
        ),
        (
            "Gather",
            ([3, 4], [2]),
            {"axis": 1.5},
            "OVG804",
            "attribute `axis` must be an integer",
        ),
    ],
)
def test_one_finding(
    kind: str, arguments: Any, named: dict[str, Any], code: str, message: str
) -> None:
    assert findings(models.one_node(kind, *arguments, **named)) == [
        (code, "error", message)
    ]


@pytest.mark.parametrize(
    "model",
    [
        ("GatherElements", [3, 4], [3, 9], [3, 9], {"axis": 1}),
        ("GatherElements", [3, 4], [3, 1], None, {"axis": 1}),
        ("GatherElements", ["n", "m"], ["k", None], ["k", 5], {}),
        ("GatherND", ["b", 3, 4], ["b", 2], ["b"], {"batch_dims": 1}),
        ("Gather", [3, 4], [2], None, {"types": ("string", "int32", "string")}),
    ],
)
def test_nothing_is_wrong(model: Any) -> None:
    kind, data, indices, output, named = model
    assert findings(models.one_node(kind, data, indices, output, **named)) == []


def test_any_axis_fits_data_of_unknown_rank() -> None:
    found = findings(models.one_node("Gather", None, None, None, axis=9))
    assert [code for code, _, _ in found] == ["OVG816"] * 2  # the inputs have no shape


def test_onnx_passes_what_is_found_here() -> None:
    import onnx

    for made in (
        models.one_node("GatherElements", [3, 4], [3, 4], [3, 4], axis=5),
        models.one_node("GatherElements", [3, 4], [3], [3]),
    ):
        onnx.checker.check_model(made, full_check=True)
        assert len(findings(made)) == 1


def test_constants() -> None:
    inputs, outputs = (
        [models.value("data", "float", [3, "n", 4])],
        [models.value("y", "float", None)],
    )

    def checked(
        nodes: list[Any], constants: list[Any] | None = None
    ) -> list[tuple[str, str, str]]:
        return findings(models.model(models.graph(nodes, inputs, outputs, constants)))

    pick = models.node("Gather", "data i", "y")
    wrong = (
        "OVG810",
        "error",
        "2 of 3 constant indices outside [-3, 2]: 7 at position [1]",
    )
    assert checked([pick], [models.constant("i", [0, 7, -9])]) == [wrong]
    assert checked([pick], [models.constant("i", [0, 2, -3])]) == []
    assert checked([models.node("Constant", "", "i", value_ints=[0, 7, -9]), pick]) == [
        wrong
    ]
    named = [
        models.node("Constant", "", "k", value_int=3),
        models.node("Identity", "k", "i"),
        pick,
    ]
    assert checked(named) == [
        ("OVG810", "error", "1 of 1 constant indices outside [-3, 2]: 3")
    ]
    tuples = models.node("GatherND", "data i", "y")
    wrong = (
        "OVG810",
        "error",
        "1 of 2 constant indices of part 0 of the tuples outside [-3, 2]: -4 at position [1]",
    )
    assert checked([tuples], [models.constant("i", [[0, 9], [-4, 1]])]) == [wrong]
    assert (
        checked(
            [models.node("Gather", "data i", "y", axis=1)],
            [models.constant("i", [0, 7, -9])],
        )
        == []
    )


def test_inputs_that_are_not_there() -> None:
    from onnx import helper

    def checked(*names: str) -> list[tuple[str, str, str]]:
        made = [helper.make_node("Gather", list(names), ["y"])]
        inputs = [
            models.value(name, "int64", [2]) for name in dict.fromkeys(names) if name
        ]
        return findings(
            models.model(models.graph(made, inputs, [models.value("y", "int64", None)]))
        )

    assert (
        "OVG805",
        "error",
        "Gather-13 takes 2 inputs (data, indices), but is given 1",
    ) in checked("data")
    assert (
        "OVG805",
        "error",
        "Gather-13 takes 2 inputs (data, indices), but is given 3",
    ) in checked("a", "b", "c")
    assert ("OVG805", "error", "input data is left out") in checked("", "i")


def test_operations_of_other_domains_are_named() -> None:
    made = models.one_node("GatherND", [3, 4], [2, 1], [2, 4], domain="com.microsoft")
    made.opset_import.add(domain="com.microsoft", version=1)
    assert [str(item) for item in ovgather.validate(made)] == [
        "<onnx.ModelProto>: note[OVG803]: node 'pick' is a GatherND of the domain com.microsoft: it is not checked"
    ]


@pytest.mark.parametrize(
    "positions", [[1, 5], [[0, 1], [1, 2]]], ids=["flat", "for each dim"]
)
def test_sparse_initializers_are_constants(positions: Any) -> None:
    from onnx import helper, numpy_helper

    values = numpy_helper.from_array(numpy.array([2, -9], "i8"), "indices")
    where = numpy_helper.from_array(numpy.array(positions, "i8"), "where")
    made = models.one_node("Gather", [3, 4], [2, 3], [2, 3, 4])
    del made.graph.input[1]
    made.graph.sparse_initializer.append(
        helper.make_sparse_tensor(values, where, [2, 3])
    )
    [gather] = ovgather.gather_layers(made)
    constant = gather.inputs[1].constant
    assert constant is not None
    assert constant.tolist() == [[0, 2, 0], [0, 0, -9]]
    found = [item.code for item in ovgather.validate(made)]
    assert found == ["OVG817", "OVG810"]  # OpenVINO reads no sparse constant
    made.graph.sparse_initializer[0].values.CopyFrom(
        numpy_helper.from_array(numpy.array([2, 1], "i8"), "indices")
    )
    [converted] = ovgather.convert(made)
    assert converted.inputs[1] == "indices: Const 'indices' i64 [2,3]"
    where.CopyFrom(numpy_helper.from_array(numpy.array([1, 6], "i8"), "where"))
    made.graph.sparse_initializer[0].indices.CopyFrom(where)
    with pytest.raises(
        ovgather.InvalidModelError, match="its indices are outside its 6 elements"
    ):
        ovgather.convert(made)


def test_elements_of_an_empty_axis_are_guarded() -> None:
    [converted] = ovgather.convert(
        models.one_node("GatherElements", [0, 4], [2, 4], [2, 4], axis=0)
    )
    assert converted.notes == (
        "a guard before the indices makes an index outside an error: data have length 0 there",
    )
    assert b"LogicalOr" in converted.text
    [converted] = ovgather.convert(
        models.one_node("GatherElements", ["n", 4], [2, 4], [2, 4], axis=0)
    )
    assert "OpenVINO reads what it should not" in converted.notes[0]
    assert (
        ovgather.convert(
            models.one_node("GatherElements", [0, 4], [0, 4], [0, 4], axis=0)
        )[0].notes
        == ()
    )
