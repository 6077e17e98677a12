"""The argument of every ONNX rule: a file with its facts. Findings name nodes, since protobuf has no lines."""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from ovgather.layers.onnx_forward import infer_nodes
from ovgather.layers.onnx_node import (
    ConstantError,
    GatherNode,
    gather_nodes,
    infer_values,
)
from ovgather.layers.onnx_records import (
    KnownIndices,
    NodeRefusal,
    OnnxForward,
    node_reference,
)
from ovgather.layers.reference import LayerReference
from ovgather.onnx_file.graphs import OnnxGraph, tensor_type
from ovgather.onnx_file.loading import DOMAINS
from ovgather.onnx_file.model import OnnxModel
from ovgather.targets.device import BehaviourFact, onnx_runtimes
from ovgather.targets.onnx_operations import AI_ONNX
from ovgather.targets.purpose import ANY, Purpose
from ovgather.targets.release import parse
from ovgather.tensor.shape import Dimension, PartialShape
from ovgather.validation.context import Findings, Rule
from ovgather.validation.diagnostic import NO_LINES, Diagnostic, RuntimeBehaviour
from ovgather.validation.releases import FIRST

if TYPE_CHECKING:
    from ovgather.tensor.arrays import Array

__all__ = ("Findings", "GatherNode", "OnnxFile", "PartialShape", "Rule")


ONNXRUNTIME = "ONNX Runtime"


class Indexed(NamedTuple):
    """Constant indices in one dimension, of an array of ``shape``, and the dim of data that they index."""

    values: Array
    shape: tuple[int, ...]
    size: Dimension


def indexed(node: GatherNode) -> list[Indexed]:
    """The constant indices of a node without errors, of tuples each place by itself; none where they are not known."""
    (data, indices), operation = node.shapes[:2], node.operation
    is_tuple = operation is not None and not operation.has_axis
    if (
        data.dims is None
        or operation is None
        or (is_tuple and (indices.dims is None or indices[-1].is_dynamic))
    ):
        return []
    if is_tuple:
        lengths = [indices[-1].min]
    else:
        lengths = []
    sizes = [
        data[dim]
        for dim in operation.indexed_dims(
            len(data), lengths, node.axis, node.batch_dims
        )
    ]
    array = None
    if any(size.max is not None for size in sizes):
        with suppress(ConstantError):  # OVG802 or OVG813 reports the reason
            array = node.values(1)
    if array is None or array.dtype.kind not in "iu":
        return []
    if is_tuple and array.shape[-1:] != (len(sizes),):
        return []  # the file declares another shape than the constant has
    if is_tuple:
        places = zip(array.reshape(-1, len(sizes)).T, sizes, strict=True)
        return [Indexed(values, array.shape[:-1], size) for values, size in places]
    return [Indexed(array.reshape(-1), array.shape, size) for size in sizes]


def computed(known: KnownIndices) -> list[Indexed]:
    """The indices of a node that are computed from constants."""
    import numpy

    array = numpy.array(known.indices, "i8").reshape(known.shape)
    if known.axis is not None:
        return [Indexed(array.reshape(-1), known.shape, known.data[known.axis])]
    sizes = [*known.data][known.first :]
    tuples = array.reshape(-1, known.shape[-1]).T
    return [
        Indexed(values, known.shape[:-1], size)
        for values, size in zip(tuples, sizes, strict=False)
    ]


def constant_of(node: GatherNode, index: int) -> Array | None:
    """The values of a constant input; None where they are not known."""
    with suppress(ConstantError):  # OVG802 or OVG813 reports the reason
        return node.values(index)
    return None


