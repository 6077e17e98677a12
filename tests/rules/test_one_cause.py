"""One cause is one finding: what follows from it is not told again."""

from __future__ import annotations

import struct

from small_models import constant, gather_elements, layer, net, parameter, result

from ovgather.validate import validate

FED = "0:0-2:0 1:0-2:1 2:2-3:0"


def around(middle: str, taken: str) -> bytes:
    data = parameter(0, "3,7", "f32", "FP32 3,7", "data")
    indices = parameter(1, "3,9", "i64", "I64 3,9", "indices")
    return net(data, indices, middle, result(3, f"FP32 {taken}"), edges=FED).encode()


def test_the_input_behind_a_wrong_output() -> None:
    assert [found.code for found in validate(around(gather_elements(output="3,8"), "3,9"))] == ["OVG203"]
    # Another dim than the inferred one is wrong by itself.
    assert [found.code for found in validate(around(gather_elements(output="3,8"), "3,5"))] == ["OVG203", "OVG206"]
    assert [found.code for found in validate(around(gather_elements(), "3,5"))] == ["OVG206"]


def test_a_bin_that_is_cut_off() -> None:
    def findings(count: int) -> list[str]:
        layers = "".join(constant(k, "2", "f32", 8 * k, 8, "FP32 2", f"c{k}") for k in range(count))
        found = validate(net(layers, result(count, "FP32 2"), edges=f"0:0-{count}:0").encode(), bytes(12))
        return [item.message for item in found if item.code == "OVG402"]

    assert findings(3) == [
        "bytes 8 to 16 are beyond the .bin, which has 12: 4 too many",
        "bytes 16 to 24 are beyond the .bin, which has 12: 12 too many",
    ]
    assert findings(200) == ["bytes 8 to 16 are beyond the .bin, which has 12: 4 too many; so are 198 more constants"]


def test_a_bin_of_another_file() -> None:
    ports = ("FP32 2,2", "I64 3", "I64")
    layers = constant(2, "", "i64", 0, 8, "I64"), layer(9, "Gather", "opset8", "", ports, ("FP32 3,2",))
    text = net(*layers, edges="2:0-9:2").encode()
    for axis, expected in ((4223671413274950346, "is the .bin the one of this file?"), (2, None)):
        (found,) = [item for item in validate(text, struct.pack("<q", axis)) if item.code == "OVG104"]
        assert found.help == expected


def test_an_edge_from_nowhere_names_the_layer_that_it_feeds() -> None:
    text = net(gather_elements(), edges="7:0-2:0 2:2-8:0").encode()
    found = [item for item in validate(text) if item.code == "OVG302"]
    assert [item.layer.id if item.layer else None for item in found] == ["2", "2"]
