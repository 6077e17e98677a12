"""Measure which element types ONNX Runtime has no kernels for: writes ``ovgather/onnx_file/kernels.json``.

    python tools/measure_kernels.py

Each operation of the domain ``ai.onnx`` is loaded in each of its versions with all element types that onnx allows, as a
model of one node without shapes.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

ROOT = Path(__file__).resolve().parent.parent
TABLE = ROOT / "ovgather" / "onnx_file" / "kernels.json"
FIRST = 7
LAST = 23
MOST_CASES = 4000
"""Models of one version of an operation; of more only those are measured in which two types vary."""
_WITH_BODIES = ("If", "Loop", "Scan", "SequenceMap")
_NO_KERNEL = "NOT_IMPLEMENTED"

Types: TypeAlias = "tuple[str, ...]"


def schemas() -> Iterator[tuple[Any, tuple[int, int]]]:
    """The operations in their versions, each with the first and the last opset that has it."""
    from onnx import defs

    versions: dict[str, list[Any]] = {}
    for schema in defs.get_all_schemas_with_history():
        if not schema.domain and schema.name not in (*_WITH_BODIES, "Constant"):
            versions.setdefault(schema.name, []).append(schema)
    for _, each in sorted(versions.items()):
        each.sort(key=lambda schema: schema.since_version)
        ends = [schema.since_version - 1 for schema in each[1:]] + [LAST]
        for schema, end in zip(each, ends, strict=True):
            first = max(schema.since_version, FIRST)
            last = min(end, LAST)
            if first <= last and not schema.deprecated:
                yield schema, (first, last)


def parameters(schema: Any) -> dict[str, list[str]] | None:
    """The element types that onnx allows for each type parameter; None: there are others than tensors."""
    from ovgather.tensor.onnx_types import NUMBERS

    known = {f"tensor({name})": name for name in NUMBERS.values()}
    allowed = {
        each.type_param_str: [
            known[type] for type in each.allowed_type_strs if type in known
        ]
        for each in schema.type_constraints
    }
    found: dict[str, list[str]] = {}
    for port in (*schema.inputs, *schema.outputs):
        if port.type_str in allowed:
            found[port.type_str] = allowed[port.type_str]
        elif port.type_str not in known:
            return None
    return found if all(found.values()) else None


def cases(allowed: Mapping[str, Sequence[str]]) -> Iterator[Types]:
    spaces = list(allowed.values())
    count = 1
    for space in spaces:
        count *= len(space)
    if count <= MOST_CASES:
        yield from itertools.product(*spaces)
        return
    usual = ["float" if "float" in space else space[0] for space in spaces]
    seen = set()
    for one, other in itertools.combinations(range(len(spaces)), 2):
        for first, second in itertools.product(spaces[one], spaces[other]):
            case = [*usual]
            case[one], case[other] = first, second
            seen.add(tuple(case))
    yield from sorted(seen)


def model(schema: Any, opset: int, types: Mapping[str, str]) -> bytes:
    """A model of one node with all inputs and outputs."""
    from onnx import helper

    from ovgather.tensor.onnx_types import NUMBER_OF

    def ports(letter: str, given: Iterable[Any]) -> list[Any]:
        kinds = [
            types.get(each.type_str, each.type_str.removeprefix("tensor(").rstrip(")"))
            for each in given
        ]
        return [
            helper.make_tensor_value_info(f"{letter}{place}", NUMBER_OF[kind], None)
            for place, kind in enumerate(kinds)
        ]

    inputs = ports("i", schema.inputs)
    outputs = ports("o", schema.outputs)
    samples = {1: 1.0, 2: 1, 3: "a", 6: [1.0], 7: [1], 8: ["a"]}
    attributes = {
        name: samples[int(each.type)]
        for name, each in schema.attributes.items()
        if each.required
    }
    if schema.name == "Cast":
        attributes["to"] = outputs[0].type.tensor_type.elem_type
    node = helper.make_node(
        schema.name,
        [each.name for each in inputs],
        [each.name for each in outputs],
        **attributes,
    )
    graph = helper.make_graph([node], "graph", inputs, outputs)
    imports = [helper.make_opsetid("", opset)]
    proto = helper.make_model(graph, opset_imports=imports, ir_version=10)
    data: bytes = proto.SerializeToString()
    return data


def lacks_kernel(data: bytes) -> bool:
    import onnxruntime  # type: ignore[import-untyped]

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    options.graph_optimization_level = (
        onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    )
    try:
        onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # several classes of ONNX Runtime
        return _NO_KERNEL in str(error)
    return False


def is_lacking(schema: Any, opsets: tuple[int, int], types: Mapping[str, str]) -> bool:
    """Whether there is no kernel in any opset: of some operations the nodes that onnx makes of them fit one alone."""
    return all(lacks_kernel(model(schema, opset, types)) for opset in {*opsets})


def covered(
    lacking: set[Types], allowed: Mapping[str, Sequence[str]]
) -> list[list[str]]:
    """Products of types that are together all of ``lacking``; ``*`` are all types of a parameter."""
    spaces = list(allowed.values())
    products: list[list[str]] = []
    left = set(lacking)
    for place, space in enumerate(spaces):
        always = [
            type
            for type in space
            if (with_it := set(_all(spaces, place, type))) <= lacking and with_it & left
        ]
        if always:
            product = ["*"] * len(spaces)
            product[place] = " ".join(always)
            products.append(product)
            left = {each for each in left if each[place] not in always}
    last: dict[Types, list[str]] = {}
    for each in sorted(left):
        last.setdefault(each[:-1], []).append(each[-1])
    equal: dict[tuple[Types, str], list[str]] = {}
    for head, tails in last.items():
        equal.setdefault((head[1:], " ".join(tails)), []).append(head[0])
    for (middle, tail), heads in equal.items():
        products.append([" ".join(heads), *middle, tail])
    return products


def _all(spaces: Sequence[Sequence[str]], place: int, type: str) -> Iterator[Types]:
    fixed = [*spaces]
    fixed[place] = [type]
    return itertools.product(*fixed)


def measured() -> dict[str, dict[str, Any]]:
    table: dict[str, dict[str, Any]] = {}
    for schema, opsets in schemas():
        allowed = parameters(schema)
        if allowed is None:
            continue
        names = list(allowed)
        lacking = {
            case
            for case in cases(allowed)
            if is_lacking(schema, opsets, dict(zip(names, case, strict=True)))
        }
        if lacking:
            products = covered(lacking, allowed)
            entry = {"types": names, "lacking": products}
            table.setdefault(schema.name, {})[str(schema.since_version)] = entry
    return table


def main() -> None:
    table = measured()
    lines = [
        f'"{name}": {json.dumps(entries)}' for name, entries in sorted(table.items())
    ]
    TABLE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
