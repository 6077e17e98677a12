"""What OpenVINO and ONNX Runtime read into a model that onnx reads otherwise: measured with 2026.4.1 and 1.32."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy
import pytest

from ovgather.validation.check import check_file

# Its cases are made of onnx when it is imported.
pytest.importorskip("onnx.helper", reason="onnx is not installed")


def node(type: str, inputs: str, outputs: str, **more: Any) -> Any:
    from onnx import helper

    return helper.make_node(type, inputs.split(), outputs.split(), **more)


def constant(*attributes: tuple[str, Any], domain: str = "") -> Any:
    from onnx import helper

    made = node("Constant", "", "c", domain=domain)
    made.attribute.extend(helper.make_attribute(*each) for each in attributes)
    return made


def tensor(values: Any, name: str = "", **fields: Any) -> Any:
    from onnx import numpy_helper

    made = numpy_helper.from_array(numpy.array(values), name)
    for field, value in fields.items():
        setattr(made, field, value)
    return made


def model(
    *nodes: Any,
    opset: int | Sequence[tuple[str, int]] = 13,
    held: Sequence[Any] = (),
    ir_version: int = 8,
    inputs: str = "x",
) -> Any:
    from onnx import TensorProto, helper

    imports = [("", opset)] if isinstance(opset, int) else opset
    kinds = {"x": (TensorProto.FLOAT, [2, 3]), "k": (TensorProto.BOOL, [])}
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info(each, *kinds[each]) for each in inputs.split()],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["a", "b"])],
        held,
    )
    made = helper.make_model(
        graph, opset_imports=[helper.make_opsetid(*each) for each in imports]
    )
    made.ir_version = ir_version
    return made


def branch(*nodes: Any, gives: str = "p") -> Any:
    from onnx import TensorProto, helper

    outputs = [
        helper.make_tensor_value_info(each, TensorProto.FLOAT, [2, 3])
        for each in gives.split()
    ]
    return helper.make_graph(nodes, "b", [], outputs)


def branches(then: Any, other: Any, *before: Any) -> Any:
    chosen = node("If", "k", "y", then_branch=then, else_branch=other)
    return model(*before, chosen, inputs="x" if before else "x k")


def verdicts(made: Any) -> tuple[str, str]:
    checked = check_file(made.SerializeToString())
    assert checked.onnx is not None
    return checked.verdict.openvino, checked.onnx.onnxruntime


ADDS = node("Add", "x c", "y")
GATHERS = node("Gather", "x c", "y")
RELU = node("Relu", "x", "y")
INDICES = numpy.array([0, 1])


@pytest.mark.parametrize(
    ("attributes", "opset", "expected"),
    [
        ([("value_ints", [0])], 13, ("accepts", "accepts")),
        ([("value_ints", [0])], 12, ("rejects", "unknown")),
        ([("value_float", 1.0), ("value", INDICES)], 13, ("rejects", "rejects")),
        ([("value", INDICES), ("value_float", 1.0)], 11, ("accepts", "accepts")),
        ([("value", numpy.float32(1)), ("value_ints", [0])], 13, ("accepts", "rejects")),
        ([("value", INDICES), ("value", numpy.float32(1))], 13, ("accepts", "accepts")),
        ([("value", 1)], 13, ("rejects", "unknown")),
    ],
)  # fmt: skip
def test_what_a_constant_holds(
    attributes: list[tuple[str, Any]], opset: int, expected: tuple[str, str]
) -> None:
    """OpenVINO looks for names in its own order, ONNX Runtime takes the first attribute."""
    held = [
        (name, tensor(value) if isinstance(value, (numpy.ndarray, numpy.generic)) else value)
        for name, value in attributes
    ]  # fmt: skip
    assert verdicts(model(constant(*held), GATHERS, opset=opset)) == expected


def test_the_first_of_two_attributes_counts() -> None:
    from onnx import helper

    made = node("Transpose", "x", "y", perm=[1, 0])
    made.attribute.append(helper.make_attribute("perm", [0, 0]))
    assert verdicts(model(made)) == ("accepts", "rejects")


@pytest.mark.parametrize(
    ("opset", "expected"),
    [
        ([("", 11), ("", 13)], ("accepts", "accepts")),
        ([("foo", 1)], ("accepts", "accepts")),
        ([("", 99)], ("accepts", "rejects")),
    ],
)
def test_opsets(opset: list[tuple[str, int]], expected: tuple[str, str]) -> None:
    assert verdicts(model(RELU, opset=opset)) == expected


def test_a_node_of_the_domain_in_full() -> None:
    made = model(node("Relu", "x", "y", domain="ai.onnx"))
    assert verdicts(made) == ("rejects", "unknown")


def test_a_constant_of_any_domain() -> None:
    made = constant(("value", tensor(numpy.float32(1))), domain="foo")
    assert verdicts(model(made, ADDS))[1] == "unknown"


def test_nodes_with_one_name() -> None:
    made = model(
        node("Relu", "x", "t", name="a"), node("Abs", "t", "y", name="a")
    )  # fmt: skip
    assert verdicts(made) == ("accepts", "rejects")


@pytest.mark.parametrize(
    ("held", "is_read", "expected"),
    [
        ({"raw_data": b"1234"}, False, ("accepts", "accepts")),
        ({"data_type": 55}, False, ("rejects", "rejects")),
        ({"data_type": 0}, False, ("accepts", "rejects")),
        ({}, True, ("accepts", "accepts")),
    ],
)
def test_initializers(
    held: dict[str, Any], is_read: bool, expected: tuple[str, str]
) -> None:
    made = tensor(numpy.ones((2, 3), "f4"), "c", **held)
    assert verdicts(model(ADDS if is_read else RELU, held=[made])) == expected


def test_values_in_two_fields() -> None:
    made = tensor(numpy.ones((2, 3), "f4"), "c")
    made.float_data.append(1)
    assert verdicts(model(ADDS, held=[made])) == ("accepts", "accepts")


def test_a_segment() -> None:
    made = tensor(numpy.ones((2, 3), "f4"), "c")
    made.segment.end = 1
    assert verdicts(model(ADDS, held=[made])) == ("rejects", "accepts")


def test_negative_dims_are_told() -> None:
    made = tensor(numpy.ones((2, 3), "f4"), "c")
    made.dims[0] = -1
    assert verdicts(model(ADDS, held=[made])) == ("rejects", "rejects")


def test_an_old_file_holds_constants_in_its_bodies() -> None:
    inner = branch(
        constant(("value", tensor(numpy.float32(1)))), node("Add", "x c", "p")
    )
    made = branches(inner, branch(node("Abs", "x", "p")))
    made.ir_version = 3
    made.metadata_props.add(key="a")
    made.metadata_props.add(key="a")  # the checker refuses that
    assert verdicts(made) == ("accepts", "accepts")


@pytest.mark.parametrize(
    ("nodes", "gives", "expected"),
    [
        ([node("Relu", "x", "t"), node("Abs", "t", "x")], "x", ("accepts", "rejects")),
        ([node("Relu", "u", "p"), node("Abs", "x", "u")], "p", ("rejects", "rejects")),
        (
            [
                node("SequenceConstruct", "x x", "s"),
                constant(("value_int", 0)),
                node("SequenceAt", "s c", "t"),
                node("Abs", "x", "p"),
            ],
            "p",
            ("rejects", "unknown"),
        ),
    ],
)  # fmt: skip
def test_names_in_a_branch(
    nodes: list[Any], gives: str, expected: tuple[str, str]
) -> None:
    made = branches(branch(*nodes, gives=gives), branch(node("Abs", "x", "p")))
    assert verdicts(made) == expected


@pytest.mark.parametrize(
    ("taken", "expected"), [(1, "accepts"), (0, "rejects_on_compile")]
)
def test_a_branch_that_is_not_taken_is_not_compiled(taken: int, expected: str) -> None:
    before = node("Constant", "", "k", value=tensor(numpy.bool_(taken)))
    bad = node("Gather", "x", "p")
    bad.input.append("")
    made = branches(branch(node("Abs", "x", "p")), branch(bad), before)
    assert verdicts(made)[0] == expected


def _calls(inputs: str = "x", imports: bool = True, opset: int = 13) -> Any:
    from onnx import helper

    domains = [("", 13), ("local", 1)] if imports else [("", 13)]
    made = model(node("F", inputs, "y", domain="local"), opset=domains)
    known = [helper.make_opsetid("", opset)] if opset else []
    nodes = [node("Relu", "a", "b")]
    made.functions.append(
        helper.make_function("local", "F", ["a"], ["b"], nodes, known)
    )
    return made


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        ({}, "accepts"),
        ({"inputs": "x x"}, "rejects"),
        ({"imports": False}, "rejects"),
        ({"opset": 0}, "rejects"),
    ],
)
def test_functions(made: dict[str, Any], expected: str) -> None:
    assert verdicts(_calls(**made))[1] == expected


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (node("Pad", "x", "y", pads=[0, 0, 0, 1], value=float("inf")), "rejects"),
        (node("Pad", "x", "y", pads=[0, 0, 0, 1], value=0.5), "accepts"),
        (node("LeakyRelu", "x", "y", alpha=float("nan")), "rejects"),
        (node("Clip", "x", "y", min=2.0, max=1.0), "rejects"),
        (node("Clip", "x", "y", min=1.0), "accepts"),
    ],
)
def test_numbers_of_attributes(made: Any, expected: str) -> None:
    assert verdicts(model(made, opset=10))[0] == expected


def test_a_zero_point_is_narrow() -> None:
    held = [tensor(numpy.float32(1), "s"), tensor(numpy.int32(0), "z")]
    made = model(
        node("QuantizeLinear", "x s z", "q"),
        node("Cast", "q", "y", to=1),
        held=held,
    )
    assert verdicts(made)[0] == "rejects"


def test_attributes_of_another_type() -> None:
    then = branch(node("Abs", "x", "p"))
    made = branches(then, then)
    made.graph.node[0].attribute[0].type = 4
    assert verdicts(made)[0] == "rejects"
    assert verdicts(model(node("Cast", "x", "y", to="FLOAT")))[0] == "rejects"


def test_an_output_twice() -> None:
    """ONNX Runtime takes the first, whatever onnx says of the last."""
    from onnx import helper

    for kinds, expected in (((1, 11), "accepts"), ((11, 1), "rejects")):
        made = model(RELU)
        del made.graph.output[:]
        for kind in kinds:
            made.graph.output.append(helper.make_tensor_value_info("y", kind, [2, 3]))
        assert verdicts(made)[1] == expected


def test_an_output_without_a_type() -> None:
    made = model(RELU)
    made.graph.output[0].type.tensor_type.elem_type = 0
    assert verdicts(made)[1] == "rejects"


def test_a_declared_type_that_openvino_does_not_read() -> None:
    from onnx import helper

    made = model(node("Relu", "x", "t"), node("Abs", "t", "y"))
    made.graph.value_info.append(helper.make_tensor_value_info("t", 14, [2, 3]))
    assert verdicts(made)[0] == "rejects"


@pytest.mark.parametrize("domain", ["ai.onnx.ml", "com.microsoft"])
def test_a_domain_in_a_version_to_come(domain: str) -> None:
    assert verdicts(model(RELU, opset=[("", 13), (domain, 99)]))[1] == "rejects"
    assert verdicts(model(RELU, opset=[("", 13), (domain, 1)]))[1] == "accepts"


def test_a_function_that_gives_its_input() -> None:
    made = _calls()
    made.functions[0].output[0] = "a"
    assert verdicts(made)[1] == "rejects"


def test_a_function_in_the_domain_of_onnx() -> None:
    made = _calls()
    made.functions[0].domain = made.graph.node[0].domain = ""
    assert verdicts(made)[1] == "rejects"


def test_a_branch_that_gives_a_value_from_around() -> None:
    made = branches(
        branch(constant(("value_float", 1.0)), gives="c"), branch(gives="x")
    )
    assert verdicts(made)[0] == "rejects_on_compile"


def test_a_condition_without_elements() -> None:
    same = branch(node("Abs", "x", "p"))
    made = branches(same, same)
    made.graph.input[1].type.tensor_type.shape.dim.add(dim_value=0)
    assert verdicts(made)[0] == "rejects"


def test_a_loop_that_gives_nothing() -> None:
    from onnx import TensorProto, helper

    inputs = [
        helper.make_tensor_value_info("i", TensorProto.INT64, []),
        helper.make_tensor_value_info("a", TensorProto.BOOL, []),
    ]
    ends = [helper.make_tensor_value_info("b", TensorProto.BOOL, [])]
    body = helper.make_graph([node("Not", "a", "b")], "g", inputs, ends)
    loop = node("Loop", "", "y", body=body)
    loop.input.extend(["", "k"])
    assert verdicts(model(loop, inputs="k"))[0] == "rejects"


@pytest.mark.parametrize(
    ("type", "kind", "opset", "is_taken"),
    [
        ("ReduceMax", 2, 13, True),
        ("ReduceMax", 2, 12, False),
        ("ReduceMean", 3, 18, True),
        ("ReduceMean", 3, 13, False),
        ("ReduceSum", 2, 18, False),
        ("ReduceMax", 9, 20, True),
        ("ReduceMax", 9, 18, False),
        ("ReduceL1", 16, 11, True),
        ("ReduceL2", 16, 11, False),
        ("ReduceMin", 4, 18, False),
    ],
)
def test_types_of_reductions(type: str, kind: int, opset: int, is_taken: bool) -> None:
    made = model(node(type, "x", "y"), opset=opset)
    for item in (*made.graph.input, *made.graph.output):
        item.type.tensor_type.elem_type = kind
    assert (verdicts(made)[0] != "rejects") == is_taken


def test_an_attribute_of_another_type_that_nothing_reads() -> None:
    made = model(constant(("value_int", 0)), node("CumSum", "x c", "y", exclusive=[1]))
    assert verdicts(made)[0] == "unknown"


def test_a_constant_in_a_file() -> None:
    """onnx's checker looks for the file, and does not find it: that says nothing of the model."""
    held = tensor(INDICES)
    held.ClearField("raw_data")
    held.data_location = 1
    held.external_data.add(key="location", value="nowhere.bin")
    made = model(node("Constant", "", "c", value=held), GATHERS)
    assert verdicts(made)[1] == "rejects"  # for the file
    assert "nowhere.bin" in str(check_file(made.SerializeToString()).onnx)


