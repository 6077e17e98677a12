"""The wording of OVG206, with severity, verdict and help."""

from __future__ import annotations

import pytest
from rule_messages import messages_of
from small_models import (
    constant,
    gather_elements,
    i64,
    layer,
    net,
    parameter,
    result,
    whole,
)

from ovgather.validation.check import check_file

CASES = [
    (
        whole(gather_elements("3,8")),
        None,
        [
            'error, accepts: input 0 is declared [3,8], but layer 0 "data" produces [3,7]'
        ],
    ),
    (
        whole(gather_elements("3,7,1")),
        None,
        [
            'error, accepts: input 0 is declared [3,7,1], but layer 0 "data" produces [3,7]'
        ],
    ),
    (
        whole(gather_elements("3,-1")),
        None,
        [
            'warning, accepts: input 0 is declared [3,?], but layer 0 "data" produces [3,7]'
        ],
    ),
    (
        whole(gather_elements()).replace(
            '<input><port id="0" precision="FP32">',
            '<input><port id="0" precision="FP16">',
        ),
        None,
        [
            'warning, accepts: wrong element type: input 0 is declared FP16, but layer 0 "data" produces FP32',
            'warning, accepts: wrong element type: input 0 is declared FP16, but layer 2 "pick" produces FP32',
        ],
    ),
]


@pytest.mark.parametrize(("text", "weights", "messages"), CASES)
def test_messages(
    text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    assert messages_of("OVG206", text, weights) == messages


def test_the_values_of_a_top_k_for_its_indices() -> None:
    """OpenVINO takes the file, and computes with the wrong tensor."""
    text = net(
        parameter(0, "2,5", "f32", "FP32 2,5", "scores"),
        constant(1, "", "i64", 0, 8, "I64", "k"),
        layer(
            2,
            "TopK",
            "opset11",
            'axis="1" mode="max" sort="value" index_element_type="i64"',
            ("FP32 2,5", "I64"),
            ("FP32 2,3", "I64 2,3"),
            "best",
        ),
        layer(3, "Abs", "opset1", "", ("I64 2,3",), ("I64 2,3",), "size"),
        result(4, "I64 2,3"),
        edges="0:0-2:0 1:0-2:1 2:2-3:0 3:1-4:0",
    )
    found = check_file(text.encode(), i64(3)).diagnostics
    assert [(each.code, each.severity) for each in found] == [("OVG206", "error")]
    assert found[0].help == 'set from-port="3"'
