"""Shape inference for tensors, axis and declared output of a layer, once for each distinct combination in a file."""

from contextlib import suppress
from typing import NamedTuple

from ovgather.errors import ShapeInferenceError
from ovgather.layers.tensors import DYNAMIC, SCALAR, Tensor
from ovgather.ops.inference import Inference
from ovgather.ops.operation import Operation
from ovgather.tensor.lazy import cached
from ovgather.tensor.shape import PartialShape

_LARGEST_RANK = 64  # of data, to try all axes


class _Case(NamedTuple):
    operation: Operation
    tensors: list[Tensor]
    declared: PartialShape | None
    axis: int | None
    batch_dims: int


class ShapeCheck(_Case):
    """The check of one combination; ``declared`` is the output port's shape, None without a port."""

    @cached
    def shapes(self) -> list[PartialShape]:
        """The input shapes for inference.

        Indices (and an axis) with a port without dims are a scalar or have a dynamic rank. OpenVINO writes dims for
        every output of known rank, so a scalar if the output has dims, or if a scalar explains that it has none.
        """
        shapes = [tensor.shape for tensor in self.tensors]
        data_rank, declared = shapes[0].rank if shapes else None, self.declared
        for index in (1, 2):
            if index >= len(shapes) or self.tensors[index].certain or not self.operation.takes_axis:
                continue
            rank = data_rank - 1 - self.batch_dims if data_rank is not None else None
            is_explained = declared is not None and (declared.rank if declared.rank is not None else 0) == rank
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
        return None if self._outputs is None else list(self._outputs)

    @property
    def declaring_axes(self) -> list[int]:
        """The possible axes that give exactly the declared output."""
        return [axis for axis, shape in (self._outputs or {}).items() if shape == self.declared]

    @cached
    def _outputs(self) -> dict[int, PartialShape] | None:
        """The outputs that fit the declared one, by their axes."""
        declared = self.declared
        data = self.tensors[0].shape if self.tensors else DYNAMIC
        if declared is None or declared.rank is None or data.rank is None or data.rank > _LARGEST_RANK:
            return None
        outputs = {}
        for axis in range(data.rank):
            with suppress(ShapeInferenceError):
                inferred = self.operation.infer(self.shapes, axis=axis, batch_dims=self.batch_dims).shape
                if inferred.compatible(declared):
                    outputs[axis] = inferred
        return outputs

    @cached
    def status(self) -> str:
        """How inferred and declared output compare.

        ``match``; ``refines``: the inferred shape is more precise; ``mismatch``: they contradict each other, or the
        inputs do; ``unknown``: the inferred shape is less precise.
        """
        if self.errors:
            return "mismatch"
        if self.inference is None:
            return "unknown"
        are_certain = len(self.tensors) >= 2 and all(tensor.certain for tensor in self.tensors[:2])
        if self.axis is None and are_certain and self.operation.takes_axis and self.possible_axes == []:
            return "mismatch"
        return comparison(self.inference.shape, self.declared)


def comparison(inferred: PartialShape | None, declared: PartialShape | None) -> str:
    """The ``status`` of an inferred shape, None if nothing can be inferred, compared with the declared one."""
    if inferred is None:
        return "mismatch"
    if declared is None:
        return "refines"
    if inferred == declared or (declared.rank is None and inferred == SCALAR):
        return "match"
    if not inferred.compatible(declared):
        return "mismatch"
    return "refines" if inferred & declared == inferred else "unknown"
