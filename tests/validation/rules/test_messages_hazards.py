"""The wording of the findings on what the runtime does not survive."""

from __future__ import annotations

import struct

import pytest
from consequences import of_rules
from gather_texts import INDICES, branches, gather, gather_of, state, table
from small_models import constant, i64, layer, net, parameter, result, words


def fed(kind: str, port: str) -> str:
    return parameter(0, "4", kind, f"{port} 4", "data")


def chosen(offset: int = 8) -> str:
    return constant(1, "2", "i64", offset, 16, "I64 2", "chosen")


MESSAGES = [
    ("OVG704", gather(fed("i32", "I32"), chosen()), i64(0, 0, -4), []),
    (
        "OVG704",
        gather(fed("i32", "I32"), chosen()),
        i64(0, 0, -5),
        [
            "warning, accepts: 1 of 2 constant indices is outside [-4, 3]: -5 at position [1], axis 0 of data [4]"
        ],
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
        [
            "warning, accepts: 1 of 2 constant indices is outside [-4, 3]: 7 at position [1], axis 0 of data [4]"
        ],
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
        [
            "warning, rejects_on_compile: data is u6, which Gather-1 cannot gather on the CPU"
        ],
    ),
    ("OVG705", gather(fed("string", "STRING")), None, []),
    (
        "OVG705",
        gather_of(fed("string", "STRING"), INDICES),
        None,
        [
            "warning, rejects_on_compile: data is string, which GatherElements-6 cannot gather on the CPU"
        ],
    ),
    (
        "OVG705",
        gather(fed("dynamic", "UNSPECIFIED")),
        None,
        [
            "warning, rejects_on_compile: data is dynamic, which Gather-8 cannot gather on the CPU"
        ],
    ),
    (
        "OVG705",
        gather(fed("dynamic", "UNSPECIFIED")).replace(' element_type="dynamic"', ""),
        None,
        [],
    ),
    (
        "OVG706",
        gather(fed("u64", "U64")),
        None,
        [
            "warning, accepts: the values of data are u64, which the CPU does not compute with"
        ],
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
        "OVG707",
        state("ReadValue", "opset6"),
        None,
        ["error, crashes: ReadValue without variable_id"],
    ),
    (
        "OVG707",
        state("readvalue", "opset9"),
        None,
        ["error, crashes: readvalue without variable_id"],
    ),
    ("OVG707", state("ReadValue", "opset6", 'variable_id=""'), None, []),
    ("OVG707", state("ReadValue", "opset5"), None, []),
    (
        "OVG707",
        state("Assign", "opset8"),
        None,
        ["error, crashes: Assign without variable_id"],
    ),
    (
        "OVG707",
        state("Broadcast", "opset2"),
        None,
        ["error, crashes: Broadcast needs 2 inputs, but has 1"],
    ),
    ("OVG707", state("Broadcast", "opset3"), None, []),
    ("OVG707", state("MaxPool", "opset7"), None, []),
    (
        "OVG707",
        state("MaxPool", "opset7")
        .replace("0:0-1:0", "")
        .replace('to-layer="1"', 'to-layer="7"'),
        None,
        ["error, crashes: MaxPool needs 1 input, but has 0"],
    ),
    (
        "OVG707",
        branches(
            layer(1, "ReadValue", "opset6", "", ("FP32 3",), ("FP32 3",)),
            edges="0:0-1:0",
        ),
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
    (
        "OVG708",
        net(parameter(0, "", "f32", "FP32"), result(1, "FP32"), edges="0:0-1:0"),
        None,
        [],
    ),
    (
        "OVG705",
        net(parameter(0, "8", "u3", "U3 8"), result(1, "U3 8"), edges="0:0-1:0"),
        None,
        [
            "warning, rejects_on_compile: a Parameter of element type u3, which the CPU does not take"
        ],
    ),
    (
        "OVG705",
        gather(
            fed("f32", "FP32"), parameter(1, "2", "f16", "FP16 2", "indices"), "opset1"
        ),
        i64(0),
        [
            "warning, rejects_on_compile: indices are f16, which Gather-1 cannot gather by on the CPU"
        ],
    ),
    (
        "OVG709",
        net(
            parameter(0, "2147483648,1,2147483648", "f32", "FP32"),
            result(1, "FP32"),
            edges="0:0-1:0",
        ),
        None,
        [
            "error, rejects_on_compile: a Parameter of shape [2147483648,1,2147483648] takes 18446744073709551616 "
            "bytes | is one of the dims not known? Then it is ?"
        ],
    ),
    *(
        (
            "OVG709",
            net(parameter(0, shape, "f32", "FP32"), result(1, "FP32"), edges="0:0-1:0"),
            None,
            [],
        )
        for shape in (
            "2147483648,?,2147483648",
            "2147483648,0,2147483648",
            "8388608,8388608",
            "9223372036854775807",
        )
    ),
    (
        "OVG708",
        net(
            parameter(0, ",".join("1" * 40), "f32", "FP32"),
            result(1, "FP32"),
            edges="0:0-1:0",
        ),
        None,
        [
            "warning, rejects_on_compile: a Parameter of rank 40: the CPU takes at most 32"
        ],
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
