"""A folder with all that verbs read, for tests of what they write."""

from __future__ import annotations

import importlib.util
import json
import shutil
from pathlib import Path

import numpy as np
from paths import SAMPLES

DEMO = SAMPLES / "demo"
HAS_ONNX, HAS_OPENVINO = (
    importlib.util.find_spec(name) is not None for name in ("onnx", "openvino")
)


def put_files(folder: Path) -> None:
    """All that the commands read."""
    (folder / "deep").mkdir()
    for name in ("m.xml", "deep/n.xml"):
        shutil.copyfile(DEMO / "good.xml", folder / name)
        shutil.copyfile(DEMO / "good.bin", (folder / name).with_suffix(".bin"))
    shutil.copyfile(DEMO / "good.bin", folder / "w.bin")
    (folder / "own.toml").write_text("strict = true\n")
    (folder / "ovgather.toml").write_text('ignore = ["OVG5"]\n')
    (folder / "known.json").write_text('{"version": 1, "findings": []}\n')
    entry = {
        "id": "1",
        "name": "pick",
        "body": [],
        "against": "openvino",
        "variant": "alone",
        "device": "CPU",
    }
    layers = [entry | {"verdict": "crash"}]
    (folder / "report.json").write_text(
        json.dumps({"files": [{"path": "m.xml", "layers": layers}]})
    )
    np.save(folder / "i.npy", np.zeros((2, 6), np.int64))
    np.savez(folder / "in.npz", token_ids=np.zeros((2, 6), np.int64))
    if HAS_ONNX:
        put_onnx(folder)


def put_onnx(folder: Path) -> None:
    from onnx import TensorProto, helper

    (folder / "tensors").mkdir()
    (folder / "tensors" / "m.data").write_bytes(
        np.arange(12, dtype=np.float32).tobytes()
    )
    held = TensorProto(
        name="data",
        data_type=TensorProto.FLOAT,
        dims=[4, 3],
        data_location=TensorProto.EXTERNAL,
    )
    for key, value in (
        ("location", "tensors/m.data"),
        ("offset", "0"),
        ("length", "48"),
    ):
        held.external_data.add(key=key, value=value)
    node = helper.make_node("Gather", ["data", "indices"], ["out"], name="pick", axis=0)
    inputs = [helper.make_tensor_value_info("indices", TensorProto.INT64, [2])]
    outputs = [helper.make_tensor_value_info("out", TensorProto.FLOAT, [2, 3])]
    graph = helper.make_graph([node], "g", inputs, outputs, [held])
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8
    )
    (folder / "m.onnx").write_bytes(model.SerializeToString())


def content(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }
