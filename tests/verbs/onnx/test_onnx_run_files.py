"""``ovgather run`` with ONNX files."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy
import onnx_models as models
import pytest
from onnx_child import ask, requires_onnx

import ovgather
from ovgather.cli.main import run
from ovgather.errors import InvalidModelError
from ovgather.onnx_file.model import OnnxModel, read
from ovgather.verbs.run import prepare

pytestmark = requires_onnx


def opened(model: Any) -> OnnxModel:
    return read(model.SerializeToString())


@pytest.mark.parametrize(
    ("kind", "data", "indices", "types", "attributes", "opset"),
    [
        (
            "GatherElements",
            [3, 4],
            [2, 3],
            ("float", "int64", "float"),
            {"axis": 1},
            13,
        ),
        (
            "GatherElements",
            ["n", 4],
            ["k", "m"],
            ("string", "int32", "string"),
            {"axis": -2},
            11,
        ),
        (
            "GatherElements",
            [None, 4, None],
            [2, None, 5],
            ("int8", "int64", "int8"),
            {"axis": 1},
            13,
        ),
        ("Gather", None, None, ("double", "int64", "double"), {}, 1),
        (
            "Gather",
            ["n", 4, "m"],
            [2, "k"],
            ("float16", "int32", "float16"),
            {"axis": 2},
            13,
        ),
        (
            "GatherND",
            ["b", 3, 4],
            ["b", "n", 2],
            ("bool", "int64", "bool"),
            {"batch_dims": 1},
            12,
        ),
    ],
)
def test_random_arrays_are_legal_and_the_output_that_of_onnxruntime(
    kind: str,
    data: Any,
    indices: Any,
    types: tuple[str, str, str],
    attributes: dict[str, int],
    opset: int,
) -> None:
    made = opened(
        models.one_node(kind, data, indices, types=types, opset=opset, **attributes)
    )
    for seed in range(5):
        ran = prepare(made, seed=seed).run()
        arrays = [argument.array for argument in ran.arguments]
        assert [argument.origin for argument in ran.arguments] == [
            f"random, seed {seed}"
        ] * 2
        dims = [list(array.shape) for array in arrays]
        case = {
            "type": kind,
            "opset": opset,
            "attributes": attributes,
            "data": dims[0],
            "indices": dims[1],
        }
        case |= {
            "data_type": types[0],
            "indices_type": types[1],
            "arrays": tuple(arrays),
        }
        outcome, output = ask("execute", case)
        assert outcome == "output", output
        assert (
            output.tolist() == ran.evidence.got.tolist()
            or output.tobytes() == ran.evidence.got.tobytes()
        )


def test_complex_numbers() -> None:
    ran = prepare(
        opened(
            models.one_node(
                "Gather", [3], [2], types=("complex64", "int64", "complex64")
            )
        )
    ).run()
    assert ran.evidence.got.dtype == "c8"
    assert set(ran.evidence.got.tolist()) <= set(ran.arguments[0].array.tolist())


def test_constants_and_given_arrays(tmp_path: Path, capfd: Any) -> None:
    inputs, outputs = (
        [models.value("data", "float", ["n", 2])],
        [models.value("y", "float", None)],
    )
    nodes = [models.node("Gather", "data i", "y", name="pick")]
    made = models.model(
        models.graph(nodes, inputs, outputs, [models.constant("i", [1, -1])])
    )
    path = tmp_path / "m.onnx"
    path.write_bytes(made.SerializeToString())
    numpy.save(tmp_path / "x.npy", numpy.array([[1, 2], [3, 4], [5, 6]], "f4"))
    assert (
        run(["run", str(path), f"data={tmp_path}/x.npy", "-o", str(tmp_path / "y.npy")])
        == 0
    )
    assert capfd.readouterr().out == (
        'Gather-13, node "pick"\n'
        "  data     float32 [3,2]  (given)\n"
        "  indices  int64 [2]  (constant of the file)\n"
        "  axis     0\n"
        f"  output   float32 [2,2], written to {tmp_path}/y.npy\n"
    )
    assert numpy.load(tmp_path / "y.npy").tolist() == [[3, 4], [5, 6]]
    ran = prepare(read(path), arrays={"in0": numpy.zeros((5, 2), "f4")}).run()
    assert [argument.origin for argument in ran.arguments] == [
        "given",
        "constant of the file",
    ]


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ({"layer": "x"}, "<bytes>: no Gather node is called 'x': there are 'pick'"),
        (
            {"arrays": {"x": numpy.zeros(2)}},
            "no input is called x: GatherElements-13 takes data and indices",
        ),
        (
            {"arrays": {"data": numpy.zeros((3, 4))}},
            "data is float64, but node 'pick' takes float [n,4]",
        ),
        (
            {"arrays": {"data": numpy.zeros((3, 5), "f4")}},
            "data has shape [3, 5], but node 'pick' takes float [n,4]",
        ),
        ({"axis": 1}, "node 'pick' has axis 0; it cannot be run with axis 1"),
    ],
)
def test_messages(named: dict[str, Any], message: str) -> None:
    with pytest.raises(ovgather.InvalidModelError) as caught:
        prepare(
            opened(models.one_node("GatherElements", ["n", 4], ["k", 4])), **named
        ).run()
    assert str(caught.value) == message


def test_more_messages(tmp_path: Path, capfd: Any) -> None:
    with pytest.raises(
        ovgather.InvalidModelError,
        match=r"^<bytes> has 3 Gather nodes: say which with --layer: 'outer', ",
    ):
        prepare(opened(models.nested())).run()
    with pytest.raises(
        ovgather.InvalidModelError,
        match=r"^node 'pick' is a GatherND-13, which has no axis$",
    ):
        prepare(opened(models.one_node("GatherND", [3], [2, 1])), axis=0).run()
    with pytest.raises(
        ovgather.InvalidModelError,
        match=r"^node 'pick' cannot be run: opset 10 has no GatherND: ",
    ):
        prepare(opened(models.one_node("GatherND", [3], [2, 1], opset=10))).run()
    with pytest.raises(ovgather.ShapeInferenceError, match=r"^axis 7 is out of range"):
        prepare(opened(models.nested()), "choice/then_branch/inner").run()
    with pytest.raises(
        ovgather.IndexOutOfRangeError, match=r"^indices\[0\] is 9, outside \[-3, 2\]"
    ):
        prepare(
            opened(models.one_node("Gather", [3], [1])),
            arrays={"indices": numpy.array([9])},
        ).run()
    path = tmp_path / "m.onnx"
    path.write_bytes(b"<net/>")
    assert run(["run", str(path)]) == 4
    assert (
        f"ovgather: {path}: no ONNX model can be read: it is no protobuf message"
        in capfd.readouterr().err
    )
    assert run(["run", str(path), "--weights", str(path)]) == 2
    assert (
        "--weights goes with an IR file, not with an ONNX file"
        in capfd.readouterr().err
    )


def test_nodes_that_cannot_be_run_are_told_of() -> None:
    made = models.one_node("Gather", [3], [1])
    del made.graph.node[0].input[1]
    with pytest.raises(
        ovgather.InvalidModelError,
        match=r"^node 'pick' has 1 inputs: it cannot be run$",
    ):
        prepare(opened(made)).run()
    for axis in (1 << 40, -(1 << 40), (1 << 63) - 1):
        with pytest.raises(
            ovgather.OvgatherError,
            match="no shapes fit: arrays have 32 dims at most, not ",
        ):
            prepare(opened(models.one_node("Gather", None, None, axis=axis))).run()


@pytest.mark.parametrize("data", [[0, 1 << 62], [1 << 62], [1 << 31, 1 << 31, 4]])
@pytest.mark.parametrize("kind", ["Gather", "GatherElements", "GatherND"])
def test_lengths_that_no_array_has(
    kind: str, data: list[int], tmp_path: Path, capfd: Any
) -> None:
    indices = data if kind == "GatherElements" else [2, 1]
    (tmp_path / "m.onnx").write_bytes(
        models.one_node(kind, data, indices).SerializeToString()
    )
    for verb in (["run"], ["show", "--layer", "pick"]):
        code = run([verb[0], str(tmp_path / "m.onnx"), *verb[1:]])
        err = capfd.readouterr().err
        assert (code, err[:10]) in ((0, ""), (1, "ovgather: "), (2, "ovgather: "))
        assert ", which no array has" in err or "elements: give them" in err or not err


def test_text_and_types_that_numpy_lacks_are_written_so_that_they_are_read_again(
    tmp_path: Path,
) -> None:
    for kind, same in (("string", True), ("bfloat16", False)):
        path, out = tmp_path / "m.onnx", tmp_path / "out.npy"
        path.write_bytes(
            models.one_node(
                "Gather", [2, 3], [2], types=(kind, "int64", kind)
            ).SerializeToString()
        )
        assert run(["run", str(path), "-o", str(out)]) == 0
        first = numpy.load(out, allow_pickle=False)
        assert (first.dtype.kind, first.shape) == ("U" if same else "V", (2, 3))
        numpy.save(tmp_path / "i.npy", numpy.array([0, 1]))
        again = [
            f"data={out}",
            f"indices={tmp_path / 'i.npy'}",
            "-o",
            str(tmp_path / "again.npy"),
        ]
        assert run(["run", str(path), *again]) == 0
        assert (
            numpy.load(tmp_path / "again.npy", allow_pickle=False).tobytes()
            == first.tobytes()
        )


def test_a_declared_size_is_not_made() -> None:
    with pytest.raises(
        InvalidModelError,
        match=r"node 'pick' takes data of 1099511627776 elements: give them",
    ):
        prepare(opened(models.one_node("Gather", [1 << 20, 1 << 20], [2]))).run()


@pytest.mark.parametrize(
    ("data", "indices", "batch_dims"),
    [([1, 4], [3, 1], 1), ([2, 1, 4], [2, 3, 2, 1], 2), ([1, 1, 4], [2, 3, 1], 2)],
)
def test_batch_dims_of_one_are_broadcast_and_reported(
    data: list[int | str | None], indices: list[int | str | None], batch_dims: int
) -> None:
    made = models.one_node("GatherND", data, indices, opset=13, batch_dims=batch_dims)
    [finding] = [each for each in ovgather.validate(made) if each.code == "OVG808"]
    assert finding.severity == "error"
    assert "batch dim" in finding.message
    [node] = ovgather.gather_layers(made)
    batches = numpy.broadcast_shapes(data[:batch_dims], indices[:batch_dims])
    assert node.output == [*batches, *indices[batch_dims:-1]]
    assert node.reasons[batch_dims - 1].endswith(
        "(batch dim, to which data are broadcast)"
    )
    arrays = [
        numpy.random.default_rng(3).integers(0, 4, shape) for shape in (data, indices)
    ]
    arrays[1] %= 3
    got = ovgather.evaluate("GatherND", arrays, batch_dims=batch_dims, dialect="onnx")
    wide = [
        numpy.broadcast_to(each, batches + each.shape[batch_dims:]) for each in arrays
    ]
    want = ovgather.evaluate("GatherND", wide, batch_dims=batch_dims, dialect="onnx")
    assert (got == want).all()
    [converted] = ovgather.convert(made)
    assert "batch dims of 1 are repeated" in converted.notes[-1]
    assert ovgather.validate(converted.text, converted.weights) == []
    if find_spec("onnxruntime") is not None:
        verdicts = {each.verdict for each in ovgather.crosscheck(made).records}
        assert verdicts == {"equal"}


@pytest.mark.parametrize(
    ("data", "indices", "batch_dims"),
    [([3, 4], [1, 1], 1), ([1, 3, 4], [2, 3, 2, 1], 2), ([2, 1, 4], [1, 2, 1], 2)],
)
def test_batch_dims_that_runtimes_mix_up_are_refused(
    data: list[int], indices: list[int], batch_dims: int
) -> None:
    arrays = numpy.zeros(data, "f4"), numpy.zeros(indices, "i8")
    with pytest.raises(ovgather.ShapeInferenceError, match="batch dim"):
        ovgather.evaluate(
            "GatherND", arrays, batch_dims=batch_dims, dialect="onnx", version=13
        )
