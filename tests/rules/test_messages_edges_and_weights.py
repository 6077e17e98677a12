"""The wording of the findings on edges, constants and indices, with severity, verdict and help."""

from __future__ import annotations

import struct

import pytest
from small_models import EMPTY, constant, gather_8, i64, layer, net, parameter, with_rt_info, words

from ovgather.validate import validate

MESSAGES = [
    (
        "OVG301",
        '<net version="11"><layers/><edges><edge/></edges></net>',
        None,
        [
            "error, rejects: <edge> has no from-layer",
            "error, rejects: <edge> has no from-port",
            "error, rejects: <edge> has no to-layer",
            "error, rejects: <edge> has no to-port",
        ],
    ),
    (
        "OVG301",
        EMPTY.replace("<edges/>", '<edges><edge from_layer="0" from-port="-1" to-layer="1.0" to-port=""/></edges>'),
        None,
        [
            "error, rejects: <edge> has no from-layer | did you mean `from-layer`?",
            "error, rejects: from-port '-1' is not a plain number",
            "error, rejects: to-layer '1.0' is not a plain number",
            "error, rejects: to-port '' is not a plain number",
        ],
    ),
    (
        "OVG301",
        EMPTY.replace("<edges/>", '<edges><edge from-layer="00" from-port="+1" to-layer=" 2" to-port="3 "/></edges>'),
        None,
        [
            "warning, accepts: from-layer '00' is written with leading zeros | write 0",
            "warning, accepts: from-port '+1' is written with a sign | write 1",
            "warning, accepts: to-layer ' 2' is written with a blank | write 2",
            "error, rejects: to-port '3 ' is not a plain number",
        ],
    ),
    (
        "OVG302",
        net(layer(0, "Result", "opset1"), edges="7:0-8:1 0:1-0:2"),
        None,
        [
            "error, accepts: edge from layer 7 to layer 8, neither of which exists",
            'error, rejects: edge from port 1 of layer 0 "result", whose output ports are: none',
            'error, rejects: edge to port 2 of layer 0 "result", whose input ports are: none',
        ],
    ),
    (
        "OVG302",
        net(layer(0, "Result", "opset1", "", ("FP32 3",)), edges="7:0-0:0"),
        None,
        ["error, rejects: edge from layer 7, which does not exist"],
    ),
    (
        "OVG302",
        net(layer(0, "Parameter", "opset1", "", (), ("FP32 3",)), edges="0:0-8:1 0:5-8:1"),
        None,
        [
            "error, accepts: edge to layer 8, which does not exist",
            "error, accepts: edge to layer 8, which does not exist",
        ],
    ),
    (
        "OVG302",
        net(edges="0:0-1:0 1:1-2:0"),
        None,
        ["error, accepts: 2 edges, but <net> has no layers"],
    ),
    (
        "OVG302",
        net(layer(0, "Result", "opset1", "", ("FP32 3",)).replace('<port id="0"', "<port"), edges="0:1-0:2"),
        None,
        ['error, rejects: edge from port 1 of layer 0 "result", whose output ports are: none'],
    ),
    (
        "OVG303",
        net(layer(0, "Result", "opset1", "", ("FP32 3",))),
        None,
        ["error, rejects: no edge feeds input port 0"],
    ),
    (
        "OVG303",
        net(
            parameter(1, "3", "f32", "FP32 3"),
            layer(0, "Result", "opset1", "", ("FP32 3",)),
            edges="1:0-0:0 1:0-0:0 1:0-0:0",
        ),
        None,
        [
            "error, rejects: a second edge feeds input port 0 of layer 0",
            "error, rejects: a second edge feeds input port 0 of layer 0",
        ],
    ),
    (
        "OVG304",
        net(layer(0, "ReLU", "opset1", "", ("FP32 3",), ("FP32 3",)), edges="0:1-0:0"),
        None,
        ["error, accepts: layers feed each other in a cycle: 0 -> 0"],
    ),
    (
        "OVG304",
        net(
            *[layer(k, "ReLU", "opset1", "", ("FP32 3",), ("FP32 3",)) for k in range(12)],
            edges=" ".join(f"{k}:1-{(k + 1) % 12}:0" for k in range(12)),
        ),
        None,
        ["error, accepts: layers feed each other in a cycle: 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> 8 -> 9 -> … -> 2"],
    ),
    (
        "OVG401",
        net(layer(0, "Const", "opset1", "", (), ("FP32",))),
        b"",
        [
            "error, accepts: Const without shape",
            "error, accepts: Const without offset",
            "error, accepts: Const without size",
        ],
    ),
    (
        "OVG401",
        net(layer(0, "Const", "opset1", 'element_type="i64" shape="" value="1"', (), ("I64",))),
        b"",
        ["error, accepts: a Const has no value attribute: its bytes are in the .bin"],
    ),
    (
        "OVG401",
        net(layer(0, "Const", "opset1", 'element_type="string" shape="" value="1"', (), ("STRING",))),
        b"",
        ["error, accepts: a Const has no value attribute: its bytes are in the .bin"],
    ),
    (
        "OVG401",
        net(layer(0, "Const", "opset1", 'element_type="i8" shape="1" value="1"', (), ("I8 1",))),
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
    (
        "OVG402",
        net(constant(0, "2", "f32", 4, 8, "FP32 2")),
        bytes(8),
        ["error, accepts: bytes 4 to 12 are beyond the .bin, which has 8: 4 too many"],
    ),
    (
        "OVG402",
        net(constant(0, "2", "f32", 8, 8, "FP32 2")),
        bytes(8),
        ["error, accepts: bytes 8 to 16 are beyond the .bin, which has 8: 8 too many"],
    ),
    ("OVG402", net(constant(0, "2", "f32", 8, 8, "FP32 2")), None, []),
    ("OVG403", net(constant(0, "3", "i4", 0, 2, "I4 3")), bytes(2), []),
    (
        "OVG403",
        net(constant(0, "3", "i4", 0, 1, "I4 3")),
        bytes(2),
        ["error, accepts: size 1, but [3] of i4 takes 2 bytes"],
    ),
    (
        "OVG403",
        net(constant(0, "2,3", "f32", 0, 25, "FP32 2,3")),
        bytes(25),
        ["warning, accepts: size 25, but [2,3] of f32 takes 24 bytes"],
    ),
    (
        "OVG403",
        net(constant(0, "4294967296,4294967296", "i32", 0, 0, "I32 4294967296,4294967296")),
        b"",
        ["error, accepts: size 0, but [4294967296,4294967296] of i32 takes 73786976294838206464 bytes"],
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
        ["warning, accepts: data [0,4] has no elements along axis 0, but indices [2,3] ask for some"],
    ),
    (
        "OVG502",
        gather_8(data="0,4", version="opset7"),
        i64(0),
        ["error, accepts: data [0,4] has no elements along axis 0, but indices [2,3] ask for some"],
    ),
    ("OVG502", gather_8(data="0,4", indices="0", out="0,4"), i64(0), []),
    (
        "OVG601",
        with_rt_info(("fused_names", "0", ""), ("fused_names", "0", "")),
        None,
        ["error, rejects: runtime attribute `fused_names` is given twice"],
    ),
    ("OVG601", with_rt_info(("fused_names", "0", ""), ("fused_names", "1", "")), None, []),
    ("OVG601", with_rt_info(("own_name", "0", ""), ("own_name", "0", "")), None, []),
    (
        "OVG601",
        with_rt_info(("layout", "0", 'layout="[N,C"')),
        None,
        ["error, rejects: '[N,C' is not a layout, such as NCHW or [N,C,...,width]"],
    ),
    ("OVG601", with_rt_info(("layout", "0", 'layout="[N,C]"')), None, []),
    ("OVG601", with_rt_info(("layout", "0", 'layout="[N,C"'), version="10"), None, []),
]


@pytest.mark.parametrize(("code", "text", "weights", "messages"), MESSAGES)
def test_messages(code: str, text: str | bytes, weights: bytes | None, messages: list[str]) -> None:
    found = validate(text if isinstance(text, bytes) else text.encode("latin-1"), weights)
    assert [words(finding) for finding in found if finding.code == code] == messages