class OnnxFile:
    """The argument of every ONNX rule's ``check``."""

    def __init__(self, model: OnnxModel, purpose: Purpose = ANY) -> None:
        self.model = model
        self.purpose = purpose
        self.nodes = gather_nodes(model)
        self.first_measured = parse(FIRST)

    @cached_property
    def forward(self) -> OnnxForward:
        """What OpenVINO makes of the nodes."""
        if self.model.problem is not None:
            return OnnxForward()
        infer_values(self.model)
        return infer_nodes(self.model)

    @property
    def open_inputs(self) -> list[Any]:
        """The inputs of unknown rank."""
        if self.model.problem is not None:
            return []
        types = [(item, tensor_type(item)) for item in self.model.inputs]
        return [item for item, type in types if type and not type.HasField("shape")]

    @cached_property
    def _refusals(self) -> dict[LayerReference, NodeRefusal]:
        return {refusal.node: refusal for refusal in self.forward.refusals}

    @cached_property
    def references(self) -> list[LayerReference]:
        """All nodes in the order of the file."""
        return [
            node_reference(graph, place, node)
            for graph, _ in self.model.scopes
            for place, node in enumerate(graph.proto.node)
        ]

    @staticmethod
    def reference(graph: OnnxGraph, place: int, node: Any) -> LayerReference:
        return node_reference(graph, place, node)

    def report(
        self,
        rule: Rule,
        message: str,
        node: GatherNode | LayerReference | None = None,
        help: str | None = None,
        severity: str = "",
        *,
        openvino: str = "",
        effect: str = "",
        stage: str = "",
        onnxruntime: str = "",
        subject: str = "",
    ) -> Diagnostic:
        """A finding in the model, or in a node of it.

        Severity and verdicts are the usual ones of ``rule`` where they are left out. What OpenVINO does with a node is
        what the forward pass says, where the rule allows for several verdicts. What other runtimes do with a finding on
        ``subject`` stands in the files of devices; left out, the subject is the code of the rule.
        """
        where = node.reference if isinstance(node, GatherNode) else node
        if not openvino:
            is_of_node = where is not None and len(rule.verdicts) > 1
            if is_of_node:
                openvino, own_effect = self._openvino(where)
            else:
                openvino = rule.verdicts[0]
                own_effect = ""
            effect = effect or own_effect
        severity = severity or rule.severities[0]
        runtimes = []
        if severity != "note" and self.model.problem is None:
            runtimes.append(self.onnx)
        verdict = onnxruntime or rule.onnxruntime
        kind = "" if where is None else where.type
        for device in onnx_runtimes():
            fact = device.behaviour_of(subject or f"{rule.code} {kind}", kind)
            if device.runtime == ONNXRUNTIME:
                fact = self._onnxruntime(verdict, severity, fact)
            if fact is not None:
                runtimes.append(
                    RuntimeBehaviour(device.runtime, fact.verdict, fact.effect)
                )
        return Diagnostic(
            rule.code,
            severity,
            message,
            path=self.model.path,
            position=NO_LINES,
            layer=where,
            help=help,
            openvino=openvino,
            effect=effect,
            stage=stage or rule.stage,
            runtimes=tuple(runtimes),
        )

    def _onnxruntime(
        self, verdict: str, severity: str, fact: BehaviourFact | None
    ) -> BehaviourFact | None:
        """What ONNX Runtime does with a finding, in a model that it may not load for another reason."""
        if fact is not None:
            verdict = fact.verdict
        is_unloadable = severity == "error" and self.is_unloadable
        if is_unloadable and verdict in ("undefined", "rejects_on_run"):
            return BehaviourFact("rejects", "")
        if is_unloadable and verdict == "accepts":
            text = "takes it, and refuses the model for another reason"
            return BehaviourFact("accepts", text)
        if fact is None and verdict:
            return BehaviourFact(verdict, "")
        return fact

    @cached_property
    def is_unloadable(self) -> bool:
        """Whether ONNX Runtime does not load the model, by what onnx says of its nodes."""
        return self.model.problem is None and self.model.shapes.refusal is not None

    @cached_property
    def _foreign(self) -> list[tuple[str, LayerReference]]:
        """The nodes that are neither of onnx nor functions of the model, with their domains."""
        proto = self.model.proto
        functions = {(each.domain, each.name) for each in proto.functions}
        return [
            (node.domain, node_reference(graph, place, node))
            for graph in self.model.graphs
            for place, node in enumerate(graph.proto.node)
            if node.domain not in AI_ONNX
            and node.op_type != "Constant"  # ONNX Runtime reads each
            and (node.domain, node.op_type) not in functions
        ]

    @property
    def is_of_onnx(self) -> bool:
        """Whether all nodes are of onnx, or calls of functions."""
        return not self._foreign

    @property
    def unregistered(self) -> LayerReference | None:
        """A node of a domain that ONNX Runtime does not have."""
        foreign = (where for domain, where in self._foreign if domain not in DOMAINS)
        return next(foreign, None)

    @cached_property
    def onnx(self) -> RuntimeBehaviour:
        """What onnx itself says of the model."""
        shapes = self.model.shapes
        if shapes.invalid is not None:
            return RuntimeBehaviour("onnx", "rejects", "its checker refuses the model")
        if shapes.misfit is not None:
            effect = "its checker accepts the model, its strict inference refuses it"
            return RuntimeBehaviour("onnx", "accepts", effect)
        effect = "its checker and its strict inference accept the model"
        return RuntimeBehaviour("onnx", "accepts", effect)

    def _openvino(self, where: LayerReference | None) -> tuple[str, str]:
        """What OpenVINO does with a node, with its reason."""
        if where is None:
            return "undefined", ""
        refusal = self._refusals.get(where)
        if refusal is None:
            is_followed = where not in {each.where for each in self.forward.unconverted}
            return ("accepts" if is_followed else "rejects"), ""
        if refusal.verdict == "undefined":
            return "undefined", ""
        return refusal.verdict, f"refuses the model: {refusal.error}"

    def misfits(self, rule: Rule, *kinds: str) -> Findings:
        """The errors of shape inference of one of ``kinds``."""
        for node in self.nodes:
            yield from [
                self.report(rule, str(error), node)
                for error in node.errors
                if error.kind in kinds
            ]
