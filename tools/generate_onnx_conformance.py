"""Write docs/onnx-conformance.md: onnx's own node tests, with the Gather family computed by ovgather.

``python tools/generate_onnx_conformance.py``; needs onnx, and takes a while, for onnx makes the tests of all its
operations to find those that hold a node of the family.
"""

from __future__ import annotations

import os
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, NamedTuple

import numpy

import ovgather
from ovgather.ops import onnx as operations

FOLDER = os.path.join(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "docs"
)
TARGET = os.path.join(FOLDER, "onnx-conformance.md")
_HEAD = """\
<!-- Made by tools/generate_onnx_conformance.py (`make docs`): run it again with a new onnx. -->

# Conformance with ONNX

The node tests of the Python package onnx {version} with a Gather, GatherElements or GatherND, also inside If and other
graphs: {count} tests, which run {nodes} such nodes. `evaluate` computes these nodes, and onnx's ReferenceEvaluator all
others. Each output of `evaluate` must have the shape of `infer_shape` and the element type of data. The outputs of the
model must equal those of the test: bit by bit if the model has only nodes of the family, else within the tolerance of
the test.

"Expanded" tests run a function that onnx defines by other operations, among them Gather and GatherElements.

| Test | Nodes of the family | Result |
| --- | --- | --- |
"""


class Result(NamedTuple):
    """A test: its name, how often it ran which operation, and ``passes`` or what is wrong."""

    name: str
    nodes: Counter[str]
    result: str

    @property
    def row(self) -> str:
        """The line of the page."""
        nodes = ", ".join(
            name if count == 1 else f"{name} × {count}"
            for name, count in sorted(self.nodes.items())
        )
        nodes = nodes or "in a branch that is not run"
        return f"| `{self.name}` | {nodes} | {self.result} |\n"


def cases(modules: Iterable[str] | None = None) -> list[Any]:
    """The tests that hold a node of the family, by name, those of one node first.

    Args:
        modules: those of ``onnx.backend.test.case.node`` to look into; None: all.
    """
    from onnx.backend.test.case import node as package

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in modules or [entry.name for entry in iter_modules(package.__path__)]:
            import_module(f"{package.__name__}.{name}")
    node_cases = [
        case
        for case in package._NodeTestCases
        if any(map(_is_family, nodes_of(case.model.graph)))
    ]
    return sorted(
        node_cases, key=lambda case: (len(case.model.graph.node) > 1, str(case.name))
    )


def nodes_of(graph: Any) -> Iterator[Any]:
    """The nodes of a graph, and of those in the attributes of its nodes."""
    for node in graph.node:
        yield node
        for attribute in node.attribute:
            for inner in (
                *([attribute.g] if attribute.HasField("g") else []),
                *attribute.graphs,
            ):
                yield from nodes_of(inner)


def _is_family(node: Any) -> bool:
    return not node.domain and operations.find(node.op_type) is not None


def run(case: Any) -> Result:
    """Run a test."""
    from onnx.reference import ReferenceEvaluator

    nodes: Counter[str] = Counter()
    graph = case.model.graph
    pure = all(map(_is_family, graph.node))
    evaluator = ReferenceEvaluator(case.model, new_ops=_ours(nodes))
    try:
        for given, wanted in case.data_sets:
            inputs = dict(zip([item.name for item in graph.input], given, strict=True))
            with numpy.errstate(all="ignore"):
                outputs = evaluator.run(None, inputs)
            for got, want in zip(outputs, wanted, strict=True):
                if pure:
                    numpy.testing.assert_array_equal(got, want, strict=True)
                else:
                    numpy.testing.assert_allclose(
                        got, want, rtol=case.rtol, atol=case.atol
                    )
    except (AssertionError, ovgather.OvgatherError) as error:
        return Result(case.name, nodes, f"fails: {' '.join(str(error).split())}")
    return Result(case.name, nodes, "passes")


def _ours(nodes: Counter[str]) -> list[type]:
    """The operations for onnx's evaluator, which notes in ``nodes`` what it runs."""
    from onnx.reference.op_run import OpRun

    class Ours(OpRun):  # type: ignore[misc]
        op_domain = ""

        def _run(self, data: Any, indices: Any, **attributes: Any) -> tuple[Any]:
            kind, version = type(self).__name__, self.run_params["opsets"][""]
            operation = operations.find(kind, version)
            assert operation is not None
            nodes[operation.name] += 1
            named: Any = {"version": version, "dialect": "onnx", **attributes}
            output = ovgather.evaluate(kind, [data, indices], **named)
            shape = ovgather.infer_shape(kind, [data.shape, indices.shape], **named)
            assert (str(shape), output.dtype) == (
                str(ovgather.PartialShape.of(output.shape)),
                data.dtype,
            )
            return (output,)

    return [
        type(name, (Ours,), {}) for name in ("Gather", "GatherElements", "GatherND")
    ]


def text(results: list[Result], version: str) -> str:
    """What the file should hold."""
    nodes = sum(sum(result.nodes.values()) for result in results)
    head = _HEAD.format(version=version, count=len(results), nodes=nodes)
    return head + "".join(result.row for result in results)


def main() -> None:
    """Write the file."""
    try:
        import onnx
    except ImportError:
        print(
            f"{os.path.basename(TARGET)} is left as it is: onnx is not installed (pip install 'ovgather[onnx]')"
        )
        return
    page = text([run(case) for case in cases()], onnx.__version__)
    with open(TARGET, "w", encoding="utf-8", newline="\n") as file:
        file.write(page)


if __name__ == "__main__":
    main()
