"""What the table of portability says of ONNX Runtime and of onnx's reference, measured."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
from onnx_child import ask, requires_onnx

from ovgather.verbs.portability import COLUMNS, ROWS, text

ERROR = object()
ROWS_OF_3 = numpy.arange(6, dtype="f4").reshape(3, 2)
THREE = numpy.arange(3, dtype="f4")
BIG = numpy.array([1 << 40, -(1 << 40) - 1])
WORDS = numpy.array([["a", "b"], ["c", "d"]], object)
BATCHES = numpy.arange(8, dtype="f4").reshape(2, 2, 2)

# Case, ONNX Runtime's and the reference's claim, then a layer, and what either gives (None: not tried).
MEASURED: list[tuple[str, str, str, str, Any, Any, dict[str, int], Any, Any]] = [
    (
        "Gather: index past the end",
        "error",
        "error",
        "Gather",
        THREE,
        [3],
        {},
        ERROR,
        ERROR,
    ),
    (
        "Gather: negative index",
        "from the end",
        "from the end",
        "Gather",
        THREE,
        [-1],
        {},
        [2],
        [2],
    ),
    ("Gather: scalar indices", "runs", "runs", "Gather", THREE, 1, {}, 1, 1),
    (
        "GatherElements: index outside",
        "error",
        "wraps round",
        "GatherElements",
        THREE,
        [3, 4],
        {},
        ERROR,
        [0, 1],
    ),
    (
        "GatherElements: negative index",
        "from the end",
        "from the end",
        "GatherElements",
        THREE,
        [-1],
        {},
        [2],
        [2],
    ),
    (
        "GatherElements: smaller off the axis",
        "runs",
        "error",
        "GatherElements",
        ROWS_OF_3,
        [[2]],
        {},
        [[4]],
        ERROR,
    ),
    (
        "GatherElements: no axis",
        "0",
        "0",
        "GatherElements",
        ROWS_OF_3,
        [[2, 1]],
        {},
        [[4, 3]],
        [[4, 3]],
    ),
    (
        "GatherND: index outside",
        "error",
        "error",
        "GatherND",
        THREE,
        [[3]],
        {},
        ERROR,
        ERROR,
    ),
    (
        "GatherND: negative index",
        "from the end",
        "from the end",
        "GatherND",
        THREE,
        [[-1]],
        {},
        [2],
        [2],
    ),
    (
        "GatherND: batch_dims 2",
        "two dims",
        "two dims",
        "GatherND",
        BATCHES,
        [[[0], [1]], [[1], [0]]],
        {"batch_dims": 2},
        [[0, 3], [5, 6]],
        [[0, 3], [5, 6]],
    ),
    (
        "GatherND: empty index tuples",
        "runs",
        "",
        "GatherND",
        THREE,
        numpy.zeros((1, 0), "i8"),
        {},
        [[0, 1, 2]],
        None,
    ),
    (
        "data of int64, uint64, double",
        "exact",
        "exact",
        "Gather",
        BIG,
        [1],
        {},
        [BIG[1]],
        [BIG[1]],
    ),
    (
        "data of text",
        "runs (Gather: the first of each slice only)",
        "runs",
        "Gather",
        WORDS,
        [1],
        {},
        [["c", ""]],
        [["c", "d"]],
    ),
    (
        "data of complex numbers",
        "refuses the model",
        "runs",
        "Gather",
        THREE.astype("c8"),
        [1],
        {},
        ERROR,
        [1],
    ),
    (
        "indices of int8, uint8, uint64, ...",
        "refuses the model",
        "",
        "Gather",
        THREE,
        [1],
        {},
        ERROR,
        None,
    ),
]
TYPES = {"f": "float", "i": "int64", "O": "string", "c": "complex64"}


@requires_onnx
@pytest.mark.parametrize("measured", MEASURED, ids=lambda measured: measured[0])
def test_what_is_said_was_measured(measured: Any) -> None:
    case, onnxruntime, reference, kind, data, indices, attributes, *wanted = measured
    said = dict(zip(COLUMNS, ROWS[case], strict=True))
    assert (said["ONNX Runtime"], said["onnx reference"]) == (onnxruntime, reference)
    indices = numpy.asarray(indices, "i1" if "int8" in case else "i8")
    layer = {
        "type": kind,
        "opset": 13,
        "data": list(data.shape),
        "indices": list(indices.shape),
        "data_type": TYPES[data.dtype.kind],
        "indices_type": indices.dtype.name,
        "attributes": attributes,
    }
    for task, want in zip(("execute", "evaluate"), wanted, strict=True):
        if want is None:
            continue
        outcome, got = ask(task, {**layer, "arrays": (data, indices)})
        if want is ERROR:
            assert outcome == "error", (task, got)
        else:
            assert outcome == "output", (task, got)
            assert numpy.asarray(got).tolist() == numpy.asarray(want).tolist(), task


def test_every_claim_is_measured_or_empty() -> None:
    told = {
        case for case, cells in ROWS.items() if cells[COLUMNS.index("ONNX Runtime")]
    }
    assert told == {measured[0] for measured in MEASURED}


def test_the_table_as_text() -> None:
    lines = text().splitlines()
    at = lines.index("GatherElements: smaller off the axis")
    assert lines[at + 1 : at + 6] == [
        "    ONNX            allowed",
        "    IR              not allowed",
        "    ONNX Runtime    runs",
        "    onnx reference  error",
        "    OpenVINO CPU    refuses the model",
    ]
    assert [line for line in lines[2:-3] if line[:1].strip()] == list(ROWS)
