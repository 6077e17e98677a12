"""Edges that feed two inputs of a Gather layer the wrong way round."""

from __future__ import annotations

import struct

from small_models import constant, gather_elements, layer, net, parameter, result, whole

from ovgather.validation.check import validate
from ovgather.validation.diagnostic import Diagnostic


def test_inputs_that_are_swapped() -> None:
    text = (
        whole(gather_elements())
        .encode()
        .replace(
            b'to-layer="2" to-port="0"/><edge from-layer="1" from-port="0" to-layer="2" to-port="1"',
            b'to-layer="2" to-port="1"/><edge from-layer="1" from-port="0" to-layer="2" to-port="0"',
        )
    )
    (found,) = validate(text)
    assert (found.code, found.openvino) == ("OVG308", "rejects")
    assert found.message == (
        'data and indices are swapped: port 0 is declared FP32 [3,7], but layer 1 "indices" gives it I64 [3,9], '
        "which port 1 is declared"
    )
    assert found.help == "exchange the to-port of the edges in lines 1 and 1"
    fix = found.fix()
    assert fix is not None
    assert fix.safe
    # Inputs that are alike cannot be told apart, and one that is wrong is not swapped with the other.
    assert "OVG308" not in [found.code for found in validate(whole(gather_elements("3,9")).encode())]


def test_an_axis_that_is_swapped_with_another_input() -> None:
    indices, axis = constant(1, "3", "i64", 0, 24, "I64 3"), constant(2, "", "i64", 24, 8, "I64")
    ports, data, end = ("FP32 2,2", "I64 3", "I64"), parameter(0, "2,2", "f32", "FP32 2,2"), result(4, "FP32 3,2")
    pick = layer(3, "Gather", "opset8", "", ports, ("FP32 3,2",), "pick")

    def findings(inputs: str) -> list[Diagnostic]:
        edges = [f"{source}:0-3:{port}" for port, source in enumerate(inputs)]
        text = net(data, indices, axis, pick, end, edges=" ".join((*edges, "3:3-4:0"))).encode()
        return list(validate(text, struct.pack("<4q", 0, 1, 1, 0)))

    assert findings("012") == []
    for inputs, message in (
        ("021", "indices and axis are swapped: port 1"),
        ("210", "data and axis are swapped: port 0"),
    ):
        (found,) = findings(inputs)
        assert (found.code, found.openvino, found.message[: len(message)]) == ("OVG308", "rejects", message)
        assert found.fix()
    assert "OVG308" not in [found.code for found in findings("120")]  # all three are wrong


def test_ports_in_the_wrong_order() -> None:
    middle = gather_elements().replace('<port id="0"', "<port id='1'").replace('<port id="1"', '<port id="0"')
    found = validate(whole(middle).encode())
    assert [item.code for item in found] == ["OVG308"]
    assert [item.code for item in found[0].consequences] == ["OVG214"]
    assert found[0].consequences[0].help == "put the ports into the order of their ids"
    assert found[0].consequences[0].fix() is None


def test_data_and_a_scalar_index_that_are_swapped() -> None:
    layers = (
        parameter(0, "4", "i64", "I64 4", "dims"),
        constant(1, "", "i64", 0, 8, "I64", "index"),
        constant(2, "", "i64", 8, 8, "I64", "axis"),
        layer(3, "Gather", "opset8", "", ("I64 4", "I64", "I64"), ("I64",), "pick"),
        result(4, "I64"),
    )
    right = "0:0-3:0 1:0-3:1 2:0-3:2 3:3-4:0"
    assert not validate(net(*layers, edges=right).encode(), bytes(16))
    (found,) = validate(net(*layers, edges=right.replace("0:0-3:0 1:0-3:1", "0:0-3:1 1:0-3:0")).encode(), bytes(16))
    assert (found.code, found.openvino) == ("OVG308", "rejects")


def test_an_axis_that_is_no_const_is_not_what_a_swap_gives() -> None:
    """Three edges one place on: the data and the indices look swapped, and the axis is a Parameter then."""
    data, axis = parameter(0, "3,4,5", "f32", "FP32 3,4,5"), constant(2, "", "i32", 0, 4, "I32")
    indices, end = parameter(1, "", "i32", "I32"), result(4, "FP32 4,5")
    pick = layer(3, "Gather", "opset8", "", ("FP32 3,4,5", "I32", "I32"), ("FP32 4,5",), "pick")
    text = net(data, indices, axis, pick, end, edges="2:0-3:0 0:0-3:1 1:0-3:2 3:3-4:0").encode()
    (found,) = validate(text, bytes(4))
    assert (found.code, found.help) == ("OVG308", "the axis would not be a Const: all three edges may be wrong")
    assert found.fix() is None


def test_a_swap_that_takes_the_axis_from_a_parameter() -> None:
    data, axis = parameter(0, "3,4", "f32", "FP32 3,4"), constant(2, "", "i64", 0, 8, "I64")
    indices, end = parameter(1, "1", "i64", "I64 1"), result(4, "FP32 1,4")
    for version, verdict in (("opset8", "rejects_on_compile"), ("opset1", "undefined")):
        pick = layer(3, "Gather", version, "", ("FP32 3,4", "I64 1", "I64"), ("FP32 1,4",), "pick")
        text = net(data, indices, axis, pick, end, edges="0:0-3:0 2:0-3:1 1:0-3:2 3:3-4:0").encode()
        (found,) = validate(text, bytes(8))
        assert (found.code, found.openvino) == ("OVG308", verdict)
