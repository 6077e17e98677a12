"""Public threads about ONNX models in OpenVINO, rebuilt: one command answers each, and this is the line."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import onnx_models as models
import pytest
from onnx_child import requires_onnx

from ovgather.cli.main import run

pytestmark = requires_onnx
NO_AXES = "Check '!axes_val.empty()' failed: 'axes' input is mandatory"
OPEN_RANK = "CPU plug-in doesn't support Squeeze operation with dynamic rank. Operation name: p2o"
BATCH = "Batch dimensions of data and indices must be the same."
SCALAR_K = "Op (TopK) [ShapeInferenceError] K input must be a one-dimensional tensor of size 1."
DIFFERENT = (
    "onnx.onnx_cpp2py_export.shape_inference.InferenceError: [ShapeInferenceError] (op_type:Gather, node name: "
    "Gather_851): [ShapeInferenceError] Inferred shape and existing shape differ in dimension 1: (1) vs (19)"
)
NO_EVALUATION = (
    "Exception from src/core/src/model.cpp:549:\nEvaluation failed on opset8::GatherND g "
    "(opset1::Constant d[0]:f32[2,2], opset1::Constant i[0]:i64[2,2]) -> (f32[2])"
)
NOT_SUPPORTED = (
    "OpenVINO does not support the following ONNX operations: com.microsoft.FusedConv"
)
STATES = (
    "Check '(state_parameters.size() == loop_carried_dependencies.size())' failed: The provided loop body state "
    "parameters size (2) must match the number of loop carried dependencies (1)"
)
LOOP = (
    "RuntimeError: Exception from [CPU] Loop node with name 'Loop.0' at "
    "src/plugins/intel_cpu/src/nodes/tensoriterator.cpp:182"
)
STEP = "error: (-215:Assertion failed) step >= 1 in function 'cv::dnn::SliceLayerImpl::SliceLayerImpl'"
EXPAND = "The function/feature is not implemented (Unsupported Expand op) in cv::dnn::dnn4_v20210608::ONNXImporter"
UNEQUAL = "(-215:Assertion failed) GatherElements: shape mismatched in function 'getMemoryShapes'"


class Thread(NamedTuple):
    """A thread: its address, the graph that it is about, the command that answers it, and what the answer says."""

    address: str
    opsets: str
    graph: str
    command: tuple[str, ...]
    answer: str


THREADS = (
    Thread(
        "openvinotoolkit/openvino#35687",
        '"" : 13',
        "(float[12] x) => (float[6] y) <int64[6] i = {0, 3, 6, 9, 12, 1}> { y = Gather (x, i) }",
        ("validate",),
        "OpenVINO: becomes Gather-8, which gives zeros without a word",
    ),
    Thread(
        "openvinotoolkit/openvino#30797",
        '"" : 13',
        "(float[1,3,4] x, int64[2,1,1] i) => (float[2,1,4] y) { y = GatherND <batch_dims = 1> (x, i) }",
        ("explain", BATCH),
        "OVG808 error: batch dim 0 is 1 in data but 2 in indices",
    ),
    Thread(
        "openvinotoolkit/openvino#16077",
        '"" : 13',
        "(float[1,n,1] x) => (float y) { a = Squeeze (x) y = Relu (a) }",
        ("explain", OPEN_RANK),
        "OVG816 warning: the rank of its output is not known before it runs",
    ),
    Thread(
        "openvinotoolkit/openvino#16468",
        '"" : 13',
        "(float[3] x) => (float y) { y = Unsqueeze <axes = [0]> (x) }",
        ("explain", NO_AXES),
        "OVG816 error: Unsqueeze needs axes, as an input from opset 13 on",
    ),
    Thread(
        "openvinotoolkit/openvino#17461",
        '"" : 13, "com.microsoft" : 1',
        "(uint8[3] x, float s, uint8 z) => (uint8[3] y) "
        "{ y = com.microsoft.QLinearAdd (x, s, z, x, s, z, s, z) }",
        ("validate", "--target", "2023.3"),
        "OpenVINO converts com.microsoft.QLinearAdd from 2025.0 on, not in 2023.3",
    ),
    Thread(
        "openvinotoolkit/openvino#25051",
        '"" : 13',
        "(float[n] x, bool c) => (float y) { a = If (c) "
        "<then_branch = t () => (float p) { p = Squeeze (x) }, "
        "else_branch = e () => (float q) { q = Identity (x) }> y = Relu (a) }",
        ("validate",),
        "the rank of its output is not known before it runs, and the CPU plugin takes few such",
    ),
    Thread(
        "openvinotoolkit/openvino#7379",
        '"" : 13',
        "(float[1,64,64,8] x, int64[1,64,64,1,1] i) => (float[1,64,64,1] y) "
        "{ y = GatherND <batch_dims = 3> (x, i) }",
        ("validate", "--target", "2021.4"),
        "converts it to GatherND-5, which merges the batch dims of the output into one",
    ),
    Thread(
        "openvinotoolkit/openvino#4434",
        '"" : 13',
        "(float[3] x, float[1] u) => (float[3] y) <int64[1] i = {2}> { y = ScatterND (x, i, u) }",
        ("validate",),
        "updates has rank 1, the CPU plugin wants 0",
    ),
    Thread(
        "microsoft/onnxruntime#25251",
        '"" : 13',
        "(float[2,3] x) => (float[1,3] y) <int64[1,3] i = {0, 1, 2}> { y = GatherElements (x, i) }",
        ("validate",),
        "1 of 3 constant indices outside [-2, 1]",
    ),
    Thread(
        "microsoft/onnxruntime#29072",
        '"" : 13',
        "(float[2000] x, float[5] s) => (float y, int64 j) <int64[1] i = {-1}> "
        "{ d = Shape (s) k = Gather (d, i) y, j = TopK (x, k) }",
        ("explain", SCALAR_K),
        "these releases took the list for a scalar, since a Gather reads it from a Shape",
    ),
    Thread(
        "onnx/onnx#5542",
        '"" : 13',
        "(float[1,19,5] x) => (float[1,19,5] out) <int64[1] i = {10}> "
        "{ s = Softmax <axis = 1> (x) [Gather_851] out = Gather <axis = 1> (s, i) }",
        ("explain", DIFFERENT),
        "OVG809 error: output dim 1 is declared 19, but 1 is inferred from the inputs",
    ),
    Thread(
        "openvinotoolkit/openvino#36214",
        '"" : 13',
        "() => (float[?,?] y) <int64 n = {3}, bool c = {1}> { y = Loop (n, c) "
        "<body = b (int64 k, bool c0) => (bool c1, float[2] g) { d = Constant <value = float[2,2] {0,1,2,3}> () "
        "i = Constant <value = int64[2,2] {0,1,1,0}> () g = GatherND (d, i) c1 = Identity (c0) }> }",
        ("explain", NO_EVALUATION),
        "update OpenVINO to 2026.3 or later; or give the Loop a trip count",
    ),
    Thread(
        "openvinotoolkit/openvino#13177",
        '"" : 13, "com.microsoft" : 1',
        "(float[1,3,4,4] x) => (float y) <float[2,3,1,1] k = {1,1,1,1,1,1}> "
        '{ y = com.microsoft.FusedConv <activation = "Relu"> (x, k) }',
        ("explain", NOT_SUPPORTED),
        "com.microsoft.FusedConv is converted by OpenVINO 2023.3 and later",
    ),
    Thread(
        "openvinotoolkit/openvino#37383",
        '"" : 17',
        "(int64 n, bool g, float[2] x) => (float[2] y) { y = Loop (n, g, x) "
        "<body = b (int64 k, bool c, float[2] s) => (bool c, float[2] s2) { s2 = Relu (s) }> }",
        ("explain", STATES),
        "OVG816 error: its body gives 'c' as it is, which OpenVINO refuses",
    ),
    Thread(
        "openvinotoolkit/openvino#28235",
        '"" : 17',
        "(int64 n, bool g, float[2] x) => (float[2] y) { y = Loop (n, g, x) "
        "<body = b (int64 k, bool c, float[2] s) => (bool c2, float[2] s2) "
        "{ c2 = Greater (s, s) s2 = Identity (s) }> }",
        ("explain", LOOP),
        "OVG816 error: the condition of the body must be one number",
    ),
    Thread(
        "opencv/opencv#22794",
        '"" : 11',
        "(float[4] x) => (float[4] y) <int64[1] a = {-1}, int64[1] b = {-9}, int64[1] c = {0}> "
        "{ y = Slice (x, a, b, c, a) }",
        ("explain", STEP),
        "OpenCV takes no Slice with a negative step",
    ),
    Thread(
        "opencv/opencv#20643",
        '"" : 11',
        "(float[1,2] x) => (float[3,2] y) <int64[2] s = {3, 2}> { y = Expand (x, s) }",
        ("explain", EXPAND),
        "OpenCV has Expand for some shapes only",
    ),
    Thread(
        "opencv/opencv#20439",
        '"" : 12',
        "(float[2] i) => (float[2,4] y) <float[1,4] w = {0,0,0,0}> "
        "{ casted = Cast <to = 7> (i) y = Gather (w, casted) }",
        (
            "explain",
            "error: (-5:Bad argument) Blob casted not found in const blobs",
        ),
        "OpenCV wants a constant where the model computes 'casted': the indices of a Gather",
    ),
    Thread(
        "onnxsim/onnxsim#303",
        '"" : 15',
        "(float x) => (int64 y) <int64 i = {0}> { s = Shape (x) y = Gather (s, i) }",
        (
            "explain",
            "indices element out of data bounds, idx=0 must be within the inclusive range [0,-1]",
        ),
        "where the Gather reads the shape of a tensor, that tensor is a scalar",
    ),
    Thread(
        "microsoft/onnxruntime-extensions#953",
        '"" : 13',
        "(int64[1] ids) => (float[1,2] y) <float[1,2] w = {0, 0}> { y = Gather (w, ids) }",
        (
            "explain",
            "indices element out of data bounds, idx=1 must be within the inclusive range [-1,0]",
        ),
        "its indices come from the input 'ids'",
    ),
    Thread(
        "microsoft/onnxruntime#18417",
        '"" : 15',
        "(int64[1] sid) => (float[1,2] y) <float[1,2] w = {0, 0}> { y = Gather (w, sid) }",
        (
            "explain",
            "Status Message: OpKernelContext::Input(int) const Missing Input: sid",
        ),
        "an array is given under a name that the model does not have, or one is missing",
    ),
    Thread(
        "opencv/opencv#29826",
        '"" : 13',
        "(float[2,3,4] x, int64[1,3,2] i) => (float[1,3,2] y) "
        "{ y = GatherElements <axis = 2> (x, i) }",
        ("explain", UNEQUAL),
        "wants data and indices of equal dims off the axis up to OpenCV 4.14",
    ),
)


@pytest.mark.parametrize("thread", THREADS, ids=[thread.address for thread in THREADS])
def test_one_command_answers_the_thread(
    thread: Thread, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "m.onnx"
    text = f"<ir_version: 8, opset_import: [{thread.opsets}]>\nm {thread.graph}"
    path.write_bytes(models.parsed(text).SerializeToString())
    verb, *more = thread.command
    if verb == "explain":
        run([verb, *more, str(path)])
    else:
        run([verb, str(path), *more])
    printed = " ".join(capsys.readouterr().out.split())
    assert " ".join(thread.answer.split()) in printed, printed


def test_a_layer_of_opencv_is_not_blamed_for_its_first_release(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    thread = THREADS[-1]
    path = tmp_path / "m.onnx"
    text = f"<ir_version: 8, opset_import: [{thread.opsets}]>\nm {thread.graph}"
    path.write_bytes(models.parsed(text).SerializeToString())
    run(["explain", UNEQUAL, str(path)])
    assert "from OpenCV 4.9 on" not in capsys.readouterr().out
