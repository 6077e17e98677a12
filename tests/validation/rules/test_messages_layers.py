"""The wording of the findings on layers and their attributes, with severity, verdict and help."""

from __future__ import annotations

import pytest
from consequences import of_rules
from small_models import (
    gather_8,
    gather_elements,
    i64,
    layer,
    net,
    parameter,
    result,
    whole,
    words,
)

from ovgather.targets.owners import CUSTOM, TOKENIZERS


def unary(type: str, data: str, opset: str = "opset1") -> str:
    """A layer of one input and one output."""
    ends = parameter(0, "4,6", "f32", "FP32 4,6"), result(2, "FP32 4,6")
    return net(
        ends[0],
        layer(1, type, opset, data, ("FP32 4,6",), ("FP32 4,6",)),
        ends[1],
        edges="0:0-1:0 1:1-2:0",
    )


MESSAGES = [
    (
        "OVG102",
        unary("Softmax", 'Axis="1"', "opset8"),
        None,
        ["warning, accepts: unknown attribute `Axis` | did you mean `axis`?"],
    ),
    (
        "OVG102",
        unary("Softmax", 'Axis="0"', "opset8"),
        None,
        ["error, accepts: unknown attribute `Axis` | did you mean `axis`?"],
    ),
    ("OVG102", unary("Sigmoid", 'anything="1"'), None, []),
    (
        "OVG102",
        unary("Clamp", 'minimum="0" max="6"'),
        None,
        ["warning, accepts: unknown attribute `minimum` | did you mean `min`?"],
    ),
    (
        "OVG106",
        unary("Elu", ""),
        None,
        ["warning, accepts: Elu-1 without alpha: the specification requires it"],
    ),
    (
        "OVG103",
        unary("Elu", 'alpha="0,5"'),
        None,
        [
            "error, accepts: alpha '0,5' is not a number | write 0.5: the decimal separator is a point"
        ],
    ),
    (
        "OVG103",
        unary("Elu", 'alpha="0.5f"'),
        None,
        ["error, accepts: alpha '0.5f' is not a number | write 0.5, if that is meant"],
    ),
    ("OVG103", unary("Elu", 'alpha="x"'), None, []),
    (
        "OVG101",
        '<net version="11"><layers><layer/></layers><edges/></net>',
        None,
        [
            "error, rejects: <layer> has no id",
            "error, rejects: <layer> has no name",
            "error, rejects: <layer> has no type",
            "error, rejects: <layer> has no version",
        ],
    ),
    (
        "OVG101",
        whole(
            gather_elements().replace('id="2" name', 'id="9223372036854775808" name')
        ),
        None,
        [
            "error, rejects: layer id '9223372036854775808' is not a plain number below 2^63"
        ],
    ),
    (
        "OVG102",
        whole(gather_elements(attributes='axis="1" axes="0"')),
        None,
        ["error, accepts: unknown attribute `axes` | did you mean `axis`?"],
    ),
    (
        "OVG102",
        whole(gather_elements(attributes='axis="1" comment="x"')),
        None,
        ["warning, accepts: unknown attribute `comment`"],
    ),
    (
        "OVG102",
        whole(gather_elements(attributes='axis="1" batch_dims="0"')),
        None,
        [
            (
                "warning, accepts: unknown attribute `batch_dims` | GatherElements-6 has no batch_dims; Gather-7 "
                "(opset7) and later do"
            )
        ],
    ),
    (
        "OVG102",
        whole(gather_elements(attributes='axis="1" batch_dims="1"')),
        None,
        [
            (
                "error, accepts: unknown attribute `batch_dims` | GatherElements-6 has no batch_dims; Gather-7 "
                "(opset7) and later do"
            )
        ],
    ),
    (
        "OVG102",
        whole(gather_elements(attributes='axis="1" PrimitivesPriority="cpu"')),
        None,
        [],
    ),
    (
        "OVG102",
        gather_8(attributes='axis="0"'),
        i64(0),
        [
            "warning, accepts: unknown attribute `axis` | Gather-8 takes its axis from its third input"
        ],
    ),
    (
        "OVG102",
        gather_8(attributes='batch-dims="0"'),
        i64(0),
        ["error, accepts: unknown attribute `batch-dims` | did you mean `batch_dims`?"],
    ),
    (
        "OVG102",
        gather_8(attributes='batch_dims="0"', version="opset6"),
        i64(0),
        [
            (
                "warning, accepts: unknown attribute `batch_dims` | Gather-1 has no batch_dims; Gather-7 (opset7) "
                "and later do"
            )
        ],
    ),
    (
        "OVG103",
        whole(gather_elements(attributes='axis=" 1"')),
        None,
        ["error, accepts: axis ' 1' is not an integer | write 1, if that is meant"],
    ),
    (
        "OVG103",
        whole(gather_elements(attributes='axis="1e3"')),
        None,
        ["error, accepts: axis '1e3' is not an integer | write 1, if that is meant"],
    ),
    ("OVG103", whole(gather_elements(attributes='axis="-1"')), None, []),
    (
        "OVG103",
        gather_8(attributes='batch_dims="0.5"'),
        i64(0),
        [
            "error, accepts: batch_dims '0.5' is not an integer | write 0, if that is meant"
        ],
    ),
    (
        "OVG103",
        gather_8(attributes='batch_dims="--1"'),
        i64(0),
        ["error, rejects: batch_dims '--1' is not an integer"],
    ),
    (
        "OVG104",
        gather_8(),
        i64(-3),
        [
            "error, rejects: axis -3 is out of range [-2, 1] for data of rank 2: data [5,4], indices [2,3], axis -3"
        ],
    ),
    (
        "OVG104",
        gather_8(axis_shape="1,1"),
        i64(0),
        [
            "error, rejects: axis must be a scalar or have shape [1], not [1,1]: data [5,4], indices [2,3], axis 0"
        ],
    ),
    (
        "OVG105",
        gather_8(attributes='batch_dims="2"', data="2,3,4", indices="2,3"),
        i64(1),
        [
            (
                "error, rejects: batch_dims 2 must not be above axis, which is 1: data [2,3,4], indices [2,3], axis "
                "1, batch_dims 2"
            )
        ],
    ),
    (
        "OVG105",
        gather_8(attributes='batch_dims="-3"', data="...", indices="2,3").replace(
            "<dim>...</dim>", ""
        ),
        i64(1),
        [
            (
                "error, accepts: batch_dims -3 is below -rank(indices), which is -2: data [...], indices [2,3], "
                "axis 1, batch_dims -3"
            )
        ],
    ),
    (
        "OVG106",
        whole(gather_elements(attributes="")),
        None,
        [
            "error, rejects: GatherElements-6 without axis: the specification requires it"
        ],
    ),
    ("OVG106", whole(gather_elements(attributes='Axis="0"')), None, []),
    (
        "OVG107",
        whole(gather_elements(version="8")),
        None,
        [
            "error, rejects: version '8' is not an OpenVINO opset | GatherElements is in opset6 to opset16"
        ],
    ),
    (
        "OVG107",
        whole(gather_elements(version="OPSET6")),
        None,
        [
            "error, rejects: version 'OPSET6' is not an OpenVINO opset | GatherElements is in opset6 to opset16"
        ],
    ),
    (
        "OVG107",
        whole(gather_elements().replace('"GatherElements"', '"Constant"')),
        None,
        [
            "error, rejects: opset6 has no 'Constant'; no opset has it | did you mean 'Const'?"
        ],
    ),
    (
        "OVG107",
        whole(gather_elements().replace('"GatherElements"', '"Wizard"')),
        None,
        ["error, rejects: opset6 has no 'Wizard'; no opset has it"],
    ),
    (
        "OVG107",
        whole(
            gather_elements()
            .replace('"GatherElements"', '"opset6"')
            .replace('"opset6">', '"GatherElements">')
        ),
        None,
        [
            "error, rejects: version 'GatherElements' is not an OpenVINO opset | type and version are swapped"
        ],
    ),
    (
        "OVG201",
        whole(gather_elements()).replace('type="Parameter"', 'type="PARAMETER"'),
        None,
        [],
    ),
    (
        "OVG107",
        whole(
            gather_elements(version="opset 6").replace('"GatherElements"', '"Wizard"')
        ),
        None,
        ["error, rejects: version 'opset 6' is not an OpenVINO opset"],
    ),
    (
        "OVG107",
        whole(
            gather_elements(version="extension").replace('"GatherElements"', '"Wizard"')
        ),
        None,
        [
            f"warning, rejects: version 'extension' is not an OpenVINO opset | {CUSTOM.load}"
        ],
    ),
    (
        "OVG107",
        whole(
            gather_elements(version="extension").replace(
                '"GatherElements"', '"StringTensorUnpack"'
            )
        ),
        None,
        [
            "warning, rejects: version 'extension' is not an OpenVINO opset: StringTensorUnpack belongs to"
            f" openvino_tokenizers | {TOKENIZERS.load}; StringTensorUnpack is in opset15 to opset16"
        ],
    ),
    *(
        (
            "OVG107",
            whole(
                gather_elements(version=version).replace(
                    '"GatherElements"', f'"{kind}"'
                )
            ),
            None,
            [
                f"{severity}, rejects: version {version!r} is not an OpenVINO opset{where}"
            ],
        )
        for kind, version, severity, where in (
            (
                "StringTensorUnpack",
                "custom",
                "warning",
                " | StringTensorUnpack is in opset15 to opset16",
            ),
            (
                "StringTensorUnpack",
                "8",
                "error",
                " | StringTensorUnpack is in opset15 to opset16",
            ),
            ("Wizard", "custom", "warning", ""),
            ("Wizard", "8", "warning", ""),
        )
    ),
    (
        "OVG108",
        whole(gather_elements().replace('"GatherElements"', '"gatherelements"')),
        None,
        [
            "warning, accepts: type 'gatherelements' is spelt 'GatherElements' | write 'GatherElements'"
        ],
    ),
    (
        "OVG108",
        net(layer(0, "Relu", "opset1", "", ("FP32 3",), ("FP32 3",))),
        None,
        ["note, accepts: type 'Relu' is spelt 'ReLU' | write 'ReLU'"],
    ),
    (
        "OVG109",
        net(
            parameter(0, "3", "f32", "FP32 3", "a"),
            parameter(0, "3", "f32", "FP32 3", "b"),
            parameter(0, "3", "f32", "FP32 3", "c"),
        ),
        None,
        [
            "error, accepts: layer id 0 is taken: layer 'a' has it",
            "error, accepts: layer id 0 is taken: layer 'a' has it",
        ],
    ),
    (
        "OVG110",
        whole(
            gather_elements(
                attributes='axis="1" offset="-1" size="8.0" element_type="Q78"'
            )
        ),
        None,
        [
            "error, rejects: offset '-1' cannot be read, and GatherElements has no weights",
            "error, rejects: size '8.0' cannot be read, and GatherElements has no weights",
            "error, rejects: element_type 'Q78' cannot be read, and GatherElements has no weights",
        ],
    ),
    (
        "OVG110",
        whole(gather_elements(attributes='axis="1" offset="x" size="8"')),
        None,
        [],
    ),
    (
        "OVG110",
        net(
            layer(
                0,
                "Parameter",
                "opset1",
                'element_type="f32" shape="3" offset="0" size="12"',
                (),
                ("FP32 3",),
            )
        ),
        None,
        [
            "warning, accepts: Parameter with offset and size, as a Const has them | did you mean type Const?"
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


def test_several_required_attributes_are_one_finding() -> None:
    text = unary("LRN", 'size="5"')
    [message] = [
        words(each) for each in of_rules(text.encode()) if each.code == "OVG106"
    ]
    assert (
        message
        == "error, rejects: LRN-1 without alpha, beta, bias: the specification requires them"
    )
