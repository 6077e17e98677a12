"""The forward pass through If, Loop and TensorIterator, and beside OpenVINO."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import declared_oracle
import pytest
from bodies_oracle import End, Net, Weights, back_edge, branches, entry, infer, inside
from body_models import doubled, first, iterator, known, last, loop, same
from random_bodies import check

from ovgather.forward.bodies import MOST_DEPTH
from ovgather.forward.run import Forward
from ovgather.ir.read import read


@pytest.mark.slow
@pytest.mark.runtime
@pytest.mark.parametrize("seed", [1, 2])
def test_agrees_with_openvino(seed: int) -> None:
    assert not check(100, seed)


def layers_of(net: Net) -> dict[str, Any]:
    """The outputs of the layers by path; none was refused."""
    answer = infer(read(net.document().encode(), net.weights.data))
    assert "error" not in answer, answer["error"]
    layers: dict[str, Any] = answer["layers"]
    return layers


def refusal_of(net: Net) -> str:
    (refusal,) = Forward(read(net.document().encode(), net.weights.data)).refusals
    return f"{refusal.layer.name}: {refusal.error}"


@pytest.mark.runtime
def test_an_iterator_takes_no_strings() -> None:
    message = (
        "loop: input 0 holds strings, the CPU plugin takes none in a TensorIterator"
    )
    nets = [
        iterator("6,4", into={"axis": 0}, out={"axis": 0}, type=type)
        for type in ("string", "i64")
    ]
    assert refusal_of(nets[0]) == message
    layers_of(nets[1])
    oracle = declared_oracle.Oracle(compiled=True)
    answers = [oracle.ask(net.document(), net.weights.data) for net in nets]
    assert [answer.get("stage") for answer in answers] == ["compile", None]


def either(
    shapes: Sequence[str], condition: int | None, types: Sequence[str] = ("f32", "f32")
) -> Net:
    """A model with an If that gives its first input, or its last one."""
    net = Net()
    inputs = [net.parameter(*pair) for pair in zip(shapes, types, strict=True)]
    bodies = []
    for make in (first, last):
        body = Net(net.weights)
        parameters = [body.parameter("?") for _ in shapes]
        result = body.result(make(body, parameters)[0])
        entries = [
            entry("input", 1 + place, parameter[0])
            for place, parameter in enumerate(parameters)
        ]
        bodies.append((body, [*entries, entry("output", 3, result)]))
    ends = [known(net, condition, "boolean"), *inputs]
    net.result(
        net.add("If", ends, opset=8, inside=branches(*bodies[0], *bodies[1]), name="if")
    )
    return net


@pytest.mark.parametrize(
    ("net", "outside", "within"),
    [
        (loop("3,4"), "[3,4]", "[3,4]"),
        (loop("3,4", declared="7,8"), "[3,4]", "[3,4]"),
        (loop("3,4", condition=0), "[0,4]", "[3,4]"),
        # A back edge of another shape
        (loop("3,4", doubled, merged=True), "[?,4]", "[?,4]"),
        (loop("3,4", doubled, merged=True, count=0), "[6,4]", "[3,4]"),
        (loop("1..3,4", doubled, merged=True), "[?,4]", "[?,4]"),
        (loop("0,4", merged=True), "[?,4]", "[?,4]"),
        # Slices
        (loop("3,4", out={"axis": 0}), "[15,4]", "[3,4]"),
        (loop("3,4", out={"axis": -1}, into={"axis": 0}), "[1,20]", "[1,4]"),
        (loop("3,4", out={"axis": 0}, count=None), "[?,4]", "[3,4]"),
        (loop("3,4", out={"axis": 0}, goes_on=None), "[?,4]", "[3,4]"),
        (loop("3,4", out={"axis": 0}, goes_on=0), "[3,4]", "[3,4]"),
        (loop("3,4", out={"axis": 0}, condition=0), "[0]", "[3,4]"),
        (loop("?,4", out={"axis": 0}), "[?,4]", "[?,4]"),
        (loop("", out={"axis": 0}), "[5]", "[]"),
        (iterator("6,4", into={"axis": 0}, out={"axis": 0}), "[6,4]", "[1,4]"),
        (
            iterator("6,4", into={"axis": 0, "part_size": 2}, out={"axis": 1}),
            "[2,3]",
            "[2,4]",
        ),
        (
            iterator(
                "6,4",
                into={"axis": 0, "start": -1, "end": 1, "stride": -1},
                out={"axis": 1},
            ),
            "[1,5]",
            "[1,4]",
        ),
        (iterator("?,4", into={"axis": 0}, out={"axis": 0}), "[?,4]", "[1,4]"),
        (
            iterator("6,4", out={"axis": 0, "start": 0, "end": 10, "part_size": 2}),
            "[10,4]",
            "[6,4]",
        ),
    ],
)
def test_shapes_of_rounds(net: Net, outside: str, within: str) -> None:
    layers = layers_of(net)
    assert layers["/loop"] == [[outside, "f32"]]
    assert layers["/loop/0/parameter0"] == [[within, "f32"]]


@pytest.mark.parametrize(
    ("one", "other", "joined"),
    [
        ("3", "3", "[3]"),
        ("3", "4", "[3..4]"),
        ("1..3", "1..3", "[?]"),
        ("3", "3,4", "[...]"),
        ("", "3", "[?]"),
        ("1", "", "[1]"),
        ("...", "3", "[...]"),
    ],
)
def test_shapes_of_branches(one: str, other: str, joined: str) -> None:
    assert layers_of(either([one, other], None))["/if"] == [[joined, "f32"]]


def test_known_condition_takes_one_branch() -> None:
    layers = layers_of(either(["3", "4,5"], 0, ["i64", "f32"]))
    assert layers["/if"] == [["[4,5]", "f32"]]
    assert layers["/if/1/parameter1"] == [["[4,5]", "f32"]]
    assert layers["/if/0/parameter1"] == [["[?]", "f32"]]  # as declared


def test_iterator_keeps_element_types() -> None:
    net = iterator("6,4")
    net.layers[0] = net.layers[0].replace("f32", "i64")
    assert layers_of(net)["/loop"] == [["[6,4]", "f32"]]


@pytest.mark.parametrize(
    ("net", "message"),
    [
        (
            either(["3", "3"], None, ["i64", "f32"]),
            "the element types of output 0 differ: i64 from <then_body>, f32",
        ),
        (
            loop("", condition=0),
            "the condition is false, and output 0 is a scalar: it has no dim",
        ),
        (loop("3,4", out={"axis": 2}), "axis 2 of an output is out of range [-2, 1]"),
        (loop("3,4", into={"axis": 2}), "axis 2 of input 2 is out of range [-2, 1]"),
        (loop("3,4", into={"axis": -1}), "axis '-1' is not a number"),
        (
            loop("3,4", more=[entry("input", 7, 0)]),
            "the layer has 3 inputs, the entries are of 2, and 2 need none",
        ),
        (
            loop("3,4", more=[entry("output", 4, 99)]),
            "internal_layer_id 99 is not a layer of <body>",
        ),
        (
            loop("3,4", more=[entry("output", 4, 1)]),
            'internal_layer_id 1 is Add "add1" of <body>, but must be a Result',
        ),
        (
            iterator("6,4", into={"axis": 2}),
            "axis 2 of input 0 is out of range: its shape is [6,4]",
        ),
        (
            iterator("6,4", into={"axis": 0}, out={"axis": 1}),
            "output 0 is cut along axis 1 into slices of [1,1], in the body it is [1,4]",
        ),
        (
            loop("3,4", out={"axis": 0}),
            "output 0 is cut along axis 0 into slices of [1,4], in the body it is [3,4]",
        ),
        (
            loop("1,4", condition=0, out={"axis": 0}),
            "output 0 has no slices, in the body they are [1,4]",
        ),
        (iterator("", out={"axis": 1}), "axis 1 of an output of scalars is not 0"),
    ],
)
def test_refusals(net: Net, message: str) -> None:
    assert message in refusal_of(net)


def test_loop_of_known_elements_is_not_compiled() -> None:
    net = loop("3,4", same, out={"axis": 0}, measured=True)
    assert not Forward(read(net.document().encode(), net.weights.data)).refusals


def test_layer_of_a_body_is_refused_once() -> None:
    def wrong(net: Net, ends: Sequence[End]) -> list[End]:
        return [net.add("Add", [ends[0], net.const("2", "f32", [1, 2])], name="wrong")]

    assert refusal_of(loop("3,4", wrong, merged=True)).startswith(
        "wrong: shapes [3,4] and [2]"
    )
    assert refusal_of(loop("3,2", wrong, declared="3,4")).startswith(
        "wrong: shapes [3,4] and [2]"
    )


def test_layers_without_readers_are_not_refused() -> None:
    def unread(net: Net, ends: Sequence[End]) -> Sequence[End]:
        net.add("Add", [ends[0], net.const("2", "f32", [1, 2])])
        return ends

    assert layers_of(loop("3,4", unread))["/loop"] == [["[3,4]", "f32"]]


def test_symbols_do_not_leave_the_round() -> None:
    net = loop("?,?", doubled, merged=True)
    model = read(net.document().encode(), net.weights.data)
    (tensor,) = Forward(model).outputs[model.find("loop").offset]
    rows, columns = tensor.shape
    assert rows.symbol is None
    assert columns.symbol is not None


def nested(weights: Weights, depth: int) -> tuple[Net, End, End]:
    body = Net(weights)
    parameter = body.parameter("?,3")
    end = body.add("Concat", [parameter, parameter], {"axis": 0})
    return body, parameter, nested_loop(body, end, depth) if depth else end


def nested_loop(net: Net, end: End, depth: int) -> End:
    body, parameter, inner = nested(net.weights, depth - 1)
    result = body.result(inner)
    entries = [entry("input", 2, parameter[0]), entry("output", 3, result)]
    entries.append(
        entry(
            "output",
            -1,
            body.result(known(body, 1, "boolean")),
            purpose="execution_condition",
        )
    )
    text = inside(body, entries, [back_edge(result, parameter[0])])
    return net.add(
        "Loop", [known(net, 5), known(net, 1, "boolean"), end], opset=5, inside=text
    )


@pytest.mark.parametrize("depth", [1, 3, MOST_DEPTH, MOST_DEPTH + 1, 70])
def test_nested_loops_take_little_time(depth: int) -> None:
    net = Net()
    net.result(nested_loop(net, net.parameter("3,3"), depth))
    model = read(net.document().encode(), net.weights.data)
    start = time.process_time()
    forward = Forward(model)
    assert time.process_time() - start < 5
    assert {layer.offset for layer in model.layers()} <= forward.outputs.keys()
    assert not forward.refusals
