"""A Gather layer of an IR or a Gather node of an ONNX file, as the verbs see it.

Another file format takes part by a class with these members and a branch in ``formats``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy

    from ovgather.errors import ShapeInferenceError
    from ovgather.layers.reference import LayerReference
    from ovgather.ops.inference import Inference
    from ovgather.ops.operation import Operation
    from ovgather.tensor.arrays import Array
    from ovgather.tensor.element_type import ElementType
    from ovgather.tensor.shape import PartialShape


class AnyGather(Protocol):
    """One operation of the family in a file."""

    @property
    def word(self) -> str:
        """What its format calls it: ``layer`` or ``node``."""

    @property
    def keeps_lengths(self) -> bool:
        """Random data have the declared lengths, however long; else long dims are cut down."""

    @property
    def reference(self) -> LayerReference:
        """How reports name it."""

    @property
    def seed_path(self) -> tuple[str, ...]:
        """What its random values depend on, besides the seed."""

    @property
    def operation(self) -> Operation | None:
        """Its operation; None where its opset has none."""

    @property
    def title(self) -> str:
        """``Gather-8``, or the type alone where there is no operation."""

    @property
    def axis(self) -> int | None:
        """The axis as written; None where there is none, or it is not known."""

    @property
    def axis_source(self) -> str:
        """``attribute``, ``const``, ``ports``, ``comment`` or ``unknown``."""

    @property
    def axis_note(self) -> str | None:
        """Why the axis is not known; None: it is, or there is none."""

    @property
    def batch_dims(self) -> int:
        """``batch_dims``; 0 where it is absent."""

    @property
    def shapes(self) -> list[PartialShape]:
        """Those of the inputs."""

    @property
    def type_names(self) -> list[str | None]:
        """The element types of the inputs, as the format spells them; None: not known."""

    @property
    def element_types(self) -> list[ElementType | None]:
        """The same as OpenVINO's element types; None where it has none."""

    @property
    def declared(self) -> PartialShape | None:
        """The output shape that the file declares."""

    @property
    def inference(self) -> Inference | None:
        """The inferred output; None where the inputs do not fit."""

    @property
    def output_is_declared(self) -> bool:
        """The axis is unknown, but one that fits the ports gives exactly the declared output."""

    @property
    def problem(self) -> str | None:
        """Why nothing can be inferred."""

    @property
    def status(self) -> str:
        """``match``, ``refines``, ``mismatch`` or ``unknown``."""

    def problems(self, shapes: Sequence[PartialShape], axis: int | None) -> list[ShapeInferenceError]:
        """What is wrong with other input shapes, or another axis."""

    def dtype(self, index: int) -> numpy.dtype[Any] | None:
        """The dtype of arrays for an input; None: any."""

    def takes(self, index: int, dtype: numpy.dtype[Any]) -> bool:
        """Whether an input takes arrays of ``dtype``."""

    def spelling(self, dtype: numpy.dtype[Any]) -> str:
        """The element type of arrays of ``dtype``, as the format spells it."""

    def values(self, index: int) -> Array | None:
        """The constant that feeds an input; None: there is none whose values can be had."""
