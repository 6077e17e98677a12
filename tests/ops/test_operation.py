"""What the operation files declare, and how they are found."""

from __future__ import annotations

import doctest
import importlib
import inspect
from pathlib import Path

import pytest

from ovgather.ops import openvino as ops
from ovgather.ops.operation import INTEGERS, Operation
from ovgather.tensor import element_type

TABLE = {  # which version an opset holds; measured on OpenVINO 2026.4
    "Gather": {**dict.fromkeys(range(1, 7), 1), 7: 7, **dict.fromkeys(range(8, 17), 8)},
    "GatherElements": dict.fromkeys(range(6, 17), 6),
    "GatherND": {**dict.fromkeys(range(5, 8), 5), **dict.fromkeys(range(8, 17), 8)},
}


@pytest.mark.parametrize("kind", TABLE)
def test_opsets(kind: str) -> None:
    for number in range(20):
        found = ops.find(kind, f"opset{number}")
        expected = TABLE[kind].get(number)
        assert (found.version if found else None) == expected
        assert found is None or found.name == f"{kind}-{expected}"


@pytest.mark.parametrize(
    "opset",
    ["", "8", "opset08", "OPSET8", "opset8 ", "extension", "experimental", "opset"],
)
def test_other_spellings_of_an_opset(opset: str) -> None:
    assert ops.find("Gather", opset) is None


def test_other_types() -> None:
    assert set(TABLE) == ops.FAMILY
    for kind in ("gather", "GatherTree", "Gather ", ""):
        assert ops.find(kind, "opset8") is None


def test_every_file_of_the_folder_is_an_operation() -> None:
    files = {path.stem for path in Path(inspect.getfile(ops)).parent.glob("*[0-9].py")}
    modules = {
        inspect.getmodule(importlib.import_module(f"ovgather.ops.openvino.{name}"))
        for name in files
    }
    declared = {module.OPERATION for module in modules if module}
    assert declared == set(ops.OPERATIONS)
    for operation in declared:
        snake = {
            "Gather": "gather",
            "GatherElements": "gather_elements",
            "GatherND": "gather_nd",
        }[operation.type]
        assert f"{snake}_{operation.version}" in files


@pytest.mark.parametrize(
    "operation", ops.OPERATIONS, ids=lambda operation: operation.name
)
def test_page(operation: Operation) -> None:
    page = operation.page
    assert page.startswith(f"# {operation.name}\n\n")
    for title in (
        "## Attributes",
        "## Inputs",
        "## Output",
        "## Where specification and implementations differ",
    ):
        assert f"\n{title}\n" in page
    for attribute in operation.attributes:
        assert (
            f"`{attribute.name}`"
            in page.split("## Attributes")[1].split("## Inputs")[0]
        )
    for given in operation.inputs:
        assert f". `{given.name}`: " in page
    assert "Specification: OpenVINO, operation-specs/movement/" in page
    assert len(doctest.DocTestParser().get_examples(page)) >= 4
    for opset in (operation.opsets[0], operation.opsets[-1]):
        assert opset in page.split("\n\n    ")[0]


def test_attributes() -> None:
    declared = {
        operation.name: [
            (item.name, item.default, item.required) for item in operation.attributes
        ]
        for operation in ops.OPERATIONS
    }
    assert declared == {
        "Gather-1": [],
        "Gather-7": [("batch_dims", 0, False)],
        "Gather-8": [("batch_dims", 0, False)],
        "GatherElements-6": [("axis", 0, True)],
        "GatherND-5": [("batch_dims", 0, False)],
        "GatherND-8": [("batch_dims", 0, False)],
    }
    axes = {operation.type: operation.axis_from for operation in ops.OPERATIONS}
    assert axes == {"Gather": "input", "GatherElements": "attribute", "GatherND": None}


@pytest.mark.parametrize(
    "operation", ops.OPERATIONS, ids=lambda operation: operation.name
)
def test_input_types(operation: Operation) -> None:
    data, *others = operation.inputs
    assert data.types is None
    for item in others:
        if operation.name == "Gather-1":
            assert item.types is None
        elif operation.type == "GatherElements":
            assert item.types == {"i32", "i64"}
        else:
            assert item.types == INTEGERS | {"dynamic"}


@pytest.mark.parametrize("item", element_type.ALL, ids=str)
def test_data_may_have_any_element_type(item: element_type.ElementType) -> None:
    from ovgather.tensor.shape import PartialShape

    for operation in ops.OPERATIONS:
        assert not operation.check(
            [PartialShape.of(None)] * 2, element_types=[item, None]
        )
