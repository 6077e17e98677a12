"""Nodes of ONNX and the layers that they become: the shapes of their outputs, and what OpenVINO refuses, beside
OpenVINO itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy
import pytest
from openvino_verdicts import requires_openvino, verdicts

pytest.importorskip("onnx.helper")

from onnx_models import parsed, written

from ovgather.layers.onnx_forward import infer_nodes
from ovgather.onnx_file.model import read
from ovgather.tensor.shape import PartialShape

LSTM = "(float[5,2,3] x, float[1,16,3] w, float[1,16,4] r) => (float[] y, float[] h)"
GRU = "(float[5,2,3] x, float[1,12,3] w, float[1,12,4] r) => (float[] y)"
ROTARY = "(float[2,4,3,8] x, float[2,3,4] c, float[2,3,4] s)"
SAME = "(float[2,3] x) => (float[] y)"
IMAGE = "(float[1,3,8,8] x) => (float[] y)"
HEADS = "(float[2,4,5,8] q, float[2,2,6,8] k, float[2,2,6,7] v) => (float[] y)"
BRANCHES = (
    "then_branch = t () => (float[3] p) { p = Relu (x) }, "
    "else_branch = e () => (float[3] q) { q = Abs (x) }"
)


def loop(nodes: str, condition: str, state: str = "s2", given: str = "bool g") -> str:
    body = f"b (int64 k, bool c, float[2] s) => (bool {condition}, float[2] {state}) {{ {nodes} }}"
    return f"(int64 n, {given}, float[2] x) => (float[] y) {{ y = Loop (n, g, x) <body = {body}> }}"


def branches(then: str, outputs: str) -> str:
    """A value ``r`` that a branch reads, and the model may give."""
    return (
        f"(bool c, float[2,3] x) => ({outputs}) {{ r = Relu (x) y = If (c) <"
        f"then_branch = t () => (float[] t) {{ {then} }}, else_branch = e () => (float[] e) {{ e = Exp (x) }}> }}"
    )


PAIR = "(float[2,3] x, float[4,3] z, int64 i) => (float[] y)"


def sequence(nodes: str) -> str:
    return f"{PAIR} {{ s = SequenceConstruct (x, z) {nodes} }}"


TAKEN = {
    "a later output that one branch reads": (
        18,
        branches("t = Add (r, x)", "float[] y, float[] r"),
        "[2,3]",
    ),
    "an earlier output that a branch of one node reads": (
        18,
        branches("t = Abs (r)", "float[] r, float[] y"),
        "[2,3]",
    ),
    "a sequence, joined": (
        18,
        sequence("y = ConcatFromSequence <axis = 0> (s)"),
        "[6,3]",
    ),
    "a sequence of equal shapes, stacked": (
        18,
        "(float[2,3] x) => (float[] y) { s = SequenceConstruct (x, x) "
        "y = ConcatFromSequence <axis = -1, new_axis = 1> (s) }",
        "[2,3,2]",
    ),
    "an element of a sequence": (
        18,
        sequence("k = Constant <value_int = -1> () y = SequenceAt (s, k)"),
        "[4,3]",
    ),
    "any element of a sequence": (18, sequence("y = SequenceAt (s, i)"), "[2..4,3]"),
    "a sequence that is filled, and emptied": (
        18,
        f"{PAIR} {{ e = SequenceEmpty () a = SequenceInsert (e, x) b = SequenceInsert (a, z) "
        "k = Constant <value_int = 0> () c = SequenceErase (b, k) y = ConcatFromSequence <axis = 0> (c) }",
        "[4,3]",
    ),
    "the length of a sequence": (
        18,
        "(float[2,3] x) => (int64 y) { s = SequenceConstruct (x, x) y = SequenceLength (s) }",
        "[]",
    ),
    "SplitToSequence by a number": (
        18,
        "(float[2,3] x) => (float[] y) { n = Constant <value_int = 2> () s = SplitToSequence <axis = 1> (x, n) "
        "k = Constant <value_int = 1> () y = SequenceAt (s, k) }",
        "[2,1]",
    ),
    "SplitToSequence that loses the axis": (
        18,
        "(float[2,3] x) => (float[] y) { s = SplitToSequence <axis = 1, keepdims = 0> (x) "
        "k = Constant <value_int = 1> () y = SequenceAt (s, k) }",
        "[2]",
    ),
    "GatherND, one batch of data": (
        18,
        "(float[1,3,4] x, int64[2,5,1] i) => (float[] y) { y = GatherND <batch_dims = 1> (x, i) }",
        "[2,5,4]",
    ),
    "GatherND, one batch of indices": (
        18,
        "(float[2,3,4] x, int64[1,5,1] i) => (float[] y) { y = GatherND <batch_dims = 1> (x, i) }",
        "[2,5,4]",
    ),
    "Softmax of an old opset, whatever the axis": (
        8,
        f"{SAME} {{ y = Softmax <axis = 6> (x) }}",
        "[2,3]",
    ),
    "Attention": (24, f"{HEADS} {{ y = Attention (q, k, v) }}", "[2,4,5,7]"),
    "Attention, heads in the last dim": (
        24,
        "(float[2,5,32] q, float[2,6,16] k, float[2,6,16] v) => (float[] y) "
        "{ y = Attention <q_num_heads = 4, kv_num_heads = 2> (q, k, v) }",
        "[2,5,32]",
    ),
    "BitShift": (
        18,
        '(uint8[3] x, uint8[3] s) => (uint8[] y) { y = BitShift <direction = "LEFT"> (x, s) }',
        "[3]",
    ),
    "Celu": (18, f"{SAME} {{ y = Celu (x) }}", "[2,3]"),
    "Compress": (
        18,
        "(float[2,3] x, bool[3] c) => (float[] y) { y = Compress <axis = 1> (x, c) }",
        "[2,..3]",
    ),
    "ConvTranspose": (
        18,
        "(float[1,3,8,8] x, float[3,2,3,3] w) => (float[] y) { y = ConvTranspose (x, w) }",
        "[1,2,10,10]",
    ),
    "CumSum without an axis": (18, f"{SAME} {{ y = CumSum (x) }}", "[2,3]"),
    "GroupNormalization": (
        21,
        "(float[1,4,2] x, float[4] s) => (float[] y) "
        "{ y = GroupNormalization <num_groups = 2> (x, s, s) }",
        "[1,4,2]",
    ),
    "LSTM in capitals": (
        18,
        f'{LSTM} {{ y, h = LSTM <hidden_size = 4, direction = "REVERSE"> (x, w, r) }}',
        "[5,1,2,4]",
    ),
    "DepthToSpace": (
        18,
        "(float[1,8,2,2] x) => (float[] y) { y = DepthToSpace <blocksize = 2> (x) }",
        "[1,2,4,4]",
    ),
    "Dropout": (18, f"{SAME} {{ y, m = Dropout (x) }}", "[2,3]"),
    "DynamicQuantizeLinear": (
        18,
        "(float[2,3] x) => (uint8[] y) { y, s, z = DynamicQuantizeLinear (x) }",
        "[2,3]",
    ),
    "EyeLike": (18, f"{SAME} {{ y = EyeLike (x) }}", "[2,3]"),
    "Flatten of open dims": (
        18,
        "(float[n,3,4] x) => (float[] y) { y = Flatten <axis = 2> (x) }",
        "[?,4]",
    ),
    "GRU": (18, f"{GRU} {{ y, h = GRU <hidden_size = 4> (x, w, r) }}", "[5,1,2,4]"),
    "constants that are divided by 0, of 8 bits": (
        18,
        "(float[4] x) => (int8[] y) <int8[1] a = {2}, int8[1] b = {0}> { y = Div (a, b) }",
        "[1]",
    ),
    "a Split of an output too many that nobody reads": (
        18,
        "(float[2,3] x) => (float[] y) <int64[2] s = {1, 1}> { y, z, w = Split (x, s) }",
        "[1,3]",
    ),
    "Gelu": (20, f"{SAME} {{ y = Gelu (x) }}", "[2,3]"),
    "GridSample": (
        18,
        "(float[1,3,8,8] x, float[1,4,5,2] g) => (float[] y) { y = GridSample (x, g) }",
        "[1,3,4,5]",
    ),
    "HardSigmoid": (18, f"{SAME} {{ y = HardSigmoid (x) }}", "[2,3]"),
    "Hardmax": (18, f"{SAME} {{ y = Hardmax (x) }}", "[2,3]"),
    "InstanceNormalization": (
        18,
        "(float[1,3,8,8] x, float[3] s, float[3] b) => (float[] y) "
        "{ y = InstanceNormalization (x, s, b) }",
        "[1,3,8,8]",
    ),
    "LRN": (18, f"{IMAGE} {{ y = LRN <size = 3> (x) }}", "[1,3,8,8]"),
    "LSTM": (
        18,
        f"{LSTM} {{ y, h, c = LSTM <hidden_size = 4> (x, w, r) }}",
        "[5,1,2,4]",
    ),
    "LeakyRelu": (18, f"{SAME} {{ y = LeakyRelu (x) }}", "[2,3]"),
    "LpNormalization": (18, f"{SAME} {{ y = LpNormalization (x) }}", "[2,3]"),
    "MatMulInteger": (
        18,
        "(uint8[2,3] x, uint8[3,4] w) => (int32[] y) { y = MatMulInteger (x, w) }",
        "[2,4]",
    ),
    "NonMaxSuppression": (
        18,
        "(float[1,6,4] x, float[1,1,6] s) => (int64[] y) <int64[1] n = {2}> "
        "{ y = NonMaxSuppression (x, s, n) }",
        None,
    ),
    "OneHot": (
        18,
        "(int64[2,3] x) => (float[] y) <int64 d = {5}, float[2] v = {0, 1}> { y = OneHot (x, d, v) }",
        "[2,3,5]",
    ),
    "PRelu": (
        18,
        "(float[2,3] x, float[3] s) => (float[] y) { y = PRelu (x, s) }",
        "[2,3]",
    ),
    "Pad": (18, f"{SAME} <int64[4] p = {{0, 1, 2, 3}}> {{ y = Pad (x, p) }}", "[4,7]"),
    "Pad of an axis": (
        18,
        f"{SAME} <int64[2] p = {{1, 2}}, int64[1] a = {{-1}}> {{ y = Pad (x, p, , a) }}",
        "[2,6]",
    ),
    "QuantizeLinear": (
        18,
        "(float[2,3] x) => (int8[] y) <float s = {2}, int8 z = {0}> { y = QuantizeLinear (x, s, z) }",
        "[2,3]",
    ),
    "DequantizeLinear of an axis": (
        18,
        "(int8[2,3] x) => (float[] y) <float[3] s = {1, 2, 3}> { y = DequantizeLinear <axis = 1> (x, s) }",
        "[2,3]",
    ),
    "RMSNormalization": (
        23,
        "(float[2,3] x, float[3] s) => (float[] y) { y = RMSNormalization (x, s) }",
        "[2,3]",
    ),
    "RNN of both directions": (
        18,
        "(float[5,2,3] x, float[2,4,3] w, float[2,4,4] r) => (float[] y) "
        '{ y, h = RNN <hidden_size = 4, direction = "bidirectional"> (x, w, r) }',
        "[5,2,2,4]",
    ),
    "Reciprocal": (18, f"{SAME} {{ y = Reciprocal (x) }}", "[2,3]"),
    "ReduceMax of truths": (
        20,
        "(bool[2,3] x) => (bool[] y) <int64[1] a = {1}> { y = ReduceMax (x, a) }",
        "[2,1]",
    ),
    "ReduceSum of no axes": (
        18,
        f"{SAME} <int64[0] a = {{}}> {{ y = ReduceSum (x, a) }}",
        "[1,1]",
    ),
    "ReduceSumSquare": (18, f"{SAME} {{ y = ReduceSumSquare (x) }}", "[1,1]"),
    "Resize by scales": (
        18,
        f"{IMAGE} <float[4] s = {{1, 1, 2, 0.5}}> {{ y = Resize (x, , s) }}",
        "[1,3,16,4]",
    ),
    "Resize by sizes": (
        18,
        f"{IMAGE} <int64[4] s = {{1, 3, 5, 6}}> {{ y = Resize (x, , , s) }}",
        "[1,3,5,6]",
    ),
    "ReverseSequence": (
        18,
        "(float[4,2] x, int64[2] n) => (float[] y) { y = ReverseSequence (x, n) }",
        "[4,2]",
    ),
    "RoiAlign": (
        18,
        "(float[1,3,8,8] x, float[2,4] r, int64[2] b) => (float[] y) "
        "{ y = RoiAlign <output_height = 4, output_width = 5> (x, r, b) }",
        "[2,3,4,5]",
    ),
    "SoftmaxCrossEntropyLoss": (
        18,
        "(float[4,5] x, int64[4] t) => (float[] y) "
        '{ y = SoftmaxCrossEntropyLoss <reduction = "none"> (x, t) }',
        "[4]",
    ),
    "RotaryEmbedding": (
        23,
        f"{ROTARY} => (float[] y) {{ y = RotaryEmbedding (x, c, s) }}",
        "[2,4,3,8]",
    ),
    "RotaryEmbedding of a part, by places": (
        23,
        "(float[2,3,32] x, float[9,2] c, float[9,2] s, int64[2,3] i) => (float[] y) "
        "{ y = RotaryEmbedding <num_heads = 4, rotary_embedding_dim = 4> (x, c, s, i) }",
        "[2,3,32]",
    ),
    "QuantizeLinear of rows": (
        18,
        "(float[2,3] x, float[2] s, int8[2] z) => (int8[] y) { y = QuantizeLinear <axis = 0> (x, s, z) }",
        "[2,3]",
    ),
    "nodes in any order": (
        18,
        "(float[2,3] x) => (float[] y) { y = Squeeze (a, b) b = Constant <value_ints = [0]> () a = Unsqueeze (x, b) }",
        "[2,3]",
    ),
    "Swish": (24, f"{SAME} {{ y = Swish (x) }}", "[2,3]"),
    "Trilu": (18, f"{SAME} {{ y = Trilu (x) }}", "[2,3]"),
    "Unique": (18, "(float[5] x) => (float[] y) { y = Unique (x) }", None),
    "Gather of an empty constant, which is a number": (
        18,
        f"{SAME} <int64[0] i = {{}}> {{ y = Gather (x, i) }}",
        "[3]",
    ),
    "an empty constant in a Concat": (
        18,
        f"{SAME} <float[0,3] e = {{}}> {{ y = Concat <axis = 0> (x, e) }}",
        "[2,3]",
    ),
    "Unsqueeze at an empty constant": (
        18,
        f"{SAME} <int64[0] a = {{}}> {{ y = Unsqueeze (x, a) }}",
        "[1,2,3]",
    ),
    "ReduceMax over an empty constant": (
        18,
        f"{SAME} <int64[0] a = {{}}> {{ y = ReduceMax (x, a) }}",
        "[1,1]",
    ),
    "Expand to an empty constant": (
        18,
        f"{SAME} <int64[0] s = {{}}> {{ y = Expand (x, s) }}",
        "[2,3]",
    ),
    "Split into more parts than are used": (
        18,
        "(float[5] x) => (float[] y) { y, z = Split <num_outputs = 3> (x) }",
        "[2]",
    ),
    "a scale with the rank of the axes": (
        18,
        "(float[2,3] x, float[1] s) => (float[] y) { y = LayerNormalization (x, s) }",
        "[2,3]",
    ),
    "pads that count for both sides": (
        18,
        f"{IMAGE} <float[1,3,1,1] w = {{1, 1, 1}}> {{ y = Conv <pads = [1, 2]> (x, w) }}",
        "[1,1,10,12]",
    ),
    "a condition that is a list": (
        18,
        f"(bool[n] c, float[3] x) => (float[] y) {{ y = If (c) <{BRANCHES}> }}",
        "[3]",
    ),
    "numbers that are lists of one": (
        18,
        "(float[1] a, float[1] b, float[1] c) => (float[] y) { y = Range (a, b, c) }",
        None,
    ),
    "an axis that is a list of one": (
        18,
        f"{SAME} <int64[1] a = {{1}}> {{ y = CumSum (x, a) }}",
        "[2,3]",
    ),
    "a diagonal that is a list of one": (
        18,
        f"{SAME} <int64[1] k = {{1}}> {{ y = Trilu (x, k) }}",
        "[2,3]",
    ),
    "a Loop": (18, loop("c2 = Identity (c)  s2 = Identity (s)", "c2"), None),
    "a Hann window": (
        20,
        "() => (float[] y) <int64 n = {4}> { y = HannWindow (n) }",
        "[4]",
    ),
    "a spectrum of real numbers": (
        20,
        "(float[2,8,1] x) => (float[] y) { y = DFT (x) }",
        "[2,8,2]",
    ),
    "half a spectrum": (
        17,
        "(float[2,8,1] x) => (float[] y) { y = DFT <axis = 1, onesided = 1> (x) }",
        "[2,5,1,2]",
    ),
    "the numbers of half a spectrum": (
        17,
        "(float[2,8,2] x) => (float[] y) { y = DFT <axis = 1, onesided = 1, inverse = 1> (x) }",
        "[2,14]",
    ),
    "spectra of frames": (
        17,
        "(float[2,8,1] x, float[4] w) => (float[] y) <int64 s = {2}, int64 n = {4}> { y = STFT (x, s, w, n) }",
        "[2,3,3,2]",
    ),
    "spectra of complex frames": (
        17,
        "(float[2,8,2] x, float[4] w) => (float[] y) <int64 s = {2}> { y = STFT <onesided = 0> (x, s, w) }",
        "[2,3,4,2]",
    ),
    "Col2Im": (
        18,
        "(float[1,4,4] x) => (float[] y) <int64[2] s = {4, 4}, int64[2] k = {2, 2}> "
        "{ y = Col2Im <strides = [2, 2]> (x, s, k) }",
        "[1,1,4,4]",
    ),
    "the middle of an axis": (
        18,
        "(float[5,6] x) => (float[] y) <int64[1] s = {9}> { y = CenterCropPad <axes = [-1]> (x, s) }",
        "[5,9]",
    ),
    "the grid of a volume": (
        20,
        "(float[2,3,4] x) => (float[] y) <int64[5] s = {2, 1, 3, 4, 5}> { y = AffineGrid (x, s) }",
        "[2,3,4,5,3]",
    ),
    "an LSTM of weights with one more dim": (
        18,
        f"{LSTM.replace('float[1,16,3]', 'float[1,1,16,3]')} {{ y, h = LSTM <hidden_size = 4> (x, w, r) }}",
        "[5,1,2,4]",
    ),
    "an LSTM of a layout that is not looked at": (
        18,
        f"{LSTM} {{ y, h = LSTM <hidden_size = 4, layout = 1> (x, w, r) }}",
        "[5,1,2,4]",
    ),
    "a GRU of other activations": (
        18,
        f'{GRU} {{ y = GRU <hidden_size = 4, activations = ["Relu", "Tanh"]> (x, w, r) }}',
        "[5,1,2,4]",
    ),
    "a Split into unequal parts before opset 18": (
        13,
        "(float[4,5] x) => (float[] y) { y, z = Split <axis = 1> (x) }",
        "[4,3]",
    ),
    "a Split of an open axis": (
        18,
        "(float[n,5] x) => (float[] y) { y, z = Split <num_outputs = 2> (x) }",
        "[?,5]",
    ),
    "a Reshape by an attribute": (
        17,
        f"{SAME} {{ y = Reshape <shape = [6]> (x) }}",
        "[6]",
    ),
    "scales of an old Upsample": (
        7,
        f'{IMAGE} {{ y = Upsample <scales = [1.0, 1.0, 2.0, 2.0], mode = "linear"> (x) }}',
        "[1,3,16,16]",
    ),
    "a Cast of computed numbers to booleans": (
        18,
        f"{SAME} {{ r = Relu (x) y = Cast <to = 9> (r) }}",
        "[2,3]",
    ),
    "a Pad without pads": (10, f"{SAME} {{ y = Pad (x) }}", "[2,3]"),
}
REFUSED = {
    "a place outside a sequence": (
        18,
        sequence("k = Constant <value_int = 5> () y = SequenceAt (s, k)"),
        "the position 5 is out of range [-2, 1]",
    ),
    "a list as a place": (
        18,
        sequence("k = Constant <value_ints = [0]> () y = SequenceAt (s, k)"),
        "the position must be a scalar, but is [1]",
    ),
    "elements of a sequence that do not fit": (
        18,
        sequence("y = ConcatFromSequence <axis = 1> (s)"),
        "dim 0 of data1 is 4, of the inputs before it is 2",
    ),
    "a sequence joined beyond its rank": (
        18,
        sequence("y = ConcatFromSequence <axis = 4> (s)"),
        "axis 4 is out of range [-2, 1]",
    ),
    "a sequence that a tensor is made of": (
        18,
        sequence("y = Relu (s)"),
        "OpenVINO follows a sequence to the nodes that take it apart, and no further",
    ),
    "GatherND, batches that do not fit": (
        18,
        "(float[2,3,4] x, int64[3,5,1] i) => (float[] y) { y = GatherND <batch_dims = 1> (x, i) }",
        "batch dim 0 is 2 in data but 3 in indices",
    ),
    "Softmax of opset 11, behind the last axis": (
        11,
        f"{SAME} {{ y = Softmax <axis = 2> (x) }}",
        "axis 2 is out of range [-2, 1]",
    ),
    "LogSoftmax of an old opset": (
        8,
        f"{SAME} {{ y = LogSoftmax <axis = 6> (x) }}",
        "axis 6 is out of range [-2, 1]",
    ),
    "Conv, groups that do not divide the filters": (
        18,
        "(float[1,4,8,8] x, float[3,2,3,3] w) => (float[] y) { y = Conv <group = 2> (x, w) }",
        "group is 2, which does not divide the first dim of W",
    ),
    "Cast to text": (
        18,
        "(float[2] x) => (string[] y) { y = Cast <to = 8> (x) }",
        "the CPU plugin converts nothing to string",
    ),
    "BitShift without a direction": (
        18,
        '(uint8[3] x, uint8[3] s) => (uint8[] y) { y = BitShift <direction = "UP"> (x, s) }',
        "direction is 'UP', OpenVINO takes LEFT, RIGHT",
    ),
    "Celu of f16": (18, "(float16[3] x) => (float16[] y) { y = Celu (x) }", "f16"),
    "GridSample of volumes": (
        20,
        "(float[1,3,8,8,8] x, float[1,4,5,6,3] g) => (float[] y) { y = GridSample (x, g) }",
        "GridSample takes data of rank 4, not 5",
    ),
    "a loss that ignores": (
        18,
        "(float[4,5] x, int64[4] t) => (float[] y) "
        "{ y = NegativeLogLikelihoodLoss <ignore_index = 1> (x, t) }",
        "OpenVINO does not convert NegativeLogLikelihoodLoss with it",
    ),
    "a mask of integers": (
        24,
        "(float[2,4,5,8] q, float[2,4,6,8] k, float[2,4,6,7] v, int64[5,6] m) => (float[] y) "
        "{ y = Attention (q, k, v, m) }",
        "the mask is i64",
    ),
    "heads of unequal types": (
        24,
        "(float[2,4,5,8] q, float16[2,4,6,8] k, float[2,4,6,8] v) => (float[] y) { y = Attention (q, k, v) }",
        "Q, K and V have unequal types: f16, f32",
    ),
    "a direction that no LSTM has": (
        18,
        f'{LSTM} {{ y, h, c = LSTM <hidden_size = 4, direction = "up"> (x, w, r) }}',
        "direction is 'up'",
    ),
    "weights of another input": (
        18,
        "(float[5,2,3] x, float[1,16,9] w, float[1,16,4] r) => (float[] y) "
        "{ y, h, c = LSTM <hidden_size = 4> (x, w, r) }",
        "W is for inputs of another length",
    ),
    "Pad that wraps": (
        19,
        f'{SAME} <int64[4] p = {{0, 1, 0, 1}}> {{ y = Pad <mode = "wrap"> (x, p) }}',
        "mode is 'wrap'",
    ),
    "a scale for each of other rows": (
        18,
        "(float[2,3] x, float[4] s, int8[4] z) => (int8[] y) { y = QuantizeLinear <axis = 0> (x, s, z) }",
        "dim 0 of data is 2, scale has 4 elements",
    ),
    "an axis that data lacks": (
        18,
        "(int8[2,3] x, float[3] s) => (float[] y) { y = DequantizeLinear <axis = 2> (x, s) }",
        "axis 2 is out of range [-2, 1]",
    ),
    "a scale of integers": (
        18,
        "(int8[2,3] x, int64 s) => (float[] y) { y = DequantizeLinear (x, s) }",
        "the scale is i64, but must be f32 or f16",
    ),
    "a rotation without heads": (
        23,
        "(float[2,3,32] x, float[2,3,4] c, float[2,3,4] s) => (float[] y) { y = RotaryEmbedding (x, c, s) }",
        "data of rank 3 needs num_heads",
    ),
    "angles of other places": (
        23,
        "(float[2,4,3,8] x, float[7,3,4] c, float[7,3,4] s) => (float[] y) { y = RotaryEmbedding (x, c, s) }",
        "2",
    ),
    "a bias of another length": (
        18,
        "(float[5,2,3] x, float[1,4,3] w, float[1,4,4] r, float[1,7] b) => (float[] y) "
        "{ y = RNN <hidden_size = 4> (x, w, r, b) }",
        "B is [1,7], but must be [1,8]",
    ),
    "a triangle from a real number": (
        18,
        "(float[2,3] x, double k) => (float[] y) { y = Trilu (x, k) }",
        "k must be an i64 number",
    ),
    "axes of unknown number": (
        18,
        "(float[2,3] x, int64[n] a) => (float[] y) { y = ReduceLogSum (x, a) }",
        "the shape of the axes must be known, but is [?]",
    ),
    "a type that does not exist": (
        18,
        f"{SAME} {{ y = Cast <to = 99> (x) }}",
        "OpenVINO reads no element type 99",
    ),
    "updates of another rank": (
        18,
        "(float[3] x, float[1] u) => (float[] y) <int64[1] i = {2}> { y = ScatterND (x, i, u) }",
        "updates has rank 1, the CPU plugin wants 0",
    ),
    "tuples that are an empty constant": (
        18,
        f"{SAME} <int64[2,0] i = {{}}> {{ y = GatherND (x, i) }}",
        "indices must have rank 1 or more",
    ),
    "more parts than elements": (
        18,
        "(float[4] x) => (float[] y) { y, z, w = Split <num_outputs = 3> (x) }",
        "4 elements make no 3 parts of 2",
    ),
    "a fill of two values": (
        18,
        "(int64[2] s) => (float[] y) { y = ConstantOfShape <value = float[2] {1, 2}> (s) }",
        "1 element",
    ),
    "negative repeats": (
        18,
        f"{SAME} <int64[2] r = {{1, -1}}> {{ y = Tile (x, r) }}",
        "repeats must not be negative",
    ),
    "one axis for batches and times": (
        18,
        "(float[2,3] x, int64[3] l) => (float[] y) "
        "{ y = ReverseSequence <batch_axis = 1, time_axis = 1> (x, l) }",
        "batch_axis and time_axis must be two axes",
    ),
    "a scale of another rank than the axes": (
        18,
        "(float[2,3] x, float s) => (float[] y) { y = LayerNormalization (x, s) }",
        "shape makes 3 elements, data has 1",
    ),
    "negative lengths": (
        18,
        "() => (float[] y) <int64[1] s = {-1}> { y = ConstantOfShape (s) }",
        "the lengths must not be negative",
    ),
    "a k of rank 2": (
        18,
        f"{SAME} <int64[1,1] k = {{1}}> {{ y, z = TopK (x, k) }}",
        "k must be a number or a list, but has rank 2",
    ),
    "an fmod that is no switch": (
        18,
        "(int64[3] a, int64[3] b) => (int64[] y) { y = Mod <fmod = 7> (a, b) }",
        "fmod is 7, but must be 0 or 1",
    ),
    "parts along a negative axis": (
        18,
        "(float[8] x) => (float[] y) { y, z, w = Split <num_outputs = 3, axis = -1> (x) }",
        "cannot be divided by num_splits 3",
    ),
    "padding of another kind": (
        18,
        '(float[1,1,2,2] x, float[1,2,2,2] g) => (float[] y) { y = GridSample <padding_mode = "none"> (x, g) }',
        "padding_mode is 'none'",
    ),
    "an If of one branch": (
        18,
        "(bool c, float[3] x) => (float[] y) "
        "{ y = If (c) <then_branch = t () => (float[3] p) { p = Relu (x) }> }",
        "the If has no else_branch",
    ),
    "a branch with an input": (
        18,
        f"(bool c, float[3] x) => (float[] y) {{ y = If (c) <{BRANCHES}> }}".replace(
            "t ()", "t (float[3] z)"
        ),
        "a branch has the input 'z', it may have none",
    ),
    "a condition of two constants": (
        18,
        f"(float[3] x) => (float[] y) <bool[2] c = {{1, 0}}> {{ y = If (c) <{BRANCHES}> }}",
        "the condition has 2 elements, not one",
    ),
    "an axis of a Pad": (
        18,
        "(float[2,3] x) => (float[] y) <int64[2] p = {1, 1}, float v = {0}, int64[1] a = {2}> "
        "{ y = Pad (x, p, v, a) }",
        "axis 2 is out of range [-2, 1]",
    ),
    "tables of angles of another length": (
        23,
        "(float[2,4,3,8] x, float[2,3,1] c) => (float[] y) { y = RotaryEmbedding (x, c, c) }",
        "split_lengths make 2",
    ),
    "heads that do not divide the length": (
        23,
        "(float[2,3,24] x, float[2,3,4] c) => (float[] y) "
        "{ y = RotaryEmbedding <num_heads = 5> (x, c, c) }",
        "5 heads do not divide the length 24",
    ),
    "k of an open shape": (
        18,
        "(float[4] x, int64[n] k) => (float[] y) { y, i = TopK (x, k) }",
        "the shape of k must be known",
    ),
    "a normalization with two outputs that does not train": (
        15,
        "(float[1,2,3] x, float[2] s) => (float[] y) "
        "{ y, m, v = BatchNormalization (x, s, s, s, s) }",
        "only one that trains has more than one output",
    ),
    "a Dropout that trains": (
        18,
        "(float[2] x) => (float[] y) <float r = {0.5}, bool t = {1}> { y = Dropout (x, r, t) }",
        "OpenVINO takes no Dropout that trains",
    ),
    "groups that do not divide the channels": (
        21,
        "(float[1,4,2] x, float[4] s) => (float[] y) "
        "{ y = GroupNormalization <num_groups = 3> (x, s, s) }",
        "num_groups",
    ),
    "a Shrink below 0": (
        18,
        f"{SAME} {{ y = Shrink <lambd = -1.0> (x) }}",
        "lambd is -1, but must not be negative",
    ),
    "a Concat without an axis": (
        18,
        f"{SAME} {{ y = Concat (x, x) }}",
        "Concat needs an axis",
    ),
    "SpaceToDepth of 5 dims": (
        18,
        "(float[1,1,4,4,2] x) => (float[] y) { y = SpaceToDepth <blocksize = 2> (x) }",
        "SpaceToDepth takes 4 dims, data has rank 5",
    ),
    "constants that are divided by 0": (
        18,
        "(float[4,6] x) => (float[] y) <int32[2] a = {2, 2}, int32[2] b = {1, 0}> "
        "{ i = Div (a, b)  y = Gather (x, i) }",
        "integers are divided by 0",
    ),
    "a shape that is divided by 0": (
        18,
        "(float[4,6] x) => (int64[] y) <int64[2] b = {1, 0}> { s = Shape (x)  y = Div (s, b) }",
        "integers are divided by 0",
    ),
    "the remainder of a constant by 0": (
        18,
        "(float[4] x) => (int32[] y) <int32[1] a = {2}, int32[1] b = {0}> "
        "{ y = Mod <fmod = 1> (a, b) }",
        "integers are divided by 0",
    ),
    "a quotient beyond its type": (
        18,
        "(float[4] x) => (int32[] y) <int32[1] a = {-2147483648}, int32[1] b = {-1}> "
        "{ y = Div (a, b) }",
        "-2^31 / -1 is beyond i32",
    ),
    "an output too many of a Relu": (
        18,
        "(float[4] x) => (float[] y) { w, z = Relu (x)  y = Add (w, z) }",
        "OpenVINO gives 1 of the 2 outputs, and 'z' is read",
    ),
    "a condition that is a matrix": (
        18,
        f"(bool[1,1] c, float[3] x) => (float[] y) {{ y = If (c) <{BRANCHES}> }}",
        "the condition is of shape [1,1], not one value",
    ),
    "a Loop that gives its condition as it is": (
        18,
        loop("s2 = Identity (s)", "c"),
        "its body gives 'c' as it is",
    ),
    "a Loop that gives its state as it is": (
        18,
        loop("c2 = Identity (c)", "c2", "s"),
        "its body gives 's' as it is",
    ),
    "a Loop that gives what is around it": (
        18,
        loop("c2 = Identity (c)", "c2", "x"),
        "its body gives 'x' as it is",
    ),
    "a condition of a Loop that is two values": (
        18,
        loop("c2 = Identity (c)  s2 = Identity (s)", "c2", given="bool[2] g"),
        "the condition must be one number, its shape is [2]",
    ),
    "a Loop that ends by two values": (
        18,
        loop("c2 = Greater (s, s)  s2 = Identity (s)", "c2"),
        "the condition of the body must be one number, its shape is [2]",
    ),
    "frames of a signal of open length": (
        17,
        "(float[2,n,1] x) => (float[] y) <int64 s = {2}, int64 k = {4}> { y = STFT (x, s, , k) }",
        "the signal must have known dims",
    ),
    "half a spectrum of complex frames": (
        17,
        "(float[2,8,2] x, float[4] w) => (float[] y) <int64 s = {2}> { y = STFT (x, s, w) }",
        "the signal is complex, and onesided is 1",
    ),
    "a window of a list": (
        20,
        "(int64[1] n) => (float[] y) { y = HannWindow (n) }",
        "stop",
    ),
    "scales of another rank": (
        7,
        f"{IMAGE} {{ y = Upsample <scales = [1.0, 2.0, 2.0]> (x) }}",
        "there are 3 scales",
    ),
    "a Loop whose state changes its rank": (
        18,
        "(int64 n, bool g, float[2,3] x) => (float[] y) { y = Loop (n, g, x) <body = b (int64 k, bool c, float[] s) "
        "=> (bool d, float[] r) { d = Identity (c) t = Shape (s) r = Cast <to = 1> (t) }> }",
        "the rank of what flows into its body is not known",
    ),
    "parts of an open axis": (
        18,
        "(float[n,3] x, int64 i) => (float[] y) <int64 k = {1}> { s = SplitToSequence (x, k) y = SequenceAt (s, i) }",
        "the length of axis 0 must be known",
    ),
    "a QuantizeLinear of four inputs": (
        18,
        "(float[2,3] x, float f, uint8 z) => (uint8[] y) { y = QuantizeLinear (x, f, z, z) }",
        "QuantizeLinear takes 3 inputs, it has 4",
    ),
    "a Dropout of opset 6": (
        6,
        f"{SAME} {{ y = Dropout (x) }}",
        "OpenVINO takes no Dropout that trains",
    ),
    "a Col2Im without steps": (
        18,
        "(float[1,4,4] x) => (float[] y) <int64[2] s = {4, 4}, int64[2] k = {2, 2}> "
        "{ y = Col2Im <strides = [0, 1]> (x, s, k) }",
        "strides are [0, 1], they must be positive",
    ),
    "two pads of Col2Im": (
        18,
        "(float[1,4,4] x) => (float[] y) <int64[2] s = {4, 4}, int64[2] k = {2, 2}> "
        "{ y = Col2Im <pads = [0, 0]> (x, s, k) }",
        "pads has 2 numbers, not 4",
    ),
    "a grid of three sizes": (
        20,
        "(float[2,2,3] x) => (float[] y) <int64[3] s = {2, 3, 4}> { y = AffineGrid (x, s) }",
        "size must have 4 or 5 elements",
    ),
    "an LSTM without a size": (
        18,
        f"{LSTM} {{ y, h = LSTM (x, w, r) }}",
        "LSTM needs hidden_size",
    ),
    "an RNN of another size": (
        18,
        "(float[3,2,1] x) => (float[] y) <float[1,1,1] w = {1}, float[1,1,1] r = {1}> "
        "{ y = RNN <hidden_size = 3> (x, w, r) }",
        "hidden_size is 3, R is for states of another length",
    ),
    "an activation that no GRU has": (
        18,
        f'{GRU} {{ y = GRU <hidden_size = 4, activations = ["Foo", "Tanh"]> (x, w, r) }}',
        "activations are foo, tanh",
    ),
    "a Loop that counts in booleans": (
        18,
        loop("c2 = Identity (c) s2 = Neg (s)", "c2").replace("int64 k", "bool k"),
        "the iteration of its body is bool",
    ),
}


@pytest.mark.parametrize("name", TAKEN)
def test_the_output_of_a_node_has_this_shape(name: str, tmp_path: Path) -> None:
    opset, graph, shape = TAKEN[name]
    model = read(written(opset, graph, tmp_path / "m.onnx"))
    forward = infer_nodes(model)
    assert not forward.unchecked
    assert not forward.refusals
    if shape is not None:
        assert str(model.scopes[0][1].find("y").shape) == shape


@pytest.mark.parametrize("name", REFUSED)
def test_a_node_is_refused_with_this_reason(name: str, tmp_path: Path) -> None:
    opset, graph, reason = REFUSED[name]
    [refusal] = infer_nodes(read(written(opset, graph, tmp_path / "m.onnx"))).refusals
    assert reason in str(refusal.error)


def test_an_earlier_output_that_one_branch_reads_is_not_followed(
    tmp_path: Path,
) -> None:
    graph = branches("t = Add (r, x)", "float[] r, float[] y")
    forward = infer_nodes(read(written(18, graph, tmp_path / "m.onnx")))
    assert forward.unchecked["If"] == 1
    assert not forward.refusals


def test_a_branch_with_a_further_graph_is_not_followed(tmp_path: Path) -> None:
    opset, graph, _ = REFUSED["a condition that is a matrix"]
    further = BRANCHES + ", other = o () => (float[3] r) { r = Abs (x) }"
    graph = graph.replace(BRANCHES, further)
    forward = infer_nodes(read(written(opset, graph, tmp_path / "m.onnx")))
    assert forward.unchecked["If"] == 1


def test_constants_of_unusual_forms(tmp_path: Path) -> None:
    """More dims than NumPy iterates over, no value, and a sparse tensor without elements."""
    from onnx import TensorProto, helper, numpy_helper

    graph = "(float[4,4] x) => (float[] y) { k = Constant <value_int = 0> ()  y = Split (x, k) }"
    model = parsed(f'<ir_version: 9, opset_import: ["" : 18]>\nm {graph}')
    del model.graph.node[0].attribute[:]
    model.graph.node.add(op_type="Gather", input=["x", "long"], output=["z"])
    model.graph.node.add(op_type="Split", input=["x", "sparse"], output=["v"])
    values = numpy.zeros((1,) * 40, "i8")
    model.graph.initializer.append(numpy_helper.from_array(values, "long"))
    empty = helper.make_tensor("sparse", TensorProto.INT64, [0], [])
    model.graph.sparse_initializer.add(values=empty, indices=empty, dims=[0])
    path = tmp_path / "m.onnx"
    path.write_bytes(model.SerializeToString())
    [missing, *_] = infer_nodes(read(path)).refusals
    assert "the Constant has no value" in str(missing.error)


def test_more_elements_than_a_constant_has_are_not_certain(tmp_path: Path) -> None:
    graph = "(float[4] x) => (float[] y) <float[2] d = {1, 2}, int64[1] k = {3}> { y, i = TopK (d, k) }"
    [refusal] = infer_nodes(read(written(18, graph, tmp_path / "m.onnx"))).refusals
    assert refusal.verdict == "undefined"
    assert "k is 3, data has 2 elements along axis -1" in str(refusal.error)


@requires_openvino
@pytest.mark.runtime
def test_empty_name_of_axes(tmp_path: Path) -> None:
    """The name of no value is no input that is left out to a reduction."""
    model = parsed(
        f'<ir_version: 9, opset_import: ["" : 18]>\nm {SAME} {{ y = ReduceMax (x) }}'
    )
    model.graph.node[0].input.append("")
    path = tmp_path / "m.onnx"
    path.write_bytes(model.SerializeToString())
    [refusal] = infer_nodes(read(path)).refusals
    assert "the axes must be left out" in str(refusal.error)
    [found] = verdicts([str(path)], last="compile").values()
    assert found.stage == "read"


@requires_openvino
@pytest.mark.runtime
def test_an_input_that_is_left_out(tmp_path: Path) -> None:
    """The frontend builds the layer, and the CPU plugin refuses it."""
    model = parsed(
        f'<ir_version: 9, opset_import: ["" : 18]>\nm {SAME} {{ y = Add (x, x) }}'
    )
    model.graph.node[0].input[1] = ""
    path = tmp_path / "m.onnx"
    path.write_bytes(model.SerializeToString())
    [refusal] = infer_nodes(read(path)).refusals
    assert str(refusal.error) == "Add needs an input 1, it leaves it out"
    assert refusal.verdict == "rejects_on_compile"
    [found] = verdicts([str(path)], last="compile").values()
    assert found.stage == "compile"


@pytest.mark.slow
@requires_openvino
@pytest.mark.runtime
def test_openvino_does_the_same(tmp_path: Path) -> None:
    cases: dict[str, Any] = {**TAKEN, **REFUSED}
    paths = {
        name: written(opset, graph, tmp_path / f"{place}.onnx")
        for place, (name, (opset, graph, _)) in enumerate(cases.items())
    }
    found = verdicts(list(paths.values()), last="compile")
    for name, path in paths.items():
        assert (not found[path].stage) == (name in TAKEN), (name, found[path])
        if name in TAKEN and TAKEN[name][2] is not None:
            shape = PartialShape.of(TAKEN[name][2])
            assert shape & PartialShape.of(found[path].shapes[0]) == shape, name
