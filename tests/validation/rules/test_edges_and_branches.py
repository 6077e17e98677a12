"""One mistake in a graph of two branches is one finding, and two are two."""

from __future__ import annotations

import pytest
from small_models import gather_elements, layer, net, parameter, result

from ovgather.validation.api import validate

TWO_BRANCHES = net(
    parameter(0, "3,7", "f32", "FP32 3,7", "data"),
    parameter(1, "3,9", "i64", "I64 3,9", "indices"),
    gather_elements(),
    result(3, "FP32 3,9"),
    parameter(4, "3,7", "f32", "FP32 3,7", "image"),
    parameter(5, "2,7", "f32", "FP32 2,7", "more"),
    layer(
        6,
        "Concat",
        "opset1",
        'axis="0"',
        ("FP32 3,7", "FP32 2,7"),
        ("FP32 5,7",),
        "join",
    ),
    result(7, "FP32 5,7"),
    edges="0:0-2:0 1:0-2:1 2:2-3:0 4:0-6:0 5:0-6:1 6:2-7:0",
)
INTO_PICK, INTO_INDICES = (
    'from-port="0" to-layer="2" to-port="0"',
    'from-port="0" to-layer="2" to-port="1"',
)
INTO_JOIN, FROM_PICK = (
    'from-port="0" to-layer="6" to-port="0"',
    'from-layer="2" from-port="2"',
)
SECOND_PORT = TWO_BRANCHES[
    TWO_BRANCHES.index('<port id="1" precision="I64"') : TWO_BRANCHES.index("</input>")
]
ONE_MISTAKE = {
    "an edge without to-layer": (
        INTO_PICK,
        INTO_PICK.replace(' to-layer="2"', ""),
        "OVG301",
    ),
    "an edge with a misspelt attribute": (
        INTO_PICK,
        INTO_PICK.replace("to-port", "to_port"),
        "OVG301",
    ),
    "an edge to no number": (INTO_PICK, INTO_PICK.replace('"2"', '"x"'), "OVG301"),
    "an edge to a missing layer": (
        INTO_PICK,
        INTO_PICK.replace('"2"', '"99"'),
        "OVG302",
    ),
    "an edge to a missing port": (
        INTO_PICK,
        INTO_PICK.replace('to-port="0"', 'to-port="7"'),
        "OVG302",
    ),
    "an edge to a layer without inputs": (
        INTO_PICK,
        INTO_PICK.replace('"2"', '"5"'),
        "OVG303",
    ),
    "an edge to a port of another layer": (
        INTO_PICK,
        INTO_PICK.replace('"2"', '"6"'),
        "OVG303",
    ),
    "an edge to another port": (
        INTO_INDICES,
        INTO_INDICES.replace('to-port="1"', 'to-port="0"'),
        "OVG303",
    ),
    "an edge into its own layer": (
        'from-port="2" to-layer="3"',
        'from-port="2" to-layer="2"',
        "OVG304",
    ),
    "an id of a layer that no edge names": (
        '<layer id="2"',
        '<layer id="99"',
        "OVG303",
    ),
    "an id of an output that no edge names": (
        '<output><port id="2"',
        '<output><port id="5"',
        "OVG302",
    ),
    "an id of an input that no edge names": (
        '<input><port id="0"',
        '<input><port id="7"',
        "OVG303",
    ),
    "an id of a port with a zero before it": (
        SECOND_PORT,
        SECOND_PORT.replace('id="1"', 'id="00"'),
        "OVG209",
    ),
    "a port that is copied": (SECOND_PORT, SECOND_PORT * 2, "OVG201"),
    "edges that come second": ("<edges>", "<edges></edges><edges>", "OVG009"),
    "ports in another order": (SECOND_PORT + "</input>", "</input>", "OVG201"),
    "a Result that is misspelt": (
        'name="result" type="Result"',
        'name="result" type="Resutl"',
        "OVG107",
    ),
    "typographic quotes": (
        'type="GatherElements"',
        "type=\u201cGatherElements\u201d",
        "OVG002",
    ),
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
        (
            [(INTO_PICK, INTO_PICK.replace('"2"', '"x"')), (INTO_JOIN, None)],
            ["OVG303", "OVG301"],
        ),
        (
            [(INTO_PICK, INTO_PICK.replace('"2"', '"x"')), (INTO_INDICES, None)],
            ["OVG303", "OVG301"],
        ),
        (
            [(INTO_PICK, INTO_PICK.replace('"2"', '"99"')), (INTO_JOIN, None)],
            ["OVG303", "OVG302"],
        ),
        (
            [(INTO_PICK, INTO_PICK.replace('"2"', '"6"')), (FROM_PICK, None)],
            ["OVG303", "OVG303"],
        ),
        (
            [
                (INTO_PICK, INTO_PICK.replace("to-port", "to_port")),
                (INTO_JOIN, INTO_JOIN.replace('"6"', '"99"')),
            ],
            ["OVG301", "OVG302"],
        ),
        (
            [
                (INTO_PICK, INTO_PICK.replace('"2"', '"x"')),
                (SECOND_PORT, SECOND_PORT * 2),
            ],
            ["OVG201", "OVG301"],
        ),
        ([('type="Result"', 'type="Resutl"'), (INTO_JOIN, None)], ["OVG107", "OVG303"]),
        (
            [('type="Concat" version="opset1"', 'type="CONCAT" version="opset99"')],
            ["OVG108", "OVG107"],
        ),
    ],
)
def test_two_mistakes_are_two_findings(
    edits: list[tuple[str, str | None]], codes: list[str]
) -> None:
    text = TWO_BRANCHES
    for before, after in edits:
        start = (
            text.rindex("<edge ", 0, text.index(before))
            if after is None
            else text.index(before)
        )
        end = text.index("/>", start) + 2 if after is None else start + len(before)
        text = text[:start] + (after or "") + text[end:]
    found = validate(text.encode())
    assert [each.code for each in found if each.severity != "note"] == codes, found


