"""One cause is one finding: what follows from it is not told again."""

from __future__ import annotations

import struct

from consequences import flattened
from small_models import constant, gather_elements, layer, net, parameter, result, whole

from ovgather.validation.api import validate


def test_the_input_behind_a_wrong_output() -> None:
    assert [
        found.code for found in validate(whole(gather_elements(output="3,8")).encode())
    ] == ["OVG203"]
    # Another dim than the inferred one is wrong by itself.
    assert [
        found.code
        for found in validate(
            whole(gather_elements(output="3,8"), output="3,5").encode()
        )
    ] == [
        "OVG203",
        "OVG206",
    ]
    assert [
        found.code
        for found in validate(whole(gather_elements(), output="3,5").encode())
    ] == ["OVG206"]


def test_a_layer_that_feeds_itself() -> None:
    text = (
        whole(gather_elements())
        .encode()
        .replace(
            b'from-layer="1" from-port="0" to-layer="2"',
            b'from-layer="2" from-port="2" to-layer="2"',
        )
    )
    assert [found.code for found in validate(text) if found.severity == "error"] == [
        "OVG304"
    ]


def test_a_layer_that_is_there_twice() -> None:
    middle = gather_elements().replace(
        'precision="FP32"><dim>3</dim><dim>9</dim>',
        'precision="FP32" names="a,b"><dim>3</dim><dim>9</dim>',
    )
    assert "names" in middle
    assert [found.code for found in validate(whole(middle * 2).encode())] == ["OVG109"]


def test_a_bin_that_is_cut_off() -> None:
    def findings(count: int) -> list[str]:
        layers = "".join(
            constant(k, "2", "f32", 8 * k, 8, "FP32 2", f"c{k}") for k in range(count)
        )
        found = validate(
            net(layers, result(count, "FP32 2"), edges=f"0:0-{count}:0").encode(),
            bytes(12),
        )
        return [item.message for item in found if item.code == "OVG402"]

    message = "the .bin is truncated: it has 12 bytes, but the constants need {}: {} are missing"
    assert findings(3) == [message.format(24, 12)]
    assert findings(200) == [message.format(1600, 1588)]


def test_a_bin_of_another_file() -> None:
    ports = ("FP32 2,2", "I64 3", "I64")
    layers = (
        constant(2, "", "i64", 0, 8, "I64"),
        layer(9, "Gather", "opset8", "", ports, ("FP32 3,2",)),
    )
    text = net(*layers, edges="2:0-9:2").encode()
    for axis, expected in (
        (4223671413274950346, "does the .bin belong to this file?"),
        (2, None),
    ):
        (found,) = [
            item
            for item in validate(text, struct.pack("<q", axis))
            if item.code == "OVG104"
        ]
        assert found.help == expected


def test_an_edge_from_nowhere_names_the_layer_that_it_feeds() -> None:
    text = net(gather_elements(), edges="7:0-2:0 2:2-8:0").encode()
    found = [
        item for item in flattened(validate(text)) if item.message.startswith("edge ")
    ]
    assert [item.layer.id if item.layer else None for item in found] == ["2", "2"]


def test_an_edge_from_another_layer() -> None:
    """Its target takes what it cannot take, and nothing takes the output that it should come from."""
    indices, axis = (
        constant(1, "3", "i64", 0, 24, "I64 3"),
        constant(2, "", "i64", 24, 8, "I64"),
    )
    ports, data, end = (
        ("FP32 2,2", "I64 3", "I64"),
        parameter(0, "2,2", "f32", "FP32 2,2"),
        result(4, "FP32 3,2"),
    )
    pick = layer(3, "Gather", "opset8", "", ports, ("FP32 3,2",), "pick")
    for edges, code, consequences in (
        (
            "0:0-3:0 0:0-3:1 2:0-3:2 3:3-4:0",
            "OVG204",
            {"OVG203", "OVG204", "OVG206", "OVG305"},
        ),
        (
            "0:0-3:0 1:0-3:1 0:0-3:2 3:3-4:0",
            "OVG104",
            {"OVG104", "OVG204", "OVG206", "OVG305"},
        ),
        ("0:0-3:0 1:0-3:1 1:0-3:2 3:3-4:0", "OVG104", {"OVG104", "OVG305"}),
        ("0:0-3:0 2:0-3:1 2:0-3:2 3:3-4:0", "OVG203", {"OVG203", "OVG305"}),
    ):
        text = net(data, indices, axis, pick, end, edges=edges).encode()
        (found,) = validate(text, struct.pack("<4q", 0, 1, 1, 0))
        assert (found.code, {each.code for each in found.consequences}) == (
            code,
            consequences,
        )


