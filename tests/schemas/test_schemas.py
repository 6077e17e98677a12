"""The schemas accept what OpenVINO, its converters and ovgather write, and reject what they do not."""

from __future__ import annotations

import copy
import glob
import importlib
import os
import sys
from typing import Any

import pytest
from lxml import etree
from paths import DATA, ROOT

from ovgather.tensor import element_type


def installed_or_here() -> Any:
    """``ovgather.schemas``; where nothing is installed, the folder at the top of the repository."""
    try:
        return importlib.import_module("ovgather.schemas")
    except ImportError:
        sys.path.insert(0, str(ROOT))
        return importlib.import_module("schemas")


schemas = installed_or_here()
SAMPLES = sorted(glob.glob(str(DATA / "schemas" / "*.xml")))
MODELS = sorted(glob.glob(os.path.join(ROOT, "samples_xml", "specification", "*.xml")))


def problems(document: Any) -> list[str]:
    schema = schemas.load(f"ir-v{document.get('version', '11')}")
    schema.validate(document)
    return [entry.message for entry in schema.error_log]


@pytest.mark.parametrize("path", SAMPLES + MODELS, ids=os.path.basename)
def test_a_real_file_is_accepted(path: str) -> None:
    assert problems(etree.parse(path).getroot()) == []


def changed(change: str) -> Any:
    """A good file with one thing broken: ``xpath`` then what to do with the element found."""
    xpath, _, action = change.partition(" -> ")
    net = etree.parse(DATA / "schemas" / "loop.xml").getroot()
    found: Any = net.xpath(xpath)
    element = found[0]
    if action == "delete":
        element.getparent().remove(element)
    elif action == "twice":
        element.addnext(copy.deepcopy(element))
    elif action.startswith("rename "):
        element.tag = action.split()[1]
    elif action.startswith("text "):
        element.text = action[5:]
    else:
        name, _, value = action.partition("=")
        if value == "-":
            del element.attrib[name]
        else:
            element.set(name, value)
    return net


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("/net -> rename model", "No matching global declaration"),
        ("/net/layers -> delete", "Missing child element"),
        ("/net/edges -> delete", "Missing child element"),
        ("/net/edges -> rename edge", "This element is not expected"),
        ("/net/layers -> twice", "This element is not expected"),
        ("//layer -> id=-", "The attribute 'id' is required but missing"),
        ("//layer -> id=one", "not a valid value"),
        ("//layer -> id=-1", "less than the minimum"),
        ("//layer -> id=9223372036854775808", "not a valid value"),
        ("//layer -> ID=1", "The attribute 'ID' is not allowed"),
        ("//layer -> version=-", "The attribute 'version' is required but missing"),
        ("//layer -> type=Gather Elements", "not accepted by the pattern"),
        ("//layer/data -> twice", "This element is not expected"),
        ("//layer -> twice", "Duplicate key-sequence"),
        ("//body/layers/layer -> twice", "Duplicate key-sequence"),
        ("//layer/output -> rename outputs", "This element is not expected"),
        ("//output/port -> id=-", "The attribute 'id' is required but missing"),
        ("//output/port -> precision=FLOAT", "not an element of the set"),
        ("//port/dim -> text ?", "not a valid value"),
        ("//port/dim -> text 2..8", "not a valid value"),
        ("//port/dim -> text -2", "less than the minimum"),
        ("//port/dim -> text ", "not a valid value"),
        ("//port/dim -> rename dims", "This element is not expected"),
        (
            "//edges/edge -> to-port=-",
            "The attribute 'to-port' is required but missing",
        ),
        ("//body/layers -> delete", "Missing child element"),
        ("//port_map/input -> internal_layer_id=-", "is required but missing"),
        ("//port_map/input -> purpose=counting", "not an element of the set"),
        ("//back_edges/edge -> from-layer=-", "is required but missing"),
    ],
)
def test_a_broken_structure_is_rejected(change: str, said: str) -> None:
    assert any(said in message for message in problems(changed(change))), problems(
        changed(change)
    )