@pytest.mark.parametrize(
    ("nodes", "expected"),
    [
        ("s = Shape(x) j = Add(s, s) y = Gather(x, j)", 1),
        ("i = Constant<value_ints=[1]>() j = Sub(i, i) y = Gather(x, j)", 0),
        ("i = Constant<value_ints=[5]>() j = Add(i, i) y = Gather(x, j)", 1),
        ("i = Constant<value_ints=[5]>() j = Cast<to=6>(i) y = Gather(x, j)", 1),
        ("i = Constant<value=int64[1,1] {5}>() u = Constant<value=float[1,1] {1}>() y = ScatterElements(x, i, u)", 1),
        ("i = Constant<value=int64[1,1] {-2}>() u = Constant<value=float[1,1] {1}>() y = ScatterElements(x, i, u)", 0),
        ("i = Constant<value=int64[1,2] {0,3}>() u = Constant<value=float[1] {1}>() y = ScatterND(x, i, u)", 1),
        ("i = Constant<value=int64[1,2] {1,2}>() u = Constant<value=float[1] {1}>() y = ScatterND(x, i, u)", 0),
    ],
)  # fmt: skip
def test_computed_indices_and_those_of_what_scatters(nodes: str, expected: int) -> None:
    from onnx import parser

    text = f'<ir_version: 8, opset_import: ["" : 18]> g (float[2,3] x) => (float[a,b] y) {{ {nodes} }}'
    checked = check_file(parser.parse_model(text).SerializeToString())
    assert [each.code for each in checked.diagnostics].count("OVG810") == expected
    assert checked.onnx is not None
    assert checked.onnx.onnxruntime == ("rejects_on_run" if expected else "accepts")


