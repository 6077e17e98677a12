"""Nodes in bodies of ONNX models, compared in place: their values leave the body as further outputs of what is run."""

from __future__ import annotations

import sys
from typing import Any

import numpy
import pytest
from onnx_child import requires_onnx
from paths import SHARED

from ovgather import crosscheck
from ovgather.layers.onnx_node import gather_nodes
from ovgather.onnx_file.model import OnnxModel, read
from ovgather.runtimes import pool
from ovgather.runtimes.onnx_model import OnnxTap, tapped

pytestmark = requires_onnx

HEAD = '<ir_version: 8, opset_import: ["" : {opset}, "my" : 1]>'
DATA = numpy.arange(6, dtype="f4").reshape(3, 2)
CHOICE = """
m (float[n, 2] x, bool c, int64[2] i) => (float[a, 2] y) {
  y = If (c) <then_branch = t () => (float[2, 2] p) { [yes] p = Gather (x, i) },
              else_branch = e () => (float[2, 2] q) { [no] q = Gather (x, i) }>
}"""
LOOP = """
m (float[n, 2] x, int64 times) => (float[r, 2] y, float[s, 1, 2] all) {
  yes = Constant <value = bool {1}> ()
  y, all = Loop (times, yes, x) <body = b (int64 i, bool go, float[r, 2] rows)
      => (bool on, float[r, 2] next, float[1, 2] g)
  {
    on = Identity (go)
    flat = Constant <value = int64[1] {-1}> ()
    at = Reshape (i, flat)
    [pick] g = Gather (x, at)
    [own] h = Gather (rows, at)
    next = NEXT
  }>
}"""
SCAN = """
m (float[n, 2] x, int64[s, 1] at, float[1, 2] zero) => (float[1, 2] y, float[s, 1, 2] all) {
  y, all = Scan <num_scan_inputs = 1, scan_output_axes = [0], body = b (float[1, 2] sum, int64[1] i)
      => (float[1, 2] next, float[1, 2] g) {
    [pick] g = Gather (x, i)
    next = Add (sum, g)
  }> (zero, at)
}"""
NESTED = """
m (float[n, 2] x, int64[s, 1] at, float[1, 2] zero, bool c) => (float[1, 2] y) {
  y = If (c) <then_branch = t () => (float[1, 2] p) {
    p = Scan <num_scan_inputs = 1, body = b (float[1, 2] sum, int64[1] i) => (float[1, 2] next) {
      [pick] g = Gather (x, i)
      [again] h = Gather (x, i)
      next = Add (sum, h)
    }> (zero, at) }, else_branch = e () => (float[1, 2] q) { q = Identity (zero) } >
}"""

CALLED = """
m (float[n, 2] x, bool c, int64[2] i) => (float[2, 2] y) { y = my.f (x, c, i) }
<domain: "my", opset_import: ["" : 17]>
f (x, c, i) => (y) {
  y = If (c) <then_branch = t () => (float[2, 2] p) { [deep] p = Gather (x, i) },
              else_branch = e () => (float[2, 2] q) { q = Gather (x, i) }>
}"""
MAPPED = """
m (float[n, 2] x, int64[2] i) => (float[2, 2] y) {
  all = SequenceConstruct (x)
  s = SequenceMap <body = b (float[n, 2] one) => (float[2, 2] g) { [each] g = Gather (one, i) }> (all)
  zero = Constant <value = int64 {0}> ()
  y = SequenceAt (s, zero)
}"""


def parsed(text: str, opset: int = 17) -> OnnxModel:
    from onnx import parser

    return read(parser.parse_model(HEAD.format(opset=opset) + text).SerializeToString())


AT = numpy.array([[0], [2], [-1]])
GIVEN: dict[str, Any] = {
    "x": DATA,
    "at": AT,
    "zero": numpy.zeros((1, 2), "f4"),
    "c": numpy.array(True),
}
GIVEN |= {"i": numpy.array([0, 2]), "times": numpy.array(3)}
STEADY, GROWING = (
    LOOP.replace("NEXT", "Identity (rows)"),
    LOOP.replace("NEXT", "Concat <axis = 0> (rows, rows)"),
)


def in_place(
    model: OnnxModel, against: str = "onnxruntime", **more: Any
) -> dict[str, tuple[str, str]]:
    """The verdicts and reasons by the names of nodes, on given inputs as far as the model takes them."""
    given = {item.name: more.get(item.name, GIVEN[item.name]) for item in model.inputs}
    report = crosscheck(model, mode="in-place", against=[against], inputs=given)
    return {each.layer.name: (each.verdict, each.reason) for each in report.records}


def brought_out(model: OnnxModel, name: str, runtime: str, pruned: bool) -> Any:
    """A value of the body of its last node, or of the body in that, by a runtime."""
    import onnxruntime
    from onnx import ModelProto
    from onnx.reference import ReferenceEvaluator

    graph = next(
        node.graph for node in gather_nodes(model) if name in node.proto.output
    )
    path = []
    while graph.outer is not None:
        path.insert(0, (graph.place, graph.path[-1]))
        graph = graph.outer
    data, (output,) = tapped(model, [OnnxTap(name, tuple(path), "float")], pruned)
    given = {item.name: GIVEN[item.name] for item in model.inputs}
    if runtime == "onnx":
        return ReferenceEvaluator(ModelProto.FromString(data)).run([output], given)[0]
    return onnxruntime.InferenceSession(data, providers=["CPUExecutionProvider"]).run(
        [output], given
    )[0]


