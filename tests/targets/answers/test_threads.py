"""Public threads in which someone was stopped in this field, rebuilt: one command answers each, and this is the line.

Each case is the address of the thread, what it had for a file, the command, and what the answer has to say.
"""

from __future__ import annotations

import struct
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from small_models import gather_8, layer, net, parameter, result

from ovgather.cli.main import run

ONNX = find_spec("onnx") is not None
POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
PAGE = b"<!DOCTYPE html>\n<html><body>Not found</body></html>\n"


def one_input(middle: str, shape: str = "1,3,8,8", version: str = "11") -> str:
    """A file whose layer 8 takes one input."""
    return net(
        parameter(0, shape, "f32", f"FP32 {shape}", "image"),
        middle,
        result(9, "FP32 1,3,8,8"),
        edges="0:0-8:0 8:1-9:0",
        version=version,
    )


def max_pool() -> str:
    data = 'strides="1,1" pads_begin="0,0" pads_end="0,0" kernel="1,1" rounding_type="floor" auto_pad="explicit"'
    more = f'dilations="1,1" {data} index_element_type="i64" axis="0"'
    pool = layer(
        8,
        "MaxPool",
        "opset14",
        more,
        ("FP32 1,3,8,8",),
        ("FP32 1,3,8,8", "I64 1,3,8,8"),
        "pool",
    )
    return one_input(pool)


def of_text() -> str:
    unpack = layer(
        8,
        "StringTensorUnpack",
        "extension",
        "",
        ("STRING 1",),
        ("I32 1", "I32 1", "U8 -1"),
        "unpack",
    )
    return net(
        parameter(0, "1", "string", "STRING 1", "text"),
        unpack,
        result(9, "I32 1"),
        edges="0:0-8:0 8:1-9:0",
    )


def table(version: str = "11", opset: str = "opset8", ids: str = "2,3") -> str:
    """A table of words, its ids, and an axis in the weights."""
    return gather_8(indices=ids, version=opset, out=f"{ids},4").replace(
        'version="11"', f'version="{version}"'
    )


def gather_nd(opset: str) -> str:
    pick = layer(
        2,
        "GatherND",
        opset,
        'batch_dims="3"',
        ("FP32 1,64,64,8", "I64 1,64,64,1,1"),
        ("FP32 4096,1",),
        "pick",
    )
    return net(
        parameter(0, "1,64,64,8", "f32", "FP32 1,64,64,8", "data"),
        parameter(1, "1,64,64,1,1", "i64", "I64 1,64,64,1,1", "indices"),
        pick,
        result(3, "FP32 4096,1"),
        edges="0:0-2:0 1:0-2:1 2:2-3:0",
    )


def old_lookup() -> str:
    lookup = layer(
        8,
        "Gather",
        "",
        'axis="0"',
        ("FP32 10,4", "I32 3"),
        ("FP32 3,4",),
        "embedding_lookup",
    )
    inputs = [
        layer(k, "Input", "", "", (), (f"FP32 {dims}",), f"in{k}")
        for k, dims in ((0, "10,4"), (1, "3"))
    ]
    return net(*inputs, lookup, edges="0:0-8:0 1:0-8:1", version="6")


def onnx_gather(
    folder: Path, name: str, data: Any, indices: list[Any], **attributes: Any
) -> None:
    """An ONNX file of a node on an input or a held table ``data``; its indices are the input ``token_type_ids``."""
    import numpy
    import onnx_models as models

    kind = attributes.pop("kind", "Gather")
    held = (
        [models.constant("table", numpy.zeros(data, "f4"))]
        if attributes.pop("held", False)
        else []
    )
    inputs = [models.value("token_type_ids", "int64", indices)]
    inputs += [] if held else [models.value("table", "float", data)]
    picked = models.node(kind, "table token_type_ids", "y", name="lookup", **attributes)
    made = models.graph([picked], inputs, [models.value("y", "float", None)], held)
    (folder / name).write_bytes(models.model(made).SerializeToString())


