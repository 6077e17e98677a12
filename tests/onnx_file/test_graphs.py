"""Nested graphs and functions of ONNX files: names, opsets, the shapes of each call."""

from __future__ import annotations

import onnx_models as models
import pytest
from onnx_child import requires_onnx
from onnx_models import codes

import ovgather

pytestmark = requires_onnx


def test_nested_graphs_are_named() -> None:
    found = [
        each
        for each in ovgather.validate(models.nested(told=False).SerializeToString())
        if each.code == "OVG807"
    ]
    assert [
        (item.layer.name, item.layer.body) for item in found if item.layer is not None
    ] == [
        ("inner", ("choice", "else_branch")),
        ("inner", ("choice", "then_branch")),
    ]
    # The shape of r comes from onnx's inference, that of data and indices from the graph around.
    assert {item.message for item in found} == {
        "axis 7 is out of range [-2, 1] for data of rank 2: data [3,4], indices [2,4], axis 7"
    }
    node = 'GatherElements (ai.onnx:13), node "inner" in graph "choice/else_branch"'
    assert str(found[0]) == f"<bytes>: {node}: error[OVG807]: {found[0].message}"


def test_functions_have_opsets_of_their_own_and_references() -> None:
    from onnx import AttributeProto, helper

    inner = models.node("GatherElements", "a b", "c", name="inner")
    inner.attribute.append(
        AttributeProto(name="axis", type=AttributeProto.INT, ref_attr_name="which")
    )
    old = models.node("GatherND", "a b", "d")
    function = helper.make_function(
        "my",
        "Pick",
        ["a", "b"],
        ["c", "d"],
        [inner, old],
        [helper.make_opsetid("", 10)],
        ["which"],
    )
    call = helper.make_node(
        "Pick", ["data", "indices"], ["y", "z"], domain="my", which=1
    )
    inputs = [
        models.value("data", "float", [3, 4]),
        models.value("indices", "int64", [3, 2]),
    ]
    outputs = [models.value("y", "float", None), models.value("z", "float", None)]
    made = models.model(
        models.graph([call], inputs, outputs), functions=[function], my=1
    )
    found = [
        item
        for item in ovgather.validate(made.SerializeToString())
        if item.code == "OVG803"
    ]
    assert [
        (item.code, item.layer.body, item.layer.name) for item in found if item.layer
    ] == [
        ("OVG803", ("y", "function my.Pick"), "inner"),
        ("OVG803", ("y", "function my.Pick"), "d"),
    ]
    function.opset_import[0].version = 13
    made = models.model(
        models.graph([call], inputs, outputs), functions=[function], my=1
    )
    assert codes(made) == ["OVG815"]  # OpenVINO takes no functions


FUNCTIONS = """<ir_version: 8, opset_import: ["" : 17, "my" : 1]>
g (float[batch, 6] x, float[3, 4, 5] z, int64[2] i, bool c) => (float[?, ?] y, float[?, ?, ?] w, float[?, ?] v) {
  y = my.Outer <axis = 1> (x, i)
  [second] w = my.Pick <ax = -1> (z, i)
  [choice] v = If (c) <
    then_branch = one () => (float[?, ?] t) { [inside] t = my.Pick <ax = 0> (x, i) },
    else_branch = two () => (float[?, ?] e) { e = Identity(x) }
  >
}
<domain: "my", opset_import: ["" : 17, "my" : 1]>
Outer <axis> (a, b) => (c) {
  d = my.Pick <ax : int = @axis> (a, b)
  s = Shape(d)
  r = Relu(d)
  e = Reshape(r, s)
  [last] c = Gather <axis = 0> (e, b)
}
<domain: "my", opset_import: ["" : 17]>
Pick <ax> (d, ids) => (o) { [pick] o = Gather <axis : int = @ax> (d, ids) }
<domain: "my", opset_import: ["" : 17]>
Unused <ax> (d, ids) => (o) { [lone] o = Gather <axis : int = @ax> (d, ids) }
"""


def test_functions_have_the_shapes_and_attributes_of_each_call() -> None:
    from onnx import parser

    made = parser.parse_model(FUNCTIONS)
    found = {
        "/".join((*each.body, each.name)): each for each in ovgather.gather_layers(made)
    }
    shapes = {
        name: (
            gather.inputs[0].shape.named,
            gather.axis,
            gather.output.named if gather.output else None,
        )
        for name, gather in found.items()
    }
    assert shapes == {
        "y/function my.Outer/last": ("[batch,2]", 0, "[2,2]"),
        "y/function my.Outer/d/function my.Pick/pick": ("[batch,6]", 1, "[batch,2]"),
        "second/function my.Pick/pick": ("[3,4,5]", -1, "[3,4,2]"),
        "choice/then_branch/inside/function my.Pick/pick": ("[batch,6]", 0, "[2,6]"),
        "function my.Unused/lone": ("[...]", None, "[...]"),
    }
    inner = found["y/function my.Outer/d/function my.Pick/pick"]
    assert [
        (each.producer.name, each.producer.type)
        for each in inner.inputs
        if each.producer
    ] == [
        ("x", "input"),
        ("i", "input"),
    ]
    [again] = ovgather.gather_layers(made, "second/function my.Pick/pick")
    assert again.inputs[0].element_type == "float"
    with pytest.raises(
        ovgather.InvalidModelError, match="3 nodes are called 'pick': say which"
    ):
        ovgather.gather_layers(made, "pick")


@pytest.mark.slow
def test_functions_that_call_themselves_end() -> None:
    from onnx import parser

    made = parser.parse_model("""<ir_version: 8, opset_import: ["" : 17, "my" : 1]>
    g (float[3] x, int64[2] i) => (float[2] y) { y = my.F (x, i) }
    <domain: "my", opset_import: ["" : 17, "my" : 1]>
    F (a, b) => (c) { c = Gather(a, b) d = my.F (c, b) e = my.F (c, b) }""")
    assert len(ovgather.read(made).scopes) < 1 << 16
