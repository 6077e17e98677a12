"""Names of inputs and outputs that collide in an IR v10, and what OpenVINO does."""

from __future__ import annotations

from pathlib import Path

import pytest
from openvino_verdicts import requires_openvino, verdicts
from small_models import layer, net, parameter, result

from ovgather.validation.api import validate

COLLISIONS = [
    ("", "", 3, []),
    ("", "x", 1, []),
    ("", "x", 2, ["OVG111"]),
    ("", "x", 3, ["OVG111"]),
    ("x", "x", 1, ["OVG213"]),  # OpenVINO renames one of the two
    ("x", "data", 1, ["OVG111"]),
    ("pick", "", 1, ["OVG111"]),
    ("pick", "pick", 1, ["OVG111", "OVG213"]),
]
"""Tensor names of the Parameter "data" and of the layer "pick", which so many Results take, and the findings."""


def collision(data: str, pick: str, results: int) -> bytes:
    layers = [
        parameter(0, "3", "f32", "FP32 3", "data").replace(
            '<port id="0"', f'<port id="0" names="{data}"'
        ),
        layer(1, "ReLU", "opset1", "", ("FP32 3",), ("FP32 3",), "pick").replace(
            'id="1" p', f'id="1" names="{pick}" p'
        ),
    ]
    ends = range(2, 2 + results)
    edges = " ".join(["0:0-1:0", *(f"1:1-{end}:0" for end in ends)])
    return net(
        *layers, *(result(end, "FP32 3") for end in ends), edges=edges, version="10"
    ).encode()


@pytest.mark.parametrize(("data", "pick", "results", "codes"), COLLISIONS)
def test_names_that_collide_in_an_ir_v10(
    data: str, pick: str, results: int, codes: list[str]
) -> None:
    assert [found.code for found in validate(collision(data, pick, results))] == codes


@pytest.mark.parametrize(("name", "codes"), [("pool", []), ("pool.0", ["OVG111"])])
def test_an_operation_with_more_outputs_than_ports(name: str, codes: list[str]) -> None:
    attributes = (
        'strides="1" dilations="1" pads_begin="0" pads_end="0" kernel="1" axis="0"'
    )
    text = net(
        parameter(0, "1,2,3", "f32", "FP32 1,2,3", name),
        layer(
            1, "MaxPool", "opset8", attributes, ("FP32 1,2,3",), ("FP32 1,2,3",), "pool"
        ),
        result(2, "FP32 1,2,3"),
        edges="0:0-1:0 1:1-2:0",
        version="10",
    )
    assert [finding.code for finding in validate(text.encode())] == codes


@requires_openvino
def test_openvino_agrees_on_names_that_collide(tmp_path: Path) -> None:
    paths = {tmp_path / f"{number}.xml": case for number, case in enumerate(COLLISIONS)}
    for path, case in paths.items():
        path.write_bytes(collision(*case[:3]))
    judged = verdicts([str(path) for path in paths])
    assert [judged[str(path)].read for path in paths] == [
        "OVG111" not in case[3] for case in paths.values()
    ]
