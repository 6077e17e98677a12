"""What tensors of ONNX files hold, against their dims; and external data: far, large, in no file, at links."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy
import onnx_models as models
import pytest
from onnx_child import requires_onnx
from stored_tensors import (
    BOOL,
    COMPLEX64,
    FLOAT,
    FLOAT16,
    INT4,
    INT64,
    STRING,
    UINT8,
    UINT32,
    judged,
    model,
    tensor,
)

import ovgather
from ovgather.cli.main import run

pytestmark = requires_onnx

# dims, type, fields -> what is wrong (None: nothing). ONNX Runtime and onnx's checker are asked in the second test.
CASES: dict[str, tuple[list[int], int, dict[str, Any], str | None]] = {
    "raw": ([2], FLOAT, {"raw_data": bytes(8)}, None),
    "typed": ([2], FLOAT, {"float_data": [1, 2]}, None),
    "in another field by design": ([2], FLOAT16, {"int32_data": [1, 2]}, None),
    "bools": ([2], BOOL, {"int32_data": [1, 0]}, None),
    "unsigned": ([1], UINT32, {"uint64_data": [1]}, None),
    "complex": ([2], COMPLEX64, {"float_data": [1, 2, 3, 4]}, None),
    "text": ([1], STRING, {"string_data": [b"a"]}, None),
    "half bytes": ([3], INT4, {"raw_data": bytes(2)}, None),
    "half bytes, typed": ([3], INT4, {"int32_data": [1, 2]}, None),
    "no elements": ([0], FLOAT, {}, None),
    "no elements of a large dim": ([0, 1 << 62], FLOAT, {}, None),
    "no elements of large dims": (
        [0, 1 << 62, 1 << 62],
        FLOAT,
        {"raw_data": b""},
        None,
    ),
    "too few bytes": (
        [3],
        FLOAT,
        {"raw_data": bytes(8)},
        "holds 8 bytes in raw_data, but its dims and type need 12",
    ),
    "too many bytes": (
        [1],
        FLOAT,
        {"raw_data": bytes(8)},
        "holds 8 bytes in raw_data, but its dims and type need 4",
    ),
    "no whole element": (
        [2],
        FLOAT,
        {"raw_data": bytes(7)},
        "holds 7 bytes in raw_data, but its dims and type need 8",
    ),
    "too few values": (
        [3],
        FLOAT,
        {"float_data": [1]},
        "holds 1 values in float_data, but its dims and type need 3",
    ),
    "too many values": (
        [1],
        UINT8,
        {"int32_data": [1, 2]},
        "holds 2 values in int32_data, but its dims and",
    ),
    "half a complex": (
        [2],
        COMPLEX64,
        {"float_data": [1, 2]},
        "holds 2 values in float_data, but its dims and type",
    ),
    "too few texts": (
        [2],
        STRING,
        {"string_data": [b"a"]},
        "holds 1 values in string_data, but its dims and type",
    ),
    "too few half bytes": (
        [3],
        INT4,
        {"raw_data": bytes(1)},
        "holds 1 bytes in raw_data, but its dims and type",
    ),
    "none": ([3], FLOAT, {}, "holds no values, but its dims are those of 3 elements"),
    "none for a scalar": (
        [],
        FLOAT,
        {},
        "holds no values, but its dims are those of 1 elements",
    ),
    "none, but the field": (
        [3],
        FLOAT,
        {"raw_data": b""},
        "holds no values, but its dims are those of 3 elements",
    ),
    "terabytes of none": (
        [1 << 40],
        FLOAT,
        {},
        "holds no values, but its dims are those of 1099511627776 elements",
    ),
    "terabytes": (
        [1 << 40],
        FLOAT,
        {"raw_data": bytes(4)},
        "holds 4 bytes in raw_data, but its dims and type need 4398",
    ),
    "for no elements": (
        [0],
        FLOAT,
        {"raw_data": bytes(4)},
        "holds 4 bytes in raw_data, but its dims and type need 0",
    ),
    "negative": ([-1], FLOAT, {"raw_data": bytes(4)}, "has the dim -1"),
    "negative twice": ([-2, -2], FLOAT, {"raw_data": bytes(16)}, "has the dim -2"),
    "2^64": (
        [1 << 32, 1 << 32],
        FLOAT,
        {},
        "dims are those of more than 2^63 elements",
    ),
    "2^64 + 1": (
        [(1 << 63) - 1] * 2,
        FLOAT,
        {"raw_data": bytes(4)},
        "dims are those of more than 2^63 elements",
    ),
    "raw and typed": (
        [1],
        FLOAT,
        {"raw_data": bytes(4), "float_data": [1]},
        "values both in raw_data and in float_data",
    ),
    "two typed": (
        [1],
        FLOAT,
        {"int32_data": [1], "float_data": [1]},
        "values both in float_data and in int32_data",
    ),
    "wrong field": (
        [2],
        INT64,
        {"float_data": [1, 2]},
        "of int64 belong into int64_data, not into float_data",
    ),
    "raw text": ([2], STRING, {"raw_data": bytes(8)}, "text cannot be raw_data"),
    "no type": ([2], 0, {"raw_data": bytes(8)}, "it has no element type"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_values_and_dims(name: str, tmp_path: Path, capfd: Any) -> None:
    dims, kind, fields, wrong = CASES[name]
    made = model(tensor(dims, kind, fields))
    path = tmp_path / "m.onnx"
    path.write_bytes(made.SerializeToString())
    found = judged(path)
    assert len(found) == (wrong is not None)
    if wrong is None:
        if dims and 0 not in dims and kind != INT4:
            assert run(["run", str(path)]) == 0
            assert "constant of the file" in capfd.readouterr().out
        return
    assert wrong in found[0]
    for verb in (
        ["run"],
        ["show", "--layer", "pick"],
        ["convert", "-o", str(tmp_path / "o.xml")],
    ):
        code = run([verb[0], str(path), *verb[1:]])
        said = capfd.readouterr().err
        assert (code, "Traceback" in said, "a bug" in said) == (2, False, False), said
    if kind:
        assert (
            "the constant 'data' cannot be used: " in said
            or "cannot be converted" in said
        )


CHILD = """
import json, sys
import numpy, onnx, onnxruntime
onnxruntime.set_default_logger_severity(4)
for path in sys.argv[1:]:
    said = []
    try:
        onnx.checker.check_model(path)
    except Exception as error:
        said.append("onnx")
    try:
        made = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
        made.run(None, {"indices": numpy.zeros(1, "i8")})
    except Exception as error:
        said.append("onnxruntime")
    print(json.dumps(said), flush=True)
