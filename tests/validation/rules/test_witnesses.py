"""Which port is called the odd one where three or more that describe one length disagree."""

from __future__ import annotations

import pytest
from small_models import RESULT, constant, layer, net, parameter

from ovgather.validation.check import validate


def model(
    data: str = "3,7",
    indices: str = "3,5",
    data_port: str = "3,7",
    indices_port: str = "3,5",
    output: str = "3,5",
    result: str = "3,5",
    second: str | None = None,
) -> bytes:
    """GatherElements along axis 1; ``second`` is another layer that takes the output."""
    pick = ("GatherElements", "opset6", 'axis="1"', (f"FP32 {data_port}", f"I64 {indices_port}"), (f"FP32 {output}",))
    layers = [
        parameter(0, data, "f32", f"FP32 {data}", "table"),
        parameter(1, indices, "i64", f"I64 {indices}", "order"),
        layer(2, *pick, "pick"),
        layer(3, *RESULT, "", (f"FP32 {result}",), (), "out"),
    ]
    edges = "0:0-2:0 1:0-2:1 2:2-3:0"
    if second is not None:
        layers.append(layer(4, *RESULT, "", (f"FP32 {second}",), (), "more"))
        edges += " 2:2-4:0"
    return net(*layers, edges=edges).encode()


def said(text: bytes, code: str) -> list[str | None]:
    return [found.help for found in validate(text, max_findings=0) if found.code == code]


def test_all_is_well() -> None:
    assert validate(model()) == []


@pytest.mark.parametrize(
    ("text", "code", "help"),
    [
        (model(output="9,5"), "OVG203", "should be 3"),  # data and indices against the output
        (
            model(indices="3,6"),
            "OVG206",  # alone: the ports of the layer fit each other
            "2 of 3 say 5 (this input, what this layer's output tells of it): the odd one is the output of layer 1"
            ' "order"',
        ),
        (model(output="3,9"), "OVG203", "should be 5"),
        (model(output="3,9", result="3,9"), "OVG203", "should be 5"),  # two against two
        (
            model(indices="4,5", indices_port="4,5"),
            "OVG202",
            "2 of 3 say 3 (data dim 0, the output): the odd one is indices dim 0",
        ),
        (
            model(data="4,7", data_port="4,7"),
            "OVG202",
            "2 of 3 say 3 (indices dim 0, the output): the odd one is data dim 0",
        ),
        (model(data="4,7", data_port="4,7", output="-1,5", result="-1,5"), "OVG202", None),
        (model(data="4,7", data_port="4,7", output="9,5", result="9,5"), "OVG202", None),
        (
            model(indices_port="3,6"),
            "OVG206",
            '2 of 3 say 5 (the output of layer 1 "order", what this layer\'s output tells of it):'
            " the odd one is this input",
        ),
        (
            model(result="3,6"),
            "OVG206",
            '2 of 3 say 5 (the output of layer 2 "pick", what layer 2 infers from its inputs): '
            "the odd one is this input",
        ),
        (
            model(result="3,6", second="3,5"),
            "OVG206",
            '3 of 4 say 5 (the output of layer 2 "pick", input 0 of layer 4 "more", what layer 2 infers from its '
            "inputs): the odd one is this input",
        ),
        (model(data_port="3,8"), "OVG206", None),  # of the axis only its own ports tell
    ],
)
def test_the_odd_one(text: bytes, code: str, help: str | None) -> None:
    assert said(text, code) == [help]


def test_a_producer_can_be_the_odd_one() -> None:
    """A port against those of two layers that it feeds."""
    text = net(
        parameter(0, "3,6", "f32", "FP32 3,6"),
        layer(1, "Tile", "opset1", "", ("FP32 3,6",), ("FP32 3,7",), "kept"),
        layer(2, *RESULT, "", ("FP32 3,6",), (), "one"),
        layer(3, *RESULT, "", ("FP32 3,6",), (), "two"),
        edges="0:0-1:0 1:1-2:0 1:1-3:0",
    )
    (finding,) = [each for each in validate(text.encode()) if each.code == "OVG206"]
    assert finding.message == "output 0 is [3,7], but the 2 inputs that take it say [3,6]"
    assert [each.message for each in finding.related] == ['input 0 of layer 2 "one"', 'input 0 of layer 3 "two"']


def test_batch_dims() -> None:
    text = net(
        parameter(0, "2,5,4", "f32", "FP32 2,5,4"),
        parameter(1, "3,7", "i64", "I64 3,7"),
        constant(2, "", "i64", 0, 8, "I64"),
        layer(3, "Gather", "opset8", 'batch_dims="-1"', ("FP32 2,5,4", "I64 3,7", "I64"), ("FP32 2,7,4",), name="pick"),
        layer(4, *RESULT, "", ("FP32 2,7,4",), (), "out"),
        edges="0:0-3:0 1:0-3:1 2:0-3:2 3:3-4:0",
    )
    assert said(text.encode(), "OVG202") == ["2 of 3 say 2 (data dim 0, the output): the odd one is indices dim 0"]


def test_many_findings_are_told_without_it() -> None:
    layers, edges = [], []
    for number in range(0, 12000, 4):
        layers += [
            parameter(number, "3,6", "f32", "FP32 3,6"),
            layer(number + 1, "Relu", "opset1", "", ("FP32 3,9",), ("FP32 3,9",)),
            layer(number + 2, *RESULT, "", ("FP32 3,6",), (), f"r{number}"),
            layer(number + 3, *RESULT, "", ("FP32 3,9",), (), f"s{number}"),
        ]
        edges += [f"{number}:0-{number + 1}:0", f"{number}:0-{number + 2}:0", f"{number + 1}:1-{number + 3}:0"]
    told = said(net(*layers, edges=" ".join(edges)).encode(), "OVG206")
    assert len(told) == 3000
    assert told[0] is not None
    assert told[-1] is None
