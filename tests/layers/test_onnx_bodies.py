"""Bodies of If, Loop and Scan in ONNX: what OpenVINO makes of them, beside OpenVINO itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openvino_verdicts import requires_openvino, verdicts

pytest.importorskip("onnx.helper")

import onnx
from onnx_models import written

from ovgather.layers.onnx_forward import infer_nodes
from ovgather.onnx_file.model import read
from ovgather.validation.check import check_file

STATE = "so = Relu (s)"
FIVE = "w = Constant <value = float[5] {1, 2, 3, 4, 5}> ()"
TWO = "z = Constant <value_ints = [0]> ()"
ROWS = "so = Add (s, e)  eo = Relu (so)"


def branches(
    then: str,
    other: str,
    given: str = "bool c",
    types: tuple[str, str] = ("float",) * 2,
) -> str:
    bodies = (
        f"then_branch = t () => ({types[0]}[] p) {{ {then} }}, "
        f"else_branch = e () => ({types[1]}[] q) {{ {other} }}"
    )
    return f"({given}, float[2, 6] x) => (float[] y) {{ y = If (c) <{bodies}> }}"


def loop(
    nodes: str,
    state: str = "float[2, 6] s",
    results: str = "bool co, float[] so",
    outer: str = "int64 n, bool g, float[2, 6] x",
    outputs: str = "y",
    before: str = "",
    inputs: str = "n, g, x",
    after: str = "",
) -> str:
    body = f"b (int64 k, bool ci, {state}) => ({results}) {{ {nodes} }}"
    call = f"{outputs} = Loop ({inputs}) <body = {body}>"
    return f"({outer}) => (float[] y) {{ {before} {call} {after} }}"


def scan(
    nodes: str = ROWS,
    outer: str = "float[6] i, float[4, 6] x",
    taken: str = "float[6] s, float[6] e",
    inputs: str = "i, x",
    attributes: str = "num_scan_inputs = 1",
) -> str:
    body = f"b ({taken}) => (float[] so, float[] eo) {{ {nodes} }}"
    call = f"z, y = Scan <{attributes}, body = {body}> ({inputs})"
    return f"({outer}) => (float[] y) {{ {call} }}"


def steady(nodes: str) -> str:
    return f"co = Identity (ci) {nodes}"


TAKEN = {
    "branches of other dims": branches("p = Relu (x)", "q = Concat <axis = 0> (x, x)"),
    "branches of a scalar and a list": branches(
        "r = Constant <value_ints = [1]> ()  a = ReduceMax <keepdims = 0> (x)  p = Identity (a)",
        "a = ReduceMax <keepdims = 0> (x)  r = Constant <value_ints = [1]> ()  q = Reshape (a, r)",
    ),
    "a number as a condition": branches("p = Relu (x)", "q = Abs (x)", "int64[1] c"),
    "a shape from outside": loop(steady("so = Reshape (s, h)"), before="h = Shape (x)"),
    "a state of another declared type": loop(steady(STATE), "float16[2, 6] s"),
    "a state that grows": loop(steady("so = Concat <axis = 0> (s, s)"), "float[] s"),
    "a real condition with open dims": loop(
        steady(STATE), "float[N, 6] s", outer="int64 n, float g, float[N, 6] x"
    ),
    "a condition that is false": loop(
        steady(STATE),
        before="h = Constant <value = bool {0}> ()",
        inputs="n, h, x",
    ),
    "neither number nor condition": loop(steady(STATE), inputs=", , x"),
    "an output too many that nobody reads": loop(steady(STATE), outputs="y, z"),
    "rows": loop(
        steady("so = Relu (s)  r = Abs (s)"),
        results="bool co, float[] so, float[] r",
        outputs="z, y",
    ),
    "a condition that is computed and read": loop(
        "h = Constant <value = int64 {2}> ()  co = Less (k, h)"
        "  f = Cast <to = 1> (ci)  so = Mul (s, f)"
    ),
    "a Scan": scan(),
    "a Scan backwards": scan(
        attributes="num_scan_inputs = 1, scan_input_directions = [1]"
    ),
    "a Scan along the columns": scan(
        outer="float[4] i, float[4, 6] x",
        taken="float[4] s, float[4] e",
        attributes="num_scan_inputs = 1, scan_input_axes = [1]",
    ),
}
REFUSED = {
    "branches of other types": (
        branches("p = Relu (x)", "q = Shape (x)", types=("float", "int64")),
        "the element types of output 0 differ",
    ),
    "branches of other ranks": (
        branches("p = Relu (x)", f"{TWO}  q = Unsqueeze (x, z)"),
        "the rank of 'y' is not known",
    ),
    "a real condition": (
        loop(steady(STATE), outer="int64 n, float g, float[2, 6] x"),
        "the CPU plugin takes a condition of boolean, u8, not f32",
    ),
    "a real condition of the body": (
        loop(f"co = Cast <to = 1> (ci)  {STATE}"),
        "the CPU plugin takes a condition of the body of boolean, u8, not f32",
    ),
    "a real number of rounds": (
        loop(steady(STATE), outer="float n, bool g, float[2, 6] x"),
        "the CPU plugin takes a trip count of",
    ),
    "a state that changes its rank": (
        loop(steady(f"{TWO}  so = Unsqueeze (s, z)")),
        "the rank of what flows into its body is not known",
    ),
    "nodes that do not fit what the body declares": (
        loop(steady(f"{FIVE}  so = Add (s, w)")),
        "shapes [2,6] and [5] cannot be broadcast",
    ),
    "nodes that do not fit what flows in": (
        loop(steady(f"{FIVE}  so = Add (s, w)"), "float[2, 5] s"),
        "shapes [2,6] and [5] cannot be broadcast",
    ),
    "nodes of an If in a Loop": (
        loop(
            steady(
                "h = Constant <value = int64 {1}> ()  c2 = Greater (k, h)  so = If (c2) <"
                f"then_branch = t () => (float[] p) {{ {FIVE}  p = Add (s, w) }}, "
                "else_branch = e () => (float[] q) { q = Abs (s) }>"
            ),
            "float[] s",
        ),
        "shapes [2,6] and [5] cannot be broadcast",
    ),
    "a condition that is given back and read": (
        loop(steady("f = Cast <to = 1> (ci)  so = Mul (s, f)")),
        "its body gives its condition 'ci' as it is, and reads it besides",
    ),
    "an output too many that is read": (
        loop(steady(STATE), outputs="w, z", after="y = Add (w, z)"),
        "OpenVINO gives 1 of the 2 outputs, and 'z' is read",
    ),
    "a state of a Scan of another type": (
        scan(outer="float16[6] i, float[4, 6] x"),
        "the element types of a and b differ: f16 and f32",
    ),
    "an axis of a Scan": (
        scan(attributes="num_scan_inputs = 1, scan_input_axes = [2]"),
        "axis 2 is out of range [-2, 1]",
    ),
    "slices of unequal numbers": (
        scan(
            "t = Add (s, e)  so = Add (t, f)  eo = Relu (so)",
            "float[6] i, float[4, 6] x, float[3, 6] x2",
            "float[6] s, float[6] e, float[6] f",
            "i, x, x2",
            "num_scan_inputs = 2",
        ),
        "unequal numbers of slices: 4 of input 1, 3 of input 2",
    ),
    "a real condition, with rows": (
        loop(
            steady("so = Relu (s)  r = Abs (s)"),
            results="bool co, float[] so, float[] r",
            outer="int64 n, float g, float[2, 6] x",
            outputs="z, y",
        ),
        "the CPU plugin takes a condition of boolean, u8, not f32",
    ),
    "a Scan of no number": (
        scan(attributes="scan_input_directions = [0]"),
        "Scan needs num_scan_inputs",
    ),
    "a Scan that reads what is around it": (
        scan(
            "t = Add (s, w)  so = Add (t, e)  eo = Relu (so)",
            "float[6] i, float[4, 6] x, float[6] w",
        ),
        "the body of the Scan reads 'w', which is computed around it",
    ),
    "an input of a Scan that is missing": (
        scan(taken="float[6] s, float[6] e, float[6] f"),
        "Scan needs an input 2",
    ),
}


@pytest.mark.parametrize("name", TAKEN)
def test_bodies_are_followed(name: str, tmp_path: Path) -> None:
    forward = infer_nodes(read(written(18, TAKEN[name], tmp_path / "m.onnx")))
    assert not forward.unchecked
    assert not forward.refusals


@pytest.mark.parametrize("name", REFUSED)
def test_a_node_is_refused_with_this_reason(name: str, tmp_path: Path) -> None:
    graph, reason = REFUSED[name]
    refusals = infer_nodes(read(written(18, graph, tmp_path / "m.onnx"))).refusals
    assert any(reason in str(refusal.error) for refusal in refusals), refusals


def test_a_body_may_use_a_name_of_the_graph_around_it(tmp_path: Path) -> None:
    graph = loop(steady("z = Relu (s)  so = Abs (z)"), outputs="z", after="y = Abs (z)")
    file = check_file(written(18, graph, tmp_path / "m.onnx"))
    assert file.verdict.openvino == "accepts"


@pytest.mark.slow
@requires_openvino
@pytest.mark.runtime
def test_openvino_does_the_same(tmp_path: Path) -> None:
    graphs: dict[str, Any] = {
        **TAKEN,
        **{name: graph for name, (graph, _) in REFUSED.items()},
    }
    paths = {
        name: written(18, graph, tmp_path / f"{place}.onnx")
        for place, (name, graph) in enumerate(graphs.items())
    }
    found = verdicts(list(paths.values()), last="compile")
    for name, path in paths.items():
        assert (not found[path].stage) == (name in TAKEN), (name, found[path])


@pytest.mark.parametrize(
    ("graph", "name"),
    [
        (branches("p = Relu (x)", "q = Abs (x)"), "else_branch"),
        (loop(steady(STATE)), "body"),
        (scan(), "body"),
    ],
)
def test_a_body_that_is_there_twice_is_not_followed(
    graph: str, name: str, tmp_path: Path
) -> None:
    path = written(17, graph, tmp_path / "m.onnx")
    model = onnx.load(path)
    [attribute] = [each for each in model.graph.node[0].attribute if each.name == name]
    model.graph.node[0].attribute.append(attribute)
    forward = infer_nodes(read(model.SerializeToString()))
    assert not forward.refusals
    assert sum(forward.unchecked.values()) == 1


@pytest.mark.parametrize("type", ["SequenceConstruct", "SequenceEmpty", "Slice"])
def test_a_node_without_outputs_is_left_out(type: str) -> None:
    nodes = [
        onnx.helper.make_node("Relu", ["x"], ["y"]),
        onnx.helper.make_node(type, ["x", "a", "a"], []),
    ]
    given = [onnx.helper.make_tensor_value_info(name, 1, [2]) for name in "xy"]
    ends = [onnx.helper.make_tensor("a", 7, [1], [0])]
    graph = onnx.helper.make_graph(nodes, "g", given[:1], given[1:], ends)
    forward = infer_nodes(read(onnx.helper.make_model(graph).SerializeToString()))
    assert not forward.refusals


def test_a_function_with_branches_that_nothing_calls() -> None:
    graph = branches("p = Relu (x)", "q = Abs (x)")
    text = f"""<ir_version: 9, opset_import: ["" : 17, "f" : 1]>
m (float[2] x) => (float[2] y) {{ y = Relu (x) }}
<domain: "f", opset_import: ["" : 17]> Choice (c, x) => (y) {graph[graph.index("{") :]}"""
    model = onnx.parser.parse_model(text)
    assert [each.op_type for each in model.functions[0].node] == ["If"]
    assert not infer_nodes(read(model.SerializeToString())).refusals


@pytest.mark.parametrize(
    "node", ["s = SplitToSequence (x)", "s = CenterCropPad (x, n)"]
)
@pytest.mark.parametrize("length", [2**31, 2**62])
def test_a_list_is_as_long_as_what_is_known(
    node: str, length: int, tmp_path: Path
) -> None:
    """A declared length took all memory: 16 GiB for 2**31."""
    graph = f"(float[{length}] x, int64[{length}] n) => (float[] y) {{ {node}  y = Relu (s) }}"
    forward = infer_nodes(read(written(18, graph, tmp_path / "m.onnx")))
    assert len(forward.refusals) + forward.unchecked["SplitToSequence"] >= 1
