"""Nodes, their inputs and their constants, the same for IR and ONNX."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ovgather.layers.reference import LayerReference
from ovgather.tensor.lazy import cached

if TYPE_CHECKING:
    from ovgather.tensor.arrays import Array

Source = tuple[int, int]
"""Where an input comes from: the number of a node, and its output."""


class Output(NamedTuple):
    """What a node gives, as the file declares it."""

    shape: str
    element_type: str


class Form(NamedTuple):
    """How a weight is stored: its type, what it is computed to, and by which layers.

    ``group``: how many elements share a scale, where that is less than a row. ``zero_points``: their type.
    ``scales``: their type, and what shares one. ``codebook``: how many entries it has.
    """

    stored: str
    computed: str
    group: int | None = None
    zero_points: str | None = None
    scales: str | None = None
    codebook: int | None = None

    @property
    def is_compressed(self) -> bool:
        return self.stored != self.computed

    def __str__(self) -> str:
        parts = [self.stored]
        if self.group is not None:
            parts.append(f"groups of {self.group}")
        for name, what in (("zero points", self.zero_points), ("scales", self.scales)):
            if what is not None:
                parts.append(f"{name} {what}")
        if self.codebook is not None:
            parts.append(f"codebook of {self.codebook}")
        return ", ".join(parts)


class NetworkConstant:
    """The values of a node that has no inputs.

    ``place`` is where they stand in the ``.bin``; ``size`` their number of bytes as stored.
    """

    def __init__(
        self,
        form: Form,
        shape: Sequence[int],
        size: int,
        digest: Callable[[], bytes | None],
        values: Callable[[], Array | None],
        place: int = -1,
    ) -> None:
        self.form = form
        self.shape = tuple(shape)
        self.size = size
        self.place = place
        self._digest = digest
        self._values = values

    @cached
    def digest(self) -> bytes | None:
        """The same for equal bytes; None if they cannot be read."""
        return self._digest()

    @cached
    def array(self) -> Array | None:
        """The elements as the layers behind see them; None if they cannot be read."""
        return self._values()


class NetworkNode:
    """A layer or node.

    Attributes:
        layer: what it is called.
        row: its place among all of the file.
        type, operation: its type, and which version of it, such as ``Gather-8``.
        attributes: as read, with the defaults; of a layer with bodies also how values enter and leave these.
        inputs: the sources; those of bodies follow, from which the outputs come.
        outputs, names: what is declared of each output, and the tensor names of all.
        constant: of a Const, and of a weight with the layers that decompress it.
        origin: the ``Layer``, or the graph and the ``NodeProto``.
    """

    __slots__ = (
        "attributes",
        "constant",
        "inputs",
        "layer",
        "names",
        "operation",
        "origin",
        "outputs",
        "row",
        "type",
    )

    def __init__(
        self, row: int, layer: LayerReference, operation: str, origin: Any
    ) -> None:
        self.row = row
        self.layer = layer
        self.operation = operation
        self.origin = origin
        self.type = layer.type
        self.attributes: dict[str, object] = {}
        self.inputs: list[Source | None] = []
        self.outputs: list[Output] = []
        self.names: tuple[str, ...] = ()
        self.constant: NetworkConstant | None = None


class ModelNetwork:
    """The nodes of a model, each after those that feed it."""

    def __init__(self, path: str, model: Any, nodes: Sequence[NetworkNode]) -> None:
        self.path = path
        self.model = model
        self.nodes = nodes

    @cached
    def order(self) -> list[int]:
        """Every node after those that feed it; those of a cycle, and behind one, come last."""
        waiting = [
            sum(source is not None for source in node.inputs) for node in self.nodes
        ]
        order = [number for number, count in enumerate(waiting) if not count]
        for number in order:  # grows while it is read
            for reader, _ in self.readers[number]:
                waiting[reader] -= 1
                if not waiting[reader]:
                    order.append(reader)
        return [*order, *(number for number, count in enumerate(waiting) if count > 0)]

    @cached
    def readers(self) -> list[list[tuple[int, int]]]:
        """The nodes that read each node, and by which input."""
        readers: list[list[tuple[int, int]]] = [[] for _ in self.nodes]
        for number, node in enumerate(self.nodes):
            for place, source in enumerate(node.inputs):
                if source is not None:
                    readers[source[0]].append((number, place))
        return readers
