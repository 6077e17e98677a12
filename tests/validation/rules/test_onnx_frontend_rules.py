"""The rules on what OpenVINO's frontend makes of an ONNX file: in which words, and beside what OpenVINO does."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy
import onnx_models as models
import pytest
from onnx_child import requires_onnx
from openvino_verdicts import requires_openvino, verdicts

from ovgather import schemas
from ovgather.cli.main import run
from ovgather.targets.purpose import parse_purpose
from ovgather.validation.check import check_file

pytestmark = requires_onnx
HEAD = '<ir_version: 8, opset_import: ["" : 17, "local" : 1]>\nm '
FUNCTION = '\n<domain: "local", opset_import: ["" : 17]>\nPick (d, i) => (o) { o = Gather (d, i) }'

CASES: list[tuple[str, str, str, str]] = [
    ("(float[3,4] x) => (float[3,4] y) { y = Relu (x) }", "", "", "accepts"),
    (
        "(float[3,4] x, int64[2] i) => (float[2,4] y) { y = local.Pick (x, i) }"
        + FUNCTION,
        "OVG815",
        "local.Pick is a function of the model, which no release of OpenVINO converts",
        "rejects",
    ),
    (
        "(float[3,3] x) => (float y) { y = Det (x) }",
        "OVG815",
        "OpenVINO has no conversion for Det",
        "rejects",
    ),
    (
        "(float[3,3] x) => (float[3,3] y) { y = SoftMax (x) }",
        "OVG815",
        "onnx has no operation SoftMax; did you mean `Softmax`?",
        "rejects",
    ),
    (
        "(float[3,3] x) => (float[] y) { y = Softmax <axes = 1> (x) }",  # the checker tells of the output alone
        "OVG814",
        "ONNX Runtime does not load the model: Unrecognized attribute: axes for operator Softmax ==> "
        "Context: Bad node spec for node. Name: OpType: Softmax",
        "accepts",
    ),
    (
        "(float[3,3] x) => (float[3,3] y) { y = Bernoulli (x) }",
        "OVG815",
        "OpenVINO converts Bernoulli up to 2025.4 only (measured: docs/releases.md)",
        "rejects",
    ),
    (
        "(float[3,4] x) => (float[3,4] y) { y = Relu (x)\n z = Det (x) }",  # it leads to no output
        "",
        "",
        "accepts",
    ),
    (
        "(float[2,3] a, float[2,3] b) => (float[2,6] y) { y = Concat <axis = 8> (a, b) }",
        "OVG816",
        "axis 8 is out of range [-2, 1]: data0 [2,3], data1 [2,3], axis 8",
        "rejects",
    ),
    (
        "(float[3,4] x, int64[2,2] i) => (float[2,2] y) { y = GatherElements <axis = 1> (x, i) }",
        "OVG816",
        "dim 0 is 3 in data but 2 in indices, and only dim 1, the axis, may differ: data [3,4], indices [2,2], axis 1",
        "rejects",
    ),
    (
        "(float[3,4] x) => (float[1,3,4] y) { y = Unsqueeze <axes = [0]> (x) }",
        "OVG816",
        "Unsqueeze needs axes, as an input from opset 13 on; this is opset 17",
        "rejects",
    ),
    (
        "(complex64[3] x) => (complex64[3] y) { y = Identity (x) }",
        "OVG817",
        "input 'x' is tensor(complex64)",
        "rejects",
    ),
    (
        "(float[3] x) => (float[3] y) { y = Relu (xx) }",
        "OVG818",
        "it reads 'xx', which nothing gives; did you mean `x`?",
        "rejects",
    ),
    ("(float[3] x) => (float[3] y) { y = Relu (a) a = Abs (x) }", "", "", "accepts"),
    (
        "(float[3] x) => (float[3] y) { b = Add (x, a) a = Abs (b) y = Relu (b) }",
        "OVG818",
        "it reads 'a', which a later node gives",
        "rejects",
    ),
    (
        "(int64 n, bool c, float[3,4] x) => (float[?,4] y) { y = Loop (n, c) <body = b (int64 k, bool c0) => "
        "(bool c1, float[4] g) { c1 = Identity (c0) g = Gather (h, k) h = Relu (x) }> }",
        "OVG818",
        "it reads 'h', which a later node gives",
        "rejects",
    ),
    (
        "(float[3] x, float[3] x) => (float[3] y) { y = Relu (x) }",
        "OVG818",
        "2 inputs are called 'x'",
        "rejects",
    ),
    (
        "(int64 n, bool c, float[3,4] x) => (float[?,4] y) { y = Loop (n, c) <body = b (int64 k, bool c0) => "
        "(bool c1, float[4] g) { c1 = Identity (c0) f = Cast <to = 1> (k) g = Gather (x, f) }> }",
        "OVG806",
        "indices must be tensor(int32) or tensor(int64), not tensor(float): data tensor(float), indices tensor(float)",
        "rejects",
    ),
    (
        "(float[3,4] x, int64[2] i) => (float[2,4] y) { y = Gather <axis = [0]> (x, i) }",
        "OVG804",
        "attribute `axis` must be an integer",
        "rejects",
    ),
    (
        "(float[3,4] x, int64[2] i) => (float[2,4] y) { y = Gather <axis = 0.5> (x, i) }",
        "OVG804",
        "attribute `axis` must be an integer",
        "accepts",
    ),
    (
        "(float[2,3] a) => (float[2,6] y) { y = Concat <axis = 1.5> (a, a) }",
        "OVG814",
        "onnx's checker says: Mismatched attribute type in ' : axis'. Expected: 'INT', actual: 'FLOAT' ==> "
        "Context: Bad node spec for node. Name: OpType: Concat",
        "accepts",
    ),
    (
        "(float[2,3] a) => (float[2,3] y) { y = LeakyRelu <alpha = [1]> (a) }",
        "OVG816",
        "alpha must be one number",
        "rejects",
    ),
    (
        "(float[2,3] a) => (float[3,2] y) { y = Transpose <perm = 1> (a) }",
        "OVG816",
        "perm must be a list of integers",
        "rejects",
    ),
    (
        "(bool c, float[2] x) => (float[2] y, float[2] z) { y, z = If (c) <then_branch = t () => (float[2] p, float[2] "
        "q) { p = Relu (x) q = Abs (x) }, else_branch = e () => (float[2] r) { r = Exp (x) }> }",
        "OVG816",
        "the branches give 2 and 1 outputs",
        "rejects",
    ),
    (
        "(int64 n, bool c, float[2] x) => (float[2] y) { y = Loop (n, c, x, x) <body = b (int64 k, bool c0, float[2] "
        "s) => (bool c1, float[2] t) { c1 = Identity (c0) t = Relu (s) }> }",
        "OVG816",
        "the node has 4 inputs, its body takes 3",
        "rejects",
    ),
    (
        "(int64 n, bool c, float[2] x) => (float[?,2] z) { y, z = Loop (n, c, x) <body = b (int64 k, bool c0, "
        "float[2] s) => (bool c1, float[2] t) { c1 = Identity (c0) t = Relu (s) }> }",
        "OVG816",
        "OpenVINO gives 1 of the 2 outputs, and 'z' is read",
        "rejects",
    ),
    (
        "(float[2,3] x) => (float[2,3] y) { y = Scan <num_scan_inputs = 2, body = b (float[3] s) => (float[3] t) "
        "{ t = Relu (s) }> (x) }",
        "OVG816",
        "num_scan_inputs is 2, the body has 1 inputs",
        "rejects",
    ),
    (
        "(float[2] x) => (float[2] y) { y = Cast (x) }",
        "OVG816",
        "the Cast has no type to convert to",
        "rejects",
    ),
    (
        "() => (float[2] y) { y = Constant () }",
        "OVG816",
        "the Constant has no value",
        "rejects",
    ),
    (
        "(float[2,2] x) => (float[1,3] y) <int64[1] s = {0}, int64[1] e = {1}, int64[1,3] i = {0, 1, 1}> "
        "{ c = Slice (x, s, e, s) y = GatherElements <axis = 1> (c, i) }",
        "OVG816",
        "OpenVINO leaves out the Slice before it: dim 0 is 2 in data but 1 in indices, and only dim 1, the axis, may "
        "differ: data [2,2], indices [1,3] = (0,1,1), axis 1",
        "rejects_on_compile",
    ),
    (
        "(float[2,3] x) => (float[3,2] y) <float[2] shape> { shape = Constant <value = int64[2] {3, 2}> () "
        "y = Reshape (x, shape) }",
        "",
        "",
        "accepts",  # OpenVINO does not read what is declared of a constant
    ),
    (
        "(string[3] x, string[3] z) => (bool[3] y) { y = Equal (x, z) }",
        "OVG816",
        "the CPU plugin runs no Equal of text",
        "rejects_on_compile",
    ),
    (
        "(float[2] x) => (float[2] y) { y = Add (y, x) }",
        "OVG818",
        "it reads 'y', which a later node gives",
        "accepts",
    ),
    (
        "(float[2] x) => (float[2] y) { a = Add (b, x) b = Relu (a) y = Relu (b) }",
        "OVG818",
        "it reads 'b', which a later node gives",
        "rejects",
    ),
    (
        "(float[2] x) => (float[2] y, float[2] q) { y = Add (x, q) }",
        "OVG818",
        "the graph gives 'q', which nothing computes",
        "accepts",
    ),
    (
        "(float[2] x, bool c) => (float[2] y) { y = If (c) <then_branch = a () => (float[2] p) { p = Add (y, x) }, "
        "else_branch = b () => (float[2] q) { q = Relu (x) }> }",
        "OVG818",
        "it reads 'y', which a later node gives",
        "rejects",
    ),
    (
        "(float[3,2] x, float[2] s) => (float[2] a, float[3,2] b, float[3,2] d) { a, b = Scan <num_scan_inputs = 1, "
        "body = t (float[2] u, float[2] v) => (float[2] p) { p = Add (u, v) }> (s, x) d = Neg (b) }",
        "",
        "",
        "accepts",
    ),
]


def made(text: str) -> bytes:
    model = models.parsed(HEAD + text).SerializeToString()
    assert isinstance(model, bytes)
    return model


@pytest.mark.parametrize(("text", "code", "message", "verdict"), CASES)
def test_messages(text: str, code: str, message: str, verdict: str) -> None:
    checked = check_file(made(text))
    found = [each for each in checked.diagnostics if each.code == code]
    assert checked.verdict.openvino == verdict
    assert [each.message for each in found][:1] == [message] * bool(code)
    assert all(each.runtimes for each in found)


def test_what_onnx_runtime_does_without_the_shape_of_an_output() -> None:
    checked = check_file(made("(float[3,3] x) => (float[] y) { y = Relu (x) }"))
    [found] = checked.diagnostics
    verdicts_by_runtime = {each.runtime: each.verdict for each in found.runtimes}
    assert verdicts_by_runtime["ONNX Runtime"] == "accepts"
    assert checked.onnx is not None
    assert checked.onnx.onnxruntime == "accepts"
    assert checked.onnx.differences == 0


def _without_shape(model: Any) -> None:
    model.graph.input[0].type.tensor_type.ClearField("shape")


def _without_type(model: Any) -> None:
    model.graph.input[0].type.tensor_type.elem_type = 0


def _without_version(model: Any) -> None:
    model.ClearField("ir_version")


def _without_opset(model: Any) -> None:
    del model.opset_import[:]


def _opset(version: int) -> Callable[[Any], None]:
    def change(model: Any) -> None:
        model.opset_import[0].version = version

    return change


def _sparse(model: Any) -> None:
    _unread_sparse(model)
    model.graph.node[0].input[0] = "c"


def _unread_sparse(model: Any) -> None:
    from onnx import helper, numpy_helper

    values = numpy_helper.from_array(numpy.ones(1, "float32"), "c")
    places = numpy_helper.from_array(numpy.zeros(1, "int64"), "places")
    model.graph.sparse_initializer.append(
        helper.make_sparse_tensor(values, places, [3])
    )


def _sparse_beside_dense(model: Any) -> None:
    from onnx import numpy_helper

    _sparse(model)
    dense = numpy_helper.from_array(numpy.ones(3, "float32"), "c")
    model.graph.initializer.append(dense)


def _version(number: int) -> Callable[[Any], None]:
    def change(model: Any) -> None:
        model.ir_version = number

    return change


def _empty_axis(model: Any) -> None:
    node = model.graph.node[0]
    node.op_type = "Softmax"
    attribute = node.attribute.add()
    attribute.name = "axis"
    attribute.type = attribute.STRING


def _sparse_output(model: Any) -> None:
    kind = model.graph.output[0].type
    kind.ClearField("tensor_type")
    kind.sparse_tensor_type.elem_type = 1


def _input_without_a_type(model: Any) -> None:
    model.graph.input[0].ClearField("type")


def _sequence_input(model: Any) -> None:
    from onnx import TypeProto

    kind = model.graph.input[0].type
    tensor = TypeProto(tensor_type=kind.tensor_type)
    kind.sequence_type.elem_type.CopyFrom(tensor)


def _produced(change: Callable[[Any], None]) -> Callable[[Any], None]:
    """The change of a model that has one more field."""

    def changed(model: Any) -> None:
        model.producer_name = "somebody"
        change(model)

    return changed


def _stored(
    size: int, dims: Sequence[int] = (3,), is_read: bool = True, **fields: list[float]
) -> Callable[[Any], None]:
    """A second input that is a constant of ``size`` bytes; -1: it has no ``raw_data``."""

    def change(model: Any) -> None:
        tensor = model.graph.initializer.add(name="c", data_type=1, dims=dims, **fields)
        if size >= 0:
            tensor.raw_data = bytes(size)
        if is_read:
            model.graph.node[0].op_type = "Add"
            model.graph.node[0].input.append("c")

    return change


def _holds(count: int, needed: int = 12) -> str:
    return f'tensor "c": it holds {count} bytes in raw_data, but its dims and type need {needed}'


CHANGES: list[tuple[Callable[[Any], None], str, str, str]] = [
    (
        _without_shape,
        "OVG816",
        "the input 'x' has no shape, and the CPU plugin takes no input of unknown rank",
        "rejects_on_compile",
    ),
    (_without_type, "OVG817", "input 'x' has no element type", "rejects_on_compile"),
    (
        _without_version,
        "OVG801",
        "runtimes see no ONNX model: it has no ir_version",
        "rejects",
    ),
    (
        _without_opset,
        "OVG801",
        "runtimes see no ONNX model: it imports no opset",
        "rejects",
    ),
    (
        _produced(_without_version),
        "OVG801",
        "ONNX Runtime sees no ONNX model: it has no ir_version",
        "accepts",
    ),
    (
        _produced(_without_opset),
        "OVG801",
        "ONNX Runtime sees no ONNX model: it imports no opset",
        "accepts",
    ),
    (_sparse, "OVG817", "constant 'c' is sparse", "rejects"),
    (_unread_sparse, "OVG817", "constant 'c' is sparse", "accepts"),
    (_sparse_beside_dense, "OVG817", "constant 'c' is sparse", "accepts"),
    *[
        (
            _version(number),
            "OVG801",
            f"ir_version is {number}: OpenVINO sees no ONNX model",
            "rejects",
        )
        for number in (-1, 1 << 35)
    ],
    (
        _sparse_output,
        "OVG817",
        "'y' is a sparse_tensor, the frontend reads tensors",
        "rejects",
    ),
    (
        _input_without_a_type,
        "OVG817",
        "input 'x' has no element type",
        "rejects_on_compile",
    ),
    (
        _sequence_input,
        "OVG814",
        "ONNX Runtime does not load the model: [ShapeInferenceError] (op_type:Relu): X typestr: T, "
        "has unsupported type: seq(tensor(float))",
        "accepts",
    ),
    (_stored(13), "OVG813", _holds(13), "accepts"),
    (_stored(8), "OVG813", _holds(8), "rejects"),
    (_stored(8, is_read=False), "OVG813", _holds(8), "accepts"),
    (_stored(16), "OVG813", _holds(16), "rejects"),
    (_stored(3, dims=()), "OVG813", _holds(3, 4), "accepts"),
    (
        _stored(-1),
        "OVG813",
        'tensor "c": it holds no values, but its dims are those of 3 elements',
        "accepts",
    ),
    (
        _stored(12, float_data=[1.0]),
        "OVG813",
        'tensor "c": it holds values both in raw_data and in float_data',
        "accepts",
    ),
    (
        _stored(0, float_data=[1.0, 2.0, 3.0]),
        "OVG813",
        'tensor "c": it holds values both in raw_data and in float_data',
        "rejects",
    ),
    (_opset(0), "OVG803", "the model imports opset 0: they count from 1", "rejects"),
]


@pytest.mark.parametrize(
    ("change", "code", "message", "verdict"), CHANGES, ids=lambda value: str(value)[:20]
)
def test_what_a_parser_does_not_write(
    change: Callable[[Any], None], code: str, message: str, verdict: str, tmp_path: Path
) -> None:
    model = models.parsed(f"{HEAD}(float[3] x) => (float[3] y) {{ y = Relu (x) }}")
    change(model)
    path = tmp_path / "m.onnx"
    path.write_bytes(model.SerializeToString())
    checked = check_file(str(path))
    assert checked.verdict.openvino == verdict
    assert message in [
        each.message for each in checked.diagnostics if each.code == code
    ]


def test_an_opset_of_the_future() -> None:
    model = models.parsed(f"{HEAD}(float[3] x) => (float[3] y) {{ y = Relu (x) }}")
    _opset(99)(model)
    [finding] = check_file(model.SerializeToString()).diagnostics
    assert finding.message.startswith(
        "the model imports opset 99, onnx knows them up to "
    )
    assert (finding.openvino, finding.severity) == ("accepts", "warning")


def test_an_opset_that_openvino_counts_down_from() -> None:
    model = models.parsed(f"{HEAD}(float[3] x) => (float[3] y) {{ y = Relu (x) }}")
    _opset(1 << 40)(model)
    checked = check_file(model.SerializeToString())
    assert checked.verdict.openvino == "unknown"
    assert checked.diagnostics[0].effect == "counts down to an opset that it knows"


def test_an_attribute_of_an_empty_text_is_0(tmp_path: Path) -> None:
    model = models.parsed(f"{HEAD}(float[3] x) => (float[3] y) {{ y = Relu (x) }}")
    _empty_axis(model)
    path = tmp_path / "m.onnx"
    path.write_bytes(model.SerializeToString())
    assert check_file(str(path)).verdict.openvino == "accepts"


@requires_openvino
@pytest.mark.runtime
def test_openvino_does_so_with_changed_models(tmp_path: Path) -> None:
    paths = {}
    for number, (change, *_, verdict) in enumerate(
        [*CHANGES, (_opset(99), "accepts"), (_empty_axis, "accepts")]
    ):
        model = models.parsed(f"{HEAD}(float[3] x) => (float[3] y) {{ y = Relu (x) }}")
        change(model)
        path = tmp_path / f"{number}.onnx"
        path.write_bytes(model.SerializeToString())
        paths[str(path)] = verdict
    assert _found(paths) == paths


def _found(paths: Iterable[str]) -> dict[str, str]:
    stages = {
        "": "accepts",
        "infer": "accepts",
        "read": "rejects",
        "compile": "rejects_on_compile",
    }
    return {
        path: stages[found.stage]
        for path, found in verdicts(list(paths), last="compile").items()
    }


@requires_openvino
@pytest.mark.runtime
def test_openvino_does_so(tmp_path: Path) -> None:
    paths = {}
    for number, (text, *_, verdict) in enumerate(CASES):
        path = tmp_path / f"{number}.onnx"
        path.write_bytes(made(text))
        paths[str(path)] = verdict
    assert _found(paths) == paths


def test_one_view(tmp_path: Path, capfd: Any) -> None:
    path = tmp_path / "m.onnx"
    nodes = "(float[3,4] x) => (float[2,4] y) { i = Constant <value_ints = [0, 3]> ()\n y = Gather (x, i) }"
    path.write_bytes(made(nodes))
    assert run(["validate", str(path)]) == 1
    out = capfd.readouterr().out
    assert "= OpenVINO: becomes Gather-8, which gives zeros without a word" in out
    assert (
        "= ONNX Runtime: loads the model, and raises an exception when it runs" in out
    )
    assert (
        f"{path}: it is valid ONNX; ONNX Runtime fails when it runs it: 1 of 2 constant indices outside [-3, 2]: 3 at "
        "position [1]; OpenVINO and ONNX Runtime differ in 1 finding\n"
    ) in out
    assert "OpenVINO reads and compiles it." in out
    assert run(["validate", str(path), "--format", "json"]) == 1
    document = json.loads(capfd.readouterr().out)
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator(schemas.load("validate")).validate(document)
    [file] = document["files"]
    assert (
        file["openvino"],
        file["onnx"]["is_valid"],
        file["onnx"]["differences"],
    ) == (
        "accepts",
        True,
        1,
    )
    runtimes = [
        (each["runtime"], each["verdict"])
        for each in file["diagnostics"][0]["runtimes"]
    ]
    assert runtimes == [
        ("onnx", "accepts"),
        ("ONNX Runtime", "rejects_on_run"),
        ("OpenCV", "undefined"),
        ("TensorRT", "undefined"),
    ]


def test_a_target_that_came_before_the_conversion() -> None:
    text = models.parsed(
        '<ir_version: 8, opset_import: ["" : 18]>\nm (float[3,4] x) => (float[3,4] y) { y = Mish (x) }'
    )
    assert not check_file(text).diagnostics
    [found] = check_file(text, purpose=parse_purpose("2024.0", None)).diagnostics
    expected = "OpenVINO converts Mish from 2024.1 on, not in 2024.0 (measured: docs/releases.md)"
    assert (found.code, found.message) == ("OVG815", expected)


LOADS: list[tuple[str, str]] = [
    ("(float[3,4] x, int64[2] i) => (float[3,4] y) { y = Gather (x, i) }", "accepts"),
    ("(float[3,4] x, int64[2] i) => (int64[2,4] y) { y = Gather (x, i) }", "rejects"),
    (
        "(float[3,4] x, int64[2] i) => (float[2,4] y) { y = Gather <axis = 2> (x, i) }",
        "rejects",
    ),
    (
        "(float[3,4] x, int64[2,4] i) => (float[2,4] y) { y = GatherElements <axis = 2> (x, i) }",
        "rejects_on_run",
    ),
    (
        "(float[2,3,4] x, int64[5,4] i) => (float[5] y) { y = GatherND (x, i) }",
        "rejects",
    ),
    (
        "(float[2,3,4] x, int64[2,1] i) => (float[2,4] y) { y = GatherND <batch_dims = -1> (x, i) }",
        "rejects_on_run",
    ),
    (
        "(float[2,3] a, float[2,3] b) => (float[2,6] y) { y = Concat <axis = 8> (a, b) }",
        "rejects",
    ),
    ("(float[3] x) => (float[3] y) { y = Transpose <perm = [1]> (x) }", "rejects"),
    ("(complex64[3] x) => (complex64[3] y) { y = Identity (x) }", "rejects"),
    ("(float[2,2] x) => (float[2,2] y) { y = LeakyRelu <alpha = [1]> (x) }", "rejects"),
    ("(int64[3] x) => (float[3] y) { y = Sin (x) }", "rejects"),
]
"""Nodes, and what ONNX Runtime does with them, where only what onnx infers tells that it does not load the model."""


@pytest.mark.parametrize(("text", "verdict"), LOADS)
def test_onnx_runtime(text: str, verdict: str) -> None:
    verdicts = [
        each.verdict
        for finding in check_file(made(text)).diagnostics
        if finding.severity != "note"
        for each in finding.runtimes
        if each.runtime == "ONNX Runtime"
    ]
    assert {*verdicts} == {verdict}


OF_FILES = {
    "(float[3,4] x, int64[2] i) => (float[2,4] y) { y = Gather (x, i) }": "accepts",
    "(float[3,4] x) => (float[3,4] y) { y = Foo.Pick (x) }": "rejects",
    "(float[3,4] x) => (float[3,4] y) { y = com.microsoft.Gelu (x) }": "unknown",
    "(float[2,3] x) => (float[5,3] y) { k = Constant <value_int = 9> () y, i = TopK (x, k) }": "rejects",
    "(float[3,4] x) => (float[1,4] y) { i = Constant <value_ints = [7]> () y = Gather (x, i) }": "rejects_on_run",
}
"""Models, and what ONNX Runtime does with them as a whole."""


@pytest.mark.parametrize("text", OF_FILES)
def test_the_verdict_of_onnx_runtime(text: str) -> None:
    checked = check_file(models.parsed(f"{DOMAINS}\nm {text}"))
    assert checked.onnx is not None
    assert checked.onnx.onnxruntime == OF_FILES[text]


@pytest.mark.parametrize(("inputs", "verdict"), [("x, i", "accepts"), ("x", "rejects")])
def test_onnx_runtime_and_functions(inputs: str, verdict: str) -> None:
    """onnx's checker looks at the nodes of a function where they are called, and only if they stand there."""
    text = (
        f"{DOMAINS}\nm (float[3,4] x, int64[2] i) => (float[2,4] y) {{ y = Foo.Take ({inputs}) }}"
        '\n<domain: "Foo", opset_import: ["" : 18]>\nTake (a, b) => (c) { c = Gather (a, b) }'
    )
    checked = check_file(models.parsed(text))
    assert checked.onnx is not None
    assert (checked.onnx.is_valid, checked.onnx.onnxruntime) == (True, verdict)


