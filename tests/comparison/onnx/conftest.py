"""An ONNX file, and the IR that OpenVINO makes from it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy
import pytest

MODEL = """<ir_version: 8, opset_import: ["" : 17]>
m (int64[b, s] ids, float[b, 7] scores, int64[b, k] order, int64[q, 2] places)
  => (float[b, s, 4] y, float[b, 2] picked, float[b, k] u, float w)
<float[10, 4] words, float[2, 4] types> {
  [word] e = Gather <axis = 0> (words, ids)
  [zero] none = Sub (ids, ids)
  [type] t = Gather (types, none)
  [sum] y = Add (e, t)
  back = Constant <value = int64[2] {-1, 0}> ()
  [pick] picked = Gather <axis = 1> (scores, back)
  [order] u0 = GatherElements <axis = 1> (scores, order)
  [relu] u = Relu (u0)
  [places] v = GatherND (scores, places)
  w = ReduceSum <keepdims = 0> (v)
}"""


CONVERT = """
import sys, openvino
model = openvino.Core().read_model("a.onnx")
openvino.save_model(model, "b.xml", compress_to_fp16=False)
openvino.save_model(model, "half.xml")
"""


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a.onnx, b.xml, and half.xml, whose constants are f16; no test changes it."""
    from onnx import numpy_helper, parser

    made = parser.parse_model(MODEL)
    rng = numpy.random.default_rng(0)
    for item in made.graph.value_info:
        shape = [dim.dim_value for dim in item.type.tensor_type.shape.dim]
        made.graph.initializer.append(
            numpy_helper.from_array(rng.standard_normal(shape, "f4"), item.name)
        )
    made.graph.ClearField("value_info")
    place = tmp_path_factory.mktemp("pair")
    (place / "a.onnx").write_bytes(made.SerializeToString())
    subprocess.run(
        [sys.executable, "-c", CONVERT], cwd=place, check=True, capture_output=True
    )
    return place
