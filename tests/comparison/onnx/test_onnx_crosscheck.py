"""``crosscheck`` of ONNX models: what is equal, what is skipped, and runtimes with a fault."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy
import onnx_models as models
import pytest
from onnx_child import requires_onnx
from onnx_models import NEGATIVE, parsed
from paths import SHARED

import ovgather
from ovgather.cli.main import run
from ovgather.runtimes import pool

pytestmark = requires_onnx

BROKEN = SHARED / "broken_model_worker.py"
BOTH = ("onnxruntime", "onnx-reference")
EMBEDDING = """<ir_version: 8, opset_import: ["" : 17]>
embed (int64[batch, length] ids, int64[batch, length] kinds, int64[batch, k] order, int64[m, 2] chosen)
  => (float[batch, 4] first, float[batch, k] best, float[m] each)
<float[11, 4] words, float[2, 4] types, float[4, 4] weight> {
  [word] w = Gather <axis = 0> (words, ids)
  [kind] t = Gather (types, kinds)
  sum = Add (w, t)
  hidden = MatMul (sum, weight)
  last = Constant <value = int64 {-1}> ()
  [last] first = Gather <axis = 1> (hidden, last)
  two = Constant <value = int64[1] {2}> ()
  scores = ReduceSum <keepdims = 0> (hidden, two)
  [order] best = GatherElements <axis = 1> (scores, order)
  [choose] each = GatherND (scores, chosen)
}"""


def embedding() -> Any:
    """Two layers of embeddings, and what picks from their sum."""
    from onnx import numpy_helper

    made = parsed(EMBEDDING)
    rng = numpy.random.default_rng(0)
    for item in made.graph.value_info:
        shape = [dim.dim_value for dim in item.type.tensor_type.shape.dim]
        made.graph.initializer.append(
            numpy_helper.from_array(rng.standard_normal(shape, "f4"), item.name)
        )
    made.graph.ClearField("value_info")
    return made


def checked(model: Any, **more: Any) -> list[tuple[str, str, str, str]]:
    data = model if isinstance(model, (str, Path)) else model.SerializeToString()
    report = ovgather.crosscheck(data, **{"against": BOTH, **more})
    return [
        (each.layer.name, each.variant, each.against, each.verdict)
        for each in report.records
    ]


def test_an_embedding_model_is_equal_throughout() -> None:
    found = checked(embedding())
    assert [name for name, *_ in found[::4]] == [
        "word",
        "kind",
        "last",
        "order",
        "choose",
    ]
    assert {way for _, way, *_ in found} == {"alone", "in-place"}
    assert {verdict for *_, verdict in found} == {"equal"}
    assert len(found) == 20


@requires_onnx
@pytest.mark.parametrize("inputs", [[], ["data"]])
def test_a_gather_without_indices_is_skipped(inputs: list[str]) -> None:
    model = models.one_node("Gather", [3, 4], [2], [2, 4], axis=0)
    model.graph.node[0].input[:] = inputs
    report = ovgather.crosscheck(model.SerializeToString())
    verdicts = {record.verdict for record in report.records}
    assert "skipped" in verdicts
    assert verdicts <= {"skipped", "error"}  # an error: OpenVINO does not convert it


MANY = """<ir_version: 8, opset_import: ["" : 17]>
many (string[n, 4] texts, int32[k, 4] rows, float[p, q, r] cube, int64[s, t, u] tuples, double[?,?,3] open,
      int64[?,?,?] free, float[0, 4] nothing, float16[2, 3] half)
  => (string[k, 4] a, float[s, t, v] b, double[?,?,?] c, float[0, 4] d, float16[2, 3] e) {
  [texts] a = GatherElements (texts, rows)
  [tuples] b = GatherND <batch_dims = 1> (cube, tuples)
  [open] c = GatherElements <axis = 1> (open, free)
  none = Constant <value = int64[0] {}> ()
  [empty] d = Gather (nothing, none)
  shape = Shape (half)
  back = Constant <value = int64 {-2}> ()
  [length] two = Gather (shape, back)
  zero = Sub (two, two)
  [scalar] e = Gather <axis = 1> (half, zero)
}"""


@pytest.mark.parametrize(
    "model",
    [
        lambda: parsed(MANY),
        lambda: models.one_node(
            "Gather", ["n", 4], ["k"], types=("bfloat16", "int64", "bfloat16")
        ),
        lambda: models.one_node("GatherElements", None, None, axis=1, opset=11),
        lambda: models.one_node("Gather", ["n", 4], ["k"], opset=1),
    ],
    ids=["many", "bfloat16", "dynamic ranks", "opset 1"],
)
def test_models_that_are_equal(model: Any) -> None:
    found = checked(model(), against=["onnxruntime"])
    assert {verdict for *_, verdict in found} == {"equal"}, found


def test_what_only_one_of_both_runs() -> None:
    """ONNX Runtime has no complex numbers; the witness is known to refuse smaller indices."""
    made = parsed("""<ir_version: 8, opset_import: ["" : 17]>
    m (complex128[n, 4] x, int64[k] i, float[5, 4] data, int64[3, 2] smaller) => (complex128[k, 4] y, float[3, 2] z) {
      y = Gather (x, i)
      z = GatherElements <axis = 1> (data, smaller)
    }""")
    records = ovgather.crosscheck(
        made.SerializeToString(), against=BOTH, mode="alone"
    ).records
    assert [each.verdict for each in records] == ["skipped", "equal", "equal", "known"]
    assert "tensor(complex128) is not currently registered" in records[0].reason
    assert records[3].cause == "onnx-smaller-indices"


def test_nested_graphs_run() -> None:
    made = models.nested()
    for branch in made.graph.node[1].attribute:
        branch.g.node[1].attribute[0].i = 1
    report = ovgather.crosscheck(made.SerializeToString(), against=["onnxruntime"])
    inner = [each for each in report.records if each.layer.body]
    assert [each.verdict for each in inner] == ["equal", "equal", "equal", "skipped"]
    assert inner[3].reason == "its body does not run on these inputs"


def test_what_cannot_run_says_why() -> None:
    function = """<ir_version: 8, opset_import: ["" : 17, "my" : 1]>
    m (float[3, 2] x, int64[k] i) => (float[3, 2] y) { y = Identity(x) }
    <domain: "my", opset_import: ["" : 17]>
    f <way> (a, b) => (c) { [pick] c = Gather <axis: int = @way> (a, b) }"""
    called = ovgather.crosscheck(
        parsed(
            function.replace("Identity(x)", "my.f <way = 0> (x, i)")
        ).SerializeToString(),
        against=["onnxruntime"],
    )
    assert {each.verdict for each in called.records} == {"equal", "skipped"}
    assert called.records[0].layer.body == ("y", "function my.f")
    old = models.one_node("GatherND", [3], [2, 1], opset=10)
    reasons = {
        "the caller of the function gives its attributes": parsed(function),
        "opset 10 has no GatherND: opset 11 is the first that has one": old,
        "the node is not valid: axis 2 is out of range [-2, 1]": models.one_node(
            "Gather", [3, 4], [2], axis=2
        ),
    }
    for reason, made in reasons.items():
        report = ovgather.crosscheck(made.SerializeToString(), against=["onnxruntime"])
        assert {each.verdict for each in report.records} == {"skipped"}
        assert report.records[0].reason.startswith(reason)
        assert (report.ok, report.exit_code) == (False, 1)  # nothing was compared


def test_both_refuse_an_index_outside_and_what_is_behind_is_skipped() -> None:
    made = parsed("""<ir_version: 8, opset_import: ["" : 17]>
    m (float[3] x, float[2, 4] z) => (float[1] y, float[1] w, float[2, 1] v) {
      i = Constant <value = int64[1] {7}> ()
      j = Constant <value = int64[1] {0}> ()
      [outside] y = Gather (x, i)
      [behind] w = Gather (y, j)
      [free] v = Gather <axis = 1> (z, j)
    }""")
    report = ovgather.crosscheck(
        made.SerializeToString(), mode="in-place", against=["onnxruntime"]
    )
    outside, behind, free = report.records
    assert outside.reason.startswith(
        "both refuse the values: indices[0] is 7, outside [-3, 2]"
    )
    assert (outside.verdict, free.verdict) == ("equal", "equal")
    assert behind.verdict == "skipped"
    assert behind.reason.startswith("the model fails before it: ONNX Runtime in run: ")


def test_nodes_that_need_no_unknown_operation_run_in_place() -> None:
    made = parsed("""<ir_version: 8, opset_import: ["" : 17, "my" : 1]>
    m (float[3, 2] x, int64[k] i) => (float[k, 2] y, float[k, 2] z) {
      [before] y = Gather (x, i)
      made = my.unknown (x)
      [behind] z = Gather (made, i)
    }""")
    before, behind = ovgather.crosscheck(
        made.SerializeToString(), mode="in-place", against=["onnxruntime"]
    ).records
    assert before.verdict == "equal"
    assert behind.verdict == "skipped"
    assert "my:unknown" in behind.reason


def test_external_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import onnx

    (tmp_path / "inside").mkdir()
    made = embedding()
    place = tmp_path / "inside" / "m.onnx"
    onnx.save(
        made, place, save_as_external_data=True, location="m.data", size_threshold=0
    )
    monkeypatch.chdir(tmp_path)
    assert {verdict for *_, verdict in checked("inside/m.onnx", layer="word")} == {
        "equal"
    }
    (tmp_path / "inside" / "m.data").rename(tmp_path / "inside" / "other")
    (record,) = ovgather.crosscheck(
        "inside/m.onnx", layer="word", mode="in-place", against=["onnxruntime"]
    ).records
    assert record.verdict == "skipped"
    assert (
        record.reason
        == "the external data of 'words' cannot be had: m.data: no such file"
    )


@pytest.mark.slow
def test_given_inputs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m.onnx").write_bytes(
        models.one_node("Gather", ["n", 4], ["k"]).SerializeToString()
    )
    numpy.savez("f.npz", in0=numpy.zeros((5, 4), "f4"), indices=numpy.array([4, -5]))
    assert run(["crosscheck", "m.onnx", "--inputs", "f.npz"]) == 0
    numpy.savez("alone.npz", data=numpy.zeros((5, 4), "f4"), indices=numpy.array([9]))
    assert (
        run(
            [
                "crosscheck",
                "m.onnx",
                "--inputs",
                "alone.npz",
                "--layer",
                "pick",
                "--mode",
                "alone",
            ]
        )
        == 0
    )
    capfd.readouterr()
    numpy.savez("f.npz", data=numpy.zeros((5, 3), "f8"))
    assert run(["crosscheck", "m.onnx", "--inputs", "f.npz"]) == 2
    assert capfd.readouterr().err == (
        "ovgather: the inputs do not fit m.onnx: 'data' has dtype float64, not float32; there is none for 'indices'\n"
        "the model takes\n"
        "  data or in0: float [n,4]\n"
        "  indices or in1: int64 [k]\n"
        "given are data: float64[5, 3]\n"
    )


def broken(monkeypatch: pytest.MonkeyPatch, how: str, mode: str = "both") -> Any:
    monkeypatch.setattr(
        pool, "command", lambda runtime: [sys.executable, str(BROKEN), how]
    )
    return ovgather.crosscheck(
        parsed(NEGATIVE).SerializeToString(), mode=mode, against=["onnxruntime"]
    )


def test_a_wrong_runtime_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    report = broken(monkeypatch, "clamps")
    assert [each.verdict for each in report.records] == ["different", "different"]
    for each in report.records:
        assert each.outcome.first is not None
        assert each.outcome.first.at[0] == 1
    assert report.records[1].reason.endswith("; on random inputs")
    assert report.exit_code == 1


def test_a_runtime_that_dies_is_told_at_the_node(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    report = broken(monkeypatch, "dies", "in-place")
    assert [each.verdict for each in report.records] == ["crash"]
    assert report.records[0].reason.startswith("ONNX Runtime died in run: SIGABRT")


def test_an_answer_that_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    report = broken(monkeypatch, "babbles", "alone")
    assert [each.verdict for each in report.records] == ["error"]
    assert "there are no arrays of tensor(datetime64[s])" in report.records[0].reason
