"""onnx's own node tests with the Gather family computed by ovgather; docs/onnx-conformance.md, which lists them."""

from __future__ import annotations

import runpy
from typing import Any

import pytest
from onnx_child import requires_onnx
from paths import ROOT

from ovgather.ops import onnx as operations

PAGE = (ROOT / "docs" / "onnx-conformance.md").read_text(encoding="utf-8")
ROWS = [line for line in PAGE.splitlines() if line.startswith("| `")]
MODULES = (
    "gather",
    "gatherelements",
    "gathernd",
    "negativeloglikelihoodloss",
    "rotaryembedding",
    "center_crop_pad",
    "affinegrid",
)
"""Those that are quick to make, of the ones with a node of the family."""


@pytest.fixture(scope="module")
def script() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "tools" / "generate_onnx_conformance.py"))


@requires_onnx
def test_all_pass_and_the_page_says_so(script: dict[str, Any]) -> None:
    import onnx

    results = [script["run"](case) for case in script["cases"](MODULES)]
    assert {result.result for result in results} == {"passes"}
    assert len([result for result in results if "expanded" not in result.name]) >= 10
    if f"onnx {onnx.__version__} " not in PAGE:
        pytest.skip(
            f"docs/onnx-conformance.md is of another onnx than {onnx.__version__}: run `make docs`"
        )
    assert {result.row.strip() for result in results} <= set(ROWS), "run `make docs`"


@requires_onnx
def test_those_of_one_node_pass_in_every_opset(script: dict[str, Any]) -> None:
    """They are made for the newest version; the older ones hold as much."""
    for case in script["cases"](MODULES[:3]):
        if len(case.model.graph.node) > 1:
            continue
        node = case.model.graph.node[0]
        for opset in (1, 9, 11, 12, 13, 21):
            older = operations.find(node.op_type, opset)
            if older is None or (
                node.attribute
                and node.attribute[0].name == "batch_dims"
                and opset == 11
            ):
                continue
            case.model.opset_import[0].version = opset
            result = script["run"](case)
            assert (result.result, dict(result.nodes)) == ("passes", {older.name: 1})


@requires_onnx
def test_a_wrong_output_fails(script: dict[str, Any]) -> None:
    case = next(
        case for case in script["cases"](MODULES[:3]) if len(case.model.graph.node) == 1
    )
    inputs, (output,) = case.data_sets[0]
    wrong = output + 1
    made = type(case)(**{**case.__dict__, "data_sets": [(inputs, [wrong])]})
    assert script["run"](made).result.startswith("fails: Arrays are not equal")


def test_the_page_lists_every_case_as_passing() -> None:
    assert len(ROWS) >= 78
    assert all(row.endswith("| passes |") for row in ROWS)
