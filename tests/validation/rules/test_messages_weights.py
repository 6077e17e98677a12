"""The wording of the findings on constants, indices and runtime attributes, with severity, verdict and help."""

from __future__ import annotations

import struct

import pytest
from consequences import of_rules
from small_models import constant, gather_8, i64, layer, net, with_rt_info, words

MESSAGES = [
    (
        "OVG401",
        net(layer(0, "Const", "opset1", "", (), ("FP32",))),
        b"",
        ["error, accepts: Const without shape, offset, size"],
    ),
    (
        "OVG401",
        net(
            layer(
                0,
                "Const",
                "opset1",
                'element_type="i64" shape="" value="1"',
                (),
                ("I64",),
            )
        ),
        b"",
        ["error, accepts: a Const has no value attribute: its bytes are in the .bin"],
    ),
    (
        "OVG401",
        net(
            layer(
                0,
                "Const",
                "opset1",
                'element_type="string" shape="" value="1"',
                (),
                ("STRING",),
            )
        ),
        b"",
        ["error, accepts: a Const has no value attribute: its bytes are in the .bin"],
    ),
    (
        "OVG401",
        net(
            layer(
                0,
                "Const",
                "opset1",
                'element_type="i8" shape="1" value="1"',
                (),
                ("I8 1",),
            )
        ),
        b"",
        ["error, accepts: a Const has no value attribute: its bytes are in the .bin"],
    ),
    (
        "OVG401",
        net(constant(0, "?", "f32", 0, 4, "FP32 1")),
        bytes(4),
        ["error, accepts: shape '?' is not a list of dims"],
    ),
    (
        "OVG401",
        net(constant(0, "-1,-1", "f32", 0, 4, "FP32 1")),
        bytes(4),
        ["error, accepts: shape '-1,-1' is not a list of dims"],
    ),
    (
        "OVG401",
        net(constant(0, "-1", "f32", 0, 4, "FP32 1")),
        bytes(4),
        ["error, accepts: shape '-1' is not a list of dims"],
    ),
    (
        "OVG401",
        net(constant(0, "1,", "f32", 0, 4, "FP32 1")),
        bytes(4),
        ["error, accepts: shape '1,' is not a list of dims"],
    ),
    *[
        (
            "OVG401",
            net(constant(0, f"2, {dim}", "f32", 0, 8, "FP32 2,1")),
            bytes(8),
            [f"error, accepts: shape '2, {dim}': dim '{dim}' is too large"],
        )
        for dim in (1 << 63, 1 << 64)
    ],
    (
        "OVG401",
        net(constant(0, "9" * 5000, "f32", 0, 8, "FP32 2")),
        bytes(8),
        [
            f"error, accepts: shape '{'9' * 40}… (5000 characters) …{'9' * 10}': "
            f"dim '{'9' * 40}… (5000 characters) …{'9' * 10}' is too large"
        ],
    ),
    (
        "OVG402",
        net(constant(0, "2", "f32", 4, 8, "FP32 2")),
        bytes(8),
        [
            "error, accepts: the constant is bytes 4 to 12 of the .bin, which has 8: 4 are missing"
        ],
    ),
    (
        "OVG402",
        net(constant(0, "2", "f32", 8, 8, "FP32 2")),
        bytes(8),
        [
            "error, accepts: the constant is bytes 8 to 16 of the .bin, which has 8: 8 are missing"
        ],
    ),
    ("OVG402", net(constant(0, "2", "f32", 8, 8, "FP32 2")), None, []),
    ("OVG403", net(constant(0, "3", "i4", 0, 2, "I4 3")), bytes(2), []),
    (
        "OVG403",
        net(constant(0, "3", "i4", 0, 1, "I4 3")),
        bytes(2),
        ["error, accepts: size is 1, but [3] of i4 needs 2 bytes"],
    ),
    (
        "OVG403",
        net(constant(0, "2,3", "f32", 0, 25, "FP32 2,3")),
        bytes(25),
        ["warning, accepts: size is 25, but [2,3] of f32 needs 24 bytes"],
    ),
    (
        "OVG403",
        net(
            constant(
                0, "4294967296,4294967296", "i32", 0, 0, "I32 4294967296,4294967296"
            )
        ),
        b"",
        [
            "error, accepts: size is 0, but [4294967296,4294967296] of i32 needs 73786976294838206464 bytes"
        ],
    ),
    (
        "OVG404",
        net(constant(0, "1", "string", 0, 9, "STRING 1")),
        struct.pack("<ii", 0, 0) + b"A",
        ["error, accepts: 0 packed strings for 1 element"],
    ),
    (
        "OVG404",
        net(constant(0, "1", "string", 0, 13, "STRING 1")),
        struct.pack("<iii", 1, 2, 1) + b"A",
        ["error, accepts: packed string 0 is at bytes 2 to 1 of 1"],
    ),
    ("OVG501", gather_8(), i64(0), []),
    (
        "OVG502",
        gather_8(data="0,4"),
        i64(0),
        [
            "warning, accepts: data [0,4] has no elements along axis 0, but indices [2,3] ask for some"
        ],
    ),
    (
        "OVG502",
        gather_8(data="0,4", version="opset7"),
        i64(0),
        [
            "error, accepts: data [0,4] has no elements along axis 0, but indices [2,3] ask for some"
        ],
    ),
    ("OVG502", gather_8(data="0,4", indices="0", out="0,4"), i64(0), []),
    (
        "OVG601",
        with_rt_info(("fused_names", "0", ""), ("fused_names", "0", "")),
        None,
        ["error, rejects: runtime attribute `fused_names` is given twice"],
    ),
    (
        "OVG601",
        with_rt_info(("fused_names", "0", ""), ("fused_names", "1", "")),
        None,
        [],
    ),
    ("OVG601", with_rt_info(("own_name", "0", ""), ("own_name", "0", "")), None, []),
    (
        "OVG601",
        with_rt_info(("layout", "0", 'layout="[N,C"')),
        None,
        ["error, rejects: '[N,C' is not a layout, such as NCHW or [N,C,...,width]"],
    ),
    ("OVG601", with_rt_info(("layout", "0", 'layout="[N,C]"')), None, []),
    *(
        (
            "OVG601",
            with_rt_info((name, "0", f'value="{value}"')),
            None,
            [f"error, rejects: the `{name}` {value!r} is no {what}"],
        )
        for name, what, values in (
            (
                "old_api_map_order",
                "list of numbers, such as 0,2,3,1",
                ("x,y", "1,,2", "-1", "18446744073709551616"),
            ),
            (
                "old_api_map_element_type",
                "element type, such as f32",
                ("bogus", "FP32", ""),
            ),
            ("fused_names", "list of names: one of them is empty", ("a,,b", ",a", " ")),
        )
        for value in values
    ),
    *(
        ("OVG601", with_rt_info((name, version, f'value="{value}"')), None, [])
        for name, version, value in (
            ("old_api_map_order", "0", ""),
            ("old_api_map_order", "0", "0, 1x,"),
            ("old_api_map_order", "1", "x,y"),
            ("old_api_map_element_type", "0", "F16"),
            ("old_api_map_element_type", "0", "undefined"),
            ("fused_names", "0", "a,b,"),
        )
    ),
    ("OVG601", with_rt_info(("layout", "0", 'layout="[N,C"'), version="10"), None, []),
]


@pytest.mark.parametrize(("code", "text", "weights", "messages"), MESSAGES)
def test_messages(
    code: str, text: str | bytes, weights: bytes | None, messages: list[str]
) -> None:
    found = of_rules(
        text if isinstance(text, bytes) else text.encode("latin-1"), weights
    )
    assert [words(finding) for finding in found if finding.code == code] == messages