def test_an_output_of_a_wrong_type() -> None:
    """Only ports tell the type of the indices, and they contradict each other."""
    data, axis = (
        parameter(0, "2,2", "f32", "FP32 2,2"),
        constant(2, "", "i64", 0, 8, "I64"),
    )
    order = layer(1, "Vendor", "extension", "", ("FP32 2,2",), ("FP32 2,2",), "order")
    ports = ("FP32 2,2", "I64 2,2", "I64")
    picks = [
        layer(k, "Gather", "opset8", "", ports, ("FP32 2,2,2",), f"pick{k}")
        for k in (3, 4)
    ]
    ends = [result(k, "FP32 2,2,2") for k in (5, 6)]
    edges = "0:0-1:0 0:0-3:0 1:1-3:1 2:0-3:2 0:0-4:0 1:1-4:1 2:0-4:2 3:3-5:0 4:3-6:0"
    other, found = validate(
        net(data, order, axis, *picks, *ends, edges=edges).encode(), bytes(8)
    )
    assert other.code == "OVG107"
    assert (found.code, found.severity, found.openvino) == (
        "OVG206",
        "error",
        "undefined",
    )
    assert found.effect.endswith("rejects the layer if this one is right")
    assert [each.code for each in found.consequences] == ["OVG204", "OVG204"]
    fix = found.fix()
    assert fix is not None
    assert fix.what == "output port 0 is I64"


def test_a_cycle_that_leaves_a_result_without_its_edge() -> None:
    (found,) = validate(
        whole(gather_elements()).encode().replace(b'to-layer="3"', b'to-layer="2"')
    )
    assert (found.code, found.openvino) == ("OVG304", "rejects")
    assert {each.code for each in found.consequences} == {"OVG206", "OVG303", "OVG304"}
    assert found.help == 'set to-layer="3"'


def test_an_id_that_is_given_twice() -> None:
    text = whole(gather_elements()).encode().replace(b'<layer id="1"', b'<layer id="0"')
    (found,) = validate(text)
    assert (found.code, found.openvino) == ("OVG109", "rejects")
    assert (
        found.message == 'the id of layer 0 "indices" is wrong: edges call it layer 1'
    )
    fix = found.fix()
    assert fix is not None
    assert fix.what == "the id of the layer is 1"
    # What goes astray for another reason is told.
    stray = text.replace(
        b'from-layer="2" from-port="2"', b'from-layer="2" from-port="5"'
    )
    assert {found.code for found in flattened(validate(stray))} >= {"OVG109", "OVG302"}


def test_a_port_whose_dims_are_misspelt() -> None:
    another, dims = (
        parameter(4, "2", "f32", "FP32 2", "another").encode(),
        b"<dim>3</dim><dim>7</dim>",
    )
    text = (
        whole(gather_elements()).encode().replace(b"</layers>", another + b"</layers>")
    )
    found, _ = validate(
        text.replace(b"<dim>3</dim><dim>7</dim>", b"<dims>3</dims><dim>7</dim>", 1)
    )
    assert (found.code, [each.code for each in found.consequences]) == (
        "OVG009",
        ["OVG212", "OVG206"],
    )
    found, _ = validate(text.replace(dims, b"", 1))
    # The consumer's port has the dims, so this port is wrong.
    assert (found.code, text.decode()[found.column - 1 :][:4]) == ("OVG212", "port")


def test_constants_that_are_too_long_overlap_nothing() -> None:
    layers = (
        constant(0, "2", "f32", 0, 9, "FP32 2", "a"),
        constant(1, "2", "f32", 8, 8, "FP32 2", "b"),
    )
    text = net(
        *layers, result(2, "FP32 2"), result(3, "FP32 2"), edges="0:0-2:0 1:0-3:0"
    ).encode()
    assert [found.code for found in validate(text, bytes(16))] == ["OVG403"]


def test_a_batch_dims_that_is_too_large_in_two_ways() -> None:
    ports = ("FP32 2,2", "I64 3", "I64")
    layers = (
        constant(2, "", "i64", 0, 8, "I64"),
        layer(9, "Gather", "opset8", 'batch_dims="2"', ports, ("FP32 3,2",)),
    )
    found = validate(net(*layers, edges="2:0-9:2").encode(), bytes(8))
    assert [item.code for item in found].count("OVG105") == 1


def foreign(weights: bytes) -> list[tuple[str, str, str]]:
    ports = ("FP32 2,2", "I64 3", "I64")
    indices, axis = (
        constant(1, "3", "i64", 0, 24, "I64 3"),
        constant(2, "", "i64", 24, 8, "I64"),
    )
    data, end = parameter(0, "2,2", "f32", "FP32 2,2"), result(4, "FP32 3,2")
    pick = layer(3, "Gather", "opset8", "", ports, ("FP32 3,2",), "pick")
    text = net(
        data, indices, axis, pick, end, edges="0:0-3:0 1:0-3:1 2:0-3:2 3:3-4:0"
    ).encode()
    return [
        (found.code, found.severity, found.message) for found in validate(text, weights)
    ]


