"""ReadValue and Assign beside OpenVINO, which reads no Assign without the ReadValue of its variable."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from declared_oracle import Case, Operand, check, infer, write
from nets import Net
from spoiled_cases import opened, spoiled

from ovgather.forward.run import Forward
from ovgather.ir.read import read
from ovgather.tensor.shape import PartialShape


def random_case(rng: random.Random) -> Case:
    lengths = [rng.randint(0, 4) for _ in range(rng.randint(0, 3))]
    kind = rng.choice(["f32", "i64"])
    attributes = {"variable_id": rng.choice(["a", "b.c", ""])}
    inputs = [Operand(opened(rng, lengths), kind)]
    opset = rng.choice([3, 5, 6, 16])
    if opset >= 6:
        attributes["variable_shape"] = opened(rng, lengths, 0.5)
        attributes["variable_type"] = rng.choice([kind] * 6 + ["dynamic", "f16"])
        inputs = inputs[: rng.choice([0, 1, 1, 1])]
    return spoiled(
        rng, Case("ReadValue", opset, inputs, attributes), kept=("variable_id",)
    )


@pytest.mark.runtime
def test_agrees_with_openvino() -> None:
    assert not check(random_case, 150)


def read_value(
    variable_shape: str, variable_type: str, *inputs: Operand
) -> dict[str, object]:
    attributes = {
        "variable_id": "a",
        "variable_shape": variable_shape,
        "variable_type": variable_type,
    }
    return infer(*write(Case("ReadValue", 6, inputs, attributes)))


def test_the_variable_gives_shape_and_type() -> None:
    assert read_value("?,3", "f32", Operand("2,3"))["outputs"] == [["[?,3]", "f32"]]
    assert read_value("?,3", "f32")["outputs"] == [["[?,3]", "f32"]]
    assert read_value("...", "dynamic", Operand("2,3"))["outputs"] == [["[2,3]", "f32"]]


def test_the_initial_value_belongs_to_the_variable() -> None:
    message = "variable_shape is [2,3], init_value has shape [?,3]"
    assert str(read_value("2,3", "f32", Operand("?,3"))["error"]).startswith(message)
    message = "variable_type is f16, init_value is f32"
    assert str(read_value("2,3", "f16", Operand("2,3"))["error"]).startswith(message)


@pytest.mark.parametrize("opset", [3, 6])
def test_assign_passes_its_input_on(opset: int) -> None:
    case = Case("Assign", opset, [Operand("2,?")], {"variable_id": "a"})
    answer = infer(*write(case))
    assert answer["inferred"] == [["[2,?]", "f32"]]
    assert str(answer["error"]).startswith("the CPU plugin gives the output")


@pytest.mark.runtime
@pytest.mark.parametrize("reader", ["Result", "ReLU", "ShapeOf", "nobody"])
def test_an_assign_gives_nothing_to_other_layers(reader: str, tmp_path: Path) -> None:
    net = Net()
    variable = 'variable_id="v" variable_type="f32" variable_shape="?"'
    first = net.const("f32", [1], [0.0])
    value = net.add("ReadValue", variable, first, version="opset6")
    total = net.add("Add", "", value, net.parameter("f32", "?"))
    net.add("Result", "", total)
    stored = net.add("Assign", 'variable_id="v"', total, version="opset6")
    if reader in ("ReLU", "ShapeOf"):
        stored = net.add(reader, "", stored)
    if reader != "nobody":
        net.add("Result", "", stored)
    refusals = Forward(net.model()).refusals
    expected = "" if reader == "nobody" else "compile"
    assert "".join(each.error.stage for each in refusals) == expected
    pytest.importorskip("openvino", reason="openvino is not installed")
    from openvino_verdicts import verdicts

    path = tmp_path / "m.xml"
    path.write_bytes(net.text)
    path.with_suffix(".bin").write_bytes(net.weights)
    assert verdicts([str(path)], last="compile")[str(path)].stage == expected


STATE = """<net name="m" version="11"><layers>
<layer id="0" name="x" type="Parameter" version="opset1"><data shape="{shape}" element_type="{kind}"/>
<output>{port0}</output></layer>
<layer id="1" name="r" type="ReadValue" version="opset6">
<data variable_id="v" variable_shape="1,4" variable_type="f32"/><output>{value}</output></layer>
<layer id="2" name="a" type="Assign" version="opset6"><data variable_id="v"/>
<input>{port0}</input><output>{port1}</output></layer>
<layer id="3" name="y" type="Result" version="opset1"><input>{value}</input></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="2" to-port="0"/>
<edge from-layer="1" from-port="0" to-layer="3" to-port="0"/></edges></net>"""
STATES = [
    ("1,4", "f32", ""),
    ("?,4", "f32", ""),
    ("4,4", "f32", "new_value has shape [4,4], the variable [1,4]"),
    ("1,4", "f16", "new_value is f16, the variable is f32"),
]


def state(shape: str, kind: str) -> bytes:
    """A model with a variable of shape [1,4] and type f32, which is assigned an input."""
    dims = "".join(f"<dim>{dim.replace('?', '-1')}</dim>" for dim in shape.split(","))
    ports = {
        f"port{id}": f'<port id="{id}" precision="{kind.replace("f", "FP")}">{dims}</port>'
        for id in (0, 1)
    }
    value = '<port id="0" precision="FP32"><dim>1</dim><dim>4</dim></port>'
    return STATE.format(shape=shape, kind=kind, value=value, **ports).encode()


@pytest.mark.parametrize(("shape", "kind", "error"), STATES)
def test_assign_fits_the_variable_of_its_read_value(
    shape: str, kind: str, error: str
) -> None:
    refusals = Forward(read(state(shape, kind))).refusals
    assert [str(each.error).split(": ")[0] for each in refusals] == (
        [error] if error else []
    )
    assert {each.error.stage for each in refusals} <= {"reshape"}


def test_other_shapes_have_to_fit_the_variable() -> None:
    model = read(state("?,4", "f32"))
    forward = Forward(model, {model.graph.layers[0].offset: PartialShape.of([4, 4])})
    assert [each.layer.type for each in forward.blockers] == ["Assign"]
    assert Forward(read(state("4,4", "f32"))).refused_on_read is None


def stages_in_openvino(texts: list[bytes], folder: Path) -> list[str]:
    """The stage at which OpenVINO refuses each file; empty: it compiles it."""
    pytest.importorskip("openvino", reason="openvino is not installed")
    # Here, since a module that has it starts a runtime in all of its tests.
    from openvino_verdicts import verdicts

    paths = [folder / f"{number}.xml" for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_bytes(text)
    answers = verdicts([*map(str, paths)], last="compile")
    return [answers[str(path)].stage for path in paths]


@pytest.mark.runtime
def test_openvino_reads_it_and_compiles_what_fits(tmp_path: Path) -> None:
    texts = [state(shape, kind) for shape, kind, _ in STATES]
    expected = ["compile" if error else "" for _, _, error in STATES]
    assert stages_in_openvino(texts, tmp_path) == expected


ORDERS = [
    ("Assign Result", False, "reshape"),
    ("Result Assign", False, "read"),
    ("Assign Result", True, "read"),
]


def ordered(kinds: str, is_behind: bool) -> Net:
    """A variable of two elements that is given four: what it gives twice, or an input of the model."""
    net = Net()
    source = net.parameter("f32", "4")
    variable = 'variable_id="v" variable_shape="2" variable_type="f32"'
    value = net.add("ReadValue", variable, version="opset6")
    if is_behind:
        source = net.add("Concat", 'axis="0"', value, value)
    for kind in kinds.split():
        if kind == "Result":
            net.add("Result", "", value)
        else:
            net.add("Assign", 'variable_id="v"', source, version="opset6")
    return net


@pytest.mark.parametrize(("kinds", "is_behind", "stage"), ORDERS)
def test_an_assign_built_after_its_read_value_is_compared_on_read(
    kinds: str, is_behind: bool, stage: str
) -> None:
    refusals = Forward(ordered(kinds, is_behind).model()).refusals
    assert [each.error.stage for each in refusals] == [stage]


@pytest.mark.runtime
def test_openvino_compares_in_the_order_of_the_ends(tmp_path: Path) -> None:
    texts = [ordered(kinds, is_behind).text for kinds, is_behind, _ in ORDERS]
    expected = ["read" if stage == "read" else "compile" for _, _, stage in ORDERS]
    assert stages_in_openvino(texts, tmp_path) == expected


CACHE = """<net name="m" version="11"><layers>
<layer id="0" name="c" type="Const" version="opset1">
<data element_type="f32" shape="1,{past},4" offset="0" size="{size}"/>
<output><port id="0" precision="FP32"><dim>1</dim><dim>{past}</dim><dim>4</dim></port></output></layer>
<layer id="1" name="r" type="ReadValue" version="opset6">
<data variable_id="v" variable_shape="1,?,4" variable_type="f32"/>
<input><port id="0" precision="FP32"><dim>1</dim><dim>{past}</dim><dim>4</dim></port></input>
<output><port id="1" precision="FP32"><dim>1</dim><dim>-1</dim><dim>4</dim></port></output></layer>
<layer id="2" name="y" type="Result" version="opset1">
<input><port id="0" precision="FP32"><dim>1</dim><dim>-1</dim><dim>4</dim></port></input></layer>
<layer id="3" name="a" type="Assign" version="opset6"><data variable_id="v"/>
<input><port id="0" precision="FP32"><dim>1</dim><dim>-1</dim><dim>4</dim></port></input>
<output><port id="1" precision="FP32"><dim>1</dim><dim>-1</dim><dim>4</dim></port></output></layer>
</layers><edges><edge from-layer="0" from-port="0" to-layer="1" to-port="0"/>
<edge from-layer="1" from-port="1" to-layer="2" to-port="0"/>
<edge from-layer="1" from-port="1" to-layer="3" to-port="0"/></edges></net>"""


@pytest.mark.parametrize("past", [0, 2])
def test_a_variable_with_a_constant_first_value_is_no_constant(past: int) -> None:
    """The cache of a language model: an empty Const first, and of any length afterwards."""
    text = CACHE.format(past=past, size=16 * past).encode()
    forward = Forward(read(text, weights=bytes(16 * past)))
    assert not forward.refusals


@pytest.mark.runtime
def test_openvino_compiles_a_variable_with_a_constant_first_value(
    tmp_path: Path,
) -> None:
    pytest.importorskip("openvino", reason="openvino is not installed")
    from openvino_verdicts import verdicts

    path = tmp_path / "cache.xml"
    path.write_text(CACHE.format(past=2, size=32))
    path.with_suffix(".bin").write_bytes(bytes(32))
    assert verdicts([str(path)], last="compile")[str(path)].stage == ""


def test_an_assign_without_an_output_is_read_by_nobody() -> None:
    net = Net()
    first = net.const("f32", [1], [0.0])
    value = net.add("ReadValue", 'variable_id="v"', first, version="opset3")
    net.add("Assign", 'variable_id="v"', value, version="opset3")
    net.layers[-1] = re.sub("<output>.*?</output>", "", net.layers[-1], flags=re.S)
    net.add("Result", "", value)
    assert not Forward(net.model()).refusals
