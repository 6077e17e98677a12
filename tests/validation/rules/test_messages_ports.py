"""The wording of the findings on what flows through ports, with severity, verdict and help."""

from __future__ import annotations

import pytest
from consequences import of_rules
from small_models import gather_8, gather_elements, i64, layer, net, whole, words

MESSAGES = [
    (
        "OVG201",
        net(
            layer(0, "Parameter", "opset1", 'shape="3" element_type="f32"'),
            layer(
                1, "Const", "opset1", 'element_type="f32" shape="" offset="0" size="4"'
            ),
            layer(2, "Result", "opset1"),
            layer(3, "Gather", "opset8", "", ("FP32 3", "I64 3", "I64", "I64")),
        ),
        bytes(4),
        [
            "error, accepts: Parameter has 1 output port, not 0",
            "error, accepts: Const has 1 output port, not 0",
            "error, rejects: Result takes 1 input port, not 0",
            "error, accepts: Gather-8 has 1 output port, not 0",
            "error, accepts: Gather-8 takes 3 input ports (data, indices, axis), not 4",
        ],
    ),
    (
        "OVG201",
        net(layer(3, "GatherND", "opset8", "", (), ("FP32",))),
        None,
        ["error, accepts: GatherND-8 takes 2 input ports (data, indices), not 0"],
    ),
    (
        "OVG202",
        whole(gather_elements("", "3,9"), "", "3,9"),
        None,
        [
            "error, rejects: data must have rank 1 or more, it is a scalar: data [], indices [3,9], axis 1"
        ],
    ),
    (
        "OVG202",
        whole(gather_elements("3,7", "3,9,2"), "3,7", "3,9,2"),
        None,
        [
            (
                "error, rejects: data and indices must have the same rank, not 2 and 3: data [3,7], indices "
                "[3,9,2], axis 1"
            )
        ],
    ),
    ("OVG202", whole(gather_elements("3", "2", 'axis="-1"'), "3", "2"), None, []),
    (
        "OVG202",
        whole(
            layer(2, "GatherND", "opset8", "", ("FP32 3,4", "I64 2,3"), ("FP32 2",)),
            "3,4",
            "2,3",
            "2",
        ),
        None,
        [
            (
                "error, rejects: the last dim of indices is 3, above rank(data) - batch_dims, which is 2: data "
                "[3,4], indices [2,3]"
            )
        ],
    ),
    (
        "OVG203",
        whole(gather_elements("3,7", "3,9", output="3,8"), output="3,8"),
        None,
        [
            "error, accepts: output dim 1 is 8, but 9 is inferred from the inputs | should be 9"
        ],
    ),
    (
        "OVG203",
        whole(gather_elements("3,7", "3,9", output="3,9,1"), output="3,9,1"),
        None,
        [
            "error, accepts: the output has rank 3, but rank 2 is inferred from the inputs: [3,9] | should be [3,9]"
        ],
    ),
    (
        "OVG203",
        whole(gather_elements("3,7", "3,-1", output="3,8")),
        None,
        [
            "error, accepts: output dim 1 is 8, but 9 is inferred from the inputs | should be 9"
        ],
    ),
    (
        "OVG203",
        gather_8(data="2,3,4", indices="2,3", out="7,7,7,7"),
        i64(1),
        [
            "error, accepts: output dim 0 is 7, but 2 is inferred from the inputs | should be 2",
            "error, accepts: output dim 1 is 7, but 2 is inferred from the inputs | should be 2",
            "error, accepts: output dim 2 is 7, but 3 is inferred from the inputs | should be 3",
            "error, accepts: output dim 3 is 7, but 4 is inferred from the inputs | should be 4",
        ],
    ),
    (
        "OVG203",
        gather_8(data="5,4", out="9,9,9"),
        None,
        [
            "error, accepts: no axis makes [9,9,9] of data [5,4] and indices [2,3], batch_dims 0"
        ],
    ),
    (
        "OVG203",
        gather_8(data="9,4", indices="-1,-1", out="-1,-1,7"),
        None,
        [
            "warning, accepts: output dim 2 is 7, and no axis gives [?,?,7] | "
            "the axis is not known; the nearest, axis 0, gives [?,?,4]"
        ],
    ),
    (
        "OVG203",
        gather_8(data="9,4", indices="2,3", out="2,3,7"),
        None,
        [
            "error, accepts: output dim 2 is 7, and no axis gives [2,3,7] | "
            "the axis is not known; the nearest, axis 0, gives [2,3,4]"
        ],
    ),
    ("OVG203", gather_8(data="9,4", indices="2,3", out="-1,-1,-1"), None, []),
    (
        "OVG204",
        gather_8(idx="boolean"),
        i64(0),
        [
            "error, rejects: indices must be of an integer type, not boolean: data f32, indices boolean, axis i64"
        ],
    ),
    (
        "OVG204",
        gather_8(idx="nf4"),
        i64(0),
        [
            (
                "error, undefined: indices must be of an integer type, not nf4 (OpenVINO's own check lets it "
                "through): data f32, indices nf4, axis i64"
            )
        ],
    ),
    (
        "OVG204",
        gather_8(idx="f32"),
        i64(0),
        [
            "error, rejects: indices must be of an integer type, not f32: data f32, indices f32, axis i64"
        ],
    ),
    ("OVG204", gather_8(idx="f32", version="opset1"), i64(0), []),
    ("OVG204", gather_8(idx="dynamic"), i64(0), []),
    (
        "OVG205",
        whole(gather_elements()).replace(
            '</input><output><port id="2" precision="FP32">',
            '</input><output><port id="2" precision="BOOL">',
        ),
        None,
        [
            (
                "warning, accepts: the output is declared BOOL, but data is FP32 and Gather does"
                " not convert element types | "
                "should be FP32"
            )
        ],
    ),
    (
        "OVG206",
        whole(gather_elements("3,8")),
        None,
        [
            'error, accepts: input 0 is declared [3,8], but layer 0 "data" produces [3,7]'
        ],
    ),
    (
        "OVG206",
        whole(gather_elements("3,7,1")),
        None,
        [
            'error, accepts: input 0 is declared [3,7,1], but layer 0 "data" produces [3,7]'
        ],
    ),
    (
        "OVG206",
        whole(gather_elements("3,-1")),
        None,
        [
            'warning, accepts: input 0 is declared [3,?], but layer 0 "data" produces [3,7]'
        ],
    ),
    (
        "OVG206",
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


@pytest.mark.parametrize(("code", "text", "weights", "messages"), MESSAGES)
def test_messages(
    code: str, text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    found = of_rules(
        text if isinstance(text, bytes) else text.encode("latin-1"), weights
    )
    assert [words(finding) for finding in found if finding.code == code] == messages