@pytest.mark.parametrize("version", ["9", "12", "", "11.0"])
def test_only_its_own_version(version: str) -> None:
    net = etree.fromstring(f'<net version="{version}"><layers/><edges/></net>')
    assert not schemas.load("ir-v11").validate(net)
    assert not schemas.load("ir-v10").validate(net)


def test_port_precisions_are_those_of_the_library() -> None:
    xsd = etree.parse(
        os.path.join(os.path.dirname(schemas.path("ir-v11")), "ir-common.xsd")
    )
    space = {"xs": "http://www.w3.org/2001/XMLSchema"}
    spelt: Any = xsd.xpath(
        "//xs:simpleType[@name='precision']//xs:enumeration/@value", namespaces=space
    )
    assert all(element_type.from_port(str(name)) for name in spelt)
    spellings = {
        spelling for known in element_type.ALL for spelling in (known.name, known.port)
    }
    assert spellings <= set(spelt)


def test_names() -> None:
    assert all(os.path.isfile(schemas.path(name)) for name in schemas.NAMES)
    assert schemas.path("infer") == schemas.path("infer.schema.json")
    with pytest.raises(ValueError, match=r"'ir-v12'.*ir-v10\.xsd"):
        schemas.path("ir-v12")


LAYER = {
    "id": "2",
    "name": "ge_0",
    "type": "GatherElements",
    "version": "opset6",
    "body": [],
}
VALIDATE = {
    "version": 1,
    "files": [
        {
            "path": "m.xml",
            "ir_version": 11,
            "layers": 683,
            "gather_layers": 6,
            "openvino": "accepts",
            "unchecked": {},
            "diagnostics": [
                {
                    "code": "OVG203",
                    "severity": "error",
                    "message": "output dim 0 is 9, but 2 is inferred from the inputs",
                    "line": 36,
                    "column": 11,
                    "end_line": 36,
                    "end_column": 12,
                    "layer": LAYER,
                    "openvino": "accepts",
                    "help": "should be 2",
                    "related": [
                        {
                            "message": "here",
                            "line": 1,
                            "column": 2,
                            "end_line": 1,
                            "end_column": 3,
                        }
                    ],
                }
            ],
        }
    ],
    "summary": {"files": 1, "errors": 1, "warnings": 0, "notes": 0},
}
INFER = {
    "version": 1,
    "files": [
        {
            "path": "m.xml",
            "layers": [
                {
                    **LAYER,
                    "inputs": [
                        {"shape": "[3,4]", "element_type": "f32"},
                        {"shape": "[2,4]", "element_type": "i64"},
                    ],
                    "axis": 0,
                    "axis_source": "attribute",
                    "output": {"shape": "[2,4]", "element_type": "f32"},
                    "declared": "[9,4]",
                    "status": "mismatch",
                }
            ],
            "refused": {
                "layer": LAYER,
                "message": "dim 0 is 3 in data but 4 in indices",
                "help": "",
            },
            "unchecked": [LAYER],
            "tensors": [
                {
                    **LAYER,
                    "output": 0,
                    "shape": "[2,4]",
                    "element_type": "f32",
                    "why": "computed",
                }
            ],
        }
    ],
}
CROSSCHECK = {
    "version": 1,
    "files": [
        {
            "path": "m.xml",
            "layers": [
                {
                    **LAYER,
                    "variant": "as is",
                    "against": "openvino",
                    "device": "CPU",
                    "verdict": "different",
                    "reason": "",
                    "mismatches": 1,
                    "elements": 8,
                    "first": {"index": [0, 3], "got": 1.5, "want": "nan"},
                }
            ],
        }
    ],
    "summary": {
        "files": 1,
        "layers": 1,
        "equal": 0,
        "different": 1,
        "known": 0,
        "error": 0,
        "crash": 0,
        "timeout": 0,
        "skipped": 0,
    },
}
OUTPUTS = {"validate": VALIDATE, "infer": INFER, "crosscheck": CROSSCHECK}


def json_problems(name: str, output: Any) -> list[str]:
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    schema = schemas.load(name)
    jsonschema.Draft202012Validator.check_schema(schema)
    return [
        error.message
        for error in jsonschema.Draft202012Validator(schema).iter_errors(output)
    ]


