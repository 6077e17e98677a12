"""A Const whose offset is wrong: the ``.bin`` is that of the file, and another Const has what this one should hold."""

from __future__ import annotations

from small_models import constant, i64, layer, net, parameter, result

from ovgather.validation.check import check_file
from ovgather.validation.diagnostic import Diagnostic

ORDERS = i64(0, 2, 1, 3, 0, 3, 1, 2)
WIDE = "FP32 2,5,3,4"


def transposes(offset: int) -> str:
    """Two Transposes whose orders stand at bytes 0 and ``offset``, and one with the order at byte 32."""
    layers = [parameter(0, "2,3,5,4", "f32", "FP32 2,3,5,4", "x")]
    edges = ""
    for number, place, out in (
        (1, 0, WIDE),
        (4, offset, WIDE),
        (7, 32, "FP32 2,4,3,5"),
    ):
        layers += [
            constant(number, "4", "i64", place, 32, "I64 4", f"order{number}"),
            layer(
                number + 1,
                "Transpose",
                "opset1",
                "",
                ("FP32 2,3,5,4", "I64 4"),
                (out,),
                f"turned{number}",
            ),
            result(number + 2, out),
        ]
        edges += f" 0:0-{number + 1}:0 {number}:0-{number + 1}:1 {number + 1}:2-{number + 2}:0"
    return net(*layers, edges=edges)


def found(offset: int) -> list[Diagnostic]:
    return check_file(transposes(offset).encode(), ORDERS).diagnostics


def test_one_wrong_offset_is_no_other_bin() -> None:
    assert found(0) == []
    [finding] = found(32)
    assert finding.message == (
        'Transpose layer 5 "turned4" has order (0,3,1,2), but its declared output [2,5,3,4] needs (0,2,1,3): '
        "the offset of the Const is probably wrong"
    )
    remedy = finding.fix()
    assert remedy is not None
    assert (finding.help, remedy.what, remedy.safe) == (
        'set offset="0"',
        "offset is 0",
        False,
    )


def test_the_place_of_another_constant_has_another_size() -> None:
    """Offset and size were copied from another Const: one mistake."""
    text = transposes(0).replace('offset="0" size="32"', 'offset="32" size="40"', 1)
    [finding] = check_file(text.encode(), ORDERS + i64(7)).diagnostics
    assert finding.help == 'set offset="0" and size="32"'
    assert finding.message.endswith(
        "the offset and the size of the Const are probably wrong"
    )


def test_an_order_that_is_one_element_short() -> None:
    """Its shape, its size and its port: the layer that takes it says what they were."""
    text = transposes(0)
    start = text.index('name="order1"')
    short = text[start:].replace(
        'shape="4" offset="0" size="32"', 'shape="3" offset="0" size="24"', 1
    )
    short = short.replace("<dim>4</dim>", "<dim>3</dim>", 1)
    [finding] = check_file((text[:start] + short).encode(), ORDERS).diagnostics
    assert finding.hypothesis == "source_shape"
    remedy = finding.fix()
    assert remedy is not None
    assert "size is 32" in remedy.what


def test_a_constant_and_its_port_have_another_type_than_its_bytes() -> None:
    text = transposes(0)
    start = text.index('name="order1"')
    wrong = text[start:].replace('"i64"', '"i32"', 1).replace('"I64"', '"I32"', 1)
    [finding] = check_file((text[:start] + wrong).encode(), ORDERS).diagnostics
    words = "element_type of the Const is i32, but its size and its consumers need i64"
    assert (finding.hypothesis, finding.message) == ("constant_form", words)
    help = 'set element_type="i64", and the precision of its port to "I64"'
    assert finding.help == help


def test_an_element_type_that_was_replaced_in_all_of_the_file() -> None:
    text = transposes(0).replace('"i64"', '"i32"').replace('"I64"', '"I32"')
    [finding] = check_file(text.encode(), ORDERS).diagnostics
    assert (finding.hypothesis, finding.message) == (
        "replaced",
        "3 element types are i32, but the sizes of the Consts are those of i64: all of them were probably replaced",
    )
    remedy = finding.fix()
    assert remedy is not None
    assert not remedy.safe


def test_a_note_on_a_constant_that_is_overlapped_is_evidence() -> None:
    [finding] = found(16)
    assert finding.help == 'set offset="0"'
    assert (finding.code, finding.severity) == ("OVG113", "error")


def test_of_a_constant_that_no_other_overlaps_the_value_is_wrong() -> None:
    alone = transposes(64)
    [finding] = check_file(alone.encode(), ORDERS + i64(0, 1, 2, 3)).diagnostics
    assert finding.help == "write (0,2,1,3) as little-endian i64 at byte 64 of the .bin"


def reshapes(*outputs: str) -> str:
    """Reshapes of [2,3], [2,6] and so on, whose patterns are the same bytes; ``outputs`` are what they declare."""
    layers, edges = [], ""
    for number, output in enumerate(outputs):
        first = 4 * number
        data = f"2,{3 * (number + 1)}"
        layers += [
            parameter(first, data, "f32", f"FP32 {data}", f"x{number}"),
            constant(first + 1, "2", "i64", 0, 16, "I64 2", f"pattern{number}"),
            layer(
                first + 2,
                "Reshape",
                "opset1",
                'special_zero="true"',
                (f"FP32 {data}", "I64 2"),
                (f"FP32 {output}",),
                f"reshaped{number}",
            ),
            result(first + 3, f"FP32 {output}"),
        ]
        edges += f" {first}:0-{first + 2}:0 {first + 1}:0-{first + 2}:1 {first + 2}:2-{first + 3}:0"
    return net(*layers, edges=edges)


def test_bytes_that_several_layers_take_are_one_mistake() -> None:
    text = reshapes("3,2", "3,4", "3,6").encode()
    assert check_file(text, i64(3, -1)).diagnostics == []
    [finding] = check_file(text, i64(3, 7)).diagnostics
    assert finding.message == (
        'Reshape layer 2 "reshaped0" has shape (3,7), but its declared output [3,2] needs (3,-1)'
    )
    assert finding.help == "write (3,-1) as little-endian i64 at byte 0 of the .bin"


def test_a_slice_whose_step_and_axes_are_the_same_bytes() -> None:
    layers = [
        parameter(0, "4,9", "f32", "FP32 4,9", "x"),
        constant(1, "1", "i64", 0, 8, "I64 1", "start"),
        constant(2, "1", "i64", 8, 8, "I64 1", "stop"),
        constant(3, "1", "i64", 16, 8, "I64 1", "one"),
        constant(4, "1", "i64", 16, 8, "I64 1", "one more"),
        layer(
            5,
            "Slice",
            "opset8",
            "",
            ("FP32 4,9", "I64 1", "I64 1", "I64 1", "I64 1"),
            ("FP32 4,5",),
            "part",
        ),
        result(6, "FP32 4,5"),
    ]
    edges = "0:0-5:0 1:0-5:1 2:0-5:2 3:0-5:3 4:0-5:4 5:5-6:0"
    text = net(*layers, edges=edges).encode()
    assert check_file(text, i64(2, 7, 1)).diagnostics == []
    [finding] = check_file(text, i64(2, 7, 1_000_000)).diagnostics
    assert finding.message == (
        'Slice layer 5 "part" has step 1000000, but its declared output [4,5] needs 1'
    )
