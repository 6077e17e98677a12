"""``explain MESSAGE model.onnx``: the finding that shows the cause of what OpenVINO says of an ONNX file."""

from __future__ import annotations

from pathlib import Path

import onnx_models as models
import pytest
from onnx_child import requires_onnx

from ovgather.verbs.explain_message import explain_message

pytestmark = requires_onnx
CASES = [
    (
        "(float[3,3] x) => (float y) { y = Det (x) }",
        "FrontEnd API failed with OpConversionFailure:\nModel wasn't fully converted.\nSummary:\n"
        "-- No conversion rule found for operations: Det-17",
        "OVG815",
    ),
    (
        "(float[2,3] a, float[2,3] b) => (float[2,6] y) { y = Concat <axis = 8> (a, b) }",
        "-- Concat-17 with a message:\nWhile validating ONNX node '<Node(Concat): y>':\nWhile validating node "
        "'opset1::Concat Concat_2' with friendly_name 'Concat_2':\nAxis 8 out of the tensor rank range [-2, 1].",
        "OVG816",
    ),
    (
        "(complex64[3] x) => (complex64[3] y) { y = Identity (x) }",
        "Check 'false' failed at src/frontends/common/src/frontend.cpp:47:\nLoading input model\nUnsupported type",
        "OVG817",
    ),
    (
        "(float[3,4] x, int64[2] i) => (float[2,4] y) { y = Gather <axis = 1, batch_dims = 1> (x, i) }",
        "[ShapeInferenceError] Inference error(s): (op_type:Gather, node name: y): [ShapeInferenceError] Inferred "
        "shape and existing shape differ in dimension 0: (3) vs (2)",
        "OVG804",  # that the output differs follows from it
    ),
    (
        "(float[3,4] x, int64[2] i) => (float[2,4] y) { y = Gather <axis = 1.0> (x, i) }",
        "onnx.onnx_cpp2py_export.checker.ValidationError: Mismatched attribute type in 'Gather_850 : axis'. Expected: "
        "'INT', actual: 'FLOAT'",
        "OVG804",
    ),
    (
        "(float[3,4] x) => (float[2,4] y) { y = GatherElements (x) }",
        "OpenCV(5.0.0) onnx_importer.cpp:1114: error: (-2:Unspecified error) in function 'handleNode'\n> Node "
        "[GatherElements@ai.onnx]:(onnx_node!y) parse error: GatherElements: two inputs are required (expected: "
        "'node_proto.input_size() == 2'), where",
        "OVG805",
    ),
    (
        "(float[3,4] x, float[2,4] i) => (float[2,4] y) { y = GatherElements (x, i) }",
        "OpenCV(5.0.0) error: (-215:Assertion failed) 'inputs[1] == CV_64S || inputs[1] == CV_32S'",
        "OVG806",
    ),
    (
        "(float[3,4] x, int64[2] i) => (float[2,4] y) { y = Gather <axis = 5> (x, i) }",
        "OpenCV(5.0.0) shape_utils.hpp:250: error: (-2:Unspecified error) in function 'int cv::dnn::normalize_axis("
        "int, int)'\n> :\n>     'axis >= -dims && axis <= dims'\n> where\n>     'axis' is 5",
        "OVG807",
    ),
    (
        "(float[3,4] x, int64[2] i) => (float16[2,4] y) { y = Gather (x, i) }",
        "[ONNXRuntimeError] : 1 : FAIL : Load model from m.onnx failed:Type Error: Type (tensor(float16)) of output "
        "arg (y) of node (Gather_850) does not match expected type (tensor(float)).",
        "OVG809",
    ),
    (
        "(float[3,4] x, int64[2] i) => (float[2,4] y) { a = Gather (z, i) z = Relu (a) y = Relu (z) }",
        "[ONNXRuntimeError] : 1 : FAIL : Load model from m.onnx failed:This is an invalid model. Error: the graph is "
        "not acyclic.",
        "OVG818",
    ),
    (
        "(float[3] x) => (float[3] y) { y = Relu (xx) }",
        'Loading input model\nInput tensor isn\'t found for node "xx"',
        "OVG818",
    ),
]


@pytest.mark.parametrize(("text", "message", "code"), CASES)
def test_the_cause_comes_first(
    text: str, message: str, code: str, tmp_path: Path
) -> None:
    path = tmp_path / "m.onnx"
    path.write_bytes(
        models.parsed(
            f'<ir_version: 8, opset_import: ["" : 17]>\nm {text}'
        ).SerializeToString()
    )
    place = explain_message(message, str(path)).place
    assert place is not None
    assert not place.is_guess
    assert place.findings[0].code == code
