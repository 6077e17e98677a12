"""``validate --fix`` of ONNX files: what it changes, and that the new file computes the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy
import onnx_models as models
import pytest
from onnx_child import requires_onnx

from ovgather.cli.main import run
from ovgather.errors import ArgumentError, InvalidModelError, UnreadableError
from ovgather.validation.api import fix, fix_onnx
from ovgather.validation.onnx.fixes import write_fixed

pytestmark = [requires_onnx, pytest.mark.runtime]
HEAD = '<ir_version: 8, opset_import: ["" : {}, "local" : 1]>\nm '
FUNCTION = (
    '\n<domain: "local", opset_import: ["" : 17]>\nPick <axis> (d, i) => (o) '
    "{ o = Gather <axis: int = @axis> (d, i) }"
)
CASES = [
    (
        17,
        "(float[3,4] x) => (float[2,4] y) { i = Constant <value_ints = [-1, 0]> ()\n [pick] y = Gather (x, i) }",
        "node 'pick': negative indices are counted from the front",
    ),
    (
        17,
        "(float[3,4] x) => (float[2] y) "
        "{ i = Constant <value = int64[2,2] {-1, 0, 1, -2}> ()\n [pick] y = GatherND (x, i) }",
        "node 'pick': negative indices are counted from the front",
    ),
    (
        17,
        "(float[3,4] x) => (float[3,2] y) { i = Constant <value_ints = [1, 0]> ()\n y = local.Pick <axis = 1> (x, i) }"
        + FUNCTION,
        "the calls of 1 function are their nodes",
    ),
    (
        17,
        "(float[3,4] x) => (float[2,4] y) { i = Constant <value = int8[2] {1, 0}> ()\n [pick] y = Gather (x, i) }",
        "node 'pick': indices of int8 are cast to int64",
    ),
    (
        10,
        "(float[3,4] x) => (float[1,4] y) "
        "{ i = Constant <value = int64[1,4] {0, 1, 2, 0}> ()\n y = GatherElements (x, i) }",
        "the model imports opset 11, not 10",
    ),
    (
        17,
        "(float[3,4] x) => (float[3,4] y) "
        "{ n = Constant <value = int64 {2}> () t = Constant <value = bool {1}> ()\n [again] y = Loop (n, t, x) "
        "<body = b (int64 k, bool c, float[3,4] s) => (bool c, float[3,4] r) { r = Relu (s) }> }",
        "the body of 'again' gives 'c' by an Identity",
    ),
]
TWO = (
    "(float[3,4] x) => (float[1,1] y) { i = Constant <value_ints = [-1]> () j = Constant <value_ints = [-2]> ()\n"
    " [a] o = Gather (x, i) [b] y = Gather <axis = 1> (o, j) }"
)


def written(tmp_path: Path, opset: int, text: str) -> Path:
    path = tmp_path / "m.onnx"
    path.write_bytes(models.parsed(HEAD.format(opset) + text).SerializeToString())
    return path


@pytest.mark.parametrize(("opset", "text", "words"), CASES)
def test_what_is_fixed(opset: int, text: str, words: str, tmp_path: Path) -> None:
    ort = pytest.importorskip("onnxruntime")
    path = written(tmp_path, opset, text)
    before = path.read_bytes()
    fixed = fix_onnx(path)
    assert [fix.what for fix in fixed.fixes] == [words]
    target, opinions = write_fixed(str(path), fixed)
    assert path.read_bytes() == before
    assert "onnx's checker accepts it" in opinions
    assert "ONNX Runtime loads it" in opinions
    pytest.importorskip("openvino")
    assert "OpenVINO reads and compiles it" in opinions
    assert not [each for each in fixed.left.diagnostics if each.severity != "note"]
    assert not fix_onnx(target).fixes
    data = {"x": numpy.arange(12, dtype="f4").reshape(3, 4)}
    new = ort.InferenceSession(target).run(None, data)[0]
    try:
        old = ort.InferenceSession(str(path)).run(None, data)[0]
    except Exception:  # ONNX Runtime does not load what is fixed
        return
    assert (new == old).all()


def test_each_of_two_nodes_is_fixed(tmp_path: Path) -> None:
    fixed = fix_onnx(written(tmp_path, 17, TWO))
    assert len(fixed.fixes) == 2
    assert not fix_onnx(fixed.data).fixes


def test_no_file_is_replaced(tmp_path: Path) -> None:
    path = written(tmp_path, *CASES[0][:2])
    (tmp_path / "m.fixed.onnx").write_bytes(b"")
    with pytest.raises(
        InvalidModelError,
        match=r"m\.fixed\.onnx exists: move it away, --fix replaces no file",
    ):
        write_fixed(str(path), fix_onnx(path))


def test_an_object_stays_as_it_is() -> None:
    proto = models.parsed(HEAD.format(17) + TWO)
    before = proto.SerializeToString()
    fixed = fix_onnx(proto)
    assert proto.SerializeToString() == before
    assert repr(fixed) == "<FixedOnnx '<onnx.ModelProto>': 2 fixed, 0 left>"
    assert fixed == fix_onnx(before)._replace(left=fixed.left)


def test_what_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match=r"ovgather\.fix is for IR"):
        fix_onnx(b"<net/>")
    with pytest.raises(ArgumentError, match=r"ovgather\.fix_onnx is for ONNX"):
        fix(written(tmp_path, 17, TWO))
    with pytest.raises(UnreadableError, match=r"no\.onnx: No such file"):
        fix_onnx(tmp_path / "no.onnx")


def test_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, *CASES[2][:2])
    assert run(["validate", "m.onnx"]) == 1
    capfd.readouterr()
    assert run(["validate", "m.onnx", "--fix"]) == 0
    said = capfd.readouterr()
    assert "m.onnx: the calls of 1 function are their nodes\n" in said.err
    assert "m.fixed.onnx is written: onnx's checker accepts it" in said.err
    assert Path("m.fixed.onnx").exists()
    assert run(["validate", "m.onnx", "--fix"]) == 2
    said = capfd.readouterr()
    assert "m.fixed.onnx exists: move it away" in said.err
    assert "1 file" in said.out


def test_indices_that_are_there_twice_stay(tmp_path: Path) -> None:
    """Each runtime takes another one of two tensors with one name: no fix knows which is meant."""
    text = HEAD.format(17) + (
        "(float[3,4] x) => (float[2,4] y) <int64[2] i = {-1, 0}> { y = Gather (x, i) }"
    )
    model = models.parsed(text)
    model.graph.initializer.append(model.graph.initializer[0])
    path = tmp_path / "m.onnx"
    path.write_bytes(model.SerializeToString())
    assert not fix_onnx(path).fixes