@pytest.mark.parametrize("pruned", [False, True])
@pytest.mark.parametrize(
    ("text", "name", "want"),
    [
        (CHOICE, "p", DATA[None, [0, 2]]),
        (CHOICE, "q", numpy.zeros([0], "f4")),
        (SCAN, "g", DATA[AT]),
        (NESTED, "g", DATA[AT][None]),
        (STEADY, "g", DATA[:, None]),
    ],
)
def test_two_runtimes_give_what_is_brought_out(
    text: str, name: str, want: Any, pruned: bool
) -> None:
    for runtime in ("onnxruntime", "onnx") if text != STEADY else ("onnxruntime",):
        numpy.testing.assert_array_equal(
            brought_out(parsed(text), name, runtime, pruned), want, strict=True
        )


def test_the_file_stays_as_it_is() -> None:
    model = parsed(NESTED)
    before = model.proto.SerializeToString()
    assert set(in_place(model).values()) == {("equal", "")}
    assert model.proto.SerializeToString() == before


@pytest.mark.parametrize("against", ["onnxruntime", "onnx-reference"])
def test_bodies_are_compared(against: str) -> None:
    for opset in (11, 13, 21):
        verdicts = in_place(parsed(CHOICE, opset), against)
        assert verdicts == {
            "yes": ("equal", ""),
            "no": ("skipped", "its body does not run on these inputs"),
        }
    assert in_place(parsed(CHOICE), against, c=numpy.array(False))["no"] == (
        "equal",
        "",
    )
    assert in_place(parsed(SCAN), against) == {"pick": ("equal", "")}
    assert in_place(parsed(NESTED), against) == {
        "pick": ("equal", ""),
        "again": ("equal", ""),
    }


def test_every_iteration_of_a_loop_is_compared() -> None:
    assert in_place(parsed(STEADY)) == {"pick": ("equal", ""), "own": ("equal", "")}
    never = in_place(parsed(STEADY), times=numpy.array(0))
    assert set(never.values()) == {("skipped", "its body does not run on these inputs")}
    growing = in_place(parsed(GROWING))
    assert growing["pick"] == ("equal", "")
    assert growing["own"][0] == "skipped"
    assert growing["own"][1].startswith(
        "its values cannot leave its body: ONNX Runtime in run: "
    )
    outside = in_place(parsed(STEADY), times=numpy.array(4))
    assert {verdict for verdict, _ in outside.values()} == {"skipped"}
    assert outside["own"][1].startswith(
        "the model fails in its body or before it: ONNX Runtime in run: "
    )
    witness = (
        "the ONNX reference makes no new dim for what the iterations of a Loop give"
    )
    assert in_place(parsed(STEADY), "onnx-reference")["pick"] == ("skipped", witness)


def test_no_node_is_blamed_for_what_fails_beside_it_in_its_body() -> None:
    for verdict, reason in in_place(parsed(CHOICE), i=numpy.array([0, 7])).values():
        assert verdict == "skipped"
        assert reason.startswith(
            "the model fails in its body or before it: ONNX Runtime in run: "
        )
        assert "Name:'yes'" in reason  # the runtime's own words name the node


def test_random_inputs_let_a_loop_run() -> None:
    report = crosscheck(parsed(STEADY), mode="in-place", against=["onnxruntime"])
    assert [each.verdict for each in report.records] == ["equal", "equal"]


def test_a_wrong_iteration_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    command = [sys.executable, str(SHARED / "broken_model_worker.py"), "last-wrong"]
    monkeypatch.setattr(pool, "command", lambda runtime: command)
    verdict, reason = in_place(parsed(SCAN))["pick"]
    assert verdict == "different"
    assert "in run 3 of 3 of its body" in reason


def test_what_cannot_leave_says_why() -> None:
    no_values = "inside the graph {!r}: no values can leave the body of {}"
    branch = ("skipped", no_values.format("y/then_branch", "If in opset 9"))
    assert in_place(parsed(CHOICE, 9))["yes"] == branch
    assert in_place(parsed(SCAN, 8)) == {
        "pick": ("skipped", no_values.format("y/body", "Scan in opset 8"))
    }
    untyped = CHOICE.replace(
        "[yes] p = Gather (x, i)", "o = my.other (x) [yes] p = Gather (o, i)"
    )
    unknown = "the type of 'o' is not known, and the other branch must give the same"
    assert in_place(parsed(untyped))["yes"] == ("skipped", unknown)
    assert in_place(parsed(CALLED))["deep"] == (
        "skipped",
        "inside a function, whose values cannot be tapped",
    )
    mapped = in_place(parsed(MAPPED))["each"]
    assert mapped == ("skipped", no_values.format("s/body", "SequenceMap in opset 17"))
