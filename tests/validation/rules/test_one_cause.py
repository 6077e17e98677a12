"""One cause is one finding: what follows from it is not told again."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from consequences import flattened
from openvino_verdicts import requires_openvino, verdicts
from small_models import constant, gather_elements, layer, net, parameter, result

from ovgather.validation.check import validate
from ovgather.validation.diagnostic import Diagnostic

FED = "0:0-2:0 1:0-2:1 2:2-3:0"


def around(middle: str, taken: str) -> bytes:
    data = parameter(0, "3,7", "f32", "FP32 3,7", "data")
    indices = parameter(1, "3,9", "i64", "I64 3,9", "indices")
    return net(data, indices, middle, result(3, f"FP32 {taken}"), edges=FED).encode()


def test_the_input_behind_a_wrong_output() -> None:
    assert [found.code for found in validate(around(gather_elements(output="3,8"), "3,9"))] == ["OVG203"]
    # Another dim than the inferred one is wrong by itself.
    assert [found.code for found in validate(around(gather_elements(output="3,8"), "3,5"))] == ["OVG203", "OVG206"]
    assert [found.code for found in validate(around(gather_elements(), "3,5"))] == ["OVG206"]


def test_a_layer_that_feeds_itself() -> None:
    text = around(gather_elements(), "3,9").replace(
        b'from-layer="1" from-port="0" to-layer="2"', b'from-layer="2" from-port="2" to-layer="2"'
    )
    assert [found.code for found in validate(text) if found.severity == "error"] == ["OVG304"]


def test_a_layer_that_is_there_twice() -> None:
    middle = gather_elements().replace(
        'precision="FP32"><dim>3</dim><dim>9</dim>', 'precision="FP32" names="a,b"><dim>3</dim><dim>9</dim>'
    )
    assert "names" in middle
    assert [found.code for found in validate(around(middle * 2, "3,9"))] == ["OVG109"]


def test_a_bin_that_is_cut_off() -> None:
    def findings(count: int) -> list[str]:
        layers = "".join(constant(k, "2", "f32", 8 * k, 8, "FP32 2", f"c{k}") for k in range(count))
        found = validate(net(layers, result(count, "FP32 2"), edges=f"0:0-{count}:0").encode(), bytes(12))
        return [item.message for item in found if item.code == "OVG402"]

    assert findings(3) == [
        "bytes 8 to 16 are beyond the .bin, which has 12: 4 too many",
        "bytes 16 to 24 are beyond the .bin, which has 12: 12 too many",
    ]
    assert findings(200) == ["bytes 8 to 16 are beyond the .bin, which has 12: 4 too many; so are 198 more constants"]


def test_a_bin_of_another_file() -> None:
    ports = ("FP32 2,2", "I64 3", "I64")
    layers = constant(2, "", "i64", 0, 8, "I64"), layer(9, "Gather", "opset8", "", ports, ("FP32 3,2",))
    text = net(*layers, edges="2:0-9:2").encode()
    for axis, expected in (
        (4223671413274950346, "does the .bin belong to this file?"),
        (2, "the declared output fits axis 0"),
    ):
        (found,) = [item for item in validate(text, struct.pack("<q", axis)) if item.code == "OVG104"]
        assert found.help == expected


def test_an_edge_from_nowhere_names_the_layer_that_it_feeds() -> None:
    text = net(gather_elements(), edges="7:0-2:0 2:2-8:0").encode()
    found = [item for item in validate(text) if item.code == "OVG302"]
    assert [item.layer.id if item.layer else None for item in found] == ["2", "2"]


def test_inputs_that_are_swapped() -> None:
    text = around(gather_elements(), "3,9").replace(
        b'to-layer="2" to-port="0"/><edge from-layer="1" from-port="0" to-layer="2" to-port="1"',
        b'to-layer="2" to-port="1"/><edge from-layer="1" from-port="0" to-layer="2" to-port="0"',
    )
    (found,) = validate(text)
    assert (found.code, found.openvino) == ("OVG308", "rejects")
    assert found.message == (
        'data and indices are swapped: port 0 is declared FP32 [3,7], but layer 1 "indices" gives it I64 [3,9], '
        "which port 1 is declared"
    )
    assert found.help == "exchange the to-port of the edges in lines 1 and 1"
    fix = found.fix()
    assert fix is not None
    assert fix.safe
    # Inputs that are alike cannot be told apart, and one that is wrong is not swapped with the other.
    assert "OVG308" not in [found.code for found in validate(around(gather_elements("3,9"), "3,9"))]


def test_an_edge_from_another_layer() -> None:
    """Its target takes what it cannot take, and nothing takes the output that it should come from."""
    indices, axis = constant(1, "3", "i64", 0, 24, "I64 3"), constant(2, "", "i64", 24, 8, "I64")
    ports, data, end = ("FP32 2,2", "I64 3", "I64"), parameter(0, "2,2", "f32", "FP32 2,2"), result(4, "FP32 3,2")
    pick = layer(3, "Gather", "opset8", "", ports, ("FP32 3,2",), "pick")
    for edges, code, consequences in (
        ("0:0-3:0 0:0-3:1 2:0-3:2 3:3-4:0", "OVG204", {"OVG206", "OVG305"}),
        ("0:0-3:0 1:0-3:1 0:0-3:2 3:3-4:0", "OVG104", {"OVG204", "OVG206", "OVG305", "OVG703"}),
        ("0:0-3:0 1:0-3:1 1:0-3:2 3:3-4:0", "OVG104", {"OVG305"}),
        ("0:0-3:0 2:0-3:1 2:0-3:2 3:3-4:0", "OVG203", {"OVG305"}),
    ):
        text = net(data, indices, axis, pick, end, edges=edges).encode()
        (found,) = validate(text, struct.pack("<4q", 0, 1, 1, 0))
        assert (found.code, {each.code for each in found.consequences}) == (code, consequences)


def test_an_output_of_a_wrong_type() -> None:
    """Only ports tell the type of the indices, and they contradict each other."""
    data, axis = parameter(0, "2,2", "f32", "FP32 2,2"), constant(2, "", "i64", 0, 8, "I64")
    order = layer(1, "Bucketize", "opset3", 'output_type="i64"', ("FP32 2,2",), ("FP32 2,2",), "order")
    ports = ("FP32 2,2", "I64 2,2", "I64")
    picks = [layer(k, "Gather", "opset8", "", ports, ("FP32 2,2,2",), f"pick{k}") for k in (3, 4)]
    ends = [result(k, "FP32 2,2,2") for k in (5, 6)]
    edges = "0:0-1:0 0:0-3:0 1:1-3:1 2:0-3:2 0:0-4:0 1:1-4:1 2:0-4:2 3:3-5:0 4:3-6:0"
    found, *others = validate(net(data, order, axis, *picks, *ends, edges=edges).encode(), bytes(8))
    assert others == []
    assert (found.code, found.severity, found.openvino) == ("OVG204", "error", "undefined")
    assert found.effect.endswith("rejects the layer if this one is right")
    assert [each.code for each in found.consequences] == ["OVG206", "OVG204"]


def test_an_axis_that_is_swapped_with_another_input() -> None:
    indices, axis = constant(1, "3", "i64", 0, 24, "I64 3"), constant(2, "", "i64", 24, 8, "I64")
    ports, data, end = ("FP32 2,2", "I64 3", "I64"), parameter(0, "2,2", "f32", "FP32 2,2"), result(4, "FP32 3,2")
    pick = layer(3, "Gather", "opset8", "", ports, ("FP32 3,2",), "pick")

    def findings(inputs: str) -> list[Diagnostic]:
        edges = [f"{source}:0-3:{port}" for port, source in enumerate(inputs)]
        text = net(data, indices, axis, pick, end, edges=" ".join((*edges, "3:3-4:0"))).encode()
        return list(validate(text, struct.pack("<4q", 0, 1, 1, 0)))

    assert findings("012") == []
    for inputs, message in (
        ("021", "indices and axis are swapped: port 1"),
        ("210", "data and axis are swapped: port 0"),
    ):
        (found,) = findings(inputs)
        assert (found.code, found.openvino, found.message[: len(message)]) == ("OVG308", "rejects", message)
        assert found.fix()
    assert "OVG308" not in [found.code for found in findings("120")]  # all three are wrong


def test_a_cycle_that_leaves_a_result_without_its_edge() -> None:
    (found,) = validate(around(gather_elements(), "3,9").replace(b'to-layer="3"', b'to-layer="2"'))
    assert (found.code, found.openvino) == ("OVG304", "rejects")
    assert [each.code for each in found.consequences] == ["OVG303"]


def test_an_id_that_is_given_twice() -> None:
    text = around(gather_elements(), "3,9").replace(b'<layer id="1"', b'<layer id="0"')
    (found,) = validate(text)
    assert (found.code, found.openvino) == ("OVG109", "rejects")
    assert found.consequences == []
    assert found.message == "layer id 0 is taken: layer 'data' has it"
    assert found.help == "edges name layer 1, which does not exist: is it one of the two?"
    # What goes astray for another reason is told.
    stray = text.replace(b'from-layer="2" from-port="2"', b'from-layer="2" from-port="5"')
    assert {found.code for found in flattened(validate(stray))} == {"OVG109", "OVG302"}


def test_a_port_whose_dims_are_misspelt() -> None:
    another, dims = parameter(4, "2", "f32", "FP32 2", "another").encode(), b"<dim>3</dim><dim>7</dim>"
    text = around(gather_elements(), "3,9").replace(b"</layers>", another + b"</layers>")
    found, _ = validate(text.replace(dims, b"<dims>3</dims>", 1))
    assert (found.code, [each.code for each in found.consequences]) == ("OVG009", ["OVG212"])
    found, _ = validate(text.replace(dims, b"", 1))
    # The consumer's port has the dims, so this port is wrong.
    assert (found.code, text.decode()[found.column - 1 :][:4]) == ("OVG212", "port")


def test_constants_that_are_too_long_overlap_nothing() -> None:
    layers = constant(0, "2", "f32", 0, 9, "FP32 2", "a"), constant(1, "2", "f32", 8, 8, "FP32 2", "b")
    text = net(*layers, result(2, "FP32 2"), result(3, "FP32 2"), edges="0:0-2:0 1:0-3:0").encode()
    assert [found.code for found in validate(text, bytes(16))] == ["OVG403"]


def test_a_batch_dims_that_is_too_large_in_two_ways() -> None:
    ports = ("FP32 2,2", "I64 3", "I64")
    layers = constant(2, "", "i64", 0, 8, "I64"), layer(9, "Gather", "opset8", 'batch_dims="2"', ports, ("FP32 3,2",))
    found = validate(net(*layers, edges="2:0-9:2").encode(), bytes(8))
    assert [item.code for item in found].count("OVG105") == 1


def foreign(weights: bytes) -> list[tuple[str, str, str]]:
    ports = ("FP32 2,2", "I64 3", "I64")
    indices, axis = constant(1, "3", "i64", 0, 24, "I64 3"), constant(2, "", "i64", 24, 8, "I64")
    data, end = parameter(0, "2,2", "f32", "FP32 2,2"), result(4, "FP32 3,2")
    pick = layer(3, "Gather", "opset8", "", ports, ("FP32 3,2",), "pick")
    text = net(data, indices, axis, pick, end, edges="0:0-3:0 1:0-3:1 2:0-3:2 3:3-4:0").encode()
    return [(found.code, found.severity, found.message) for found in validate(text, weights)]


def test_a_bin_that_belongs_to_another_file_is_one_finding() -> None:
    nonsense = struct.pack("<5q", *[10**12 + k for k in range(5)])
    assert foreign(nonsense) == [
        (
            "OVG407",
            "error",
            "the .bin belongs to another file: it has 40 bytes where the constants take 32, and this one would give "
            "layer 3 an axis that no tensor has",
        )
    ]
    assert [code for code, _, _ in foreign(nonsense[:32])] == ["OVG706", "OVG104"]


def test_a_bin_that_is_longer() -> None:
    assert foreign(bytes(32)) == []
    assert foreign(bytes(33)) == [
        ("OVG407", "note", "the .bin has 33 bytes, but the constants end at 32: 1 too many"),
    ]


def test_a_graph_without_edges() -> None:
    taker = "".join(result(number, "FP32 3,9") for number in range(4, 14))
    text = around(gather_elements(), "3,9").replace(b"</layers>", taker.encode() + b"</layers>")
    bare = text[: text.index(b"<edges>")] + b"</net>"
    (found,) = [found for found in validate(bare) if found.code == "OVG303"]
    assert found.message == "no edge feeds this or any other of 13 input ports: <net> has no edges"
    assert (found.layer.type if found.layer else "", found.openvino) == ("Result", "rejects")
    assert [found.code for found in validate(text)].count("OVG303") == 10


def test_ports_that_are_missing() -> None:
    middle = gather_elements()
    inputs = middle[middle.index("<input>") : middle.index("</input>") + 8]
    for ports in (inputs, inputs[inputs.index('<port id="1"') : inputs.index("</input>")]):
        assert [found.code for found in validate(around(middle.replace(ports, ""), "3,9"))] == ["OVG201"]


def test_a_layer_that_is_pasted_without_its_edges() -> None:
    copy = gather_elements().replace('id="2"', 'id="9"', 1).replace('name="', 'name="copy_', 1)
    text = around(gather_elements() + copy, "3,9")
    (found,) = [found for found in validate(text) if found.code == "OVG303"]
    assert [each.message for each in found.consequences] == ["no edge feeds input port 1"]


def test_an_edge_the_wrong_way_round() -> None:
    there = b'from-layer="0" from-port="0" to-layer="2" to-port="0"'
    back = b'from-layer="2" from-port="0" to-layer="0" to-port="0"'
    text = around(gather_elements(), "3,9").replace(there, back)
    (found,) = [found for found in validate(text) if found.code == "OVG302"]
    assert found.message == "reversed edge: port 0 of layer 2 is an input, port 0 of layer 0 an output"
    assert found.openvino == "rejects"


def test_ports_in_the_wrong_order() -> None:
    middle = gather_elements().replace('<port id="0"', "<port id='1'").replace('<port id="1"', '<port id="0"')
    found = validate(around(middle, "3,9"))
    assert [item.code for item in found] == ["OVG308"]
    assert [item.code for item in found[0].consequences] == ["OVG214"]
    assert found[0].consequences[0].help == "put the ports into the order of their ids"
    assert found[0].consequences[0].fix() is None


TWO_BRANCHES = net(
    parameter(0, "3,7", "f32", "FP32 3,7", "data"),
    parameter(1, "3,9", "i64", "I64 3,9", "indices"),
    gather_elements(),
    result(3, "FP32 3,9"),
    parameter(4, "3,7", "f32", "FP32 3,7", "image"),
    parameter(5, "2,7", "f32", "FP32 2,7", "more"),
    layer(6, "Concat", "opset1", 'axis="0"', ("FP32 3,7", "FP32 2,7"), ("FP32 5,7",), "join"),
    result(7, "FP32 5,7"),
    edges="0:0-2:0 1:0-2:1 2:2-3:0 4:0-6:0 5:0-6:1 6:2-7:0",
)
INTO_PICK, INTO_INDICES = 'from-port="0" to-layer="2" to-port="0"', 'from-port="0" to-layer="2" to-port="1"'
INTO_JOIN, FROM_PICK = 'from-port="0" to-layer="6" to-port="0"', 'from-layer="2" from-port="2"'
SECOND_PORT = TWO_BRANCHES[TWO_BRANCHES.index('<port id="1" precision="I64"') : TWO_BRANCHES.index("</input>")]
ONE_MISTAKE = {
    "an edge without to-layer": (INTO_PICK, INTO_PICK.replace(' to-layer="2"', ""), "OVG301"),
    "an edge with a misspelt attribute": (INTO_PICK, INTO_PICK.replace("to-port", "to_port"), "OVG301"),
    "an edge to no number": (INTO_PICK, INTO_PICK.replace('"2"', '"x"'), "OVG301"),
    "an edge to a missing layer": (INTO_PICK, INTO_PICK.replace('"2"', '"99"'), "OVG302"),
    "an edge to a missing port": (INTO_PICK, INTO_PICK.replace('to-port="0"', 'to-port="7"'), "OVG302"),
    "an edge to a layer without inputs": (INTO_PICK, INTO_PICK.replace('"2"', '"5"'), "OVG302"),
    "an edge to a port of another layer": (INTO_PICK, INTO_PICK.replace('"2"', '"6"'), "OVG303"),
    "an edge to another port": (INTO_INDICES, INTO_INDICES.replace('to-port="1"', 'to-port="0"'), "OVG303"),
    "an edge into its own layer": ('from-port="2" to-layer="3"', 'from-port="2" to-layer="2"', "OVG304"),
    "an id of a layer that no edge names": ('<layer id="2"', '<layer id="99"', "OVG302"),
    "an id of an output that no edge names": ('<output><port id="2"', '<output><port id="5"', "OVG302"),
    "an id of an input that no edge names": ('<input><port id="0"', '<input><port id="7"', "OVG302"),
    "an id of a port with a zero before it": (SECOND_PORT, SECOND_PORT.replace('id="1"', 'id="00"'), "OVG209"),
    "a port that is copied": (SECOND_PORT, SECOND_PORT * 2, "OVG201"),
    "edges that come second": ("<edges>", "<edges></edges><edges>", "OVG009"),
    "ports in another order": (SECOND_PORT + "</input>", "</input>", "OVG201"),
    "a Result that is misspelt": ('name="result" type="Result"', 'name="result" type="Resutl"', "OVG107"),
    "typographic quotes": ('type="GatherElements"', "type=\u201cGatherElements\u201d", "OVG002"),
    "a type whose case matters": ('type="Concat"', 'type="Conkat"', "OVG107"),
}
"""Texts, what somebody makes of them, and the one finding."""


@pytest.mark.parametrize("mistake", ONE_MISTAKE)
def test_one_mistake_is_one_finding(mistake: str) -> None:
    before, after, code = ONE_MISTAKE[mistake]
    assert before in TWO_BRANCHES
    found = validate(TWO_BRANCHES.replace(before, after, 1).encode())
    assert [each.code for each in found if each.severity != "note"] == [code], found


@pytest.mark.parametrize(
    ("edits", "codes"),
    [
        ([(INTO_PICK, INTO_PICK.replace('"2"', '"x"')), (INTO_JOIN, None)], ["OVG303", "OVG301"]),
        ([(INTO_PICK, INTO_PICK.replace('"2"', '"x"')), (INTO_INDICES, None)], ["OVG303", "OVG301"]),
        ([(INTO_PICK, INTO_PICK.replace('"2"', '"99"')), (INTO_JOIN, None)], ["OVG303", "OVG302"]),
        ([(INTO_PICK, INTO_PICK.replace('"2"', '"6"')), (FROM_PICK, None)], ["OVG303", "OVG303"]),
        (
            [(INTO_PICK, INTO_PICK.replace("to-port", "to_port")), (INTO_JOIN, INTO_JOIN.replace('"6"', '"99"'))],
            ["OVG301", "OVG302"],
        ),
        ([(INTO_PICK, INTO_PICK.replace('"2"', '"x"')), (SECOND_PORT, SECOND_PORT * 2)], ["OVG201", "OVG301"]),
        ([('type="Result"', 'type="Resutl"'), (INTO_JOIN, None)], ["OVG107", "OVG303"]),
        ([('type="Concat" version="opset1"', 'type="CONCAT" version="opset99"')], ["OVG108", "OVG107"]),
    ],
)
def test_two_mistakes_are_two_findings(edits: list[tuple[str, str | None]], codes: list[str]) -> None:
    text = TWO_BRANCHES
    for before, after in edits:
        start = text.rindex("<edge ", 0, text.index(before)) if after is None else text.index(before)
        end = text.index("/>", start) + 2 if after is None else start + len(before)
        text = text[:start] + (after or "") + text[end:]
    found = validate(text.encode())
    assert [each.code for each in found if each.severity != "note"] == codes, found


def test_an_edge_that_leads_astray_names_the_input_that_lacks_it() -> None:
    before, after, _ = ONE_MISTAKE["an edge to a port of another layer"]
    (found,) = [each for each in validate(TWO_BRANCHES.replace(before, after).encode()) if each.severity != "note"]
    assert found.message == "a second edge feeds input port 0 of layer 6"
    assert found.help == 'no edge feeds input port 0 of GatherElements-6 "pick" (layer 2): is it meant?'
    assert [each.message for each in found.related] == ["the other edge", "no edge feeds input port 0"]


def test_the_last_edge_into_a_concat() -> None:
    text = TWO_BRANCHES.replace('<edge from-layer="5" from-port="0" to-layer="6" to-port="1"/>', "")
    for version, severity, verdict in ((11, "error", "rejects"), (10, "warning", "accepts")):
        found = validate(text.replace('version="11"', f'version="{version}"').encode())
        (finding,) = [each for each in found if each.code == "OVG303"]
        assert (finding.severity, finding.openvino) == (severity, verdict)


def test_a_port_that_is_copied_in_an_old_version() -> None:
    port = '<port id="1" precision="FP32"><dim>2</dim><dim>7</dim></port>'
    for old, version, severity, verdict in ((port, 11, "error", "rejects"), (port, 10, "warning", "accepts")):
        text = TWO_BRANCHES.replace(old, old * 2).replace('version="11"', f'version="{version}"')
        (finding,) = [each for each in validate(text.encode()) if each.code == "OVG209"]
        assert (finding.severity, finding.openvino) == (severity, verdict)


def test_data_and_a_scalar_index_that_are_swapped() -> None:
    layers = (
        parameter(0, "4", "i64", "I64 4", "dims"),
        constant(1, "", "i64", 0, 8, "I64", "index"),
        constant(2, "", "i64", 8, 8, "I64", "axis"),
        layer(3, "Gather", "opset8", "", ("I64 4", "I64", "I64"), ("I64",), "pick"),
        result(4, "I64"),
    )
    right = "0:0-3:0 1:0-3:1 2:0-3:2 3:3-4:0"
    assert not validate(net(*layers, edges=right).encode(), bytes(16))
    (found,) = validate(net(*layers, edges=right.replace("0:0-3:0 1:0-3:1", "0:0-3:1 1:0-3:0")).encode(), bytes(16))
    assert (found.code, found.openvino) == ("OVG308", "rejects")


def test_a_layer_that_would_kill_the_process_for_want_of_the_edge() -> None:
    layers = (
        parameter(0, "3", "f32", "FP32 3", "data"),
        parameter(1, "1", "i64", "I64 1", "shape"),
        layer(2, "Broadcast", "opset1", 'mode="numpy"', ("FP32 3", "I64 1"), ("FP32 3",), "wide"),
        result(3, "FP32 3"),
    )
    text = net(*layers, edges="0:0-2:0 1:0-2:1 2:2-3:0")
    assert not validate(text.encode())
    astray = 'from-layer="1" from-port="0" to-layer="2"'
    (found,) = validate(text.replace(astray, astray.replace("to-layer", "to_layer")).encode())
    assert (found.code, found.openvino) == ("OVG301", "crashes")
    assert {each.code for each in found.consequences} == {"OVG303", "OVG707"}


def test_typographic_quotes_can_be_fixed() -> None:
    before, after, _ = ONE_MISTAKE["typographic quotes"]
    (found,) = validate(TWO_BRANCHES.replace(before, after).encode())
    fix = found.fix()
    assert fix is not None
    assert (fix.safe, [edit.inserted for edit in fix.edits]) == (True, [b'"GatherElements"'])


def test_layers_in_capitals_are_one_finding() -> None:
    (found,) = validate(TWO_BRANCHES.replace("layers>", "LAYERS>").encode())
    assert (found.code, found.severity, found.help) == ("OVG009", "error", "did you mean <layers>?")
    assert [related.message for related in found.related] == [
        "the model has no layers",
        "6 edges, but <net> has no layers",
    ]


COLLISIONS = [
    ("", "", 3, []),
    ("", "x", 1, []),
    ("", "x", 2, ["OVG111"]),
    ("", "x", 3, ["OVG111"]),
    ("x", "x", 1, ["OVG213"]),  # OpenVINO renames one of the two
    ("x", "data", 1, ["OVG111"]),
    ("pick", "", 1, ["OVG111"]),
    ("pick", "pick", 1, ["OVG111", "OVG213"]),
]
"""Tensor names of the Parameter "data" and of the layer "pick", which so many Results take, and the findings."""


def collision(data: str, pick: str, results: int) -> bytes:
    layers = [
        parameter(0, "3", "f32", "FP32 3", "data").replace('<port id="0"', f'<port id="0" names="{data}"'),
        layer(1, "ReLU", "opset1", "", ("FP32 3",), ("FP32 3",), "pick").replace(
            'id="1" p', f'id="1" names="{pick}" p'
        ),
    ]
    ends = range(2, 2 + results)
    edges = " ".join(["0:0-1:0", *(f"1:1-{end}:0" for end in ends)])
    return net(*layers, *(result(end, "FP32 3") for end in ends), edges=edges, version="10").encode()


@pytest.mark.parametrize(("data", "pick", "results", "codes"), COLLISIONS)
def test_names_that_collide_in_an_ir_v10(data: str, pick: str, results: int, codes: list[str]) -> None:
    assert [found.code for found in validate(collision(data, pick, results))] == codes


@requires_openvino
def test_openvino_agrees_on_names_that_collide(tmp_path: Path) -> None:
    paths = {tmp_path / f"{number}.xml": case for number, case in enumerate(COLLISIONS)}
    for path, case in paths.items():
        path.write_bytes(collision(*case[:3]))
    judged = verdicts([str(path) for path in paths])
    assert [judged[str(path)].read for path in paths] == ["OVG111" not in case[3] for case in paths.values()]


def test_an_axis_that_is_no_const_is_not_what_a_swap_gives() -> None:
    """Three edges one place on: the data and the indices look swapped, and the axis is a Parameter then."""
    data, axis = parameter(0, "3,4,5", "f32", "FP32 3,4,5"), constant(2, "", "i32", 0, 4, "I32")
    indices, end = parameter(1, "", "i32", "I32"), result(4, "FP32 4,5")
    pick = layer(3, "Gather", "opset8", "", ("FP32 3,4,5", "I32", "I32"), ("FP32 4,5",), "pick")
    text = net(data, indices, axis, pick, end, edges="2:0-3:0 0:0-3:1 1:0-3:2 3:3-4:0").encode()
    (found,) = validate(text, bytes(4))
    assert (found.code, found.help) == ("OVG308", "the axis would not be a Const: all three edges may be wrong")
    assert found.fix() is None


def test_a_swap_that_takes_the_axis_from_a_parameter() -> None:
    data, axis = parameter(0, "3,4", "f32", "FP32 3,4"), constant(2, "", "i64", 0, 8, "I64")
    indices, end = parameter(1, "1", "i64", "I64 1"), result(4, "FP32 1,4")
    for version, verdict in (("opset8", "rejects_on_compile"), ("opset1", "undefined")):
        pick = layer(3, "Gather", version, "", ("FP32 3,4", "I64 1", "I64"), ("FP32 1,4",), "pick")
        text = net(data, indices, axis, pick, end, edges="0:0-3:0 2:0-3:1 1:0-3:2 3:3-4:0").encode()
        (found,) = validate(text, bytes(8))
        assert (found.code, found.openvino) == ("OVG308", verdict)


def test_what_is_not_read_does_not_crash_later() -> None:
    data, axis = parameter(0, "3,4", "f32", "FP32 3,4"), parameter(2, "2", "i64", "I64 2")
    indices, end = parameter(1, "2", "i64", "I64 2"), result(4, "FP32 2,4")
    pick = layer(3, "Gather", "opset1", "", ("FP32 3,4", "I64 2", "I64 2"), ("FP32 2,4",), "pick")
    (found,) = validate(net(data, indices, axis, pick, end, edges="0:0-3:0 1:0-3:1 2:0-3:2 3:3-4:0").encode())
    assert (found.code, found.openvino) == ("OVG104", "rejects")
    assert [each.code for each in found.consequences] == ["OVG703"]
