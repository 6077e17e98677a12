"""The facts of an IR layer of the family: tensors, constants, axis, and the shape check. Layers with the same wiring
(one signature, fed by layers of the same signatures) share them."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from operator import ne
from typing import TYPE_CHECKING, NamedTuple

from ovgather.errors import ShapeInferenceError
from ovgather.forward.run import forward_of
from ovgather.forward.sources import constant_of
from ovgather.ir.constants import Constant, constant
from ovgather.ir.graph import Layer, LayerSignature
from ovgather.ir.model import Model
from ovgather.ir.numbers import leading_integer
from ovgather.layers.reference import AxisSource, Status
from ovgather.layers.tensors import (
    SCALAR,
    PortTensor,
    as_written,
    computed_tensor,
    flowing_tensor,
    port_tensor,
)
from ovgather.ops.inference import Inference
from ovgather.ops.operation import Operation
from ovgather.tensor.element_type import ElementType
from ovgather.tensor.lazy import cached
from ovgather.tensor.shape import DYNAMIC_RANK, PartialShape

_LARGEST_RANK = 64  # of data, to try all axes


class _Case(NamedTuple):
    operation: Operation
    tensors: tuple[PortTensor, ...]
    declared: PartialShape | None
    axis: int | None
    batch_dims: int


class ShapeCheck(_Case):
    """Shape inference for one combination of tensors, axis and output port (``declared`` is its shape)."""

    @cached
    def shapes(self) -> list[PartialShape]:
        """The input shapes for inference.

        Indices (and an axis) with a port without dims are a scalar or have a dynamic rank. OpenVINO writes dims for
        every output of known rank, so a scalar if the output has dims, or if a scalar explains that it has none.
        """
        shapes = [tensor.shape for tensor in self.tensors]
        data_rank = shapes[0].rank if shapes else None
        declared = self.declared
        for index in (1, 2):
            if (
                index >= len(shapes)
                or self.tensors[index].certain
                or not self.operation.takes_axis
            ):
                continue
            rank = None
            if data_rank is not None:
                rank = data_rank - 1 - self.batch_dims
            is_explained = (
                declared is not None
                and (declared.rank if declared.rank is not None else 0) == rank
            )
            if index == 2 or is_explained:
                shapes[index] = SCALAR
        return shapes

    @cached
    def _answer(self) -> tuple[list[ShapeInferenceError], Inference | None]:
        return self.operation.check_and_infer(self.shapes, self.axis, self.batch_dims)

    @property
    def errors(self) -> list[ShapeInferenceError]:
        """The errors that shape inference finds in the inputs."""
        return self._answer[0]

    @property
    def inference(self) -> Inference | None:
        """The inferred output; None if the inputs are inconsistent."""
        return self._answer[1]

    @property
    def possible_axes(self) -> list[int] | None:
        """The non-negative axes that fit the ports; None if the ports do not tell."""
        declared = self.declared
        if self._outputs is None or declared is None:
            return None
        return [
            axis for axis, shape in self._outputs.items() if shape.compatible(declared)
        ]

    @property
    def declaring_axes(self) -> list[int]:
        """The possible axes that give exactly the declared output."""
        return [
            axis
            for axis, shape in (self._outputs or {}).items()
            if shape == self.declared
        ]

    @cached
    def nearest_axis(self) -> tuple[int, PartialShape] | None:
        """The one axis whose output differs from the declared one in the fewest dims, with this output."""
        declared = self.declared
        outputs = self._outputs or {}
        if declared is None:
            return None
        numbers = {
            axis: sum(map(ne, shape, declared))
            for axis, shape in outputs.items()
            if shape.rank == declared.rank
        }
        nearest = [
            axis for axis, number in numbers.items() if number == min(numbers.values())
        ]
        if len(nearest) == 1:
            return (nearest[0], outputs[nearest[0]])
        return None

    @cached
    def _outputs(self) -> dict[int, PartialShape] | None:
        """The output for each axis that the inputs allow; None if the ports do not tell."""
        declared = self.declared
        data = DYNAMIC_RANK
        if self.tensors:
            data = self.tensors[0].shape
        if (
            declared is None
            or declared.rank is None
            or data.rank is None
            or data.rank > _LARGEST_RANK
        ):
            return None
        outputs = {}
        for axis in range(data.rank):
            with suppress(ShapeInferenceError):
                output = self.operation.infer(
                    self.shapes, axis=axis, batch_dims=self.batch_dims
                ).shape
                outputs[axis] = as_written(output)
        return outputs

    @cached
    def status(self) -> Status:
        """How inferred and declared output compare.

        ``match``; ``refines``: the inferred shape is more precise; ``mismatch``: they contradict each other, or the
        inputs do; ``unknown``: the inferred shape is less precise.
        """
        if self.errors:
            return "mismatch"
        if self.inference is None:
            return "unknown"
        are_certain = len(self.tensors) >= 2 and all(
            tensor.certain for tensor in self.tensors[:2]
        )
        if (
            self.axis is None
            and are_certain
            and self.operation.takes_axis
            and self.possible_axes == []
        ):
            return "mismatch"
        return comparison(self.inference.shape, self.declared)


def comparison(inferred: PartialShape | None, declared: PartialShape | None) -> Status:
    """The ``status`` of an inferred shape, None if nothing can be inferred, compared with the declared one."""
    if inferred is None:
        return "mismatch"
    if declared is None:
        return "refines"
    if inferred == declared or (declared.rank is None and inferred == SCALAR):
        return "match"
    if not inferred.compatible(declared):
        return "mismatch"
    if inferred & declared == inferred:
        return "refines"
    return "unknown"


class Shared:
    """Data that the layers of one file share; ``constants`` by signature, if the caller knows them."""

    def __init__(
        self, model: Model, constants: Mapping[LayerSignature, Constant] | None = None
    ) -> None:
        self.checks: dict[ShapeCheck, ShapeCheck] = {}
        self.forward = forward_of(model)
        self._weights = model.weights
        self._constants = constants

    def constant(self, layer: Layer) -> Constant | None:
        if self._constants is None:
            return constant(layer, self._weights)
        return self._constants.get(layer.signature)


if TYPE_CHECKING:
    from functools import cached_property as fact
else:

    class fact(cached):  # noqa: N801 - used as a decorator
        """A property that is computed for one layer, and shared by all with the same wiring."""

        def __get__(self, instance, owner=None):
            if instance is None:
                return self
            representative = instance.representative
            if representative is None:
                value = self.function(instance)
            else:
                value = getattr(representative, self.name)
            instance.__dict__[self.name] = value
            return value


class LayerFacts:
    """The facts of a layer; those of ``representative``, the first layer with the same wiring, hold for it, too."""

    representative: LayerFacts | None = None

    def __init__(
        self,
        model: Model,
        layer: Layer,
        operation: Operation,
        shared: Shared | None = None,
    ) -> None:
        self.model = model
        self.layer = layer
        self.operation = operation
        self._shared = shared or Shared(model)

    @fact
    def sources(self) -> list[tuple[Layer, int] | None]:
        """The layer and output that feed each input; None if none exists, or the layer feeds itself."""
        sources = self.layer.graph.producers(self.layer)
        return [
            None if source is not None and source[0] is self.layer else source
            for source in sources
        ]

    def _source(self, index: int) -> tuple[Layer, int] | None:
        """What feeds input ``index``; None also where there is no such input."""
        if index < len(self.sources):
            return self.sources[index]
        return None

    @fact
    def ports(self) -> list[PortTensor]:
        """The tensor that each input port declares."""
        return [*map(port_tensor, self.layer.inputs)]

    @fact
    def tensors(self) -> tuple[PortTensor, ...]:
        """The tensor that flows into each input port."""
        pairs = zip(self.ports, self.sources, strict=True)
        return tuple(
            [flowing_tensor(own, source, self._shared.forward) for own, source in pairs]
        )

    @fact
    def _accepted_tensors(self) -> tuple[PortTensor, ...]:
        """The tensors without those of surplus ports that no edge feeds, which OpenVINO passes over in IR v10."""
        count = len(self.tensors)
        surplus = self.sources[len(self.operation.inputs) :]
        if self.model.ir_version == 10 and not any(surplus):
            count -= len(surplus)
        return self.tensors[:count]

    @fact
    def element_types(self) -> list[ElementType | None]:
        """The element type of each input; None if the file does not tell."""
        return [tensor.element_type for tensor in self.tensors]

    @fact
    def batch_dims(self) -> int:
        """``batch_dims`` as OpenVINO reads it; 0 if it is absent, unreadable or no attribute of the operation."""
        value = self._attribute("batch_dims")
        if "batch_dims" not in self.layer.data:
            value = self.model.comments.get("batch_dims")
        if value and self.operation.has_batch_dims:
            return value
        return 0

    def _attribute(self, name: str) -> int | None:
        text = self.layer.data.get(name)
        if text is None:
            return None
        return leading_integer(text, sign="-")

    @property
    def axis(self) -> int | None:
        """The axis as written (it may be negative); None when it is not known."""
        return self._axis[0]

    @property
    def axis_source(self) -> AxisSource:
        """``attribute``, ``const``, ``ports``, ``comment`` or ``unknown``."""
        return self._axis[1]

    @fact
    def _axis(self) -> tuple[int | None, AxisSource]:
        if not self.operation.has_axis:
            return None, "unknown"
        comment = self.model.comments.get("axis")
        if not self.operation.takes_axis:
            if "axis" not in self.layer.data:
                if comment is None:
                    return (0, "attribute")
                return (comment, "comment")
            value = self._attribute("axis")
            return value, "unknown" if value is None else "attribute"
        constant = self.constant(2)
        values = None
        if constant is not None:
            values = constant.integers(1)
        if values:
            return values[0] - (1 << 64 if values[0] >= 1 << 63 else 0), "const"
        if comment is not None:
            return comment, "comment"
        source = self._source(2)
        # An axis that is computed may differ from run to run; a constant one, or one of a snippet, cannot.
        is_constant = constant is not None or (
            self.model.snippet if source is None else source[0].type == "Const"
        )
        if len(self.layer.inputs) < 3 or not is_constant:
            return None, "unknown"
        if self.tensors[0].shape.rank == 1:
            return 0, "ports"  # data of rank 1 has no other axis
        check = self._check(None)
        nearest = check.nearest_axis
        # One wrong dim can rule out the right axis: the others then fit that one better.
        if nearest is not None and check.possible_axes == [nearest[0]]:
            return nearest[0], "ports"
        return None, "unknown"

    def constant(self, index: int) -> Constant | None:
        """The constant that feeds input ``index``, directly or as few integers that are computed from constants."""
        source = self._source(index)
        if source is None:
            return None
        if source[0].type == "Const":
            return self._shared.constant(source[0])
        tensor = computed_tensor(self._shared.forward, source)
        if tensor is None:
            return None
        return constant_of(tensor)

    def is_constant(self, index: int) -> bool:
        """Whether input ``index`` depends on no input of the model, so that OpenVINO computes it when it compiles."""
        tensor = computed_tensor(self._shared.forward, self._source(index))
        return tensor is not None and tensor.is_constant

    @fact
    def declared(self) -> PartialShape | None:
        """The output port's shape; a dynamic rank without dims; None without a port."""
        if self.layer.outputs:
            return port_tensor(self.layer.outputs[0]).shape
        return None

    def _check(self, axis: int | None) -> ShapeCheck:
        """The check for ``axis``, which equal layers of the file share."""
        check = ShapeCheck(
            self.operation, self._accepted_tensors, self.declared, axis, self.batch_dims
        )
        return self._shared.checks.setdefault(check, check)

    @fact
    def check(self) -> ShapeCheck:
        """The inferred output, compared with the declared one."""
        return self._check(self.axis)

    @property
    def shapes(self) -> list[PartialShape]:
        return self.check.shapes

    @property
    def errors(self) -> list[ShapeInferenceError]:
        return self.check.errors

    @property
    def inference(self) -> Inference | None:
        return self.check.inference

    @property
    def status(self) -> Status:
        return self.check.status

    @property
    def output_is_declared(self) -> bool:
        """The axis is unknown, but one that fits the ports gives exactly the declared output."""
        return (
            self.axis is None
            and self.operation.takes_axis
            and bool(self.check.declaring_axes)
        )

    @property
    def declared_axis(self) -> int | None:
        """The axis; where it is not known, the only one that gives exactly the declared output."""
        if self.output_is_declared and len(self.check.declaring_axes) == 1:
            # OpenVINO writes the dims that it infers.
            return self.check.declaring_axes[0]
        return self.axis

    @property
    def output_type(self) -> ElementType | None:
        if self.tensors:
            return self.tensors[0].element_type
        return None
