"""The wording of the findings on what the runtime does not survive, and on what leads nowhere."""

from __future__ import annotations

import struct

import pytest
from consequences import flattened
from small_models import constant, gather_elements, i64, layer, net, parameter, result, whole, words

from ovgather.validation.check import validate

LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 24\n"


def gather_of(
    data: str, indices: str, type: str = "GatherElements", version: str = "opset6", attributes: str = 'axis="0"'
) -> str:
    """``type`` over two layers that are given, of one dim each."""
    kind = data.partition('precision="')[2].partition('"')[0]
    ports = (f"{kind} 4", "I64 2", "I64")[: 3 if type == "Gather" else 2]
    axis = constant(2, "", "i64", 0, 8, "I64", "axis") if type == "Gather" else ""
    edges = "0:0-3:0 1:0-3:1 3:2-4:0" if not axis else "0:0-3:0 1:0-3:1 2:0-3:2 3:3-4:0"
    made = layer(3, type, version, attributes, ports, (f"{kind} 2",), "pick")
    return net(data, indices, axis, made, result(4, f"{kind} 2"), edges=edges)


def fed(kind: str, port: str) -> str:
    return parameter(0, "4", kind, f"{port} 4", "data")


INDICES = parameter(1, "2", "i64", "I64 2", "indices")


def table(kind: str, port: str, size: int) -> str:
    return constant(0, "4", kind, 8, size, f"{port} 4", "table")


def gather(data: str, indices: str = INDICES, version: str = "opset8") -> str:
    return gather_of(data, indices, "Gather", version, "")


def chosen(offset: int = 8) -> str:
    return constant(1, "2", "i64", offset, 16, "I64 2", "chosen")


def state(type: str, version: str, attributes: str = "") -> str:
    made = layer(1, type, version, attributes, ("FP32 3",), ("FP32 3",))
    return net(parameter(0, "3", "f32", "FP32 3"), made, result(2, "FP32 3"), edges="0:0-1:0 1:1-2:0")


def variable(read: str, kept: str) -> str:
    def layers(number: int, type: str, name: str) -> str:
        return layer(number, type, "opset6", f'variable_id="{name}"', ("FP32 3",), ("FP32 3",))

    start = parameter(0, "3", "f32", "FP32 3")
    both = (layers(1, "ReadValue", read), layers(2, "Assign", kept))
    return net(start, *both, result(3, "FP32 3"), edges="0:0-1:0 1:1-2:0 1:1-3:0")


def branches(*dead: str, edges: str = "") -> str:
    return net(parameter(0, "3", "f32", "FP32 3", "data"), *dead, result(9, "FP32 3"), edges="0:0-9:0 " + edges)


def relu(number: int) -> str:
    return layer(number, "ReLU", "opset1", "", ("FP32 3",), ("FP32 3",))


def named(*names: str) -> str:
    layers = [parameter(k, "3", "f32", "FP32 3", f"p{k}") for k in range(len(names))]
    layers = [
        text.replace('precision="FP32"', f'precision="FP32" names="{name}"')
        for text, name in zip(layers, names, strict=True)
    ]
    results = [result(10 + k, "FP32 3") for k in range(len(names))]
    return net(*layers, *results, edges=" ".join(f"{k}:0-{10 + k}:0" for k in range(len(names))))