"""
TAKEN = {"raw and typed": {"onnx"}, "two typed": {"onnx"}}
"""ONNX Runtime takes one of the fields."""


def test_what_is_wrong_here_onnx_or_onnx_runtime_refuses(tmp_path: Path) -> None:
    paths = []
    for place, (dims, kind, fields, _) in enumerate(CASES.values()):
        paths.append(tmp_path / f"{place}.onnx")
        paths[-1].write_bytes(model(tensor(dims, kind, fields)).SerializeToString())
    command = [sys.executable, "-c", CHILD, *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100)
    answers = [
        set(json.loads(line))
        for line in done.stdout.splitlines()
        if line.startswith("[")
    ]
    assert len(answers) == len(CASES), done.stderr
    for (name, (dims, kind, _, wrong)), refused in zip(
        CASES.items(), answers, strict=True
    ):
        if wrong is None:
            assert "onnx" not in refused, name
            # An index has nothing to point at where there are no elements.
            assert not refused or 0 in dims or kind in (COMPLEX64, INT4), name
        elif "too many" in name or name == "for no elements":
            assert "onnxruntime" in refused, name
        else:
            assert refused == TAKEN.get(name, {"onnx", "onnxruntime"}), name


def test_every_tensor_is_looked_at() -> None:
    from onnx import helper

    short = tensor([3], INT64, {"raw_data": bytes(8)}, "")
    inside = models.graph(
        [models.node("Constant", "", "b", value=short)],
        [],
        [models.value("b", "int64", None)],
    )
    short = tensor([3], INT64, {"raw_data": bytes(8)}, "i")
    nodes = [
        models.node("If", "c", "z", then_branch=inside, else_branch=inside),
        models.node("Gather", "data i", "y"),
    ]
    inputs = [models.value("data", "float", [3]), models.value("c", "bool", [])]
    made = models.graph(
        nodes,
        inputs,
        [models.value("y", "float", None), models.value("z", "int64", None)],
        [short],
    )
    sparse = helper.make_sparse_tensor(
        tensor([2], FLOAT, {}, "s"), tensor([2], INT64, {"int64_data": [0, 1]}), [4]
    )
    made.sparse_initializer.append(sparse)
    text = models.model(made).SerializeToString()
    found = [
        found.message for found in ovgather.validate(text) if found.code == "OVG813"
    ]
    assert sorted(found) == [
        'a tensor: it holds 8 bytes in raw_data, but its dims and type need 24',
        'a tensor: it holds 8 bytes in raw_data, but its dims and type need 24',
        'tensor "i": it holds 8 bytes in raw_data, but its dims and type need 24',
        'tensor "s": it holds no values, but its dims are those of 2 elements',
    ]  # fmt: skip
    with pytest.raises(
        ovgather.InvalidModelError,
        match=r"^node 'y': the constant 'i' cannot be used: it holds 8",
    ):
        ovgather.convert(text)
    made.node.insert(0, models.node("Constant", "", "k", value=short))
    made.node[2].input[1] = "k"
    report = ovgather.crosscheck(models.model(made).SerializeToString(), mode="alone")
    assert [record.verdict for record in report.records] == ["error"]


def test_crosscheck_says_that_the_constant_is_wrong(tmp_path: Path) -> None:
    made = model(tensor([1 << 40], FLOAT, {"raw_data": bytes(4)}))
    report = ovgather.crosscheck(made.SerializeToString(), against=["onnxruntime"])
    assert {(record.variant, record.verdict) for record in report.records} == {
        ("alone", "error"),
        ("in-place", "error"),
    }
    assert all(
        "the constant 'data' cannot be used" in record.reason
        for record in report.records
    )


def test_constant_indices_are_looked_at_piece_by_piece(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from ovgather.validation.facts import index_bounds
    from ovgather.validation.rules.onnx.nodes import constant_indices

    def found(kind: str, values: Any) -> list[str]:
        inputs, outputs = (
            [models.value("data", "float", [3, 4])],
            [models.value("y", "float", None)],
        )
        made = models.graph(
            [models.node(kind, "data i", "y")],
            inputs,
            outputs,
            [models.constant("i", values)],
        )
        return [message for _, _, message in models.findings(models.model(made))]

    monkeypatch.setattr(index_bounds, "_PIECE", 2)
    wrong = numpy.array([[0, 1, 2], [2, 7, 0], [-9, 1, 1]])
    assert found("Gather", wrong) == [
        "2 of 9 constant indices outside [-3, 2]: 7 at position [1,1]"
    ]
    tuples = numpy.array([[[0, 1], [1, 4]], [[5, 0], [-1, -4]], [[9, 9], [0, 0]]])
    assert found("GatherND", tuples) == [
        "2 of 6 constant indices of part 0 of the tuples outside [-3, 2]: 5 at position [1,0]",
        "2 of 6 constant indices of part 1 of the tuples outside [-4, 3]: 4 at position [0,1]",
    ]
    monkeypatch.setattr(constant_indices, "_MOST", 4)
    assert found("Gather", wrong) == []


def test_large_raw_data_of_an_object() -> None:
    """Protobuf tells the length of ``raw_data`` by a copy: that of an object is not measured above 4 MiB."""
    dims, short = [1 << 21], {"raw_data": bytes(8)}
    assert judged(model(tensor(dims, FLOAT, short))) == []
    assert judged(model(tensor(dims, FLOAT, short)).SerializeToString()) == [
        'tensor "data": it holds 8 bytes in raw_data, but its dims and type need 8388608'
    ]
    assert judged(model(tensor([3], FLOAT, short))) == [
        'tensor "data": it holds 8 bytes in raw_data, but its dims and type need 12'
    ]
    assert judged(model(tensor(dims, FLOAT, short | {"float_data": [1]}))) == [
        'tensor "data": it holds values both in raw_data and in float_data'
    ]


def test_who_serializes() -> None:
    """Above 2 GiB protobuf raises errors of its own: one function makes them errors of ovgather."""
    package = Path(ovgather.__file__).parent
    users = [
        str(path.relative_to(package))
        for path in package.rglob("*.py")
        if ".SerializeToString(" in path.read_text(encoding="utf-8")
    ]
    assert users == ["onnx_file/source.py"]