def _parsed(text: str, opset: int = 18) -> Any:
    from onnx import parser

    return parser.parse_model(f'<ir_version: 8, opset_import: ["" : {opset}]> {text}')


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("g (float[2199023255552] x) => (float[a] y) { y = Relu(x) }", "unknown"),
        ("g (float[0,3] x, int64[1] i) => (float[a,b] y) { y = Gather<axis=1>(x, i) }", "unknown"),
        ("g (float[0,3] x, int64[1] i) => (float[a,b] y) { y = Gather(x, i) }", "accepts"),
        ("g (float[3] x) => (float[a] y) <bool[3] c = {1,0,1}> { y = Compress(x, c) }", "accepts"),
        ("g (float[3] x, float[1] r) => (float[a] y) { y = Tile(x, r) }", "accepts"),
    ],
)  # fmt: skip
def test_what_openvino_may_not_survive_and_what_it_takes(
    text: str, expected: str
) -> None:
    assert verdicts(_parsed(text))[0] == expected


def test_what_is_declared_of_an_output_is_not_read() -> None:
    from onnx import helper

    made = model(RELU)
    made.graph.value_info.append(helper.make_tensor_value_info("y", 14, [2, 3]))
    assert verdicts(made) == ("accepts", "accepts")


def test_a_constant_twice_or_with_an_input() -> None:
    held = constant(("value", tensor(INDICES)))
    assert verdicts(model(held, held, GATHERS))[1] == "accepts"
    inner = branch(held, held, node("Gather", "x c", "p"))
    assert verdicts(branches(inner, inner))[1] == "rejects"
    held.input.append("")
    assert verdicts(model(held, GATHERS))[1] == "rejects"


