"""What the ONNX operation files declare, also against the schemas of the installed onnx."""

from __future__ import annotations

import ast
import doctest
import inspect
import re
from pathlib import Path
from typing import Any

import pytest
from onnx_child import requires_onnx

from ovgather.ops import onnx
from ovgather.ops import openvino as ops
from ovgather.ops.operation import Operation
from ovgather.tensor.onnx_types import ANY_1, ANY_13, OPENVINO, name_of

ALL = pytest.mark.parametrize(
    "operation", onnx.OPERATIONS, ids=lambda operation: operation.name
)


def test_every_file_of_the_folder_is_an_operation() -> None:
    files = {path.stem for path in Path(inspect.getfile(onnx)).parent.glob("[!_]*.py")}
    snakes = {
        "Gather": "gather",
        "GatherElements": "gather_elements",
        "GatherND": "gather_nd",
    }
    assert files == {
        f"{snakes[operation.type]}_{operation.version}" for operation in onnx.OPERATIONS
    }
    assert len(files) == 8


def test_opsets() -> None:
    for kind, versions in {
        "Gather": (1, 11, 13),
        "GatherElements": (11, 13),
        "GatherND": (11, 12, 13),
    }.items():
        for opset in range(40):
            wanted = max(
                (version for version in versions if version <= opset), default=None
            )
            found = onnx.find(kind, opset)
            assert (found.version if found else None) == wanted
        newest = onnx.find(kind)
        assert newest is not None
        assert newest.version == 13
    assert onnx.find("GatherTree", 13) is None


def test_openvino_operations_are_others() -> None:
    assert not set(ops.OPERATIONS) & set(onnx.OPERATIONS)


@ALL
def test_page(operation: Operation) -> None:
    page = operation.page
    first = min(
        other.version for other in onnx.OPERATIONS if other.type == operation.type
    )
    assert page.startswith(f"# {operation.name}\n\n")
    titles = re.findall(r"(?m)^## (.+)$", page)
    assert "Inputs" in titles or operation.version == 1
    assert [title for title in titles if title.startswith("Examples")] == [
        "Examples of the document"
    ]
    assert "Where specification and implementations differ" in titles
    if operation.version == first:
        assert titles[:3] == ["Attributes", "Inputs", "Output"]
    else:  # only the difference
        assert re.search(r"^\w+-\d+ (that|with) ", page.split("\n\n")[1])
        assert re.search(r"Everything else is as in \w+-\d+\.", page)
    assert re.search(
        rf"In ONNX opset(s)? {operation.version}\b|From ONNX opset {operation.version} on",
        page,
    )
    assert re.search(r"Specification: ONNX, docs/(Operators|Changelog)\.md#", page)
    assert len(doctest.DocTestParser().get_examples(page)) >= 4


def test_types() -> None:
    assert {"bfloat16"} == ANY_13 - ANY_1
    assert {"string", "complex64", "complex128"} <= ANY_1
    for operation in onnx.OPERATIONS:
        data, indices = operation.inputs
        assert data.types == (ANY_13 if operation.version == 13 else ANY_1)
        assert indices.types == (
            {"int64"} if operation.type == "GatherND" else {"int32", "int64"}
        )


def test_names_of_types() -> None:
    for name, same in OPENVINO.items():
        assert name_of(name) == name_of(f"tensor({name})") == name
        if same is not None:
            assert name_of(same) == name_of(same.name) == name
    for other in (
        "",
        "tensor",
        "tensor()",
        "seq(tensor(float))",
        "dynamic",
        "u1",
        "float32",
    ):
        assert name_of(other) is None


@requires_onnx
def test_versions_are_those_of_onnx() -> None:
    from onnx import defs

    for kind in ("Gather", "GatherElements", "GatherND"):
        for opset in range(1, defs.onnx_opset_version() + 1):
            found = onnx.find(kind, opset)
            try:
                since = defs.get_schema(kind, opset, "").since_version
            except defs.SchemaError:
                since = None
            assert (found.version if found else None) == since


@requires_onnx
def test_numbers_of_types_are_those_of_onnx() -> None:
    from onnx import TensorProto

    from ovgather.onnx_file.graphs import type_name

    for name, number in TensorProto.DataType.items():
        assert type_name(number) == (name.lower() if number else None)
        assert not number or name.lower() in OPENVINO


@requires_onnx
@ALL
def test_declarations_are_those_of_onnx(operation: Operation) -> None:
    from onnx import defs

    schema = defs.get_schema(operation.type, operation.version, "")
    attributes = {
        name: item.default_value.i for name, item in schema.attributes.items()
    }
    assert {item.name: item.default for item in operation.attributes} == attributes
    assert not any(item.required for item in operation.attributes)
    assert [item.name for item in operation.inputs] == [
        item.name for item in schema.inputs
    ]
    for mine, theirs in zip(operation.inputs, schema.inputs, strict=True):
        assert {f"tensor({name})" for name in mine.types or ()} == set(theirs.types)


def _documented(kind: str, version: int) -> list[dict[str, Any]]:
    """The examples in the document, each a dict of what it names."""
    from onnx import defs

    text = re.sub(r"#.*", "", defs.get_schema(kind, version, "").doc)
    found: list[dict[str, Any]] = [{}]
    for name, value in re.findall(
        r"(?m)^ *(data|indices|axis|batch_dims|output) += +(\[[^=`E]*\]|-?\d+)", text
    ):
        found[-1][name] = ast.literal_eval(value.strip())
        if name == "output":
            found.append({})
    assert found.pop() == {}
    return found


@requires_onnx
@ALL
def test_examples_of_the_document(operation: Operation) -> None:
    """As the installed onnx prints them, all of them; GatherElements-11 has a pair of brackets too many."""
    from ovgather import evaluate

    examples = _documented(operation.type, operation.version)
    assert (
        len(examples)
        == {"Gather": 2, "GatherElements": 2, "GatherND": 4 + (operation.version > 11)}[
            operation.type
        ]
    )
    for example in examples:
        output = example.pop("output")
        inputs = [example.pop("data"), example.pop("indices")]
        got = evaluate(
            operation.type, inputs, version=operation.version, dialect="onnx", **example
        ).tolist()
        assert got == (output[0] if operation.name == "GatherElements-11" else output)