def test_a_bin_that_belongs_to_another_file_is_one_finding() -> None:
    nonsense = struct.pack("<5q", *[10**12 + k for k in range(5)])
    assert foreign(nonsense) == [
        (
            "OVG407",
            "error",
            "the .bin belongs to another model: it has 40 bytes, but the constants need 32, and the bytes at this "
            "offset would give layer 3 an axis that no tensor has",
        )
    ]
    assert [code for code, _, _ in foreign(nonsense[:32])] == ["OVG706", "OVG104"]


def test_a_bin_that_is_longer() -> None:
    assert foreign(bytes(32)) == []
    assert foreign(bytes(33)) == [
        (
            "OVG407",
            "note",
            "the .bin has 33 bytes, but the constants end at 32: 1 too many",
        ),
    ]


def test_a_graph_without_edges() -> None:
    taker = "".join(result(number, "FP32 3,9") for number in range(4, 14))
    text = (
        whole(gather_elements())
        .encode()
        .replace(b"</layers>", taker.encode() + b"</layers>")
    )
    bare = text[: text.index(b"<edges>")] + b"</net>"
    (found,) = [found for found in validate(bare) if found.code == "OVG303"]
    assert found.message == "the <edges> are missing: nothing connects the 14 layers"
    assert (found.layer.type if found.layer else "", found.openvino) == (
        "Result",
        "rejects",
    )
    (found,) = validate(text)
    assert (found.message, len(found.consequences)) == ("10 edges are missing", 10)


def test_ports_that_are_missing() -> None:
    middle = gather_elements()
    inputs = middle[middle.index("<input>") : middle.index("</input>") + 8]
    for ports in (
        inputs,
        inputs[inputs.index('<port id="1"') : inputs.index("</input>")],
    ):
        assert [
            found.code for found in validate(whole(middle.replace(ports, "")).encode())
        ] == ["OVG201"]


def test_a_layer_that_is_pasted_without_its_edges() -> None:
    copy = (
        gather_elements()
        .replace('id="2"', 'id="9"', 1)
        .replace('name="', 'name="copy_', 1)
    )
    text = whole(gather_elements() + copy).encode()
    (found,) = [found for found in validate(text) if found.code == "OVG303"]
    assert [each.code for each in found.consequences] == ["OVG303"]


def test_an_edge_the_wrong_way_round() -> None:
    there = b'from-layer="0" from-port="0" to-layer="2" to-port="0"'
    back = b'from-layer="2" from-port="0" to-layer="0" to-port="0"'
    text = whole(gather_elements()).encode().replace(there, back)
    (found,) = [found for found in validate(text) if found.code == "OVG302"]
    assert (
        found.message == 'source and target are swapped in the edge into layer 2 "pick"'
    )
    assert found.openvino == "rejects"


def test_a_layer_without_an_edge_kills_no_process_that_stops_at_the_edge() -> None:
    layers = (
        parameter(0, "3", "f32", "FP32 3", "data"),
        parameter(1, "1", "i64", "I64 1", "shape"),
        layer(
            2,
            "Broadcast",
            "opset1",
            'mode="numpy"',
            ("FP32 3", "I64 1"),
            ("FP32 3",),
            "wide",
        ),
        result(3, "FP32 3"),
    )
    text = net(*layers, edges="0:0-2:0 1:0-2:1 2:2-3:0")
    assert not validate(text.encode())
    astray = 'from-layer="1" from-port="0" to-layer="2"'
    (found,) = validate(
        text.replace(astray, astray.replace("to-layer", "to_layer")).encode()
    )
    assert (found.code, found.openvino) == ("OVG301", "rejects")
    assert {each.code for each in found.consequences} >= {"OVG303", "OVG707"}


def test_what_is_not_read_does_not_crash_later() -> None:
    data, axis = (
        parameter(0, "3,4", "f32", "FP32 3,4"),
        parameter(2, "2", "i64", "I64 2"),
    )
    indices, end = parameter(1, "2", "i64", "I64 2"), result(4, "FP32 2,4")
    pick = layer(
        3, "Gather", "opset1", "", ("FP32 3,4", "I64 2", "I64 2"), ("FP32 2,4",), "pick"
    )
    (found,) = validate(
        net(
            data, indices, axis, pick, end, edges="0:0-3:0 1:0-3:1 2:0-3:2 3:3-4:0"
        ).encode()
    )
    assert (found.code, found.openvino) == ("OVG104", "rejects")