def test_a_constant_of_a_function_in_an_old_opset() -> None:
    made = _calls(opset=8)
    made.functions[0].node.insert(0, constant(("value", tensor(INDICES))))
    assert verdicts(made)[1] == "rejects"
    made.functions[0].opset_import[0].version = 9
    assert verdicts(made)[1] == "accepts"


@pytest.mark.parametrize(
    ("text", "opset", "expected"),
    [
        ("g (float[2,3] x, float[3] s) => (float[a,b] y) { y = LayerNormalization(x, s) }", 13, "accepts"),
        ("g (float[2,3] x) => (float[a,b] y) { y = ThresholdedRelu(x) }", 8, "accepts"),
        ("g (float[1,2,3,4] x) => (float[a,b,c,d] y) { y = MeanVarianceNormalization(x) }", 13, "accepts"),
        ("g (float[1,2,3] x, float[1] s) => (float[a,b,c] y) { y = GroupNormalization(x, s, s) }", 13, "rejects"),
        ("g (float[2,3] x, int64 k) => (float[a,b] y) { y = CumSum<exclusive=2>(x, k) }", 14, "rejects"),
        ("g (float[2,3] x, int64 k) => (float[a,b] y) { y = CumSum<exclusive=1>(x, k) }", 14, "accepts"),
        ("g (float[1,1,2] x, float[1,3,2] w, float[1,3,3] r) => (float[a,b,c,d] y) "
         "{ y = RNN<hidden_size=3, layout=1>(x, w, r) }", 14, "rejects"),
    ],
)  # fmt: skip
def test_operations_as_onnx_runtime_has_them(
    text: str, opset: int, expected: str
) -> None:
    assert verdicts(_parsed(text, opset))[1] == expected


def test_more_inputs_than_an_operation_has() -> None:
    assert verdicts(model(node("Relu", "x x", "y"))) == ("unknown", "rejects")
    made = node("Relu", "x", "y")
    made.input.append("")
    assert verdicts(model(made))[0] == "accepts"


@pytest.mark.parametrize(
    ("opset", "mode", "expected"),
    [
        (16, "bilinear", "accepts"),
        (16, "linear", "rejects"),
        (20, "bilinear", "rejects"),
        (20, "cubic", "accepts"),
    ],
)
def test_the_modes_of_a_grid_sample(opset: int, mode: str, expected: str) -> None:
    text = f"""g (float[1,1,4,4] x, float[1,2,2,2] p) => (float[a,b,c,d] y)
        {{ y = GridSample<mode="{mode}">(x, p) }}"""
    assert verdicts(_parsed(text, opset))[0] == expected
