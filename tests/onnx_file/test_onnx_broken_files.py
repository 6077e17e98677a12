"""ONNX files that are broken, or make onnx crash; and their external data."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import numpy
import onnx_models as models
import pytest
from onnx_child import requires_onnx
from onnx_models import findings

import ovgather
from ovgather.cli.main import run
from ovgather.onnx_file.model import OnnxModel
from ovgather.onnx_file.shapes import InferredShapes
from ovgather.validation.check import check_file

pytestmark = requires_onnx


def test_files_that_cannot_be_read(tmp_path: Path, capfd: Any) -> None:
    for data, said in (
        (b"\x08\x0a", "it holds no graph"),
        (b"\x08garbage", "it is no protobuf message"),
    ):
        path = tmp_path / "m.onnx"
        path.write_bytes(data)
        checked = check_file(str(path))
        assert checked.fatal
        assert checked.diagnostics[0].message.startswith(
            f"no ONNX model can be read: {said}"
        )
        assert run(["validate", str(path)]) == 4
    assert run(["validate", str(tmp_path / "none.onnx"), "--format", "concise"]) == 4
    assert capfd.readouterr().out.endswith(
        "none.onnx OVG801 error: no ONNX model can be read: No such file or directory\n"
    )


def test_a_file_too_large_for_protobuf_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large.onnx"
    with open(path, "wb") as file:
        file.truncate(1 << 31)  # a hole, which takes no room
    assert [found.message for found in ovgather.validate(path)] == [
        "no ONNX model can be read: it has 2147483648 bytes, and protobuf reads no more than 2 GiB: keep the weights as"
        " external data"
    ]


def external(
    folder: Path,
    location: str,
    offset: int = 0,
    length: int | None = None,
    dims: int = 3,
) -> Path:
    """A file with a Gather whose indices are external data."""
    from onnx import TensorProto

    tensor = TensorProto(
        name="i",
        data_type=TensorProto.INT64,
        dims=[dims],
        data_location=TensorProto.EXTERNAL,
    )
    entries = {
        "location": location,
        "offset": str(offset),
        **({} if length is None else {"length": str(length)}),
    }
    for key, text in entries.items():
        tensor.external_data.add(key=key, value=text)
    inputs, outputs = (
        [models.value("data", "float", [3, 4])],
        [models.value("y", "float", None)],
    )
    made = models.model(
        models.graph([models.node("Gather", "data i", "y")], inputs, outputs, [tensor])
    )
    path = folder / "m.onnx"
    path.write_bytes(made.SerializeToString())
    return path


def test_external_data(tmp_path: Path) -> None:
    def checked(*arguments: Any) -> list[tuple[str, str, str]]:
        found = ovgather.validate(external(tmp_path, *arguments))
        return [
            (item.code, item.severity, item.message)
            for item in found
            if item.code != "OVG852"
        ]

    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "w.bin").write_bytes(
        b"\0" * 8 + numpy.array([0, 7, -9]).tobytes()
    )
    outside = [
        (
            "OVG810",
            "error",
            "2 of 3 constant indices outside [-3, 2]: 7 at position [1]",
        )
    ]
    assert checked("deep/w.bin", 8) == outside
    assert checked("deep/w.bin", 8, 24) == outside
    assert checked("none.bin") == [
        ("OVG802", "warning", "external data of 1 tensor: none.bin: no such file")
    ]
    short = 'external data of tensor "i": deep/w.bin has 32 bytes, but the tensor ends at 40'
    assert checked("deep/w.bin", 16) == [("OVG802", "error", short)]
    assert checked("deep/w.bin", 0, None, 1 << 60)[0][2].startswith(
        'external data of tensor "i": deep/w.bin has 32 bytes'
    )
    less = 'external data of tensor "i": its length is 8 bytes, but its dims and type need 24'
    assert checked("deep/w.bin", 0, 8) == [("OVG802", "error", less)]
    (tmp_path / "link").symlink_to("/etc")
    for place, words in (
        ("/etc/passwd", "is not a path below the folder of the model"),
        ("../m.onnx", "leads out of the folder of the model"),
        ("deep/../../x", "leads out of the folder of the model"),
        ("link/passwd", "leads out of the folder of the model"),
    ):
        assert checked(place) == [
            ("OVG802", "error", f'external data of tensor "i": {place!r} {words}')
        ]


def test_weights_of_more_than_2_gib_are_not_read_into_memory(tmp_path: Path) -> None:
    """A hole stands for them: what is far into the file is read, and nothing before it."""
    with open(tmp_path / "w.bin", "wb") as file:
        file.seek(5 << 30)
        file.write(numpy.array([0, 1, 3]).tobytes())
    found = ovgather.validate(external(tmp_path, "w.bin", 5 << 30))
    assert [item.message for item in found] == [
        "1 of 3 constant indices outside [-3, 2]: 3 at position [2]"
    ]


@pytest.mark.parametrize(
    ("start", "said"),
    [
        (
            "import os; os.kill(os.getpid(), 11)",
            "onnx's shape inference crashes (signal 11)",
        ),
        ("raise ValueError('so')", "onnx's shape inference fails: ValueError: so"),
        (
            "import ovgather.onnx_file.shapes as shapes; shapes._inferred = lambda data: 1 / 0; shapes.child()",
            "onnx's shape inference fails: ZeroDivisionError: division by zero",
        ),
    ],
)
def test_a_model_that_makes_shape_inference_fail(
    start: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ovgather.onnx_file.shapes._START", start)
    assert ("OVG811", "note", said) in findings(models.nested(told=False))
    assert [code for code, _, _ in findings(models.nested())] == ["OVG807", "OVG807"]


def test_names_that_are_no_utf8() -> None:
    made = models.one_node(
        "GatherElements", ["nnnn", 4], [2, 5], axs=3
    ).SerializeToString()
    for name in (b"nnnn", b"pick", b"axs", b"indices"):
        made = made.replace(name, name[:-1] + b"\xff")
    found = ovgather.validate(made)
    assert [item.message for item in found] == [
        "GatherElements-13 has no attribute `ax\\xff`",
        "dim 1 is 4 in data but 5 in indices, and only dim 0, the axis, may be longer:"
        ' data ["nnn\\\\xff",4], indices [2,5], axis 0',
    ]
    assert found[0].layer is not None
    assert found[0].layer.name == "pic\\xff"


@pytest.mark.parametrize("seed", range(8))
def test_mutated_bytes_are_findings_and_no_exceptions(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "ovgather.onnx_file.model.infer_shapes", lambda model, given: InferredShapes({})
    )
    rng = Random(seed)
    whole = [
        models.nested().SerializeToString(),
        models.one_node("GatherND", ["b", 3], ["b", 1]).SerializeToString(),
    ]
    for _ in range(150):
        data = bytearray(rng.choice(whole))
        for _ in range(rng.choice([1, 2, 4])):
            place = rng.randrange(len(data))
            if rng.random() < 0.7:
                data[place] = rng.choice([0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)])
            else:
                del data[place : place + rng.randint(1, 8)]
        made = OnnxModel("m.onnx", None, bytes(data))
        assert all(
            found.line == 0
            for found in check_file(made, keeps=lambda code: True).diagnostics
        )