def onnx_shape(folder: Path) -> None:
    import onnx_models as models

    nodes = [
        models.node("Shape", "x", "dims"),
        models.node("Gather", "dims which", "y", name="sizes"),
    ]
    made = models.graph(
        nodes,
        [models.value("x", "float", [1, 3, 8, 8])],
        [models.value("y", "int64", [2])],
        [models.constant("which", [1, 2])],
    )
    (folder / "t30_cv.onnx").write_bytes(models.model(made).SerializeToString())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """All files of all threads."""
    axis = struct.pack("<q", 0)
    texts = {
        "t01_maxpool14": max_pool(),
        "t03_ext": of_text(),
        "t05_v10": table("10", "opset7"),
        "t06_v5": table("5", "opset1"),
        "base": table(),
        "t12_trunc": table(),
        "t12_lfs": table(),
        "t16_html": PAGE.decode(),
        "t17_cut": table()[:300],
        "t20_axis1": table("10", "opset1").replace(' batch_dims="0"', ""),
        "t22_gnd5": gather_nd("opset5"),
        "t22_gnd8": gather_nd("opset8"),
        "t24_npu": table(ids="?,?").replace("2,3", "?,?"),
        "t32_lookup": old_lookup(),
    }
    for name, text in texts.items():
        (tmp_path / f"{name}.xml").write_text(text, encoding="utf-8")
        (tmp_path / f"{name}.bin").write_bytes(axis)
    (tmp_path / "t12_trunc.bin").write_bytes(axis[:3])
    (tmp_path / "t12_lfs.bin").write_bytes(POINTER)
    (tmp_path / "t20_axis1.bin").write_bytes(struct.pack("<q", -1))
    (tmp_path / "t18_lfs.onnx").write_bytes(POINTER)
    (tmp_path / "h.onnx").write_bytes(PAGE)
    if ONNX:
        onnx_gather(tmp_path, "t26_types.onnx", [2, 8], [1, "n"], held=True)
        onnx_gather(
            tmp_path,
            "t22_gnd.onnx",
            [1, 64, 64, 8],
            [1, 64, 64, 1, 1],
            kind="GatherND",
            batch_dims=3,
        )
        onnx_gather(
            tmp_path, "batch.onnx", [2, 3, 4], [3, 2, 1], kind="GatherND", batch_dims=1
        )
        onnx_gather(tmp_path, "tuples.onnx", [5, 6], [4, 3], kind="GatherND")
        onnx_gather(tmp_path, "scalar.onnx", [], [1])
        onnx_gather(
            tmp_path,
            "rank5.onnx",
            [1, 1, 2, 3, 4],
            [1, 1, 2, 3, 4],
            kind="GatherElements",
            axis=-1,
        )
        onnx_shape(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


class Thread(NamedTuple):
    """A thread: where it is, the command that answers it, its exit code and what the answer says."""

    address: str
    command: tuple[str, ...]
    code: int
    answer: tuple[str, ...]


MAX_POOL = "Cannot create MaxPool layer aten::max_pool2d/MaxPool id:8 from unsupported opset: opset14"
INTERPOLATE = "Cannot create Interpolate layer /model.10/Resize id:607 from unsupported opset: opset11"
UNPACK = "Cannot create StringTensorUnpack layer unpack id:8 from unsupported opset: extension"
NO_READER = (
    "Unknown model format! Cannot find reader for model format: xml and read the model"
)
WORDS = "indices element out of data bounds, idx=101 must be within the inclusive range [-2,1]"
LOOKUP = "unsupported primitive of type: Gather name: embedding_lookup"
THREADS = (
    Thread("openvinotoolkit/openvino_notebooks#2167", ("explain", MAX_POOL, "t01_maxpool14.xml"), 0,
           ("opset14 came with 2024.0", "driver", "(layer 8) asks for opset14: 2024.0 and later")),
    Thread("openvinotoolkit/openvino_notebooks#2167", ("inspect", "t01_maxpool14.xml"), 0,
           ("highest: MaxPool opset14 (layer 8) needs 2024.0",)),
    Thread("openvinotoolkit/openvino_notebooks#2167", ("validate", "--target", "2023.3", "t01_maxpool14.xml"), 1,
           ("MaxPool opset14 is read by OpenVINO 2024.0 and later, not by 2023.3", "up to opset13")),
    Thread("harakas/models#1", ("explain", INTERPOLATE), 0, ("opset11 came with 2023.0",)),
    Thread("openvinotoolkit/openvino_notebooks#2263", ("explain", UNPACK), 0,
           ("openvino_tokenizers", "pip install openvino-tokenizers")),
    Thread("openvinotoolkit/openvino_notebooks#2263", ("validate", "t03_ext.xml"), 0,
           ("StringTensorUnpack belongs to openvino_tokenizers", "pip install openvino-tokenizers")),
    Thread("openvinotoolkit/open_model_zoo#755", ("validate", "--target", "2019R3", "t05_v10.xml"), 1,
           ("IR version 10 is read by OpenVINO 2020.1 and later, not by 2019 R3", "up to 7")),
    Thread("openvinotoolkit/open_model_zoo#755",
           ("explain", "Error reading network: cannot parse future versions: 10"), 0,
           ("IR v10, which 2020.1 and later read",)),
    Thread("luxonis/depthai#395", ("validate", "t06_v5.xml"), 1, ("read it up to 2020.4",)),
    Thread("luxonis/depthai#395", ("explain", "The support of IR v5 has been removed from the product"), 0,
           ("2020.4 and earlier",)),
    Thread("openvinotoolkit/openvino#11417", ("validate", "--target", "2021.4", "base.xml"), 1,
           ("IR version 11 is read by OpenVINO 2022.1 and later, not by 2021.4",)),
    Thread("openvinotoolkit/openvino#11417", ("explain", NO_READER, "base.xml"), 0,
           ("base.xml is read by OpenVINO 2022.1 and later",)),
    Thread("aws-deepracer-community/deepracer-custom-car#66", ("inspect", "t05_v10.xml"), 0,
           ("IR version 10", "OpenVINO 2021.4 and later")),
    Thread("openvinotoolkit/openvino#11760", ("explain", "Incorrect weights in bin file!", "t12_trunc.xml"), 0,
           ("too short, 3 bytes, 8 needed", "OVG402")),
    Thread("openvinotoolkit/openvino#11760", ("explain", "Incorrect weights in bin file!", "t12_lfs.xml"), 0,
           ("git-lfs pointer: the file itself was never fetched (git lfs pull)",)),
    Thread("openvinotoolkit/open_model_zoo#1022",
           ("explain", "Layer has incorrect weights!", "--weights", "base.xml", "base.xml"), 0,
           ("XML, perhaps a copy of the model's .xml",)),
    Thread("openvinotoolkit/openvino#3325", ("explain", NO_READER, "t16_html.xml"), 4, ("an HTML page",)),
    Thread("openvinotoolkit/openvino#3325", ("explain", NO_READER, "t17_cut.xml"), 4, ("OVG002",)),
    Thread("lutzroeder/netron#463", ("inspect", "t18_lfs.onnx"), 4, ("a git-lfs pointer",)),
    Thread("lutzroeder/netron#463", ("inspect", "h.onnx"), 4, ("an HTML page",)),
    Thread("lutzroeder/netron#463", ("validate", "t18_lfs.onnx"), 4, ("a git-lfs pointer",)),
    Thread("NervanaSystems/ngraph#4342", ("validate", "--target", "2020.1", "t20_axis1.xml"), 1,
           ("axis -1 is right, but OpenVINO 2020.1 reads a negative axis as an unsigned number", "axis 1")),
    Thread("NervanaSystems/ngraph#4342",
           ("explain", "The axis must => 0 and <= input_rank (axis: 4294967295)."), 0,
           ("4294967295 is -1 read as an unsigned number", "2020.1")),
    Thread("openvinotoolkit/openvino#7379", ("validate", "--target", "2021.4", "t22_gnd.onnx"), 0,
           ("GatherND-5", "the output is [4096,1], not [1,64,64,1]", "2022.1")),
    Thread("openvinotoolkit/openvino#7379", ("validate", "--target", "2022.1", "t22_gnd5.xml"), 0,
           ("the output is [4096,1], not [1,64,64,1]", "GatherND-8 (2022.1 and later) keeps them")),
    Thread("openvinotoolkit/openvino#34617", ("validate", "--device", "NPU", "t24_npu.xml"), 1,
           ("takes no dim without an upper bound", "ovgather infer t24_npu.xml --input-shape 'indices=[1,1]' --write")),
    Thread("openvinotoolkit/openvino#34617", ("explain", "to_shape was called on a dynamic shape", "t24_npu.xml"), 0,
           ("dynamic dims begin in Parameter (opset1) \"indices\"", "static")),
    Thread("jiangnanboy/onnx-java#1", ("explain", WORDS, "t26_types.onnx"), 0,
           ("index 101", 'node "lookup" takes data [2,8] on axis 0', "the input 'token_type_ids'")),
    Thread("microsoft/onnxruntime#10234", ("validate", "--device", "CUDA", "t26_types.onnx"), 0,
           ("zeros for Gather and no exception, where the CPU provider raises one",)),
    Thread("opencv/opencv#20866", ("validate", "--device", "opencv", "t30_cv.onnx"), 1,
           ("indices are 2 values", "OpenCV 4.7")),
    Thread("openvinotoolkit/openvino#347", ("explain", LOOKUP), 0, ("2019 R3", "libcpu_extension", "2020.1")),
    Thread("openvinotoolkit/openvino#347",
           ("validate", "--device", "CPU", "--target", "2019R3", "t32_lookup.xml"), 1,
           ("runs Gather from OpenVINO 2020.1 on, not in 2019 R3", "libcpu_extension")),
    Thread("openvinotoolkit/openvino#30797", ("explain", "Batch dimensions of data and indices must be the same.",
           "batch.onnx"), 0, ("differ in a dim before batch_dims", "batch dim 0 is 2 in data but 3 in indices")),
    Thread("microsoft/onnxruntime#8505", ("validate", "tuples.onnx"), 1, ("the last dim of indices is 3, above",)),
    Thread("PaddlePaddle/Paddle2ONNX#1541", ("explain", "[ShapeInferenceError] data tensor must have rank >= 1",
           "scalar.onnx"), 0, ("a scalar, which has no axis", "1.18 and later", "data must have rank 1 or more")),
    Thread("openvinotoolkit/openvino#12373", ("validate", "--device", "MYRIAD", "rank5.onnx"), 1,
           ("GatherElements takes no negative axis", "write axis 4")),
)  # fmt: skip


@pytest.mark.parametrize(
    "thread", THREADS, ids=lambda thread: f"{thread.address} {thread.command[0]}"
)
def test_one_command_answers(thread: Thread, folder: Path, capfdbinary: Any) -> None:
    if (
        not ONNX
        and any(word.endswith(".onnx") for word in thread.command)
        and thread.command[0] != "inspect"
    ):
        pytest.skip("onnx is not installed")
    code = run(list(thread.command))
    out = capfdbinary.readouterr().out.decode()
    assert code == thread.code, out
    for line in thread.answer:
        assert line in out, out
