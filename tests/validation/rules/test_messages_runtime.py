"""The wording of the findings on weights, names, states, and on what leads nowhere."""

from __future__ import annotations

import pytest
from consequences import of_rules
from gather_texts import branches, gather, state, table
from small_models import (
    constant,
    gather_elements,
    layer,
    net,
    parameter,
    result,
    whole,
    words,
)

LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 24\n"


def variable(read: str, kept: str) -> str:
    def layers(number: int, type: str, name: str) -> str:
        return layer(
            number, type, "opset6", f'variable_id="{name}"', ("FP32 3",), ("FP32 3",)
        )

    start = parameter(0, "3", "f32", "FP32 3")
    both = (layers(1, "ReadValue", read), layers(2, "Assign", kept))
    return net(start, *both, result(3, "FP32 3"), edges="0:0-1:0 1:1-2:0 1:1-3:0")


def relu(number: int) -> str:
    return layer(number, "ReLU", "opset1", "", ("FP32 3",), ("FP32 3",))


def named(*names: str) -> str:
    layers = [parameter(k, "3", "f32", "FP32 3", f"p{k}") for k in range(len(names))]
    layers = [
        text.replace('precision="FP32"', f'precision="FP32" names="{name}"')
        for text, name in zip(layers, names, strict=True)
    ]
    results = [result(10 + k, "FP32 3") for k in range(len(names))]
    return net(
        *layers,
        *results,
        edges=" ".join(f"{k}:0-{10 + k}:0" for k in range(len(names))),
    )


