"""What tensors of ONNX files hold, against their dims; and external data: far, large, in no file, at links."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy
import onnx_models as models
import pytest
from onnx_child import requires_onnx

import ovgather
from ovgather.cli.main import run

pytestmark = requires_onnx
FLOAT, UINT8, INT64, STRING, BOOL, FLOAT16, DOUBLE, UINT32, COMPLEX64, INT4 = 1, 2, 7, 8, 9, 10, 11, 12, 14, 22

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
    "no elements of large dims": ([0, 1 << 62, 1 << 62], FLOAT, {"raw_data": b""}, None),
    "too few bytes": ([3], FLOAT, {"raw_data": bytes(8)}, "holds 8 bytes in raw_data, but its dims and type need 12"),
    "too many bytes": ([1], FLOAT, {"raw_data": bytes(8)}, "holds 8 bytes in raw_data, but its dims and type need 4"),
    "no whole element": ([2], FLOAT, {"raw_data": bytes(7)}, "holds 7 bytes in raw_data, but its dims and type need 8"),
    "too few values": ([3], FLOAT, {"float_data": [1]}, "holds 1 values in float_data, but its dims and type need 3"),
    "too many values": ([1], UINT8, {"int32_data": [1, 2]}, "holds 2 values in int32_data, but its dims and"),
    "half a complex": ([2], COMPLEX64, {"float_data": [1, 2]}, "holds 2 values in float_data, but its dims and type"),
    "too few texts": ([2], STRING, {"string_data": [b"a"]}, "holds 1 values in string_data, but its dims and type"),
    "too few half bytes": ([3], INT4, {"raw_data": bytes(1)}, "holds 1 bytes in raw_data, but its dims and type"),
    "none": ([3], FLOAT, {}, "holds no values, but its dims are those of 3 elements"),
    "none for a scalar": ([], FLOAT, {}, "holds no values, but its dims are those of 1 elements"),
    "none, but the field": ([3], FLOAT, {"raw_data": b""}, "holds no values, but its dims are those of 3 elements"),
    "terabytes of none": ([1 << 40], FLOAT, {}, "holds no values, but its dims are those of 1099511627776 elements"),
    "terabytes": (
        [1 << 40],
        FLOAT,
        {"raw_data": bytes(4)},
        "holds 4 bytes in raw_data, but its dims and type need 4398",
    ),
    "for no elements": ([0], FLOAT, {"raw_data": bytes(4)}, "holds 4 bytes in raw_data, but its dims and type need 0"),
    "negative": ([-1], FLOAT, {"raw_data": bytes(4)}, "has the dim -1"),
    "negative twice": ([-2, -2], FLOAT, {"raw_data": bytes(16)}, "has the dim -2"),
    "2^64": ([1 << 32, 1 << 32], FLOAT, {}, "dims are those of more than 2^63 elements"),
    "2^64 + 1": ([(1 << 63) - 1] * 2, FLOAT, {"raw_data": bytes(4)}, "dims are those of more than 2^63 elements"),
    "raw and typed": (
        [1],
        FLOAT,
        {"raw_data": bytes(4), "float_data": [1]},
        "values both in raw_data and in float_data",
    ),
    "two typed": ([1], FLOAT, {"int32_data": [1], "float_data": [1]}, "values both in float_data and in int32_data"),
    "wrong field": ([2], INT64, {"float_data": [1, 2]}, "of int64 belong into int64_data, not into float_data"),
    "raw text": ([2], STRING, {"raw_data": bytes(8)}, "text cannot be raw_data"),
    "no type": ([2], 0, {"raw_data": bytes(8)}, "it has no element type"),
}


def tensor(dims: list[int], kind: int, fields: dict[str, Any], name: str = "data") -> Any:
    from onnx import TensorProto

    return TensorProto(name=name, dims=dims, data_type=kind, **fields)


def model(held: Any) -> Any:
    """A Gather of the tensor ``held``."""
    from onnx import helper

    inputs = [models.value("indices", "int64", [1])]
    shape = [1, *[None] * max(0, len(held.dims) - 1)]
    output = helper.make_tensor_value_info("y", held.data_type or FLOAT, shape)
    made = models.graph([models.node("Gather", "data indices", "y", name="pick")], inputs, [output], [held])
    return models.model(made, 17)


def judged(path: Path) -> list[str]:
    return [found.message for found in ovgather.validate(path) if found.code == "OVG813"]


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
    for verb in (["run"], ["show", "--layer", "pick"], ["convert", "-o", str(tmp_path / "o.xml")]):
        code = run([verb[0], str(path), *verb[1:]])
        said = capfd.readouterr().err
        assert (code, "Traceback" in said, "a bug" in said) == (2, False, False), said
    if kind:
        assert "the constant 'data' cannot be used: " in said or "cannot be converted" in said


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
    answers = [set(json.loads(line)) for line in done.stdout.splitlines() if line.startswith("[")]
    assert len(answers) == len(CASES), done.stderr
    for (name, (dims, kind, _, wrong)), refused in zip(CASES.items(), answers, strict=True):
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
    inside = models.graph([models.node("Constant", "", "b", value=short)], [], [models.value("b", "int64", None)])
    short = tensor([3], INT64, {"raw_data": bytes(8)}, "i")
    nodes = [models.node("If", "c", "z", then_branch=inside, else_branch=inside), models.node("Gather", "data i", "y")]
    inputs = [models.value("data", "float", [3]), models.value("c", "bool", [])]
    made = models.graph(nodes, inputs, [models.value("y", "float", None), models.value("z", "int64", None)], [short])
    sparse = helper.make_sparse_tensor(tensor([2], FLOAT, {}, "s"), tensor([2], INT64, {"int64_data": [0, 1]}), [4])
    made.sparse_initializer.append(sparse)
    text = models.model(made).SerializeToString()
    found = [found.message for found in ovgather.validate(text) if found.code == "OVG813"]
    assert sorted(found) == [
        'a tensor: it holds 8 bytes in raw_data, but its dims and type need 24',
        'a tensor: it holds 8 bytes in raw_data, but its dims and type need 24',
        'tensor "i": it holds 8 bytes in raw_data, but its dims and type need 24',
        'tensor "s": it holds no values, but its dims are those of 2 elements',
    ]  # fmt: skip
    with pytest.raises(ovgather.InvalidModelError, match=r"^node 'y': the constant 'i' cannot be used: it holds 8"):
        ovgather.convert(text)
    made.node.insert(0, models.node("Constant", "", "k", value=short))
    made.node[2].input[1] = "k"
    report = ovgather.crosscheck(models.model(made).SerializeToString(), mode="alone")
    assert [record.verdict for record in report.records] == ["error"]


def test_crosscheck_says_that_the_constant_is_wrong(tmp_path: Path) -> None:
    made = model(tensor([1 << 40], FLOAT, {"raw_data": bytes(4)}))
    report = ovgather.crosscheck(made.SerializeToString())
    assert {(record.variant, record.verdict) for record in report.records} == {
        ("alone", "error"),
        ("in-place", "error"),
    }
    assert all("the constant 'data' cannot be used" in record.reason for record in report.records)


def external(folder: Path, dims: list[int], kind: int = FLOAT, **entries: str) -> Path:
    """A file with a Gather of external data."""
    held = tensor(dims, kind, {"data_location": 1})
    for key, text in {"location": "w.bin", **entries}.items():
        held.external_data.add(key=key, value=text)
    path = folder / "m.onnx"
    path.write_bytes(model(held).SerializeToString())
    return path


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ({}, None),
        ({"length": "16", "offset": "8"}, None),
        ({"length": "0"}, None),
        ({"length": "20"}, "its length is 20 bytes, but its dims and type need 16"),
        ({"offset": "60"}, "w.bin has 64 bytes, but the tensor ends at 76"),
        ({"offset": "9999999999999999999"}, "w.bin has 64 bytes, but the tensor ends at 10000000000000000015"),
        ({"length": "-16"}, "its length is '-16', which is no number of bytes"),
        ({"offset": "-8"}, "its offset is '-8', which is no number of bytes"),
        ({"offset": "eight"}, "its offset is 'eight', which is no number of bytes"),
        ({"offset": "1e3"}, "its offset is '1e3', which is no number of bytes"),
        ({"location": ""}, "it names no location"),
        ({"location": "."}, ".: a folder, not a file"),
        ({"location": "pipe"}, "pipe: a pipe, not a file"),
        ({"location": "../w.bin"}, "'../w.bin' leads out of the folder of the model"),
        ({"location": "a/../../w.bin"}, "'a/../../w.bin' leads out of the folder of the model"),
        ({"location": "/etc/passwd"}, "'/etc/passwd' is not a path below the folder of the model"),
        ({"location": "w\0.bin"}, "'w\\x00.bin' is not a path below the folder of the model"),
    ],
)
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes")
def test_entries(entries: dict[str, str], message: str | None, tmp_path: Path, capfd: Any) -> None:
    (tmp_path / "w.bin").write_bytes(numpy.arange(16, dtype="f4").tobytes())
    os.mkfifo(tmp_path / "pipe")
    path = external(tmp_path, [4], **entries)
    found = [found.message for found in ovgather.validate(path) if found.code == "OVG802"]
    assert found == ([] if message is None else [f'external data of tensor "data": {message}'])
    numpy.save(tmp_path / "i.npy", numpy.array([3]))
    code = run(["run", str(path), f"indices={tmp_path / 'i.npy'}", "-o", str(tmp_path / "o.npy"), "--color", "never"])
    if message is None:
        assert code == 0
        assert numpy.load(tmp_path / "o.npy").tolist() == [3 + int(entries.get("offset", 0)) / 4]
    else:
        assert code == 2
        assert f"the constant 'data' cannot be used: {message}" in capfd.readouterr().err


def test_values_here_and_in_a_file(tmp_path: Path) -> None:
    path = external(tmp_path, [4])
    made = model(tensor([4], FLOAT, {"data_location": 1, "raw_data": bytes(16)}))
    made.graph.initializer[0].external_data.add(key="location", value="w.bin")
    path.write_bytes(made.SerializeToString())
    assert judged(path) == ['tensor "data": it holds values itself, and says that a file holds them']


LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
from ovgather.cli.main import run
codes = [run(line.split()) for line in sys.argv[1:]]
# Not ru_maxrss, which begins with that of the process that starts this one.
peak = next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM'))
print(codes, peak)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="no limit of memory")
def test_a_terabyte_beside_the_model(tmp_path: Path) -> None:
    """A tensor far behind in a large file, with room for 3 GiB: only what is used of it is looked at."""
    try:
        with open(tmp_path / "w.bin", "wb") as file:
            file.seek(1 << 39)
            file.write(numpy.arange(8, dtype="f4").tobytes())
            file.truncate(1 << 40)
    except OSError:
        pytest.skip("no sparse files")
    external(tmp_path, [2, 4], offset=str(1 << 39))
    numpy.save(tmp_path / "i.npy", numpy.array([1]))
    lines = [
        "validate m.onnx", "run m.onnx indices=i.npy -o o.npy", "show m.onnx --layer pick",
        "convert m.onnx -o o.xml", "infer m.onnx",
    ]  # fmt: skip
    script = [sys.executable, "-c", LIMITED, *lines]
    one_thread = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(script, capture_output=True, text=True, timeout=100, cwd=tmp_path, env=one_thread)
    codes, kibibytes = done.stdout.splitlines()[-1].rsplit(" ", 1)
    assert codes == "[0, 0, 0, 0, 0]", done.stdout + done.stderr
    assert int(kibibytes) < 250_000
    assert numpy.load(tmp_path / "o.npy").tolist() == [[4, 5, 6, 7]]
    # Half a terabyte is one tensor: without a limit only the rows that are taken are read.
    path = external(tmp_path, [1 << 35, 4], offset=str(1 << 39))
    assert ovgather.validate(path) == []
    assert run(["run", str(path), f"indices={tmp_path / 'i.npy'}", "-o", str(tmp_path / "o.npy")]) == 0
    assert numpy.load(tmp_path / "o.npy").tolist() == [[4, 5, 6, 7]]


def test_constant_indices_are_looked_at_piece_by_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    from ovgather.validation.rules.onnx.nodes import constant_indices

    def found(kind: str, values: Any) -> list[str]:
        inputs, outputs = [models.value("data", "float", [3, 4])], [models.value("y", "float", None)]
        made = models.graph([models.node(kind, "data i", "y")], inputs, outputs, [models.constant("i", values)])
        return [found.message for found in ovgather.validate(models.model(made).SerializeToString())]

    monkeypatch.setattr(constant_indices, "_PIECE", 2)
    wrong = numpy.array([[0, 1, 2], [2, 7, 0], [-9, 1, 1]])
    assert found("Gather", wrong) == ["2 of 9 constant indices outside [-3, 2]: 7 at position [1,1]"]
    tuples = numpy.array([[[0, 1], [1, 4]], [[5, 0], [-1, -4]], [[9, 9], [0, 0]]])
    assert found("GatherND", tuples) == [
        "2 of 6 constant indices of part 0 of the tuples outside [-3, 2]: 5 at position [1,0]",
        "2 of 6 constant indices of part 1 of the tuples outside [-4, 3]: 4 at position [0,1]",
    ]
    monkeypatch.setattr(constant_indices, "_MOST", 4)
    assert found("Gather", wrong) == []


@pytest.mark.parametrize("dims", [[0, 1 << 62], [1] * 70, [1 << 40, 1 << 40]])
@pytest.mark.parametrize("kind", ["Gather", "GatherElements"])
def test_inputs_that_no_array_is(dims: list[int], kind: str, tmp_path: Path, capfd: Any) -> None:
    indices = dims if kind == "GatherElements" else [2]
    path = tmp_path / "m.onnx"
    path.write_bytes(models.one_node(kind, dims, indices).SerializeToString())
    for verb in (["run"], ["show", "--layer", "pick"]):
        assert run([verb[0], str(path), *verb[1:]]) == 2
        err = capfd.readouterr().err
        assert ", which no array has" in err or ": arrays have 32 at most" in err
    report = ovgather.crosscheck(path)
    assert {record.verdict for record in report.records} <= {"equal", "skipped"}
