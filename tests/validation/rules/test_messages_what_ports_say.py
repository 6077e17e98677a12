"""The wording of the findings on what is written in ports, and of Parameters, with severity, verdict and help."""

from __future__ import annotations

import pytest
from consequences import of_rules
from small_models import constant, gather_elements, layer, net, parameter, whole, words

MESSAGES = [
    (
        "OVG207",
        whole(gather_elements().replace("<dim>7</dim>", "<dim>7.5</dim>")),
        None,
        ["error, accepts: dim '7.5' is not an integer of -1 or more"],
    ),
    (
        "OVG207",
        whole(gather_elements().replace("<dim>7</dim>", "<dim>2..9</dim>")),
        None,
        [
            "error, accepts: dim '2..9' is not an integer of -1 or more | a dynamic dim is -1 in a port"
        ],
    ),
    (
        "OVG207",
        whole(gather_elements().replace("<dim>7</dim>", "<dim> 7 </dim>")),
        None,
        [],
    ),
    (
        "OVG207",
        whole(
            gather_elements().replace("<dim>7</dim>", "<dim>\xa07</dim>", 1)
        ).encode(),
        None,
        [r"error, rejects: dim '\xa07' is not an integer of -1 or more"],
    ),
    (
        "OVG207",
        whole(gather_elements().replace("<dim>7</dim>", "<dim>seven</dim>")),
        None,
        ["error, rejects: dim 'seven' is not an integer of -1 or more"],
    ),
    (
        "OVG208",
        whole(gather_elements().replace('precision="I64"', 'precision="Q78"')),
        None,
        ["warning, accepts: precision 'Q78' is not an element type"],
    ),
    (
        "OVG208",
        whole(gather_elements()).replace(
            '<output><port id="2" precision="FP32">',
            '<output><port id="2" precision="float16">',
        ),
        None,
        [
            "error, rejects: precision 'float16' is not an element type | did you mean `FP16`?"
        ],
    ),
    (
        "OVG208",
        whole(gather_elements()).replace(
            '<output><port id="2" precision="FP32">',
            '<output><port id="2" precision="F32">',
        ),
        None,
        [
            "error, rejects: precision 'F32' is not an element type | did you mean `FP32`?"
        ],
    ),
    (
        "OVG208",
        whole(gather_elements()).replace(
            '<output><port id="2" precision="FP32">', '<output><port id="2">'
        ),
        None,
        ["error, rejects: output port 2 has no precision"],
    ),
    (
        "OVG209",
        whole(gather_elements().replace('<port id="1"', "<port")),
        None,
        ["error, rejects: <port> has no id"],
    ),
    (
        "OVG209",
        whole(gather_elements().replace('<port id="1"', '<port id="-1"')),
        None,
        ["error, rejects: port id '-1' is not a plain number"],
    ),
    (
        "OVG209",
        whole(gather_elements().replace('<port id="1"', '<port id="01"')),
        None,
        ["warning, accepts: port id '01' is written with leading zeros | write 1"],
    ),
    (
        "OVG209",
        net(
            layer(
                0,
                "Split",
                "opset1",
                'num_splits="2"',
                ("FP32 4", "I64"),
                ("FP32 2", "FP32 2"),
            ).replace('<port id="3"', '<port id="2"')
        ),
        None,
        ["error, accepts: two output ports have the id 2"],
    ),
    (
        "OVG210",
        net(layer(0, "Parameter", "opset1", "", (), ("FP32 3",))),
        None,
        ["error, rejects: Parameter without <data>"],
    ),
    (
        "OVG210",
        net(layer(0, "Parameter", "opset1", 'element_type="f32"', (), ("FP32 3",))),
        None,
        ["warning, accepts: Parameter without shape: it is a scalar"],
    ),
    (
        "OVG210",
        whole(gather_elements()).replace("<data shape", "<data/><data shape", 1),
        None,
        ["error, rejects: Parameter with an empty <data>"],
    ),
    (
        "OVG210",
        net(layer(0, "Parameter", "opset1", " ", (), ("FP32 3",))),
        None,
        ["warning, accepts: Parameter without shape: it is a scalar"],
    ),
    (
        "OVG210",
        net(parameter(0, "3,9223372036854775807", "f32", "FP32 3,-1")),
        None,
        [
            "error, accepts: shape '3,9223372036854775807': dim 9223372036854775807 is too large"
        ],
    ),
    ("OVG210", net(parameter(0, "0..9223372036854775807", "f32", "FP32 -1")), None, []),
    (
        "OVG210",
        net(parameter(0, "8..2", "f32", "FP32 -1")),
        None,
        [
            (
                "error, undefined: '8..2' is not a shape: dim 0: dimension 8..2 is empty: the lower end is above the "
                "upper end"
            )
        ],
    ),
    (
        "OVG210",
        net(parameter(0, "3.5", "f32", "FP32 -1")),
        None,
        [
            (
                "error, rejects: '3.5' is not a shape: dim 0: '3.5' is not a dimension: write 5, "
                "?, -1, 2..8, ..8 or 8.."
            )
        ],
    ),
    (
        "OVG210",
        net(parameter(0, "batch,n:2..8", "f32", "FP32 -1,-1")),
        None,
        [
            (
                "error, rejects: 'batch,n:2..8' is not a shape: dim 0: 'batch' is not a dimension: write 5, ?, -1, "
                "2..8, ..8 or 8.."
            )
        ],
    ),
    ("OVG210", net(parameter(0, "3,4", "f32", "FP32 3,4")), None, []),
    (
        "OVG211",
        net(layer(0, "Parameter", "opset1", 'shape="3"', (), ("FP32 3",))),
        None,
        ["warning, rejects_on_compile: Parameter without element_type"],
    ),
    (
        "OVG211",
        net(parameter(0, "3", "fp16", "FP16 3")),
        None,
        [
            "error, rejects: element_type 'fp16' is not an element type | did you mean `f16`?"
        ],
    ),
    (
        "OVG211",
        net(parameter(0, "3", "complex64", "FP16 3")),
        None,
        ["error, rejects: element_type 'complex64' is not an element type"],
    ),
    (
        "OVG211",
        net(layer(0, "Convert", "opset1", "", ("FP32 3",), ("I64 3",))),
        None,
        ["error, accepts: Convert without destination_type"],
    ),
    (
        "OVG211",
        net(
            layer(
                0,
                "Convert",
                "opset1",
                'destination_type="I64"',
                ("FP32 3",),
                ("I64 3",),
            )
        ),
        None,
        [],
    ),
    (
        "OVG211",
        net(
            layer(
                0, "Const", "opset1", 'shape="3" offset="0" size="4"', (), ("FP32 3",)
            )
        ),
        bytes(4),
        ["error, accepts: Const without element_type"],
    ),
    *[
        (
            "OVG211",
            net(constant(0, "3", type, 0, 24, "I64 3")),
            bytes(24),
            [f"error, accepts: element_type '{type}' is not a type of a Const"],
        )
        for type in ("dynamic", "undefined")
    ],
    (
        "OVG211",
        net(
            layer(
                0,
                "Convert",
                "opset1",
                'destination_type="dynamic"',
                ("FP32 3",),
                ("I64 3",),
            )
        ),
        None,
        ["error, accepts: destination_type 'dynamic' is not a type of a Convert"],
    ),
    ("OVG211", net(parameter(0, "3", "dynamic", "UNSPECIFIED 3")), None, []),
    (
        "OVG212",
        net(
            constant(0, "1", "i64", 0, 8, "I64"),
            parameter(1, "3", "f32", "FP32 3"),
            parameter(2, "2", "f32", "FP32 2"),
        ),
        bytes(8),
        [],  # layers take one element as they take a scalar
    ),
    (
        "OVG212",
        net(
            constant(0, "2", "i32", 0, 8, "I32"),
            parameter(1, "3", "f32", "FP32 3"),
            parameter(2, "2", "f32", "FP32 2"),
        ),
        bytes(8),
        [
            "error, accepts: the port has no dims, as that of a scalar, but <data> says [2]"
        ],
    ),
    # Such a file omits the dims of ports; a dynamic rank has none.
    (
        "OVG212",
        net(constant(0, "1", "i64", 0, 8, "I64"), parameter(1, "3", "f32", "FP32 3")),
        bytes(8),
        [],
    ),
    (
        "OVG212",
        net(parameter(0, "...", "f32", "FP32"), parameter(1, "3", "f32", "FP32 3")),
        None,
        [],
    ),
    (
        "OVG212",
        net(parameter(0, "3,7", "f32", "FP32 3,8")),
        None,
        ["error, accepts: the port says [3,8], but <data> says [3,7]"],
    ),
    (
        "OVG212",
        net(parameter(0, "3,7", "f32", "FP32 3")),
        None,
        ["error, accepts: the port says [3], but <data> says [3,7]"],
    ),
    (
        "OVG212",
        net(parameter(0, "3,1..8", "f32", "FP32 3,9")),
        None,
        ["error, accepts: the port says [3,9], but <data> says [3,1..8]"],
    ),
    ("OVG212", net(parameter(0, "3,7", "f32", "FP32 3,-1")), None, []),
    (
        "OVG212",
        net(constant(0, "2", "f32", 0, 8, "I32 3")),
        bytes(8),
        [
            "error, accepts: the port says I32, but <data> says f32",
            "error, accepts: the port says [3], but <data> says [2]",
        ],
    ),
    (
        "OVG215",
        net(
            parameter(0, "3,7", "f32", "FP32 3,7"),
            layer(
                1, "ShapeOf", "opset3", 'output_type="i64"', ("FP32 3,7",), ("I32 2",)
            ),
            layer(2, "Concat", "opset1", 'axis="0"', ("I32 2",), ("I64 2",)),
            layer(3, "Abs", "opset1", "", ("FP32 3,7",), ("FP32 3",)),
            layer(4, "Abs", "opset1", "", ("FP32 3,7",), ("FP32 3,8",)),
            layer(5, "Result", "opset1", "", ("I64 2",)),
            layer(6, "Result", "opset1", "", ("FP32 3",)),
            layer(7, "Result", "opset1", "", ("FP32 3,8",)),
            layer(
                8, "Abs", "opset1", "", ("FP32 3,7",), ("FP32 4,7",)
            ),  # nothing takes it
            edges="0:0-1:0 1:1-2:0 0:0-3:0 0:0-4:0 2:1-5:0 3:1-6:0 4:1-7:0 0:0-8:0",
        ),
        None,
        [
            "warning, accepts: output 0 is declared i32, but the layer computes i64",
            "error, accepts: output 0 is declared [3], but the layer computes [3,7]",
            "error, accepts: output 0 is declared [3,8], but the layer computes [3,7]",
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
