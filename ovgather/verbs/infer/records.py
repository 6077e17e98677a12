"""What ``infer`` answers: a record for each layer, and what a file has beside them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ovgather.errors import short_repr
from ovgather.layers.reference import AxisSource, LayerReference, Status
from ovgather.ops.inference import Inference
from ovgather.tensor.shape import PartialShape
from ovgather.tensor.tensor import Basis
from ovgather.tensor.value import PublicValue
from ovgather.text import count, html_table


class Typed(NamedTuple):
    """A tensor in words: its shape as OpenVINO prints it, its element type and its shape with names, or None.

    ``is_declared``: the shape is the declared one, because the axis is unknown.
    """

    shape: str
    element_type: str | None
    named: str | None = None
    is_declared: bool = False

    @property
    def partial_shape(self) -> PartialShape:
        """The shape as an object, with its names."""
        return PartialShape.of(self.named or self.shape)


class Inferred(NamedTuple):
    """The inference of one layer; ``error`` says why there is no output, or why its operation is not known.

    ``inference`` has the reasons. ``axis_note`` says why the axis is not known, ``behind`` which layer keeps an input
    from being known. ``updated``: given input shapes reach the layer. ``openvino`` is OpenVINO's shape and how ours
    compares: ``equal``, ``narrower``, ``wider``, ``overlaps`` or ``different``.
    """

    layer: LayerReference
    operation: str
    inputs: list[tuple[str, Typed]]
    has_axis: bool = False
    axis: int | None = None
    axis_source: AxisSource = "unknown"
    batch_dims: int = 0
    output: Typed | None = None
    declared: str | None = None
    status: Status = "unknown"
    inference: Inference | None = None
    error: str | None = None
    axis_note: str | None = None
    behind: str | None = None
    updated: bool = False
    openvino: tuple[str, str] | None = None

    def __hash__(self) -> int:
        return hash(
            (self.layer, self.operation, self.output, self.declared, self.status)
        )

    def __repr__(self) -> str:
        if self.output is None:
            result = self.error
        else:
            result = self.output.named or self.output.shape
        return f"<Inferred {short_repr(self.layer.name)}, {self.operation}: {short_repr(result)}, {self.status}>"

    @property
    def is_wrong(self) -> bool:
        """The file contradicts itself, the given shapes do not fit it, or OpenVINO's shape is another."""
        if self.openvino is not None and self.openvino[1] == "different":
            return True
        if self.updated:
            return self.error is not None
        return self.status == "mismatch"


class RefusedLayer(NamedTuple):
    """A layer that refuses what flows into it, why, and what to do about it."""

    layer: LayerReference
    message: str
    help: str

    def __repr__(self) -> str:
        return f"<RefusedLayer {short_repr(self.layer.name)}: {short_repr(self.message)[1:-1]}>"


class TensorRecord(NamedTuple):
    """A tensor of any layer: the index of the output, its facts, and what these rest on."""

    layer: LayerReference
    output: int
    tensor: Typed
    why: str
    basis: Basis

    def __repr__(self) -> str:
        shape = short_repr(self.tensor.named or self.tensor.shape)[1:-1]
        return f"<TensorRecord {short_repr(self.layer.name)}, output {self.output}: {shape}>"


class InferredFile(PublicValue):
    """The layers of a file, over which it iterates.

    ``error`` says why it could not be read; ``openvino`` is OpenVINO's error in place of shapes.

    ``refused`` is the layer at which given shapes do not fit; ``unchecked`` are the layers of types that nobody
    declares, whose ports are taken as they are; ``tensors`` are all tensors, where these are asked for.
    ``blockers`` are all layers that refuse: ``refused``, those that refuse beside it, and those that would once the
    Consts are mended that hold frozen shapes of Reshape and Broadcast layers.
    ``unused_weights`` says why the ``.bin`` that is there is not used.
    ``inputs`` are those of the model, by the names that ``input_shapes`` takes, with the shapes that are given.
    """

    def __init__(
        self,
        path: str,
        layers: list[Inferred],
        error: str | None = None,
        refused: RefusedLayer | None = None,
        unchecked: tuple[LayerReference, ...] = (),
        openvino: str | None = None,
        tensors: list[TensorRecord] | None = None,
        blockers: tuple[RefusedLayer, ...] = (),
        inputs: dict[str, Typed] | None = None,
        unused_weights: str | None = None,
    ) -> None:
        self.path = path
        self.layers = layers
        self.error = error
        self.refused = refused
        self.unchecked = unchecked
        self.openvino = openvino
        self.tensors = tensors
        self.blockers = blockers
        self.inputs = inputs or {}
        self.unused_weights = unused_weights

    def __iter__(self) -> Iterator[Inferred]:
        return iter(self.layers)

    def __len__(self) -> int:
        return len(self.layers)

    def __bool__(self) -> bool:
        return True

    def facts(self) -> Iterator[object]:
        yield self.path
        yield from (
            self.layers,
            self.error,
            self.refused,
            self.unchecked,
            self.openvino,
            self.tensors,
            self.blockers,
            self.inputs,
            self.unused_weights,
        )

    def __repr__(self) -> str:
        return f"<InferredFile {short_repr(self.path)}: {self.error or count(len(self.layers), 'layer')}>"

    def _repr_html_(self) -> str:
        columns = [
            "layer",
            "operation",
            "inputs",
            "axis",
            "output",
            "declared",
            "status",
        ]
        return html_table(repr(self)[1:-1], columns, map(_cells, self.layers))


def _cells(layer: Inferred) -> Iterator[object]:
    yield "/".join([*layer.layer.body, layer.layer.name])
    yield layer.operation
    yield ", ".join(
        f"{name} {tensor.named or tensor.shape}" for name, tensor in layer.inputs
    )
    yield "" if layer.axis is None else layer.axis
    yield (
        layer.error
        if layer.output is None
        else layer.output.named or layer.output.shape
    )
    yield layer.declared or ""
    yield layer.status
