"""Edges that feed two inputs of a Gather layer the wrong way round."""

from __future__ import annotations

import struct

from small_models import constant, gather_elements, layer, net, parameter, result, whole

from ovgather.validation.api import validate
from ovgather.validation.diagnostic import Diagnostic

RIGHT = b'to-layer="2" to-port="0"/><edge from-layer="1" from-port="0" to-layer="2" to-port="1"'
SWAPPED = b'to-layer="2" to-port="1"/><edge from-layer="1" from-port="0" to-layer="2" to-port="0"'


def test_inputs_that_are_swapped() -> None:
    (found,) = validate(whole(gather_elements()).encode().replace(RIGHT, SWAPPED))
    assert (found.severity, found.openvino) == ("error", "rejects")
    assert (
        found.message == 'inputs 0 (data) and 1 (indices) of layer 2 "pick" are swapped'
    )
    assert {"OVG204", "OVG206"} <= {each.code for each in found.consequences}
    fix = found.fix()
    assert fix is not None
    assert fix.what == 'inputs 0 (data) and 1 (indices) of layer 2 "pick" change places'
    # Inputs that are alike cannot be told apart, and one that is wrong is not swapped with the other.
    assert not any(
        "exchanged" in found.message
        for found in validate(whole(gather_elements("3,9")).encode())
    )


def test_an_axis_that_is_swapped_with_another_input() -> None:
    indices, axis = (
        constant(1, "3", "i64", 0, 24, "I64 3"),
        constant(2, "", "i64", 24, 8, "I64"),
    )
    ports, data, end = (
        ("FP32 2,2", "I64 3", "I64"),
        parameter(0, "2,2", "f32", "FP32 2,2"),
        result(4, "FP32 3,2"),
    )
    pick = layer(3, "Gather", "opset8", "", ports, ("FP32 3,2",), "pick")

    def findings(inputs: str) -> list[Diagnostic]:
        edges = [f"{source}:0-3:{port}" for port, source in enumerate(inputs)]
        text = net(
            data, indices, axis, pick, end, edges=" ".join((*edges, "3:3-4:0"))
        ).encode()
        return list(validate(text, struct.pack("<4q", 0, 1, 1, 0)))

    assert findings("012") == []
    for inputs, which in (
        ("021", "1 (indices) and 2 (axis)"),
        ("210", "0 (data) and 2 (axis)"),
    ):
        (found,) = findings(inputs)
        assert (found.message, found.openvino) == (
            f'inputs {which} of layer 3 "pick" are swapped',
            "rejects",
        )
        assert found.fix()


def test_ports_in_the_wrong_order() -> None:
    middle = (
        gather_elements()
        .replace('<port id="0"', "<port id='1'")
        .replace('<port id="1"', '<port id="0"')
    )
    [found] = validate(whole(middle).encode())
    assert (found.code, found.openvino) == ("OVG214", "rejects")
    assert found.help == "number them in order"
