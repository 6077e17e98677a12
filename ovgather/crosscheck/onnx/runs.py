"""Runs of both models of a pair, which give back what flowed, and the search for the first value that differs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Generic, NamedTuple, TypeVar

from ovgather.crosscheck.in_model import run as ir_in_model
from ovgather.crosscheck.in_model.inputs import given_inputs, wanted_inputs
from ovgather.crosscheck.in_model.tap import Tap
from ovgather.crosscheck.onnx.divergence import difference_of_values
from ovgather.crosscheck.onnx.in_model import ModelRun
from ovgather.crosscheck.onnx.matching import Names
from ovgather.crosscheck.options import OPENVINO, CrosscheckOptions
from ovgather.ir.model import Model
from ovgather.layers.onnx_node import GatherNode
from ovgather.onnx_file.graphs import node_name, text
from ovgather.onnx_file.model import OnnxModel
from ovgather.onnx_file.tensors import array_or_none
from ovgather.runtimes import pool, wire
from ovgather.runtimes.child import Failure
from ovgather.runtimes.onnx_model import inputs_of, needed_values, refusal
from ovgather.runtimes.outcome import Evidence, Outcome, Skip
from ovgather.tensor.arrays import Array

ONNXRUNTIME = "onnxruntime"
Answer = TypeVar("Answer")


@dataclass
class Reading(Generic[Answer]):
    """A request to a runtime, and what its answer is read as; see ``pool.Case``."""

    runtime: str
    request: Callable[[], tuple[wire.Header, list[wire.Blob]]]
    read: Callable[[wire.Header, list[bytearray]], list[Answer]]

    def answered(self, header: wire.Header, blobs: list[bytearray]) -> list[Answer] | Outcome:
        """What was read, or why there is nothing."""
        if (failed := refusal(header, self.runtime)) is not None:
            return failed
        try:
            return self.read(header, blobs)
        except ValueError as error:
            return Outcome("skipped", str(error))


def onnx_evidence(run: ModelRun) -> Reading[Evidence]:
    """What flows through each node of the ONNX file."""
    return Reading(ONNXRUNTIME, run.request, run.evidence)


def ir_evidence(run: ir_in_model.ModelRun) -> Reading[tuple[Evidence, str]]:
    """What flows through each layer of the IR, with the version of OpenVINO."""
    return Reading(OPENVINO, run.request, run.evidence)


def onnx_values(run: ModelRun, names: list[str]) -> Reading[Array | None]:
    """Values of the ONNX model by name; None for one that cannot be read."""
    return Reading(ONNXRUNTIME, lambda: run.request_for(names), partial(_values, wire.onnx_from_wire))


def ir_values(run: ir_in_model.ModelRun) -> Reading[Array | None]:
    """What the points of a run give; None for what cannot be read."""
    return Reading(OPENVINO, run.request, partial(_values, wire.from_wire))


def _values(
    reader: Callable[[wire.Header, wire.Blob], Array], header: wire.Header, blobs: list[bytearray]
) -> list[Array | None]:
    arrays: list[Array | None] = []
    for tensor, blob in zip(header["outputs"], blobs, strict=True):
        try:
            arrays.append(reader(tensor, blob))
        except ValueError:
            arrays.append(None)
    return arrays


def answer(reading: Reading[Answer], options: CrosscheckOptions) -> list[Answer]:
    """What a reading gives. Raises Skip where no answer came."""
    (reply,) = answers([reading], options)
    if isinstance(reply, Outcome):
        raise Skip(reply.reason)
    return reply


def answers(readings: Sequence[Reading[Answer]], options: CrosscheckOptions) -> list[list[Answer] | Outcome]:
    """What each of the readings, all of one runtime, gives, or the outcome where no answer came."""
    runtime = readings[0].runtime
    device = options.device_of(runtime)
    replies = pool.run(readings, timeout=options.timeout, device=device, start=options.command(runtime))
    return [reply.outcome if isinstance(reply, Failure) else reply for reply in replies]


def flowed(
    whole: Reading[Answer], parts: Sequence[Reading[Answer]], options: CrosscheckOptions
) -> list[Answer | Outcome]:
    """For each node what flowed through it: in the whole, and where that fails in the part that it needs."""
    (answer,) = answers([whole], options)
    if not isinstance(answer, Outcome):
        return list(answer)
    if len(parts) < 2:
        return [answer]
    return [each if isinstance(each, Outcome) else each[0] for each in answers(parts, options)]


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

    def before(self, node: GatherNode) -> tuple[str, str]:
        """In words the first value that differs, of those that the inputs of ``node`` are made from, and its name."""
        values = [value for value in self._values(node) if text(value.name) in self.names.tensors][-_MOST:]
        nowhere = "no value before it that both models name differs"
        if not values:
            return nowhere, ""
        try:
            ours, theirs = self._ours(values), self._theirs(values)
        except Skip as skip:
            return f"what is before it cannot be looked at: {skip}", ""
        for value, want, got in zip(values, ours, theirs, strict=True):
            if want is not None and got is not None and (difference := difference_of_values(got, want)):
                return f"the first value before it that differs is {value.words}: {difference}", value.name
        return nowhere, ""

    def _ours(self, values: list[_Value]) -> list[Array | None]:
        names = [value.name for value in values if value.constant is None]
        run = ModelRun(self.onnx, (), self.arrays, False, ONNXRUNTIME, pruned=True)
        computed = iter(answer(onnx_values(run, names), self.options) if names else [])
        return [value.constant if value.constant is not None else next(computed) for value in values]

    def _theirs(self, values: list[_Value]) -> list[Array | None]:
        parameters = wanted_inputs(self.ir)
        arrays = given_inputs(self.ir.path, parameters, self.given)
        types = [want.element_type for want in parameters]
        points = [Tap(*self.names.tensors[text(value.name)]) for value in values]
        run = ir_in_model.ModelRun(self.ir, [], points, types, [arrays], self.options, reshaped=False, pruned=True)
        return answer(ir_values(run), self.options)

    def _values(self, node: GatherNode) -> Iterator[_Value]:
        """What the inputs of ``node`` are made from, each after what it is made from."""
        graph = self.onnx.proto.graph
        initializers = {tensor.name: tensor for tensor in graph.initializer}
        names = needed_values(graph, list(node.proto.input))
        seen: set[str] = set()
        for position, each in enumerate(graph.node):
            constant = each.op_type == "Constant"
            outputs = [name for name in each.output if name in names]
            for name in inputs_of(each) if outputs else ():
                if name in initializers and name not in seen:
                    seen.add(name)
                    array = array_or_none(initializers[name], self.onnx.beside)
                    yield _Value(name, f"the constant {text(name)!r}", array)
            origin = f", which the {text(each.op_type)} {node_name(each, position)!r} makes"
            for name in outputs:
                words = f"the constant {text(name)!r}" if constant else f"{text(name)!r}{origin}"
                yield _Value(name, words, array_or_none(each, self.onnx.beside) if constant else None)
