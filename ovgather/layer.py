"""A Gather-family layer of a file, joined with its operation: inputs, axis, inferred output, and how that
compares.

This is where ``ir`` (which knows no operation) and ``ops`` (which know no XML) meet; rules, ``infer``,
``run`` and ``crosscheck`` all look at layers through it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from ovgather import ops
from ovgather.element_type import ElementType
from ovgather.errors import ShapeInferenceError
from ovgather.ir.constants import Constant, constant
from ovgather.ir.model import Layer, Model
from ovgather.ir.numbers import leading_integer
from ovgather.ops import Inference, Operation
from ovgather.ports import DYNAMIC, SCALAR, Tensor, input_tensor, port_tensor
from ovgather.shape import PartialShape

_THROUGH = frozenset({"Convert"})
"""Layers of one input that change no integer on its way to an axis."""
_MOST_THROUGH = 16
_LARGEST_RANK = 64
"""Of data whose axis is looked for among all there are."""


def find_operation(layer: Layer, snippet: bool = False) -> Operation | None:
    """The operation that ``layer`` is: by type in any case (as OpenVINO) and opset; None when it is none of the family.

    A snippet without a version is taken for the newest.
    """
    canonical = _CANONICAL.get(layer.type.lower())
    if canonical is None:
        return None
    if snippet and not layer.version.startswith("opset"):
        return max((op for op in ops.operations() if op.type == canonical), key=lambda op: op.version)
    return ops.find(canonical, layer.version)


_CANONICAL = {name.lower(): name for name in ops.FAMILY}


def is_family(layer: Layer) -> bool:
    """Whether the layer's type is Gather, GatherElements or GatherND, in any case."""
    return layer.type.lower() in _CANONICAL


