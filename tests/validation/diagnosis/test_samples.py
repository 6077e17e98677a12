"""A good and a bad file for each hypothesis: the good one gives no finding, the bad one a single one that it explains.

Its fix mends the file, and OpenVINO does with the file what ovgather says. The files are found by listing
``samples_xml/hypotheses``. In a bad file a comment ``<!-- port: ... -->`` stands above the line of the finding.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from openvino_verdicts import Verdict, requires_openvino, verdicts
from paths import SAMPLES

from ovgather.validation.check import check_file
from ovgather.validation.diagnosis.proposals import hypotheses
from ovgather.validation.diagnostic import Diagnostic
from ovgather.validation.fixes.fix import fix
from ovgather.validation.plan import Plan

FOLDER = SAMPLES / "hypotheses"
NAMES = sorted(module.__name__.rpartition(".")[2] for module in hypotheses())
STAGES = {"read": "rejects", "compile": "rejects_on_compile", "": "accepts"}
MESSAGES = {
    "another_graph": (
        'the edge into port 0 of layer 3 "curve" belongs in <else_body>, not in the model'
        " | move it there"
        " | the edge stands in <else_body>"
    ),
    "another_source": (
        'the edge into input 1 of layer 3 "product" skips layer 2 "decompressed"'
        ' | set from-layer="2" and from-port="1"'
        " | the edge comes from layer 2, port 1"
    ),
    "another_target": (
        'the edge from layer 1 "y" leads to port 0 of layer 2, and input 1 of layer 2 "sum" has no edge'
        ' | set to-port="1"'
        " | the edge from layer 1 leads to layer 2, port 1"
    ),
    "attribute": (
        'axis is 0, but the declared output [2,8] needs 1 | set axis="1" | axis is 1'
    ),
    "blobs": (
        'layer 1 "weights" has <blobs>, as IR before version 10, and no <data>'
        ' | write <data element_type="f32" shape="3,4" offset="0" size="48"/>'
        " | <data> has the offset and the size of <blobs>"
    ),
    "constant_form": (
        "shape of the Const is 4,3, but its port and its consumers need 3,4"
        ' | set shape="3,4"'
        " | shape is 3,4"
    ),
    "constant_value": (
        'Gather layer 3 "lookup" has axis 2, but its declared output [2,5,4] needs 1'
        " | write 1 as little-endian i64 at byte 0 of the .bin"
        " | None"
    ),
    "cut_short": (
        'the file was probably cut off after layer 4 "curve": it has no Result, and no edges'
        " | copy the whole file again"
        " | None"
    ),
    "edge_numbers": (
        "source and target are swapped in 5 edges"
        " | swap them"
        " | source and target of 5 edges are swapped"
    ),
    "element_name": (
        "2 elements are called <image>, not <input>"
        " | did you mean <input>?"
        " | <image> is <input>, and so on for 1 more"
    ),
    "entry": (
        'external_port_id 2 and 1 of two entries of the port map of layer 3 "choice" are swapped'
        " | swap external_port_id of lines 33 and 34"
        " | lines 33 and 34 change their external_port_id"
    ),
    "entry_direction": (
        '<input> of the port map of layer 3 "choice" names a Result, so it is an output'
        " | call it <output>"
        " | <input> is <output>"
    ),
    "exchanged": (
        'inputs 0 (a) and 1 (b) of layer 2 "product" are swapped'
        " | swap from-layer and from-port of lines 34 and 35"
        ' | inputs 0 (a) and 1 (b) of layer 2 "product" change places'
    ),
    "exchanged_data": (
        'the values of shape and element_type of layer 0 "x" are swapped'
        " | swap them"
        " | shape and element_type change their values"
    ),
    "exchanged_ids": (
        'the ids of layer 2 "bias" and layer 1 "sum" are swapped'
        " | swap them"
        ' | layer 2 "bias" and layer 1 "sum" change their ids'
    ),
    "exchanged_weights": (
        "bad.bin and neighbour.bin are probably exchanged: with the bytes of the other one nothing contradicts"
        " | give bad.bin and neighbour.bin each other's name"
        " | None"
    ),
    "extra_edge": (
        "the edge from layer 1 into input port 0 of layer 2 is one too many"
        " | delete line 46"
        " | the edge from layer 1 into input port 0 of layer 2 is removed"
    ),
    "joined_layer": (
        'a layer is probably missing between layer 0 "x" and layer 3 "positive": what flows into input 0 is'
        ' not what it declares, and the output of layer 1 "weights" is unused'
        " | restore the layer, or feed the input what it declares"
        " | None"
    ),
    "misplaced": (
        "<port> stands beside <input>, not in it"
        " | move it into <input>"
        " | <port> stands in <input>"
    ),
    "missing_axis": (
        '<output> of port 1 of layer 1 "rows" has no axis: the TensorIterator returns only the last iteration, [1,2], '
        "but its declared output [5,2] joins all iterations"
        ' | add axis="0"'
        ' | axis="0" is added'
    ),
    "missing_edge": (
        'no edge feeds input 1 of layer 2 "sum", and the output of layer 1 "bias" is unused'
        ' | add <edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>'
        ' | an edge leads from layer 1 "bias" to input 1 of layer 2 "sum"'
    ),
    "missing_input": (
        'layer 2 "both" lacks an input: the output of layer 1 "y" is unused, and with it the declared output'
        " is right"
        ' | add input port 1 and <edge from-layer="1" from-port="0" to-layer="2" to-port="1"/>'
        ' | layer 2 "both" has an input more, from layer 1 "y"'
    ),
    "missing_layer": (
        "there is no layer 1, but layer 0 feeds it and layer 2 consumes its output"
        " | restore the layer, or delete its edges and connect the layers around it"
        " | None"
    ),
    "one_id": (
        'the id of layer 50 "bias" is wrong: edges call it layer 1'
        ' | set id="1"'
        " | the id of the layer is 1"
    ),
    "pasted_layer": (
        'layer 1 "positive" is defined twice'
        " | delete it"
        ' | layer 1 "positive" is removed'
    ),
    "port": (
        "output 0 is declared [2,9], but the layer computes [2,8]"
        " | None"
        " | output port 0 is [2,8]"
    ),
    "port_ids": (
        'edges name other port ids than layer 2 "sum" has'
        " | number them as edges do: the input ports are 0, 1 and the output ports are 2"
        " | the input ports are 0, 1 and the output ports are 2"
    ),
    "port_missing": (
        'layer 2 "sum" has no input port 1, but an edge leads to it'
        ' | add <port id="1" precision="FP32"><dim>2</dim><dim>3</dim></port>'
        " | input port 1 is there"
    ),
    "port_order": (
        'the input ports of layer 2 "product" are not in the order of their ids'
        " | sort them by id"
        ' | the input ports of layer 2 "product" are in the order of their ids'
    ),
    "replaced": (
        "10 dims are 32 where the layers compute 16: all of them were probably replaced"
        " | restore 16"
        " | 10 dims are 16, not 32"
    ),
    "shifted_ids": (
        'from layer 4 "positive" on, the ids of 3 layers are shifted by +1 against the edges'
        " | shift them back"
        " | the ids of 3 layers are lower by 1"
    ),
    "source_shape": (
        'layer 0 "image" is a Parameter of [1,8,8,3], but its consumer declares [1,3,8,8]'
        " | did you mean [1,3,8,8]?"
        " | output port 0 is [1,3,8,8]; shape is 1,3,8,8"
    ),
    "spelling": (
        "from-layer '0.0' is not a plain number; 10 numbers are written like this"
        " | write 0 (and so on)"
        " | from-layer is 0, and so on for 9 more"
    ),
    "unknown_layer": (
        "output 0 is declared [1,2,8,8], but the layer computes [1,2,7,6] | None | None"
    ),
    "version": (
        'layer 3 "lookup" says opset1, but its attributes and ports are those of Gather-8'
        ' | set version="opset8"'
        " | version is opset8"
    ),
    "weights": (
        "bad.bin is probably that of another model or export: the constants in it do not match this file"
        " | put the .bin that was written with this file beside it"
        " | None"
    ),
}
"""What is said of the bad sample of each: the message, ``|``, what to do, ``|``, the fix."""


def findings_in(path: Path) -> list[Diagnostic]:
    return [
        each for each in check_file(str(path)).diagnostics if each.severity != "note"
    ]


def finding_of(name: str) -> Diagnostic:
    [finding] = findings_in(FOLDER / name / "bad.xml")
    return finding


def test_every_hypothesis_has_its_folder_and_every_folder_its_hypothesis() -> None:
    assert sorted(path.name for path in FOLDER.iterdir()) == NAMES == sorted(MESSAGES)


@pytest.mark.parametrize("name", NAMES)
def test_a_folder_has_a_good_and_a_bad_file(name: str) -> None:
    names = {path.name for path in (FOLDER / name).iterdir()}
    optional = {"good.bin", "bad.bin", "neighbour.bin", "neighbour.xml"}
    assert names - optional == {"good.xml", "bad.xml"}


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_said_of_the_good_one(name: str) -> None:
    assert [str(each) for each in findings_in(FOLDER / name / "good.xml")] == []


@pytest.mark.parametrize("name", NAMES)
def test_the_bad_one_has_one_finding_of_the_hypothesis(name: str) -> None:
    finding = finding_of(name)
    assert finding.hypothesis == finding.considered[0].hypothesis == name
    text = (FOLDER / name / "bad.xml").read_text(encoding="utf-8")
    marked = [
        text.count("\n", 0, mark.end()) + 2
        for mark in re.finditer(rf"<!-- {name}: .* -->", text)
    ]
    assert [finding.line] == (marked or [1])


@pytest.mark.parametrize("name", NAMES)
def test_what_is_said_of_the_bad_one(name: str) -> None:
    finding = finding_of(name)
    remedy = finding.fix()
    assert (
        f"{finding.message} | {finding.help} | {remedy and remedy.what}"
        == MESSAGES[name]
    )


@pytest.mark.parametrize("name", NAMES)
def test_the_fix_leaves_nothing(name: str) -> None:
    path = FOLDER / name / "bad.xml"
    fixed = fix(path.read_bytes(), str(path), Plan(), unsafe=True)
    left = [each for each in fixed.left.diagnostics if each.severity != "note"]
    is_fixable = finding_of(name).fix() is not None
    assert (len(fixed.fixes), fixed.refused, len(left)) == (
        (1, "", 0) if is_fixable else (0, "", 1)
    )


@pytest.fixture(scope="module")
def runtime() -> dict[str, Verdict]:
    return verdicts(
        [
            str(FOLDER / name / f"{kind}.xml")
            for name in NAMES
            for kind in ("good", "bad")
        ],
        last="compile",
    )


@requires_openvino
@pytest.mark.parametrize("name", NAMES)
def test_openvino_takes_the_good_one(name: str, runtime: dict[str, Verdict]) -> None:
    path = str(FOLDER / name / "good.xml")
    assert (runtime[path].stage, runtime[path].error) == ("", "")
    assert check_file(path).verdict.openvino == "accepts"


@requires_openvino
@pytest.mark.parametrize("name", NAMES)
def test_openvino_does_with_the_bad_one_what_is_said(
    name: str, runtime: dict[str, Verdict]
) -> None:
    path = str(FOLDER / name / "bad.xml")
    assert check_file(path).verdict.openvino == STAGES[runtime[path].stage], runtime[
        path
    ]