def overlapping(*places: tuple[int, int]) -> str:
    layers = [constant(k, str(size // 4), "f32", at, size, f"FP32 {size // 4}") for k, (at, size) in enumerate(places)]
    results = [result(10 + k, f"FP32 {size // 4}") for k, (_, size) in enumerate(places)]
    return net(*layers, *results, edges=" ".join(f"{k}:0-{10 + k}:0" for k in range(len(places))))


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
        ["error, undefined: the .bin is a git-lfs pointer: the file itself was never fetched (git lfs pull)"],
    ),
    (
        "OVG008",
        gather(table("f32", "FP32", 16).replace('offset="8"', 'offset="1000"')),
        LFS,
        ["error, rejects: the .bin is a git-lfs pointer: the file itself was never fetched (git lfs pull)"],
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
        whole(gather_elements()).replace("</net>", f"<rt_info>{'<a>' * 101}{'</a>' * 101}</rt_info></net>"),
        None,
        ["warning, accepts: runtime information nested deeper than 100"],
    ),
    (
        "OVG203",
        whole(gather_elements(output="-1,9"), output="-1,9"),
        None,
        ["warning, accepts: output dim 0 is declared dynamic, but 3 is inferred from the inputs | should be 3"],
    ),
    ("OVG203", whole(gather_elements(data="-1,7", indices="-1,9"), data="-1,7", indices="-1,9"), None, []),
    (
        "OVG210",
        whole(gather_elements()).replace('shape="3,7"', 'shape="-3,7"'),
        None,
        ["error, rejects: '-3,7' is not a shape: dim 0: '-3' is not a dimension: write 5, ?, -1, 2..8, ..8 or 8.."],
    ),
    ("OVG704", gather(fed("i32", "I32"), chosen()), i64(0, 0, -4), []),
    (
        "OVG704",
        gather(fed("i32", "I32"), chosen()),
        i64(0, 0, -5),
        ["warning, accepts: 1 of 2 constant indices is outside [-4, 3]: -5 at position [1], axis 0 of data [4]"],
    ),
    (
        "OVG704",
        gather(fed("u16", "U16"), chosen()),
        i64(0, 5000, 4),
        [
            "warning, undefined: 2 of 2 constant indices are outside [-4, 3]: "
            "5000 at position [0], axis 0 of data [4]; then 4 at [1]"
        ],
    ),
    (
        "OVG704",
        gather(fed("i64", "I64"), chosen(), "opset1"),
        i64(0, 1 << 40, 0),
        [
            "error, crashes: 1 of 2 constant indices is outside [0, 3]: 1099511627776 at position [0], "
            "axis 0 of data [4]"
        ],
    ),
    ("OVG704", gather(fed("i8", "I8"), chosen()), i64(0, 0, 7), []),
    ("OVG704", gather(table("i32", "I32", 16), chosen()), i64(0, 0, 7), []),
    (
        "OVG501",
        gather(fed("i8", "I8"), chosen()),
        i64(0, 0, 7),
        ["warning, accepts: 1 of 2 constant indices is outside [-4, 3]: 7 at position [1], axis 0 of data [4]"],
    ),
    ("OVG501", gather(fed("i32", "I32"), chosen()), i64(0, 0, 7), []),
    (
        "OVG705",
        gather(fed("u2", "U2")),
        None,
        ["warning, crashes: data is u2, which Gather-8 cannot gather on the CPU"],
    ),
    (
        "OVG705",
        gather(fed("u6", "U6"), version="opset1"),
        None,
        ["warning, rejects_on_compile: data is u6, which Gather-1 cannot gather on the CPU"],
    ),
    ("OVG705", gather(fed("string", "STRING")), None, []),
    (
        "OVG705",
        gather_of(fed("string", "STRING"), INDICES),
        None,
        ["warning, rejects_on_compile: data is string, which GatherElements-6 cannot gather on the CPU"],
    ),
    (
        "OVG705",
        gather(fed("dynamic", "UNSPECIFIED")),
        None,
        ["warning, rejects_on_compile: data is dynamic, which Gather-8 cannot gather on the CPU"],
    ),
    ("OVG705", gather(fed("dynamic", "UNSPECIFIED")).replace(' element_type="dynamic"', ""), None, []),
    (
        "OVG706",
        gather(fed("u64", "U64")),
        None,
        ["warning, accepts: the values of data are u64, which the CPU does not compute with"],
    ),
    ("OVG706", gather(fed("i64", "I64")), None, []),
    (
        "OVG706",
        gather(table("f64", "FP64", 32)),
        i64(0) + struct.pack("<4d", 0.5, 0.1, 1e300, float("nan")),
        [
            "warning, accepts: 2 of 4 constant values of data do not survive the CPU: 0.1 at position [1] becomes "
            "0.10000000149011612"
        ],
    ),
    (
        "OVG706",
        gather(table("u64", "U64", 32)),
        i64(0, 1, -1, 2, 3),
        [
            "warning, accepts: 1 of 4 constant values of data does not survive the CPU: 18446744073709551615 at "
            "position [1] becomes 2147483647"
        ],
    ),
    ("OVG706", gather(table("u64", "U64", 32)), i64(0, 1, 2, 3, 4), []),
    (
        "OVG706",
        gather(parameter(0, "?", "f32", "FP32 -1", "data"), chosen()),
        i64(0, 1, 1 << 32),
        [
            "warning, accepts: 1 of 2 constant values of indices does not survive the CPU: 4294967296 at position [1] "
            "becomes 2147483647"
        ],
    ),
    ("OVG706", gather(fed("f32", "FP32"), chosen()), i64(0, 1, 1 << 32), []),
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
        ["error, rejects: no ReadValue that leads to a Result reads the variable 'present' | did you mean 'past'?"],
    ),
    (
        "OVG307",
        variable("past", "past").replace('"ReadValue" version="opset6"', '"Abs" version="opset1"'),
        None,
        ["error, rejects: no ReadValue that leads to a Result reads the variable 'past'"],
    ),
    (
        "OVG307",
        variable("past", "past").replace('"Assign" version="opset6"', '"Assign" version="opset3"'),
        None,
        ["error, rejects: the ReadValue of the variable 'past' is newer than this Assign of opset3"],
    ),
    ("OVG307", variable("past", "past"), None, []),
    ("OVG307", variable("past", "past").replace("opset6", "opset3"), None, []),
    (
        "OVG307",
        state("ReadValue", "opset6", 'variable_id="past"'),
        None,
        ["warning, rejects: no Assign keeps the variable 'past'"],
    ),
    ("OVG707", state("ReadValue", "opset6"), None, ["error, crashes: ReadValue without variable_id"]),
    ("OVG707", state("readvalue", "opset9"), None, ["error, crashes: readvalue without variable_id"]),
    ("OVG707", state("ReadValue", "opset6", 'variable_id=""'), None, []),
    ("OVG707", state("ReadValue", "opset5"), None, []),
    ("OVG707", state("Assign", "opset8"), None, ["error, crashes: Assign without variable_id"]),
    ("OVG707", state("Broadcast", "opset2"), None, ["error, crashes: Broadcast needs 2 inputs, but has 1"]),
    ("OVG707", state("Broadcast", "opset3"), None, []),
    ("OVG707", state("MaxPool", "opset7"), None, []),
    (
        "OVG707",
        state("MaxPool", "opset7").replace("0:0-1:0", "").replace('to-layer="1"', 'to-layer="7"'),
        None,
        ["error, crashes: MaxPool needs 1 input, but has 0"],
    ),
    (
        "OVG707",
        branches(layer(1, "ReadValue", "opset6", "", ("FP32 3",), ("FP32 3",)), edges="0:0-1:0"),
        None,
        ["error, accepts: ReadValue without variable_id"],
    ),
    (
        "OVG708",
        net(parameter(0, "...", "f32", "FP32"), result(1, "FP32"), edges="0:0-1:0"),
        None,
        [
            "warning, rejects_on_compile: a Parameter of dynamic rank, which the CPU does not take "
            "| give the rank, with ? for each dim: ?,?,?"
        ],
    ),
    ("OVG708", net(parameter(0, "", "f32", "FP32"), result(1, "FP32"), edges="0:0-1:0"), None, []),
    (
        "OVG705",
        net(parameter(0, "8", "u3", "U3 8"), result(1, "U3 8"), edges="0:0-1:0"),
        None,
        ["warning, rejects_on_compile: a Parameter of element type u3, which the CPU does not take"],
    ),
    (
        "OVG705",
        gather(fed("f32", "FP32"), parameter(1, "2", "f16", "FP16 2", "indices"), "opset1"),
        i64(0),
        ["warning, rejects_on_compile: indices are f16, which Gather-1 cannot gather by on the CPU"],
    ),
    (
        "OVG709",
        net(parameter(0, "2147483648,1,2147483648", "f32", "FP32"), result(1, "FP32"), edges="0:0-1:0"),
        None,
        [
            "error, rejects_on_compile: a Parameter of shape [2147483648,1,2147483648] takes 18446744073709551616 "
            "bytes | is one of the dims not known? Then it is ?"
        ],
    ),
    *(
        ("OVG709", net(parameter(0, shape, "f32", "FP32"), result(1, "FP32"), edges="0:0-1:0"), None, [])
        for shape in ("2147483648,?,2147483648", "2147483648,0,2147483648", "8388608,8388608", "9223372036854775807")
    ),
    (
        "OVG708",
        net(parameter(0, ",".join("1" * 40), "f32", "FP32"), result(1, "FP32"), edges="0:0-1:0"),
        None,
        ["warning, rejects_on_compile: a Parameter of rank 40: the CPU takes at most 32"],
    ),
    ("OVG213", named("a,b", "c"), None, []),
    ("OVG213", named("", ""), None, []),
    ("OVG213", named("a\\,b", "a,b"), None, []),
    ("OVG213", named("a,a", "b"), None, []),
    ("OVG213", named("a,", "b"), None, ["warning, accepts: names 'a,' has an empty item"]),
    ("OVG213", named("a", ",b"), None, ["warning, accepts: names ',b' has an empty item"]),
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
        ["warning, accepts: the layer leads to no Result | remove it, or connect its output"],
    ),
    (
        "OVG305",
        branches(relu(1), relu(2), relu(3), relu(4), edges="0:0-1:0 1:1-2:0 2:1-3:0 1:1-4:0"),
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
            "note, accepts: bytes 4 to 12 begin within those of another constant, 0 to 16",
            "note, accepts: bytes 12 to 20 begin within those of another constant, 0 to 16",
        ],
    ),
]


@pytest.mark.parametrize(("code", "text", "weights", "expected"), MESSAGES)
def test_messages(code: str, text: str, weights: bytes | None, expected: list[str]) -> None:
    found = [words(finding) for finding in flattened(validate(text.encode(), weights)) if finding.code == code]
    assert found == expected
