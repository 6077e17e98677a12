"""What the forward pass notes of the nodes of an ONNX model."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from ovgather.forward.records import VERDICTS
from ovgather.layers.reference import LayerReference
from ovgather.onnx_file.graphs import OnnxGraph, node_name
from ovgather.ops import onnx
from ovgather.ops.declaration import Refused
from ovgather.targets.onnx_operations import AI_ONNX
from ovgather.tensor.interval import Items
from ovgather.tensor.shape import PartialShape
from ovgather.tensor.tensor import Basis

SCATTERING = ("Scatter", "ScatterElements", "ScatterND")
FAMILY = frozenset(operation.type for operation in onnx.OPERATIONS)


class NodeRefusal(NamedTuple):
    """OpenVINO refuses a node; ``basis``: what the facts of its inputs rest on."""

    node: LayerReference
    error: Refused
    basis: Basis

    @property
    def verdict(self) -> str:
        """What OpenVINO does with the file; ``undefined`` if it is not certain."""
        if self.basis is Basis.COMPUTED:
            return VERDICTS[self.error.stage]
        return "undefined"


class Unconverted(NamedTuple):
    """A node that OpenVINO has no conversion for; ``operation``: its domain and its type."""

    where: LayerReference
    operation: tuple[str, str]


class Emptied(NamedTuple):
    """A node that reads a constant without elements, which OpenVINO takes for the number 0."""

    where: LayerReference
    constant: str


class KnownIndices(NamedTuple):
    """What a node gathers or scatters by, where OpenVINO computes it from constants.

    Attributes:
        where: the node.
        indices: all of them, of ``shape``.
        axis: the dim of ``data`` that they index; None: each is a tuple for the dims from ``first`` on.
    """

    where: LayerReference
    indices: Items
    shape: tuple[int, ...]
    data: PartialShape
    axis: int | None
    first: int


class OnnxForward:
    """What OpenVINO makes of the nodes that lead to an output of the model.

    Attributes:
        refusals: the nodes that it refuses, in the order of the file.
        unconverted: the nodes that it has no conversion for.
        unchecked: how many nodes there are of each type that is not followed.
        emptied: the nodes that read constants without elements as numbers.
        indices: those that are known, but for constants of nodes that gather.
        open_ranks: the nodes whose output has a rank that is not known before the model runs.
        lost_ranks: those of them whose inputs have known ranks.
        fatal: the nodes whose tensors OpenVINO may not survive, and why: too large, or empty.
    """

    def __init__(self) -> None:
        self.refusals: list[NodeRefusal] = []
        self.unconverted: list[Unconverted] = []
        self.unchecked: Counter[str] = Counter()
        self.emptied: list[Emptied] = []
        self.indices: list[KnownIndices] = []
        self.open_ranks: list[LayerReference] = []
        self.lost_ranks: list[LayerReference] = []
        self.fatal: list[tuple[LayerReference, str]] = []

    def forget_compiling(self) -> None:
        """Forget what counts only where OpenVINO compiles the nodes."""
        self.refusals = [each for each in self.refusals if each.error.stage == "read"]
        self.open_ranks = []
        self.lost_ranks = []
        self.fatal = []

    def add(self, other: OnnxForward) -> None:
        """Add what another pass notes of the nodes of a body; of each node the first refusal counts."""
        known = {refusal.node for refusal in self.refusals}
        self.refusals += [each for each in other.refusals if each.node not in known]
        self.unconverted += other.unconverted
        self.unchecked += other.unchecked
        self.emptied += other.emptied
        self.indices += other.indices
        self.open_ranks += other.open_ranks
        self.lost_ranks += other.lost_ranks
        self.fatal += other.fatal


def is_family(node: Any) -> bool:
    """Whether a ``NodeProto`` is a Gather, GatherElements or GatherND of the domain ``ai.onnx``."""
    return node.op_type in FAMILY and node.domain in AI_ONNX


def node_reference(graph: OnnxGraph, place: int, node: Any) -> LayerReference:
    if graph.opset is None:
        version = "ai.onnx"
    else:
        version = f"ai.onnx:{graph.opset}"
    return LayerReference(
        str(place), node_name(node, place), node.op_type, version, graph.path
    )
