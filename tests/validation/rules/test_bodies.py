"""Bodies of an If and of a Loop, as OpenVINO writes them, with one thing changed: findings, and what OpenVINO does."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from consequences import of_rules
from openvino_verdicts import Verdict, requires_openvino, verdicts
from paths import DATA, SAMPLES

from ovgather.validation.api import validate
from ovgather.validation.diagnostic import Diagnostic
from ovgather.validation.fixes.fix import fix
from ovgather.validation.plan import Plan

BODIES = DATA / "bodies"
DEMO = SAMPLES / "demo"
FILES = {"if": BODIES / "if.xml", "loop": BODIES / "loop.xml"}
FILES |= {"slices": DEMO / "tensor_iterator.xml", "nested": DEMO / "nested.xml"}
TEXTS = {name: path.read_text(encoding="utf-8") for name, path in FILES.items()}
TAKES = '<input external_port_id="2" internal_layer_id="1" />'
COUNTS = (
    '<input external_port_id="-1" internal_layer_id="0" purpose="current_iteration" />'
)
ENDS = '<output external_port_id="-1" internal_layer_id="7" purpose="execution_condition" />'
BACK = '<edge from-layer="8" to-layer="1" />'
GIVES = '<output external_port_id="2" internal_layer_id="2" />'


def element(name: str, of: str = "if") -> str:
    found = re.search(f"<{name}>.*?</{name}>", TEXTS[of], re.DOTALL)
    assert found
    return found[0]


# What is replaced by what, the first time it comes; the message, and what OpenVINO does.
IF = [
    ("", "", None, "accepts"),
    (
        element("else_port_map"),
        "",
        "output port 2 is in no entry of <else_port_map>",
        "rejects",
    ),
    (element("then_body"), "", "If without <then_body>", "rejects"),
    (
        element("then_port_map"),
        element("then_port_map").replace("then_port_map", "port_map"),
        "output port 2 is in no entry of <then_port_map>",
        "rejects",
    ),
    (
        'port_id="1"',
        'port_id="9"',
        "external_port_id 9: the layer has 2 input ports, counted from 0",
        "rejects",
    ),
    (
        'port_id="1"',
        'port_id="-1"',
        "external_port_id -1 is not an input port",
        "accepts",
    ),
    (
        'layer_id="0"',
        'layer_id="9"',
        "internal_layer_id 9 is not a layer of <else_body>",
        "rejects",
    ),
    (
        'layer_id="0"',
        'layer_id="1"',
        'internal_layer_id 1 is Abs "Abs_7" of <else_body>, but must be a Parameter',
        "rejects",
    ),
    (
        GIVES,
        GIVES.replace('"2" int', '"9" int'),
        "external_port_id 9 is not an output port of the layer: these are 2",
        "accepts",
    ),
    (GIVES, GIVES.replace('"2" int', '"0" int'), None, "accepts"),
    (GIVES, "", "output port 2 is in no entry of <else_port_map>", "rejects"),
    (
        '<input external_port_id="1" internal_layer_id="0" />',
        "",
        "no entry of <else_port_map> gives this Parameter a value",
        "accepts",
    ),
]
LOOP = [
    ("", "", None, "accepts"),
    (COUNTS, "", "no entry of <port_map> gives this Parameter a value", "accepts"),
    (
        ENDS,
        "",
        "no entry has the purpose execution_condition: nothing says when the Loop ends",
        "rejects_on_compile",
    ),
    (
        "current_iteration",
        "bogus",
        "external_port_id -1 is not an input port: it needs purpose=\"current_iteration\", not 'bogus'",
        "accepts",
    ),
    (
        ' purpose="execution_condition"',
        "",
        'external_port_id -1 is not an output port: it needs purpose="execution_condition"',
        "rejects_on_compile",
    ),
    (
        COUNTS,
        COUNTS.replace('id="0"', 'id="3"'),
        'internal_layer_id 3 is Reshape "Reshape_16" of <body>, but must be a Parameter',
        "rejects",
    ),
    (
        ENDS,
        ENDS.replace('id="7"', 'id="0"'),
        'internal_layer_id 0 is Parameter "Parameter_13" of <body>, but must be a Result',
        "rejects",
    ),
    (element("back_edges", "loop"), "", None, "accepts"),
    (
        BACK,
        BACK.replace('"8"', '"5"'),
        'from-layer 5 is Add "Add_18" of <body>, but must be a Result',
        "rejects",
    ),
    (
        BACK,
        BACK.replace('"8"', '"99"'),
        "from-layer 99 is not a layer of <body>",
        "rejects",
    ),
    (
        BACK,
        BACK.replace('"1"', '"99"'),
        "to-layer 99 is not a layer of <body>",
        "accepts",
    ),
    (
        BACK,
        BACK.replace('"1"', '"0"'),
        "to-layer 0: that Parameter counts the rounds",
        "rejects",
    ),
    (
        BACK,
        BACK.replace('"8"', '"7"'),
        'Result "Result_19" is boolean [], but Parameter "Parameter_12" is f32 [1,2]',
        "rejects_on_run",
    ),
    (BACK, '<edge to-layer="1" />', "<edge> has no from-layer", "rejects"),
    (BACK, BACK.replace('"1"', '"one"'), "to-layer 'one' is not a number", "rejects"),
    (TAKES, "", "input port 2 is in no entry of <port_map>", "rejects"),
    (
        TAKES,
        TAKES.replace('"2"', '"3"'),
        "external_port_id 3: the layer has 3 input ports, counted from 0",
        "rejects",
    ),
    (
        TAKES,
        TAKES.replace('"2"', '"-2"'),
        'external_port_id -2 is not an input port: it needs purpose="current_iteration"',
        "rejects",
    ),
    (
        TAKES,
        TAKES.replace('external_port_id="2"', ""),
        "<input> has no external_port_id",
        "rejects",
    ),
    (
        TAKES,
        TAKES.replace('layer_id="1"', 'layer_id="-1"'),
        "internal_layer_id '-1' is not a number",
        "rejects",
    ),
    (
        TAKES,
        TAKES.replace(" />", ' axis="-1" />'),
        "axis '-1' is not a number",
        "rejects",
    ),
    (
        TAKES,
        TAKES.replace(" />", ' axis="2" />'),
        "axis 2 is out of range [0, 1] for input port 2 of rank 2",
        "rejects",
    ),
    (
        TAKES,
        TAKES.replace(" />", ' axis="0" stride="one" />'),
        "stride 'one' is not a number",
        "rejects",
    ),
    (TAKES, TAKES.replace('"2"', '" +2"'), None, "accepts"),
    (
        TAKES,
        TAKES.replace('"2"', '"2 "'),
        "external_port_id '2 ' is not a number",
        "rejects",
    ),
    (
        TAKES,
        TAKES + TAKES.replace('id="1"', 'id="9"'),
        "a second entry of input port 2",
        "accepts",
    ),
    (
        TAKES,
        TAKES + TAKES.replace('id="2"', 'id="0"'),
        "internal_layer_id 1: that Parameter takes input port 2 already",
        "undefined",
    ),
    (
        TAKES,
        TAKES.replace(" />", ' axis="0" stride="0" />'),
        "with stride 0 the slices never reach the end",
        "crashes",
    ),
    (
        TAKES,
        TAKES.replace(" />", ' axis="0" part_size="-1" />'),
        "part_size -1: slices of nothing",
        "undefined",
    ),
    (
        TAKES,
        TAKES.replace(" />", ' axis="0" part_size="0" />'),
        "part_size 0: slices of nothing",
        "undefined",
    ),
    (
        'name="Parameter_12" type="Parameter"',
        'name="Parameter_12" type="PARAMETER"',
        None,
        "accepts",
    ),
]
GIVEN = '<output axis="0" external_port_id="2" internal_layer_id="3" start="0" end="-1" stride="1"'
REFUSED = "rejects_on_compile"
SLICES = [
    ("", "", None, "accepts"),
    (
        element("port_map", "slices"),
        "<port_map />",
        "input port 0 is in no entry of <port_map>",
        "rejects",
    ),
    (
        'port_id="1"',
        'port_id="0"',
        "input port 1 is in no entry of <port_map>",
        "rejects",
    ),
    ('part_size="1"', 'part_size="0"', "part_size 0: slices of nothing", "crashes"),
    (
        'part_size="1"',
        'part_size="-1"',
        "part_size -1: slices of nothing",
        "rejects_on_compile",
    ),
    (
        'stride="1"',
        'stride="0"',
        "with stride 0 the slices never reach the end",
        "rejects_on_compile",
    ),
    ('stride="1"', 'stride="1.0"', "stride '1.0' is not a number", "rejects"),
    (
        'end="-1"',
        'end="-2"',
        "4 equal slices of 5 elements, but all of output port 2 is 5",
        "accepts",
    ),
    (
        'start="0"',
        'start="4"',
        "1 equal slice of 5 elements, but all of output port 2 is 5",
        "accepts",
    ),
    (
        'end="-1"',
        'end="3"',
        "3 equal slices of 5 elements, but all of output port 2 is 5",
        "rejects_on_compile",
    ),
    (
        'end="-1"',
        'end="99"',
        "0 equal slices of 5 elements, but all of output port 2 is 5",
        "rejects_on_compile",
    ),
    (
        'start="0"',
        'start="-2"',
        "1 equal slice of 5 elements, but all of output port 2 is 5",
        "rejects_on_compile",
    ),
    (
        'stride="1"',
        'stride="5"',
        "1 equal slice of 5 elements, but all of output port 2 is 5",
        "rejects_on_compile",
    ),
    (
        'stride="1"',
        'stride="2"',
        "0 equal slices of 5 elements, but all of output port 2 is 5",
        "rejects_on_compile",
    ),
    (
        'stride="1"',
        'stride="-1"',
        "0 equal slices of 5 elements, but all of output port 2 is 5",
        "rejects_on_compile",
    ),
    (
        'start="0" end="-1" stride="1"',
        'start="-1" end="0" stride="-1"',
        None,
        "accepts",
    ),
    (
        GIVEN,
        GIVEN.replace('end="-1"', 'end="-2"'),
        "4 equal slices of 5 elements, but all of input port 1 is 5",
        REFUSED,
    ),
    (
        GIVEN,
        GIVEN.replace('start="0"', 'start="5"'),
        "0 equal slices of 5 elements, but all of input port 1 is 5",
        REFUSED,
    ),
    (GIVEN, GIVEN.replace('end="-1"', 'end="5"'), None, "accepts"),
    (GIVEN, GIVEN.replace(' start="0" end="-1"', ""), None, "accepts"),
]
CARRIES = '<edge from-layer="10" to-layer="1" />'
NESTED = [
    ("", "", None, "accepts"),
    (
        CARRIES,
        CARRIES + CARRIES.replace('"1"', '"2"'),
        'Result "next_state" is f32 [4,3], but Parameter "indices" is i64 [4,3]',
        "accepts",
    ),
]
STAGES = {
    "rejects": "read",
    "rejects_on_compile": "compile",
    "rejects_on_run": "infer",
    "accepts": "",
}
"""Where OpenVINO stops, by the verdict."""
CASES = [
    (name, *case)
    for name, cases in (
        ("if", IF),
        ("loop", LOOP),
        ("slices", SLICES),
        ("nested", NESTED),
    )
    for case in cases
]


def write(place: int, folder: Path) -> Path:
    name, old, new, _, _ = CASES[place]
    assert old in TEXTS[name]
    path = folder / f"{place}.xml"
    path.write_text(TEXTS[name].replace(old, new, 1), encoding="utf-8")
    if (weights := FILES[name].with_suffix(".bin")).exists():
        shutil.copy(weights, path.with_suffix(".bin"))
    return path


def findings(path: Path) -> list[Diagnostic]:
    return [
        finding
        for finding in validate(str(path))
        if any(each.code == "OVG306" for each in (finding, *finding.consequences))
    ]


@pytest.mark.parametrize("place", range(len(CASES)))
def test_findings(place: int, tmp_path: Path) -> None:
    _, _, _, message, verdict = CASES[place]
    found = findings(write(place, tmp_path))
    expected = [] if message is None else [("error", verdict)]
    assert [(finding.severity, finding.openvino) for finding in found] == expected
    assert message is None or message in [
        each.message for finding in found for each in (finding, *finding.consequences)
    ]


@pytest.mark.parametrize(
    ("place", "message"),
    [
        (
            17,
            'internal_layer_id 3 is Reshape "Reshape_16" of <body>, but must be a Parameter',
        ),
        (
            18,
            'internal_layer_id 0 is Parameter "Parameter_13" of <body>, but must be a Result',
        ),
        (
            31,
            "internal_layer_id '-1' is not a number",
        ),
        (
            45,
            "a second entry of input port 0",
        ),
    ],
)
def test_a_wrong_number_that_nothing_else_names(
    place: int, message: str, tmp_path: Path
) -> None:
    [found] = findings(write(place, tmp_path))
    assert (found.message, found.hypothesis) == (message, "entry")
    path = tmp_path / f"{place}.xml"
    fixed = fix(path.read_bytes(), str(path), Plan(), unsafe=True)
    assert (
        len(fixed.fixes),
        [each for each in fixed.left.diagnostics if each.code != "OVG008"],
    ) == (1, [])


def test_an_entry_with_a_purpose_names_no_port(tmp_path: Path) -> None:
    [found] = findings(write(15, tmp_path))
    assert not found.fixable


def _parameter(layer: int, name: str, declared: str) -> tuple[str, str]:
    """A constant of the Loop's file, and the Parameter that takes its place."""
    found = re.search(
        f'<layer id="{layer}" name="{name}".*?</layer>', TEXTS["loop"], re.DOTALL
    )
    assert found
    head = f'<layer id="{layer}" name="{name}" type="Parameter" version="opset1"><data {declared}/>'
    return found[0], f'{head}<output><port id="0" precision="I64"/></output></layer>'