def test_an_edge_that_leads_astray_names_the_input_that_lacks_it() -> None:
    before, after, _ = ONE_MISTAKE["an edge to a port of another layer"]
    (found,) = [
        each
        for each in validate(TWO_BRANCHES.replace(before, after).encode())
        if each.severity != "note"
    ]
    assert found.message == (
        'the edge from layer 0 "data" leads to port 0 of layer 6, and input 0 of layer 2 "pick" has no edge'
    )
    assert found.help == (
        "either the edge from layer 0 leads to layer 2, port 0 or the edge from layer 4 leads to layer 2, port 0"
    )


def test_the_last_edge_into_a_concat() -> None:
    text = TWO_BRANCHES.replace(
        '<edge from-layer="5" from-port="0" to-layer="6" to-port="1"/>', ""
    )
    for version, severity, verdict in (
        (11, "error", "rejects"),
        (10, "error", "accepts"),
    ):
        found = validate(text.replace('version="11"', f'version="{version}"').encode())
        (finding,) = [each for each in found if each.code == "OVG303"]
        assert (finding.severity, finding.openvino) == (severity, verdict)


def test_a_port_that_is_copied_in_an_old_version() -> None:
    port = '<port id="1" precision="FP32"><dim>2</dim><dim>7</dim></port>'
    for old, version, severity, verdict in (
        (port, 11, "error", "rejects"),
        (port, 10, "warning", "accepts"),
    ):
        text = TWO_BRANCHES.replace(old, old * 2).replace(
            'version="11"', f'version="{version}"'
        )
        (finding,) = [each for each in validate(text.encode()) if each.code == "OVG209"]
        assert (finding.severity, finding.openvino) == (severity, verdict)


def test_typographic_quotes_can_be_fixed() -> None:
    before, after, _ = ONE_MISTAKE["typographic quotes"]
    (found,) = validate(TWO_BRANCHES.replace(before, after).encode())
    fix = found.fix()
    assert fix is not None
    assert (fix.safe, [edit.inserted for edit in fix.edits]) == (
        True,
        [b'"GatherElements"'],
    )


def test_layers_in_capitals_are_one_finding() -> None:
    (found,) = validate(TWO_BRANCHES.replace("layers>", "LAYERS>").encode())
    assert (found.code, found.severity, found.help) == (
        "OVG009",
        "error",
        "did you mean <layers>?",
    )
    assert [related.message for related in found.related] == [
        "the model has no layers",
        "6 edges, but <net> has no layers",
    ]