class GatherLayer:
    """One layer and all that can be known of it without running it."""

    def __init__(self, model: Model, layer: Layer, operation: Operation) -> None:
        self.model = model
        self.layer = layer
        self.operation = operation

    @cached_property
    def tensors(self) -> list[Tensor]:
        """What flows into each input port."""
        return [input_tensor(self.layer, index) for index in range(len(self.layer.inputs))]

    @property
    def element_types(self) -> list[ElementType | None]:
        """The element type of each input, None where the file does not say."""
        return [tensor.element_type for tensor in self.tensors]

    @cached_property
    def batch_dims(self) -> int:
        """The ``batch_dims`` attribute as OpenVINO reads it; 0 where it is absent, unreadable or no attribute here."""
        if all(attribute.name != "batch_dims" for attribute in self.operation.attributes):
            return 0
        if "batch_dims" not in self.layer.data:
            return self.model.comments.get("batch_dims", 0)
        return self._attribute("batch_dims") or 0

    def _attribute(self, name: str) -> int | None:
        text = self.layer.data.get(name)
        return None if text is None else leading_integer(text, sign="-")

    # -- axis ----------------------------------------------------------------------------------------------------

    @cached_property
    def _axis(self) -> tuple[int | None, str]:
        if self.operation.axis_from == "attribute":
            if "axis" not in self.layer.data:
                said = self.model.comments.get("axis")
                return (0, "attribute") if said is None else (said, "comment")
            value = self._attribute("axis")
            return value, "unknown" if value is None else "attribute"
        if self.operation.axis_from is None:
            return None, "unknown"
        held = self.constant(2)
        values = held.integers(1) if held is not None else None
        if values:
            return values[0] - (1 << 64 if values[0] >= 1 << 63 else 0), "const"
        if "axis" in self.model.comments:
            return self.model.comments["axis"], "comment"
        if len(self.layer.inputs) < 3 or not self._axis_may_come_from_ports:
            return None, "unknown"
        fitting = self.possible_axes
        return (fitting[0], "ports") if fitting is not None and len(fitting) == 1 else (None, "unknown")

    @property
    def axis(self) -> int | None:
        """The axis as written (it may be negative); None when it is not known."""
        return self._axis[0]

    @property
    def axis_source(self) -> str:
        """``attribute``, ``const``, ``ports``, ``comment`` or ``unknown``."""
        return self._axis[1]

    @property
    def _axis_may_come_from_ports(self) -> bool:
        # An axis that is computed may differ from run to run; a constant one, or one of a snippet, cannot.
        source = self.layer.producer(2)
        return self.model.snippet if source is None else source[0].type == "Const"

    @cached_property
    def possible_axes(self) -> list[int] | None:
        """The axes, counted from the front, that fit the ports; None when the ports do not tell."""
        declared = self.declared
        data = self.tensors[0].shape if self.tensors else DYNAMIC
        if declared is None or declared.rank is None or data.rank is None or data.rank > _LARGEST_RANK:
            return None
        fitting = []
        for axis in range(data.rank):
            try:
                inferred = self.operation.infer(self.shapes, axis=axis, batch_dims=self.batch_dims).shape
            except ShapeInferenceError:
                continue
            if inferred.compatible(declared):
                fitting.append(axis)
        return fitting

    def constant(self, index: int) -> Constant | None:
        """The constant feeding input ``index``, directly or through a Convert; None when there is none."""
        source = self.layer.producer(index)
        for _ in range(_MOST_THROUGH):
            if source is None or source[0].type not in _THROUGH:
                break
            source = source[0].producer(0)
        return constant(source[0], self.model.weights) if source is not None else None

    # -- shapes --------------------------------------------------------------------------------------------------

    @cached_property
    def declared(self) -> PartialShape | None:
        """The output port's dims; a dynamic rank when it has none; None when there is no output port."""
        return port_tensor(self.layer.outputs[0]).shape if self.layer.outputs else None

    @cached_property
    def shapes(self) -> list[PartialShape]:
        """The input shapes that inference goes by.

        Indices (and an axis) whose port has no dims are a scalar or have a dynamic rank. OpenVINO writes dims for every
        output of known rank, so where the output has dims, or scalar indices explain that it has none, it is a scalar.
        """
        shapes = [tensor.shape for tensor in self.tensors]
        for index in (1, 2):
            if index < len(shapes) and not self.tensors[index].certain and self.operation.axis_from == "input":
                scalar = shapes.copy()
                scalar[index] = SCALAR
                if index == 2 or self._explained_by(scalar):
                    shapes = scalar
        return shapes

    def _explained_by(self, shapes: list[PartialShape]) -> bool:
        declared = self.declared
        if declared is None or shapes[0].rank is None:
            return False
        rank = shapes[0].rank - 1 - self.batch_dims
        return declared.rank == rank or (declared.rank is None and rank == 0)

    @cached_property
    def errors(self) -> list[ShapeInferenceError]:
        """Everything that shape inference finds wrong with the inputs."""
        return self.operation.check(self.shapes, axis=self.axis, batch_dims=self.batch_dims)

    @cached_property
    def inference(self) -> Inference | None:
        """The inferred output shape and where its dims come from; None when the inputs do not fit together."""
        if self.errors:
            return None
        try:
            return self.operation.infer(self.shapes, axis=self.axis, batch_dims=self.batch_dims)
        except ShapeInferenceError:
            return None

    @property
    def output_type(self) -> ElementType | None:
        """The element type of the output: that of ``data``."""
        return self.tensors[0].element_type if self.tensors else None

    @property
    def status(self) -> str:
        """How inferred and declared output compare.

        ``match``; ``refines``: the inferred shape says more; ``mismatch``: they contradict each other, or the
        inputs do; ``unknown``: the inferred shape says less than the declared one.
        """
        if self.errors:
            return "mismatch"
        inferred, declared = self.inference, self.declared
        if inferred is None:
            return "unknown"
        if declared is None:
            return "refines"
        shape = inferred.shape
        if self.axis is None and self._no_axis_fits:
            return "mismatch"
        if shape == declared or (declared.rank is None and shape == SCALAR):
            return "match"
        if not shape.compatible(declared):
            return "mismatch"
        return "refines" if shape & declared == shape else "unknown"

    @property
    def _no_axis_fits(self) -> bool:
        certain = len(self.tensors) >= 2 and all(tensor.certain for tensor in self.tensors[:2])
        return certain and self.operation.axis_from == "input" and self.possible_axes == []


def gather_layers(model: Model) -> Iterator[GatherLayer]:
    """The layers of the family in the file whose operation is known, bodies included, in document order."""
    for layer in model.layers():
        if layer.type.lower() in _CANONICAL:
            operation = find_operation(layer, model.snippet)
            if operation is not None:
                yield GatherLayer(model, layer, operation)
