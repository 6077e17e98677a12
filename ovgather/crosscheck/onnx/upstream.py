"""Where a divergence begins: the first value before a node that is not the same in the ONNX file and in the IR."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ovgather.crosscheck.in_model import plan as ir_in_model
from ovgather.crosscheck.in_model.inputs import given_inputs, wanted_inputs
from ovgather.crosscheck.in_model.tap import Tap
from ovgather.crosscheck.onnx.divergence import difference_of_values
from ovgather.crosscheck.onnx.in_model import ModelRun
from ovgather.crosscheck.onnx.matching import Names
from ovgather.crosscheck.onnx.runs import ONNXRUNTIME, answers, ir_values, onnx_values
from ovgather.crosscheck.options import CrosscheckOptions
from ovgather.onnx_file.graphs import node_name, text
from ovgather.onnx_file.tensors import array_or_none
from ovgather.runtimes.onnx_model import inputs_of
from ovgather.runtimes.outcome import Outcome

if TYPE_CHECKING:
    from ovgather.ir.model import Model
    from ovgather.layers.onnx_node import GatherNode
    from ovgather.onnx_file.model import OnnxModel
    from ovgather.tensor.arrays import Array

_MOST = 128
"""Values that are looked at, those nearest to the node."""


class _Value(NamedTuple):
    """A value that both models name: in words, and with its array where it is a constant of the ONNX file."""

    name: str
    words: str
    constant: Array | None


class Search(NamedTuple):
    """Both models with their inputs; ``given`` are those of the IR."""

    onnx: OnnxModel
    ir: Model
    names: Names
    arrays: Mapping[str, Array]
    given: Mapping[str, Array]
    options: CrosscheckOptions

    def before(self, node: GatherNode) -> str:
        """In words the first value that differs, of those that the inputs of ``node`` are made from."""
        values = [value for value in self._values(node) if text(value.name) in self.names.tensors][-_MOST:]
        nowhere = "no value before it that both models name differs"
        if not values:
            return nowhere
        ours, theirs = self._ours(values), self._theirs(values)
        for failed in (ours, theirs):
            if isinstance(failed, Outcome):
                return f"what is before it cannot be looked at: {failed.reason}"
        assert not isinstance(ours, Outcome)
        assert not isinstance(theirs, Outcome)
        for value, want, got in zip(values, ours, theirs, strict=True):
            if want is not None and got is not None and (said := difference_of_values(got, want)):
                return f"the first value before it that differs is {value.words}: {said}"
        return nowhere

    def _ours(self, values: list[_Value]) -> list[Array | None] | Outcome:
        names = [value.name for value in values if value.constant is None]
        run = ModelRun(self.onnx, (), self.arrays, False, ONNXRUNTIME, pruned=True)
        answer: list[Array | None] | Outcome = []
        if names:
            (answer,) = answers([onnx_values(run, names)], self.options)
        if isinstance(answer, Outcome):
            return answer
        left = iter(answer)
        return [value.constant if value.constant is not None else next(left) for value in values]

    def _theirs(self, values: list[_Value]) -> list[Array | None] | Outcome:
        wanted = wanted_inputs(self.ir)
        arrays = given_inputs(self.ir.path, wanted, self.given)
        inputs = [(want.element_type, each) for want, each in zip(wanted, arrays, strict=True)]
        points = [Tap(*self.names.tensors[text(value.name)]) for value in values]
        run = ir_in_model.ModelRun(self.ir, [], points, inputs, self.options, False, frozenset(), False, pruned=True)
        (answer,) = answers([ir_values(run)], self.options)
        return answer

    def _values(self, node: GatherNode) -> Iterator[_Value]:
        """What the inputs of ``node`` are made from, each after what it is made from."""
        graph = self.onnx.proto.graph
        initializers = {tensor.name: tensor for tensor in graph.initializer}
        needed = self._needed(graph, list(node.proto.input))
        told: set[str] = set()
        for place, each in enumerate(graph.node):
            constant = each.op_type == "Constant"
            outputs = [name for name in each.output if name in needed]
            for name in inputs_of(each) if outputs else ():
                if name in initializers and name not in told:
                    told.add(name)
                    yield _Value(
                        name, f"the constant {text(name)!r}", array_or_none(initializers[name], self.onnx.beside)
                    )
            for name in outputs:
                words = f"the constant {text(name)!r}" if constant else f"{text(name)!r}, which {_called(each, place)}"
                yield _Value(name, words, array_or_none(each, self.onnx.beside) if constant else None)

    @staticmethod
    def _needed(graph: Any, names: list[str]) -> set[str]:
        needed = set(names)
        for node in reversed(graph.node):
            if any(name in needed for name in node.output):
                needed.update(inputs_of(node))
        return needed


def _called(node: Any, place: int) -> str:
    return f"the {text(node.op_type)} {node_name(node, place)!r} makes"