@pytest.mark.parametrize("name", OUTPUTS)
def test_a_good_output_is_accepted(name: str) -> None:
    assert json_problems(name, OUTPUTS[name]) == []


def replaced(output: Any, path: str, value: Any) -> Any:
    output = copy.deepcopy(output)
    *steps, last = (int(step) if step.isdigit() else step for step in path.split("."))
    inner = output
    for step in steps:
        inner = inner[step]
    if value is ...:
        del inner[last]
    else:
        inner[last] = value
    return output


DIAGNOSTIC = "files.0.diagnostics.0"


@pytest.mark.parametrize(
    ("name", "path", "value", "good"),
    [
        ("validate", f"{DIAGNOSTIC}.layer", None, True),
        ("validate", f"{DIAGNOSTIC}.help", None, True),
        ("validate", "files.0.ir_version", None, True),
        ("validate", f"{DIAGNOSTIC}.severity", "fatal", False),
        ("validate", f"{DIAGNOSTIC}.openvino", "maybe", False),
        ("validate", f"{DIAGNOSTIC}.code", "E1", False),
        ("validate", f"{DIAGNOSTIC}.line", 0, False),
        ("validate", f"{DIAGNOSTIC}.column", "11", False),
        ("validate", f"{DIAGNOSTIC}.layer.id", 2, False),
        ("validate", f"{DIAGNOSTIC}.layer.body", ..., False),
        ("validate", f"{DIAGNOSTIC}.extra", 1, False),
        ("validate", "summary.notes", ..., False),
        ("validate", "summary.errors", -1, False),
        ("validate", "version", 2, False),
        ("infer", "files.0.layers.0.axis", None, True),
        ("infer", "files.0.layers.0.output", None, True),
        ("infer", "files.0.layers.0.declared", "[...]", True),
        ("infer", "files.0.layers.0.declared", "[]", True),
        ("infer", "files.0.layers.0.declared", "[3,2..8,?,..5,7..]", True),
        ("infer", "files.0.layers.0.declared", "[3, 4]", False),
        ("infer", "files.0.layers.0.declared", "[-1]", False),
        ("infer", "files.0.layers.0.declared", "3,4", False),
        ("infer", "files.0.layers.0.inputs.0.element_type", None, True),
        ("infer", "files.0.layers.0.inputs.0.element_type", "FP32", False),
        ("infer", "files.0.layers.0.axis_source", "guess", False),
        ("infer", "files.0.layers.0.status", "ok", False),
        ("infer", "files.0.layers.0.status", ..., False),
        ("infer", "files.0.refused.help", ..., False),
        ("infer", "files.0.refused.layer.id", 4, False),
        ("infer", "files.0.refused", ..., True),
        ("infer", "files.0.unchecked", [], True),
        ("infer", "files.0.tensors.0.named", "[n,4]", True),
        ("infer", "files.0.tensors.0.output", "0", False),
        ("infer", "files.0.tensors.0.why", ..., False),
        ("validate", "files.0.openvino", "rejects_on_compile", True),
        ("validate", "files.0.openvino", "undefined", False),
        ("validate", "files.0.openvino", ..., False),
        ("validate", "files.0.unchecked", {"Foo": 2}, True),
        ("validate", "files.0.unchecked", {"Foo": 0}, False),
        ("crosscheck", "files.0.layers.0.first", None, True),
        ("crosscheck", "files.0.layers.0.first.got", "text", True),
        ("crosscheck", "files.0.layers.0.first.index", [], True),
        ("crosscheck", "files.0.layers.0.first.index", [-1], False),
        ("crosscheck", "files.0.layers.0.verdict", "same", False),
        ("crosscheck", "files.0.layers.0.mismatches", None, False),
        ("crosscheck", "summary.crash", ..., False),
    ],
)
def test_the_outputs_are_described_strictly(
    name: str, path: str, value: Any, good: bool
) -> None:
    assert (json_problems(name, replaced(OUTPUTS[name], path, value)) == []) is good