def test_a_constant_with_two_values() -> None:
    model = models.parsed(
        f"{DOMAINS}\nm () => (int64 y) {{ y = Constant <value_int = 1> () }}"
    )
    [node] = model.graph.node
    node.attribute[0].CopyFrom(
        models.parsed(
            f"{DOMAINS}\nm () => (int64 y) {{ y = Constant <value = int64 {{1}}> () }}"
        )
        .graph.node[0]
        .attribute[0]
    )
    node.attribute.append(node.attribute[0])
    checked = check_file(model)
    assert checked.onnx is not None
    assert (checked.onnx.is_valid, checked.onnx.onnxruntime) == (False, "accepts")


def test_onnx_runtime_takes_initializers_twice() -> None:
    model = models.parsed(
        f"{DOMAINS}\nm (float[2] x) => (float[2] y) <float[2] c = {{1, 2}}> {{ y = Add (x, c) }}"
    )
    model.graph.initializer.append(model.graph.initializer[0])
    checked = check_file(model)
    assert checked.onnx is not None
    assert (checked.onnx.is_valid, checked.onnx.onnxruntime) == (False, "accepts")


def test_onnx_runtime_takes_negative_dims_for_any_length() -> None:
    model = models.parsed(
        f"{DOMAINS}\nm (float[2,3] x) => (float[2,6] y) {{ y = Concat <axis = 1> (x, x) }}"
    )
    model.graph.input[0].type.tensor_type.shape.dim[0].dim_value = -1
    model.graph.output[0].type.tensor_type.shape.dim[0].dim_value = 2
    checked = check_file(model)
    assert checked.onnx is not None
    assert checked.onnx.onnxruntime == "accepts"


DOMAINS = '<ir_version: 8, opset_import: ["" : 18, "Foo" : 1, "com.microsoft" : 1]>'


@pytest.mark.runtime
def test_onnx_runtime_does_so(tmp_path: Path) -> None:
    paths = []
    for number, (text, _) in enumerate(LOADS):
        paths.append(tmp_path / f"{number}.onnx")
        paths[-1].write_bytes(made(text))
    child = (
        "import sys, onnxruntime\n"
        "onnxruntime.set_default_logger_severity(4)\n"
        "for path in sys.argv[1:]:\n"
        "    try:\n"
        "        onnxruntime.InferenceSession(path, providers=['CPUExecutionProvider'])\n"
        "        print('loads')\n"
        "    except Exception:\n"
        "        print('rejects')\n"
    )
    printed = subprocess.run(
        [sys.executable, "-c", child, *paths],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    assert [each == "rejects" for each in printed] == [
        verdict == "rejects" for _, verdict in LOADS
    ]
