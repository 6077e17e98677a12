"""Write ``ovgather/ops/declared/index.json``, the family of each type, and docs/operations.md, the declared operations:
``python tools/generate_operations.py``."""

from __future__ import annotations

import json
import os
from typing import Any

from ovgather.ir.opsets import types
from ovgather.ops import declared
from ovgather.ops.declaration import Declaration

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INDEX = os.path.join(ROOT, "ovgather", "ops", "declared", "index.json")
TARGET = os.path.join(ROOT, "docs", "operations.md")
_MEASURED = os.path.join(ROOT, "docs", "operations.json")
_BODIES = ("If", "Loop", "TensorIterator")
_HEAD = """\
<!-- Made by tools/generate_operations.py (`make docs`) out of ovgather/ops/declared: change that. -->

# Operations

ovgather declares {0} types of layers in {1} versions: inputs, attributes, element types, and the rules by which
OpenVINO's core computes the outputs or refuses the layer. `validate`, `infer` and all other verbs ask them. Layers of
other types keep the shapes that the file declares, and `validate` says how many there are.

The last columns compare every output of every layer of {2} models with OpenVINO 2026.4.1, as they are read and after
random reshapes (`tools/compare_shapes.py`): outputs, those that are equal or tighter, wider, and wrong.

| type | versions | page | outputs | equal or tighter | wider | wrong |
| --- | --- | --- | --- | --- | --- | --- |
"""


def index() -> str:
    """What ``index.json`` should hold: the types of each family in lower case."""
    families = {
        family: sorted(
            {declaration.type.lower() for declaration in declared.load(family)}
        )
        for family in declared.list_families()
    }
    return json.dumps(families, indent=1) + "\n"


def declarations() -> dict[str, list[Declaration]]:
    """Every version of each type, oldest first."""
    versions: dict[str, list[Declaration]] = {}
    for family in declared.list_families():
        for declaration in declared.load(family):
            versions.setdefault(declaration.type, []).append(declaration)
    return {
        type: sorted(each, key=lambda version: version.since)
        for type, each in sorted(versions.items())
    }


def text() -> str:
    """What docs/operations.md should hold."""
    versions, measured = declarations(), _measured()
    table = measured.get("table", {})
    lines = []
    for type, each in sorted([*versions.items(), *((name, []) for name in _BODIES)]):
        numbers = ", ".join(str(version.since) for version in each) or "all"
        page = each[-1].page if each else "infrastructure"
        row = table.get(type, {})
        good = row.get("equal", 0) + row.get("tighter", 0)
        count = good + row.get("wider", 0) + row.get("wrong", 0)
        cells = (
            f"{count} | {good} | {row.get('wider', 0)} | {row.get('wrong', 0)}"
            if count
            else "| | |"
        )
        lines.append(f"| {type} | {numbers} | {page} | {cells} |\n")
    number = sum(map(len, versions.values())) + len(_BODIES)
    left = sorted(types() - {*versions, *_BODIES})
    rest = f"\nNot declared: {', '.join(left) or 'none of the opsets'}.\n"
    head = _HEAD.format(
        len(versions) + len(_BODIES), number, measured.get("models", "no")
    )
    return "".join([head, *lines, rest])


def _measured() -> dict[str, Any]:
    if not os.path.isfile(_MEASURED):
        return {}
    with open(_MEASURED, encoding="utf-8") as file:
        content: dict[str, object] = json.load(file)
    return content


if __name__ == "__main__":
    for path, content in ((INDEX, index()), (TARGET, text())):
        with open(path, "w", encoding="utf-8") as file:
            file.write(content)
