"""The first value that differs, of those that an ONNX model and the IR made from it both name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from ovgather.crosscheck.confirm import ask
from ovgather.crosscheck.in_model.plan import IrRun
from ovgather.crosscheck.in_model.run import AnyRun, Point, Reading, results
from ovgather.crosscheck.in_model.tap import OnnxTap, Tap
from ovgather.crosscheck.onnx.divergence import difference_of_values
from ovgather.crosscheck.onnx.matching import Names
from ovgather.crosscheck.onnx.nodes import OnnxRun
from ovgather.layers.onnx_node import GatherNode
from ovgather.onnx_file.graphs import node_name, text
from ovgather.onnx_file.tensors import array_or_none
from ovgather.runtimes.onnx_model import inputs_of, needed_values
from ovgather.runtimes.outcome import Outcome, Skip
from ovgather.tensor.arrays import Array

_MOST = 128
"""Values that are looked at, those nearest to the node."""


class _Value(NamedTuple):
    """A value that both models name: in words, and with its array where it is a constant of the ONNX file."""

    name: str
    words: str
    constant: Array | None


def first_difference(onnx: OnnxRun, ir: IrRun, names: Names, node: GatherNode) -> tuple[str, str]:
    """In words the first value that differs, of those that the inputs of ``node`` are made from, and its name."""
    values = [value for value in _values(onnx, node) if text(value.name) in names.tensors][-_MOST:]
    nowhere = "no value before it that both models name differs"
    if not values:
        return nowhere, ""
    try:
        computed = iter(_tapped(onnx, [OnnxTap(value.name) for value in values if value.constant is None]))
        ours = [value.constant if value.constant is not None else next(computed) for value in values]
        theirs = _tapped(ir, [Tap(*names.tensors[text(value.name)]) for value in values])
    except Skip as skip:
        return f"what is before it cannot be looked at: {skip}", ""
    for value, want, got in zip(values, ours, theirs, strict=True):
        if want is not None and got is not None and (difference := difference_of_values(got, want)):
            return f"the first value before it that differs is {value.words}: {difference}", value.name
    return nowhere, ""


def _tapped(whole: AnyRun, points: Sequence[Point]) -> list[Array | None]:
    """What flows at points of a model. Raises Skip where no answer came."""
    if not points:
        return []
    run = replace(whole, layers=[], points=points, pruned=True)
    (arrays,) = results([Reading(run, run.arrays)], lambda cases: ask(cases, run.options, run.against))
    if isinstance(arrays, Outcome):
        raise Skip(arrays.reason)
    return arrays


def _values(onnx: OnnxRun, node: GatherNode) -> Iterator[_Value]:
    """What the inputs of ``node`` are made from, each after what it is made from."""
    graph, beside = onnx.model.proto.graph, onnx.model.beside
    initializers = {tensor.name: tensor for tensor in graph.initializer}
    names = needed_values(graph, list(node.proto.input))
    seen: set[str] = set()
    for position, each in enumerate(graph.node):
        constant = each.op_type == "Constant"
        outputs = [name for name in each.output if name in names]
        for name in inputs_of(each) if outputs else ():
            if name in initializers and name not in seen:
                seen.add(name)
                yield _Value(name, f"the constant {text(name)!r}", array_or_none(initializers[name], beside))
        origin = f", which the {text(each.op_type)} {node_name(each, position)!r} makes"
        for name in outputs:
            words = f"the constant {text(name)!r}" if constant else f"{text(name)!r}{origin}"
            yield _Value(name, words, array_or_none(each, beside) if constant else None)