def overlapping(*places: tuple[int, int]) -> str:
    layers = [
        constant(k, str(size // 4), "f32", at, size, f"FP32 {size // 4}")
        for k, (at, size) in enumerate(places)
    ]
    results = [
        result(10 + k, f"FP32 {size // 4}") for k, (_, size) in enumerate(places)
    ]
    return net(
        *layers,
        *results,
        edges=" ".join(f"{k}:0-{10 + k}:0" for k in range(len(places))),
    )


MESSAGES = [
    (
        "OVG004",
        '<net version="7"><layers/><edges/></net>',
        None,
        [
            "error, rejects: IR version 7 is not read by OpenVINO: it reads 10 and 11 | OpenVINO read it up to 2020.4: "
            "convert the original model again"
        ],
    ),
    (
        "OVG004",
        '<net version="12"><layers/><edges/></net>',
        None,
        [
            "error, rejects: IR version 12 is not read by OpenVINO: it reads 10 and 11 | "
            "no release up to 2026.4.1 has it: is it a typing error, or from a newer OpenVINO?"
        ],
    ),
    (
        "OVG008",
        gather(table("f32", "FP32", 16)),
        LFS,
        [
            "error, undefined: the .bin is a git-lfs pointer: the file itself was never fetched (git lfs pull)"
        ],
    ),
    (
        "OVG008",
        gather(table("f32", "FP32", 16).replace('offset="8"', 'offset="1000"')),
        LFS,
        [
            "error, rejects: the .bin is a git-lfs pointer: the file itself was never fetched (git lfs pull)"
        ],
    ),
    (
        "OVG008",
        gather(table("f32", "FP32", 16)),
        b"\xef\xbb\xbf<?xml version='1.0'?><net/>",
        ["error, undefined: the .bin is XML, perhaps a copy of the model's .xml"],
    ),
    (
        "OVG008",
        gather(table("f32", "FP32", 16)),
        b"<!DOCTYPE html>" + bytes(9),
        ["error, undefined: the .bin is an HTML page"],
    ),
    ("OVG008", gather(table("f32", "FP32", 16)), b"<not so" + bytes(90), []),
    (
        "OVG101",
        whole(gather_elements().replace('id="2" name', 'id="002" name')),
        None,
        ["warning, accepts: layer id '002' is written with leading zeros | write 2"],
    ),
    (
        "OVG601",
        whole(gather_elements()).replace(
            "</net>", f"<rt_info>{'<a>' * 101}{'</a>' * 101}</rt_info></net>"
        ),
        None,
        ["warning, accepts: runtime information nested deeper than 100"],
    ),
    (
        "OVG203",
        whole(gather_elements(output="-1,9"), output="-1,9"),
        None,
        [
            "warning, accepts: output dim 0 is declared dynamic, but 3 is inferred from the inputs | should be 3"
        ],
    ),
    (
        "OVG203",
        whole(
            gather_elements(data="-1,7", indices="-1,9"), data="-1,7", indices="-1,9"
        ),
        None,
        [],
    ),
    (
        "OVG210",
        whole(gather_elements()).replace('shape="3,7"', 'shape="-3,7"'),
        None,
        [
            "error, rejects: '-3,7' is not a shape: dim 0: '-3' is not a dimension: write 5, ?, -1, 2..8, ..8 or 8.."
        ],
    ),
    (
        "OVG107",
        whole(gather_elements()).replace('type="GatherElements"', 'type=""'),
        None,
        ["error, rejects: opset6 has no ''; no opset has it"],
    ),
    (
        "OVG307",
        variable("past", "present"),
        None,
        [
            "error, rejects: no ReadValue that leads to a Result reads the variable 'present' | did you mean 'past'?"
        ],
    ),
    (
        "OVG307",
        variable("past", "past").replace(
            '"ReadValue" version="opset6"', '"Abs" version="opset1"'
        ),
        None,
        [
            "error, rejects: no ReadValue that leads to a Result reads the variable 'past'"
        ],
    ),
    (
        "OVG307",
        variable("past", "past").replace(
            '"Assign" version="opset6"', '"Assign" version="opset3"'
        ),
        None,
        [
            "error, rejects: the ReadValue of the variable 'past' is newer than this Assign of opset3"
        ],
    ),
    ("OVG307", variable("past", "past"), None, []),
    ("OVG307", variable("past", "past").replace("opset6", "opset3"), None, []),
    (
        "OVG307",
        state("ReadValue", "opset6", 'variable_id="past"'),
        None,
        ["warning, rejects: no Assign keeps the variable 'past'"],
    ),
    ("OVG213", named("a,b", "c"), None, []),
    ("OVG213", named("", ""), None, []),
    ("OVG213", named("a\\,b", "a,b"), None, []),
    ("OVG213", named("a,a", "b"), None, []),
    (
        "OVG213",
        named("a,", "b"),
        None,
        ["warning, accepts: names 'a,' has an empty item"],
    ),
    (
        "OVG213",
        named("a", ",b"),
        None,
        ["warning, accepts: names ',b' has an empty item"],
    ),
    (
        "OVG213",
        named("a,b", "b,c", "b"),
        None,
        [
            "warning, accepts: tensor name 'b' is taken by layer 0 \"p0\"",
            "warning, accepts: tensor name 'b' is taken by layer 0 \"p0\"",
        ],
    ),
    (
        "OVG213",
        named("a\\", "b"),
        None,
        ["warning, accepts: names 'a\\\\' ends with a backslash that escapes nothing"],
    ),
    (
        "OVG214",
        whole(gather_elements()).replace(
            '<port id="0" precision="FP32"><dim>3</dim><dim>7</dim></port><port id="1"',
            '<port id="5" precision="FP32"><dim>3</dim><dim>7</dim></port><port id="1"',
        ),
        None,
        [
            "warning, accepts: input ports stand in the order 5, 1: OpenVINO uses their position, so port 5 is data, "
            "port 1 is indices | put the ports into the order of their ids"
        ],
    ),
    (
        "OVG305",
        branches(relu(1), edges="0:0-1:0"),
        None,
        [
            "warning, accepts: the layer leads to no Result | remove it, or connect its output"
        ],
    ),
    (
        "OVG305",
        branches(
            relu(1), relu(2), relu(3), relu(4), edges="0:0-1:0 1:1-2:0 2:1-3:0 1:1-4:0"
        ),
        None,
        [
            "warning, accepts: the layer leads to no Result; 2 others lead only here | remove it, or connect "
            "its output",
            "warning, accepts: the layer leads to no Result | remove it, or connect its output",
        ],
    ),
    (
        "OVG305",
        branches(parameter(1, "3", "f32", "FP32 3", "spare")),
        None,
        ["note, accepts: no layer uses this Parameter"],
    ),
    ("OVG305", branches(relu(1)), None, []),
    ("OVG305", net(parameter(0, "3", "f32", "FP32 3")), None, []),
    ("OVG406", overlapping((0, 16), (0, 8), (16, 8)), bytes(24), []),
    (
        "OVG406",
        overlapping((0, 16), (4, 8), (12, 8)),
        bytes(24),
        [
            "note, accepts: bytes 4 to 12 overlap those of another constant, 0 to 16",
            "note, accepts: bytes 12 to 20 overlap those of another constant, 0 to 16",
        ],
    ),
    (  # The gap before the middle one is as long as the overlap.
        "OVG406",
        overlapping((0, 8), (12, 8), (16, 8)),
        bytes(24),
        ["note, accepts: bytes 12 to 20 overlap those of another constant, 16 to 24"],
    ),
    (
        "OVG406",
        overlapping((0, 8), (4, 8), (16, 8)),
        bytes(24),
        ["note, accepts: bytes 4 to 12 overlap those of another constant, 0 to 8"],
    ),
]


@pytest.mark.parametrize(("code", "text", "weights", "expected"), MESSAGES)
def test_messages(
    code: str, text: str, weights: bytes | None, expected: list[str]
) -> None:
    found = [
        words(finding)
        for finding in of_rules(text.encode(), weights)
        if finding.code == code
    ]
    assert found == expected
