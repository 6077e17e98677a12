"""What the table of portability says of OpenVINO's CPU plugin, measured."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
from converted_child import needs_openvino, run

from ovgather.ops.openvino import find as find_operation
from ovgather.runtimes.trial import Placement, Trial
from ovgather.tensor.element_type import find
from ovgather.verbs.portability import COLUMNS, ROWS

ERROR = object()
THREE = numpy.arange(3, dtype="f4")
ROWS_OF_3 = numpy.arange(6, dtype="f4").reshape(3, 2)
BATCHES = numpy.arange(8, dtype="f4").reshape(2, 2, 2)
TUPLES = [[[0], [1]], [[1], [0]]]
BIG = numpy.array([1 << 40, -(1 << 40) - 1])

# Case, what the table says, then the type, the opset, data, indices, axis, batch_dims, and what comes out.
MEASURED: list[tuple[Any, ...]] = [
    (
        "Gather: index past the end",
        "zeros",
        "Gather",
        8,
        THREE[:, None],
        [3],
        0,
        0,
        [[0]],
    ),
    (
        "Gather: negative index",
        "from the end (Gather-1, -7: zeros)",
        "Gather",
        8,
        THREE,
        [-1],
        0,
        0,
        [2],
    ),
    (
        "Gather: negative index",
        "from the end (Gather-1, -7: zeros)",
        "Gather",
        7,
        THREE,
        [-1],
        0,
        0,
        [0],
    ),
    ("Gather: scalar indices", "runs", "Gather", 8, THREE, 1, 0, 0, 1),
    (
        "Gather: batch_dims",
        "runs",
        "Gather",
        8,
        ROWS_OF_3,
        [[1], [0], [1]],
        1,
        1,
        [[1], [2], [5]],
    ),
    (
        "GatherElements: index outside",
        "error",
        "GatherElements",
        6,
        THREE,
        [3],
        0,
        0,
        ERROR,
    ),
    (
        "GatherElements: negative index",
        "from the end",
        "GatherElements",
        6,
        THREE,
        [-1],
        0,
        0,
        [2],
    ),
    (
        "GatherElements: smaller off the axis",
        "refuses the model",
        "GatherElements",
        6,
        ROWS_OF_3,
        [[2]],
        0,
        0,
        ERROR,
    ),
    (
        "GatherND: negative index",
        "from the end",
        "GatherND",
        8,
        THREE,
        [[-1]],
        None,
        0,
        [2],
    ),
    (
        "GatherND: batch_dims 2",
        "two dims (GatherND-5: one)",
        "GatherND",
        8,
        BATCHES,
        TUPLES,
        None,
        2,
        [[0, 3], [5, 6]],
    ),
    (
        "GatherND: batch_dims 2",
        "two dims (GatherND-5: one)",
        "GatherND",
        5,
        BATCHES,
        TUPLES,
        None,
        2,
        [0, 3, 5, 6],
    ),
    (
        "indices of int8, uint8, uint64, ...",
        "runs",
        "Gather",
        8,
        THREE,
        numpy.array([2], "u1"),
        0,
        0,
        [2],
    ),
    (
        "data of int64, uint64, double",
        "narrowed to 32 bits",
        "Gather",
        8,
        BIG,
        [1],
        0,
        0,
        [-1],
    ),
]


def case(
    kind: str, version: int, data: Any, indices: Any, axis: int | None, batch_dims: int
) -> Any:
    indices = (
        numpy.asarray(indices)
        if isinstance(indices, numpy.ndarray)
        else numpy.asarray(indices, "i8")
    )
    types = [
        find({"float32": "f32", "int64": "i64", "uint8": "u8"}[array.dtype.name])
        for array in (data, indices)
    ]
    operation = find_operation(kind, f"opset{version}")
    trial = Trial(
        operation,
        f"opset{version}",
        tuple(types),
        data,
        indices,
        axis,
        batch_dims,
        Placement(static=False),
    )  # type: ignore[arg-type]
    model = trial.model()
    return (
        "openvino",
        model.text,
        bytes(model.weights),
        {"data": data, "indices": indices},
    )


@needs_openvino
def test_what_is_said_was_measured() -> None:
    said = {case: cells[COLUMNS.index("OpenVINO CPU")] for case, cells in ROWS.items()}
    answers = run([case(*measured[2:8]) for measured in MEASURED])
    for (name, claim, *_, want), got in zip(MEASURED, answers, strict=True):
        assert said[name] == claim
        assert isinstance(got, str) if want is ERROR else got.tolist() == want, (
            name,
            got,
        )


@pytest.mark.parametrize("case", ROWS)
def test_no_row_is_empty(case: str) -> None:
    assert COLUMNS[:2] == ["ONNX", "IR"]
    assert all(ROWS[case][:2])