ROUNDS, CONDITION = (1, "Constant_21"), (2, "Constant_22")
SINGLE = [
    (ROUNDS, 'shape="" element_type="i32"', None, "accepts"),
    (
        ROUNDS,
        'shape="1,1" element_type="i64"',
        "the number of rounds is of shape [1,1], not one value",
        "rejects",
    ),
    (
        ROUNDS,
        'shape="2" element_type="i64"',
        "the number of rounds is of shape [2], not one value",
        "rejects_on_compile",
    ),
    (
        ROUNDS,
        'shape="" element_type="f32"',
        "the number of rounds is f32, not i32 or i64",
        "rejects_on_compile",
    ),
    (
        ROUNDS,
        'shape="" element_type="u16"',
        "the number of rounds is u16, not i32 or i64",
        "accepts",
    ),
    (CONDITION, 'shape="1" element_type="boolean"', None, "accepts"),
    (
        CONDITION,
        'shape="1,1" element_type="boolean"',
        "the condition is of shape [1,1], not one value",
        "rejects",
    ),
    (
        CONDITION,
        'shape="" element_type="i64"',
        "the condition is i64, not boolean",
        "rejects_on_compile",
    ),
    (
        CONDITION,
        'shape="" element_type="u8"',
        "the condition is u8, not boolean",
        "accepts",
    ),
]


