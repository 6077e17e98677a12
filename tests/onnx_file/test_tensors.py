"""The small functions of the package, by example."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from ovgather.files.remote import is_remote
from ovgather.onnx_file.files import files_of
from ovgather.onnx_file.graphs import type_name
from ovgather.onnx_file.tensors import TensorError, array, count_of


def test_names() -> None:
    assert [type_name(number) for number in (1, 7, 14, 0, 999)] == [
        "float",
        "int64",
        "complex64",
        None,
        "type 999",
    ]


def test_files_of_an_ir() -> None:
    assert list(files_of("folder/m.xml")) == ["folder/m.xml", "folder/m.bin"]
    assert list(files_of("-")) == ["-"]


@pytest.mark.parametrize("folder", ["", "models"])
def test_a_location_is_no_address(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    helper = pytest.importorskip("onnx.helper")
    import onnx

    monkeypatch.chdir(tmp_path)
    tensor = onnx.TensorProto(
        name="w", dims=[1], data_type=1, data_location=onnx.TensorProto.EXTERNAL
    )
    tensor.external_data.add(key="location", value="http://127.0.0.1/w")
    graph = helper.make_graph([], "g", [], [], [tensor])
    model = os.path.join(folder, "m.onnx")
    os.makedirs(os.path.dirname(model) or os.curdir, exist_ok=True)
    onnx.save(helper.make_model(graph), model)
    assert [is_remote(name) for name in files_of(model)] == [False, False]


def test_elements() -> None:
    assert [count_of(dims) for dims in ([2, 3], [], [1 << 62, 1 << 62, 0])] == [6, 1, 0]
    with pytest.raises(TensorError, match="more than 2"):
        count_of([1 << 62] * 100_000)
    with pytest.raises(TensorError, match="the dim -1"):
        count_of([2, -1])


@pytest.mark.parametrize(
    ("values", "indices", "shape", "error"),
    [
        ([1.0], [0.5], [1], "its indices are not one integer"),
        ([1.0, 2.0], [0], [1], "its indices are not one integer"),
        ([1.0], [0, 9], [1, 2], "its indices are outside its dims [2, 3]"),
    ],
)
def test_sparse_tensors_that_cannot_be_written_out(
    values: list[float], indices: list[float], shape: list[int], error: str
) -> None:
    helper = pytest.importorskip("onnx.helper", reason="onnx is not installed")
    kind = 7 if all(isinstance(index, int) for index in indices) else 1
    places = helper.make_tensor("i", kind, shape, indices)
    sparse = helper.make_sparse_tensor(
        helper.make_tensor("v", 1, [len(values)], values), places, [2, 3]
    )
    with pytest.raises(TensorError, match=re.escape(error)):
        array(sparse, None)
