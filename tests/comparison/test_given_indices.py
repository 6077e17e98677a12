"""Inputs given for a model whose values are indices out of range: named, and no success where runtimes refuse them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy
import pytest
from small_models import gather_8, gather_elements, i64, whole

from ovgather.cli.main import run
from ovgather.processes import is_installed


def crosscheck(
    capfdbinary: Any, folder: Path, name: str, **inputs: Any
) -> tuple[int, str]:
    numpy.savez(folder / "inputs.npz", **inputs)
    code = run(
        [
            "crosscheck",
            str(folder / name),
            "--inputs",
            str(folder / "inputs.npz"),
            "--variants",
            "none",
        ]
    )
    return code, " ".join(capfdbinary.readouterr().out.decode().split())


@pytest.mark.skipif(not is_installed("openvino"), reason="openvino is not installed")
@pytest.mark.parametrize("name", ["indices", "in1"])
def test_a_layer_that_refuses(name: str, tmp_path: Path, capfdbinary: Any) -> None:
    (tmp_path / "m.xml").write_text(
        whole(gather_elements("3,7", "3,2", output="3,2"), "3,7", "3,2", "3,2")
    )
    given = {
        "data": numpy.zeros((3, 7), "f4"),
        name: numpy.array([[0, 7], [1, 2], [-8, 0]]),
    }
    code, out = crosscheck(capfdbinary, tmp_path, "m.xml", **given)
    assert code == 1
    assert (
        "2 of 6 values of the input 'indices' are outside [-7, 6], the first is 7 at [0,1]: OpenVINO's CPU"
        in out
    )
    assert (
        "plugin raises an error (before 2025.3 it reads foreign memory), ONNX Runtime and torch raise"
        in out
    )
    assert "; OpenVINO in infer: " in out


@pytest.mark.skipif(not is_installed("openvino"), reason="openvino is not installed")
def test_a_layer_that_gives_zeros(tmp_path: Path, capfdbinary: Any) -> None:
    (tmp_path / "m.xml").write_text(gather_8())
    (tmp_path / "m.bin").write_bytes(i64(0))
    given = {
        "data": numpy.zeros((5, 4), "f4"),
        "indices": numpy.array([[0, 1, 9], [0, 1, 2]]),
    }
    code, out = crosscheck(capfdbinary, tmp_path, "m.xml", **given)
    assert code == 0
    assert (
        "1 of 6 values of the input 'indices' is outside [-5, 4], the first is 9 at [0,2]: OpenVINO's CPU"
        in out
    )
    assert "plugin gives zeros for them, ONNX Runtime and torch raise an error" in out
    given["indices"][0, 2] = 4
    code, out = crosscheck(capfdbinary, tmp_path, "m.xml", **given)
    assert code == 0
    assert "outside" not in out


@pytest.mark.skipif(
    not is_installed("onnxruntime"), reason="onnxruntime is not installed"
)
def test_a_node_that_refuses(tmp_path: Path, capfdbinary: Any) -> None:
    import onnx_models as models

    made = models.graph(
        [
            models.node("Cast", "token_type_ids", "ids", to=7),
            models.node("Gather", "table ids", "y", name="lookup"),
        ],
        [models.value("token_type_ids", "int32", [1, "n"])],
        [models.value("y", "float", None)],
        [models.constant("table", numpy.zeros((2, 8), "f4"))],
    )
    (tmp_path / "m.onnx").write_bytes(models.model(made).SerializeToString())
    code, out = crosscheck(
        capfdbinary, tmp_path, "m.onnx", token_type_ids=numpy.array([[101, 1, 0]], "i4")
    )
    assert code == 1
    assert "both refuse the values: indices[0,0] is 101, outside [-2, 1]" in out
    assert (
        "1 of 3 values of the input 'token_type_ids' is outside [-2, 1], the first is 101 at [0,0]"
        in out
    )
    assert "1 equal, 2 error" in out
