"""Layers that are the same to a runtime."""

import struct

from crosscheck_models import Ir, add_gather

from ovgather.comparison.distinct import key
from ovgather.ir.read import read
from ovgather.layers.gather_layer import gather_layers


def test_layers_are_alike_by_all_but_their_names_and_neighbours() -> None:
    ir = Ir()
    data, indices = ("f32", [4, 3]), ("i64", [2])
    add_gather(ir, 0, "Gather", "opset8", data, indices, 0, name="first", prefix="a")
    add_gather(ir, 20, "Gather", "opset8", data, indices, 0, name="second", prefix="b")
    add_gather(
        ir, 40, "Gather", "opset8", data, indices, 1, name="other axis", prefix="c"
    )
    add_gather(
        ir,
        60,
        "Gather",
        "opset8",
        ("f16", [4, 3]),
        indices,
        0,
        name="other type",
        prefix="d",
    )
    for start, values in ((80, (0, 1)), (100, (0, 1)), (120, (1, 1))):
        value = struct.pack("<2q", *values)
        add_gather(
            ir,
            start,
            "Gather",
            "opset8",
            data,
            indices,
            0,
            indices_value=value,
            name=f"const {start}",
        )
    gathers = list(gather_layers(read(*ir.files)))
    groups: dict[str, list[str]] = {}
    for gather in gathers:
        groups.setdefault(key(gather), []).append(gather.layer.name)
    names = [
        ["first", "second"],
        ["other axis"],
        ["other type"],
        ["const 80", "const 100"],
        ["const 120"],
    ]
    assert list(groups.values()) == names
    first = gathers[0]
    assert key(first, ["Result"]) != key(first, ["Add"]) != key(first)
    # As in 0.2.0: conformance writes it into files of expected failures.
    assert key(first) == "7d1dc7e6cbf2ef7a"