@pytest.fixture(scope="module")
def singles(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("singles")
    paths = []
    for number, (place, declared, _, _) in enumerate(SINGLE):
        paths.append(folder / f"{number}.xml")
        paths[-1].write_text(
            TEXTS["loop"].replace(*_parameter(*place, declared), 1), encoding="utf-8"
        )
        shutil.copy(BODIES / "loop.bin", paths[-1].with_suffix(".bin"))
    return paths


def test_single_values(singles: list[Path]) -> None:
    for path, (_, _, message, verdict) in zip(singles, SINGLE, strict=True):
        found = [
            (item.message, item.openvino)
            for item in of_rules(path)
            if item.code == "OVG310"
        ]
        assert found == ([] if message is None else [(message, verdict)])


@requires_openvino
def test_single_values_in_openvino(singles: list[Path]) -> None:
    judged = verdicts([str(path) for path in singles])
    for path, (_, _, message, verdict) in zip(singles, SINGLE, strict=True):
        assert STAGES[verdict] == judged[str(path)].stage, (message, judged[str(path)])


@requires_openvino
def test_what_the_body_of_a_loop_says_of_going_on(tmp_path: Path) -> None:
    path = tmp_path / "loop.xml"
    edge = re.search(
        r'<edge from-layer="[0-9]+" from-port="[0-9]+" to-layer="7" to-port="0" />',
        TEXTS["loop"],
    )
    assert edge
    path.write_text(
        TEXTS["loop"].replace(
            edge[0], '<edge from-layer="1" from-port="0" to-layer="7" to-port="0" />'
        )
    )
    shutil.copy(BODIES / "loop.bin", path.with_suffix(".bin"))
    (found,) = validate(str(path))
    assert (found.code, found.openvino, found.hypothesis) == (
        "OVG206",
        "rejects",
        "another_source",
    )
    said = "the condition that the body gives is of shape [1,2], not one value"
    assert said in [each.message for each in found.consequences]
    assert "Rank of BodyExecutionCondition" in verdicts([str(path)])[str(path)].error


@pytest.mark.parametrize(
    ("old", "code"), [("", "OVG211"), ('element_type="dynamic"', "OVG705")]
)
def test_a_dynamic_type_in_a_body(old: str, code: str) -> None:
    """An If and a Loop may run with it; a TensorIterator does not compile."""
    declared = '<data shape="3,4" element_type="f32" />'
    start = TEXTS["slices"].index("<body>")
    text = TEXTS["slices"][start:].replace(
        declared, declared.replace('element_type="f32"', old), 1
    )
    (found,) = validate((TEXTS["slices"][:start] + text).encode())
    assert (found.code, found.severity, found.openvino) == (
        code,
        "warning",
        "undefined",
    )


def test_an_entry_with_a_wrong_layer_of_the_body_is_one_finding() -> None:
    port = 'external_port_id="0" internal_layer_id="0"'
    (found,) = validate(
        TEXTS["slices"].replace(port, port.replace('"0"', '"1"', 1)).encode()
    )
    assert (found.code, found.openvino) == ("OVG306", "rejects")
    assert {each.code for each in found.consequences} == {"OVG306", "OVG309"}


@pytest.mark.parametrize(
    ("dim", "code"),
    [
        ("<dim>2</dim>", "OVG203"),
        ("<dims>1</dims>", "OVG009"),
        ("<dim>3.0</dim>", "OVG203"),
        ("", "OVG203"),
    ],
)
def test_an_output_in_a_body_is_one_finding(dim: str, code: str) -> None:
    text, start = TEXTS["slices"], TEXTS["slices"].index('names="picked"')
    (found,) = validate(
        (text[:start] + text[start:].replace("<dim>1</dim>", dim, 1)).encode()
    )
    assert found.code == code


def test_the_place(tmp_path: Path) -> None:
    [found] = findings(write(4, tmp_path))
    line = found.excerpt()
    assert line.strip() == '<input external_port_id="9" internal_layer_id="0" />'
    assert line[found.column - 1 : found.end_column - 1] == "9"


@pytest.fixture(scope="module")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> list[Verdict]:
    folder = tmp_path_factory.mktemp("bodies")
    paths = [str(write(place, folder)) for place in range(len(CASES))]
    found = verdicts(paths)
    return [found[path] for path in paths]


@requires_openvino
@pytest.mark.parametrize("place", range(len(CASES)))
def test_openvino(place: int, runtime: list[Verdict], tmp_path: Path) -> None:
    found = findings(write(place, tmp_path))
    claims = {finding.openvino for finding in found}
    if "crashes" not in claims and "undefined" not in claims:
        assert runtime[place].stage in {
            STAGES[claim] for claim in claims or {"accepts"}
        }, runtime[place]
    assert ("crashes" in claims) == runtime[place].crash


def test_outputs_that_count_from_another_number() -> None:
    entries = GIVES.replace('"2"', '"8"', 1) + GIVES.replace('"2"', '"9"', 1)
    found = of_rules(TEXTS["if"].replace(GIVES, entries, 1).encode())
    [finding] = [each for each in found if "is not an output port" in each.message]
    assert (
        finding.message
        == "external_port_id 8 is not an output port of the layer: these are 2"
    )
    [other] = finding.consequences
    assert (
        other.message
        == "external_port_id 9 is not an output port of the layer: these are 2"
    )
