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
from ovgather.validation.diagnosis.engine import hypotheses
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
        'the edge into input 1 of layer 3 "product" leaves out layer 2 "decompressed"'
        ' | take layer 2 "decompressed"'
        " | the edge comes from layer 2, port 1"
    ),
    "another_target": (
        'the edge from layer 1 "y" leads to port 0 of layer 2, and none to input 1 of layer 2 "sum"'
        ' | layer 2 "sum" is probably meant'
        " | the edge from layer 1 leads to layer 2, port 1"
    ),
    "attribute": (
        "axis is 0, but the declared output fits axis 1 | should be 1 | axis is 1"
    ),
    "blobs": (
        'layer 1 "weights" has <blobs>, as IR before version 10, and no <data>'
        ' | write <data element_type="f32" shape="3,4" offset="0" size="48"/>'
        " | <data> has the offset and the size of <blobs>"
    ),
    "constant_form": (
        "shape of the Const is 4,3, but its port and the layers behind it fit 3,4 | should be 3,4 | shape is 3,4"
    ),
    "constant_value": (
        'axis of layer 3 "lookup" is the constant 2, but its declared output fits 1'
        " | write 1 at byte 0 of the .bin"
        " | None"
    ),
    "cut_short": (
        'the file was probably cut off after layer 4 "curve": it has no Result, and no edges'
        " | copy the whole file again"
        " | None"
    ),
    "edge_numbers": (
        "source and target are swapped in 5 edges"
        " | swap them in all edges"
        " | source and target of 5 edges are swapped"
    ),
    "edge_names": (
        "4 ends of edges refer to layers by name, not by id"
        " | write the ids of the layers"
        " | from-layer is 0, and so on for 3 more"
    ),
    "entry": (
        'two entries of the port map of layer 3 "choice" are exchanged'
        " | exchange them"
        " | the two entries change their external_port_id"
    ),
    "exchanged": (
        'inputs 0 and 1 of layer 2 "product" are exchanged'
        " | exchange them"
        ' | inputs 0 and 1 of layer 2 "product" change places'
    ),
    "exchanged_data": (
        'the values of shape and element_type of layer 0 "x" are exchanged'
        " | exchange them"
        " | shape and element_type change their values"
    ),
    "exchanged_ids": (
        'the ids of layer 2 "bias" and layer 1 "sum" are exchanged'
        " | exchange them"
        ' | layer 2 "bias" and layer 1 "sum" change their ids'
    ),
    "extra_edge": (
        "the edge from layer 1 into input port 0 of layer 2 is one too many"
        " | remove it"
        " | the edge from layer 1 into input port 0 of layer 2 is removed"
    ),
    "joined_layer": (
        'between layer 0 "x" and layer 3 "positive" a layer is probably missing: input 0 is not what flows in,'
        ' and nothing takes what layer 1 "weights" gives'
        " | put the layer back, or give the input what it declares"
        " | None"
    ),
    "misplaced": (
        "<port> stands beside <input>, not in it"
        " | move it into <input>"
        " | <port> stands in <input>"
    ),
    "missing_attribute": (
        'layer 2 "both" has no axis, but its ports fit axis="1" | add axis="1" | axis="1" is added'
    ),
    "missing_edge": (
        'no edge feeds input 1 of layer 2 "sum", and nothing takes what layer 1 "bias" gives'
        ' | take layer 1 "bias"'
        ' | an edge leads from layer 1 "bias" to input 1 of layer 2 "sum"'
    ),
    "missing_input": (
        'layer 2 "both" lacks an input: nothing takes what layer 1 "y" gives, and with it the output fits'
        ' | take layer 1 "y" as well'
        ' | layer 2 "both" takes layer 1 "y" as well'
    ),
    "missing_layer": (
        "there is no layer 1, but layer 0 feeds it and layer 2 takes what it gives"
        " | put the layer back, or join its edges"
        " | None"
    ),
    "one_id": (
        'the id of layer 50 "bias" is wrong: edges call it layer 1 | write 1 | the id of the layer is 1'
    ),
    "pasted_layer": (
        'layer 1 "positive" is there twice | remove it | layer 1 "positive" is removed'
    ),
    "port": (
        "output 0 is declared [2,9], but the layer computes [2,8] | None | output port 0 is [2,8]"
    ),
    "port_ids": (
        'the ports of layer 2 "sum" have other ids than edges name'
        " | number them as edges do: the input ports are 0, 1 and the output ports are 2"
        " | the input ports are 0, 1 and the output ports are 2"
    ),
    "port_missing": (
        'input port 1 of layer 2 "sum" is missing: an edge names it | add the port | input port 1 is there'
    ),
    "port_order": (
        'the input ports of layer 2 "product" are not in the order of their ids'
        " | order them"
        ' | the input ports of layer 2 "product" are in the order of their ids'
    ),
    "replaced": (
        "10 dims are 32 where the layers compute 16: all of them were probably replaced"
        " | write 16 again"
        " | 10 dims are 16, not 32"
    ),
    "shifted_ids": (
        'from layer 4 "positive" on, the ids of 3 layers are shifted by +1 against the edges'
        " | shift them back"
        " | the ids of 3 layers are lower by 1"
    ),
    "source_shape": (
        'layer 0 "image" is a Parameter of [1,8,8,3], but the layer that takes it declares [1,3,8,8]'
        " | [1,3,8,8] is probably meant"
        " | output port 0 is [1,3,8,8]; shape is 1,3,8,8"
    ),
    "spelling": (
        "from-layer '0.0' is not a plain number; 10 numbers are spelt so"
        " | write 0, and so on"
        " | from-layer is 0, and so on for 9 more"
    ),
    "unknown_layer": (
        "output 0 is declared [1,2,8,8], but the layer computes [1,2,7,7] | None | None"
    ),
    "version": (
        'layer 3 "lookup" says opset1, but its attributes and ports are those of Gather-8'
        " | should be opset8"
        " | version is opset8"
    ),
    "weights": (
        "bad.bin is probably that of another model or export: the constants in it do not suit this file"
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
    assert names - {"good.bin", "bad.bin"} == {"good.xml", "bad.xml"}


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
