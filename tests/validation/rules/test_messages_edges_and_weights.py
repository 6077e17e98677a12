"""The wording of the findings on edges, constants and indices, with severity, verdict and help."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import pytest
from consequences import flattened
from small_models import EMPTY, constant, gather_8, i64, layer, net, parameter, result, with_rt_info, words

from ovgather.validation.check import validate

_THREE, _ONE, _LAST = "FP32 3", "I64 1", "I64 2"
UNFED = [
    ("Broadcast", "opset1", (_THREE, _ONE, _LAST), "accepts"),
    ("Broadcast", "opset2", (_THREE, _ONE, _LAST), "accepts"),
    ("Broadcast", "opset3", (_THREE, _ONE, _LAST), "rejects"),
    ("Pad", "opset1", (_THREE, _ONE, _ONE, "FP32"), "accepts"),
    ("StridedSlice", "opset1", (_THREE, _ONE, _ONE, _LAST), "accepts"),
    ("Slice", "opset8", (_THREE, _ONE, _ONE, _ONE, _LAST), "accepts"),
    ("Squeeze", "opset1", (_THREE, _LAST), "rejects"),
]
"""Layers whose last input no edge feeds, and what OpenVINO makes of that."""
_MORE = {"Broadcast": 'mode="numpy"', "Pad": 'pad_mode="constant"', "StridedSlice": 'begin_mask="0" end_mask="0"'}


def unfed(type: str, opset: str, inputs: Sequence[str]) -> str:
    """A layer all of whose inputs but the last are fed: the first by a Parameter, the others by Consts."""
    consts = [
        constant(number, "1", "i64", 8 * (number - 1), 8, "I64 1", f"c{number}") for number in range(1, len(inputs) - 1)
    ]
    target = len(inputs)
    edges = " ".join(f"{number}:0-{target}:{number}" for number in range(len(inputs) - 1))
    made = layer(target, type, opset, _MORE.get(type, ""), inputs, ("FP32 -1",))
    taken = result(target + 1, "FP32 -1")
    edges += f" {target}:{len(inputs)}-{target + 1}:0"
    return net(parameter(0, "3", "f32", "FP32 3"), *consts, made, taken, edges=edges)


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
    *(
        (
            "OVG601",
            with_rt_info((name, "0", f'value="{value}"')),
            None,
            [f"error, rejects: the `{name}` {value!r} is no {what}"],
        )
        for name, what, values in (
            ("old_api_map_order", "list of numbers, such as 0,2,3,1", ("x,y", "1,,2", "-1", "18446744073709551616")),
            ("old_api_map_element_type", "element type, such as f32", ("bogus", "FP32", "")),
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
    *(
        (
            "OVG303",
            unfed(type, opset, needed),
            i64(0, 1, 1),
            [f"error, {verdict}: no edge feeds input port {len(needed) - 1}"],
        )
        for type, opset, needed, verdict in UNFED
    ),
    ("OVG601", with_rt_info(("layout", "0", 'layout="[N,C"'), version="10"), None, []),
]


@pytest.mark.parametrize(("code", "text", "weights", "messages"), MESSAGES)
def test_messages(code: str, text: str | bytes, weights: bytes | None, messages: list[str]) -> None:
    found = flattened(validate(text if isinstance(text, bytes) else text.encode("latin-1"), weights))
    assert [words(finding) for finding in found if finding.code == code] == messages
