"""Shapes on their way through a file: what other input shapes change, where that ends, and that OpenVINO agrees."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from random import Random

import pytest
from nets import Net

import ovgather
from ovgather.ir.model import Model
from ovgather.layers.inputs import matched, parse
from ovgather.layers.lengths.derived import KEEPS_SHAPE
from ovgather.layers.shape_propagation import Flow
from ovgather.runtimes import load as openvino
from ovgather.runtimes import pool
from ovgather.runtimes.child import Failure
from ovgather.tensor.shape import PartialShape
from ovgather.verbs.infer import Inferred, infer

requires_openvino = pytest.mark.skipif(find_spec("openvino") is None, reason="openvino is not installed")


def shapes_of(model: Model, **given: str) -> dict[str, Inferred]:
    found = infer(model, input_shapes={name: PartialShape.of(shape) for name, shape in given.items()})
    return {layer.layer.name: layer for layer in found.layers}


def embeddings(between: str = "Relu") -> Net:
    """ids -> Gather (table) -> ``between`` -> GatherElements by order."""
    net = Net()
    ids, order = net.parameter("i64", "?,6"), net.parameter("i64", "?,6,2")
    table, axis = net.const("f32", [10, 4], [0.0] * 40), net.const("i64", [], [0])
    words = net.add("Gather", 'batch_dims="0"', table, ids, axis, version="opset8", shape="?,6,4")
    kept = net.add(between, 'destination_type="f16"', words, shape="?,6,4")
    picked = net.add("GatherElements", 'axis="2"', kept, order, version="opset6", shape="?,6,2")
    net.add("Result", "", picked)
    return net


def test_given_shapes_flow_through_gathers_and_layers_that_keep_them() -> None:
    for between in ("Relu", "Convert", "Softmax"):
        found = shapes_of(embeddings(between).model(), l0="[3,128]", in1="batch,128,9")
        words, picked = found["l4"], found["l6"]
        assert (words.output[:2], words.declared, words.updated) == (("[3,128,4]", "f32"), "[?,6,4]", True)
        assert picked.inference is not None
        assert picked.output is not None
        assert (picked.output.shape, picked.inference.shape.named) == ("[3,128,9]", "[batch:3,128,9]")
        assert picked.inference.constraints == ("batch == 3",)
        assert not picked.is_wrong
        assert not words.is_wrong  # though it contradicts what was declared for the shapes before


def test_what_does_not_change_is_not_reached() -> None:
    net = embeddings()
    model = net.model()
    flow = Flow(model, matched(model, {"l0": PartialShape.of("?,6")}))
    assert (flow.updated, flow.stops) == ({}, [])
    flow = Flow(model, matched(model, {"l1": PartialShape.of("?,6,3")}))
    assert [model.find("l6").offset] == list(flow.updated)


def test_other_layers_are_not_followed() -> None:
    found = infer(embeddings("Convolution").model(), input_shapes={"l0": PartialShape.of("3,6")})
    picked = found.layers[1]
    assert [stop.name for stop in found.stops] == ["l5"]
    assert picked.behind == 'Convolution 5 "l5"'
    assert [tensor.shape for _, tensor in picked.inputs] == ["[...]", "[?,6,2]"]
    assert (picked.output[:2], picked.updated) == (("[?,6,2]", "i64"), True)


def test_only_the_first_layer_in_the_way_is_named() -> None:
    net = embeddings("Convolution")
    last = net.add("TopK", "", 6, 6, shape="?,6,2")
    net.add("Gather", "", last, 1, 3, version="opset8", shape="?,6,2,6,2")
    found = infer(net.model(), input_shapes={"l0": PartialShape.of("3,6"), "l1": PartialShape.of("3,6,5")})
    assert [stop.name for stop in found.stops] == ["l5", "l8"]  # the output of l6 is known all the same
    net = embeddings("Convolution")
    last = net.add("TopK", "", 5, 5, shape="?,6,4")
    net.add("Gather", "", last, 1, 3, version="opset8", shape="?,6,2,6,4")
    found = infer(net.model(), input_shapes={"l0": PartialShape.of("3,6")})
    assert [stop.name for stop in found.stops] == ["l5"]
    assert found.layers[2].behind == 'Convolution 5 "l5"'


def test_a_shape_of_has_the_length_of_the_rank() -> None:
    net = Net()
    data, axis = net.parameter("f32", "?,6"), net.const("i64", [], [0])
    shape = net.add("ShapeOf", 'output_type="i64"', data, version="opset3", shape="2")
    one = net.add("Gather", "", shape, net.const("i64", [1], [0]), axis, version="opset8", shape="1")
    net.add("Result", "", one)
    model = net.model()
    [reached] = Flow(model, {0: PartialShape.of("5,7")}).updated.values()
    assert [str(found) for found in reached.shapes] == ["[2]", "[1]", "[]"]
    flow = Flow(model, {0: PartialShape.of("5,7,9")})
    [reached] = flow.updated.values()
    assert [str(found) for found in reached.shapes] == ["[3]", "[1]", "[]"]
    assert Flow(model, {0: PartialShape.of(None)}).output(model.find("l2"), 0) == [-1]


@pytest.mark.parametrize(("between", "length"), [("Convert", "64"), ("Relu", "?"), ("TopK", None)])
def test_lengths_that_become_shapes_are_not_taken_for_what_they_were(between: str, length: str | None) -> None:
    """Positions that a static file counts up to a length: they are as many as before only where the file says so."""
    net = Net()
    ids, axis = net.parameter("i64", "1,128"), net.const("i64", [], [0])
    shape = net.add("ShapeOf", 'output_type="i64"', ids, version="opset3", shape="2")
    picked = net.add("Gather", "", shape, net.const("i64", [], [1]), axis, version="opset8")
    same = net.add(between, 'destination_type="i64"', picked)
    positions = net.add(
        "Range", 'output_type="i64"', axis, same, net.const("i64", [], [1]), version="opset4", shape="128"
    )
    table = net.const("f32", [512, 4], [0.0] * 2048)
    net.add("Result", "", net.add("Gather", "", table, positions, axis, version="opset8", shape="128,4"))
    found = infer(net.model(), input_shapes={"l0": PartialShape.of("1,64")})
    length_layer, embedding = found.layers
    assert not length_layer.updated
    assert embedding.output is not None
    assert embedding.output.shape == (f"[{length},4]" if length else "[?,4]")
    assert [stop.type for stop in found.stops] == ([] if length else ["TopK"])
    if between == "Relu" and find_spec("openvino") is not None:
        beside = infer(net.model(), input_shapes={"l0": PartialShape.of("1,64")}, with_openvino=True)
        assert beside.layers[1].output is not None
        assert beside.layers[1].output[:2] == ("[64,4]", "f32")
        assert [layer.openvino[1] for layer in beside.layers if layer.openvino] == ["equal", "equal"]


def test_shapes_that_do_not_fit() -> None:
    found = shapes_of(embeddings().model(), l0="3,7", l1="3,6,2")["l6"]
    assert found.error is not None
    assert found.error.startswith("dim 1 is 7 in data but 6 in indices")
    assert found.is_wrong
    assert found.output is None


def test_layers_that_read_from_themselves_are_left_alone() -> None:
    net = embeddings()
    net.add("Relu", "", 8)
    assert shapes_of(net.model(), l0="3,6")["l4"].updated


def test_bodies() -> None:
    model = ovgather.read("samples_xml/demo/nested.xml")
    found = infer(model, input_shapes={"data": PartialShape.of("7,3")})
    assert [stop.name for stop in found.stops] == ["three_times"]
    assert {layer.behind for layer in found.layers} == {'Loop 4 "three_times"'}
    assert all(layer.output is not None and layer.output.shape == "[...]" for layer in found.layers)


# -- names of inputs -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["ids"], "'ids' is no input with a shape"),
        (["=[1]"], "'=[1]' is no input with a shape"),
        (["ids=[1", "x=2"], "input 'ids': '[1' is not a shape"),
        (["ids=1", "ids=2"], "input 'ids' is given two shapes"),
    ],
)
def test_input_shapes_that_are_none(texts: list[str], message: str) -> None:
    with pytest.raises(ovgather.InvalidModelError) as caught:
        parse(texts)
    assert str(caught.value).startswith(message)


def test_inputs_by_name() -> None:
    model = ovgather.read("samples_xml/demo/good.xml")
    name = next(layer.name for layer in model.layers() if layer.type == "Parameter")
    tensor = model.tensor_names(model.find(name))[0]
    for spelled in (name, tensor, "in0"):
        assert [str(shape) for shape in matched(model, parse([f"{spelled}=3,6"])).values()] == ["[3,6]"]
    with pytest.raises(ovgather.InvalidModelError, match=r"has no input 'in1'; it takes\n  token_ids or .*: \[\?,6\]"):
        matched(model, parse(["in1=3"]))
    with pytest.raises(ovgather.InvalidModelError, match="input 'token_ids' is given two shapes"):
        matched(model, parse(["in0=3", f"{name}=3"]))


# -- beside OpenVINO -----------------------------------------------------------------------------------------------

ATTRIBUTES: Mapping[str, tuple[str, str, str]] = {
    "BitwiseNot": ("opset13", "", "i32"),
    "Clamp": ("opset1", 'min="0" max="1"', "f32"),
    "Convert": ("opset1", 'destination_type="f16"', "f32"),
    "Elu": ("opset1", 'alpha="1"', "f32"),
    "Gelu": ("opset7", 'approximation_mode="ERF"', "f32"),
    "HSigmoid": ("opset5", "", "f32"),
    "HSwish": ("opset4", "", "f32"),
    "Identity": ("opset16", "", "f32"),
    "LogSoftmax": ("opset5", 'axis="-1"', "f32"),
    "LogicalNot": ("opset1", "", "boolean"),
    "Mish": ("opset4", "", "f32"),
    "Round": ("opset5", 'mode="half_to_even"', "f32"),
    "SoftPlus": ("opset4", "", "f32"),
    "SoftSign": ("opset9", "", "f32"),
    "Softmax": ("opset8", 'axis="-1"', "f32"),
    "Swish": ("opset4", "", "f32"),
    **dict.fromkeys(("Acosh", "Asinh", "Atanh"), ("opset4", "", "f32")),
}


@requires_openvino
def test_layers_that_keep_a_shape_do_so_in_openvino() -> None:
    net = Net()
    for type in sorted(KEEPS_SHAPE):
        version, data, kind = ATTRIBUTES.get(type, ("opset1", "", "f32"))
        net.add("Result", "", net.add(type, data, net.parameter(kind, "?,2..5,7"), version=version, shape="?,?,7"))
    model = net.model()
    told, error = openvino.reshape(model, {})
    assert told is not None, error
    for layer in model.layers():
        if layer.type in KEEPS_SHAPE:
            assert str(told[(), layer.name][0]) == "[?,2..5,7]", layer.type


def random_net(rng: Random) -> tuple[Net, dict[int, PartialShape]]:
    """Layers of the family and others one after the other, and other shapes for the inputs."""
    net = Net()
    axis = rng.randrange(2)
    number = net.const("i64", [], [axis])
    last = net.parameter("f32", "4,6")
    given = {0: PartialShape.of([rng.choice([4, 8, (2, 9)]), rng.choice([6, 3, (1, None)])])}
    for step in range(rng.randint(1, 5)):
        kind = rng.choice(["Gather", "GatherElements", "GatherND", "Relu", "Sigmoid", "Add"])
        if kind == "Gather":
            last = net.add(kind, "", last, net.const("i32", [5], [0] * 5), number, version="opset8")
        elif kind == "GatherElements":
            place = sum('type="Parameter"' in layer for layer in net.layers)
            indices = net.parameter("i64", "?,?")
            given[place] = PartialShape.of([rng.choice([-1, 4, (2, 7)]), -1])
            last = net.add(kind, f'axis="{step % 2}"', last, indices, version="opset6")
        elif kind == "GatherND":
            last = net.add(kind, "", last, net.const("i64", [3, 7, 1], [0] * 21), version="opset8")
            break
        else:
            last = net.add(kind, "", *([last, last] if kind == "Add" else [last]))
    net.add("Result", "", last)
    return net, given


@requires_openvino
def test_openvino_reshapes_to_the_same() -> None:
    cases = []
    for seed in range(60):
        net, given = random_net(Random(seed))
        cases.append(openvino.Reshape(net.model(), given))
    compared = 0
    for case, answer in zip(cases, pool.run(cases, timeout=120, device="CPU"), strict=True):
        told = None if isinstance(answer, Failure) else answer[0]
        if told is None:
            continue
        alone, beside = Flow(case.model, case.shapes), Flow(case.model, case.shapes, told)
        for layer in case.model.layers():
            mine, its = alone.output(layer, 0), beside.output(layer, 0)
            assert mine is None or mine.compatible(told[(), layer.name][0])
            if its is not None:
                assert its == told[(), layer.name][0]
                compared += 1
    assert compared > 200


@requires_openvino
@pytest.mark.parametrize("path", ["samples_xml/demo/good.xml", "samples_xml/demo/nested.xml"])
def test_a_whole_file_beside_openvino(path: str) -> None:
    shapes = {"in0": PartialShape.of("9,6" if "good" in path else "4,3")}
    for given in ({}, shapes):
        found = infer(path, input_shapes=given, with_openvino=True)
        assert found.openvino is None
        assert found.layers
        assert {layer.openvino[1] for layer in found.layers if layer.openvino} == {"equal"}
        assert all(layer.openvino for layer in found.layers)


@requires_openvino
def test_what_openvino_refuses_is_said() -> None:
    net = embeddings("Convolution")
    found = infer(net.model(weights=False), input_shapes={}, with_openvino=True)
    assert found.openvino is not None
    assert found.openvino.startswith("read_model: ")
    net = embeddings()
    _, refused = openvino.reshape(net.model(), {0: PartialShape.of("3,7"), 1: PartialShape.of("3,6,2")})
    assert refused is not None
    assert refused.startswith("reshape: ")
