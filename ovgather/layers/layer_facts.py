"""What is known of an IR layer of the family without running it: tensors, constants, axis, and the shape check.

Layers that are wired alike share these facts, so they are computed once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ovgather.errors import ShapeInferenceError
from ovgather.ir.constants import Constant, constant
from ovgather.ir.graph import Layer, LayerSignature
from ovgather.ir.model import Model
from ovgather.ir.numbers import leading_integer
from ovgather.layers.shape_check import ShapeCheck
from ovgather.layers.tensors import Followed, Tensor, Tensors, followed_shape
from ovgather.ops.inference import Inference
from ovgather.ops.operation import Operation
from ovgather.tensor.element_type import ElementType
from ovgather.tensor.shape import PartialShape

COMPUTED = frozenset({"Convert", "Reshape", "Squeeze", "Unsqueeze", "Add", "Subtract", "Multiply", "Concat"})
"""Layers that ``constant_folding`` follows back to constants."""


class Shared:
    """What the layers of one file have in common: ``held`` by its Consts, as far as that is known, and more."""

    def __init__(self, model: Model, held: Mapping[LayerSignature, Constant] | None = None) -> None:
        self.tensors = Tensors()
        self.checks: dict[tuple[object, ...], ShapeCheck] = {}
        self.followed: Followed = {}
        self._weights = model.weights
        self._held = held

    def constant(self, layer: Layer) -> Constant | None:
        """What a Const holds; None when ``layer`` is no Const that can be read."""
        return constant(layer, self._weights) if self._held is None else self._held.get(layer.signature)


if TYPE_CHECKING:
    from functools import cached_property as fact
else:

    class fact:  # noqa: N801 - used as a decorator
        """A property that is computed for one layer, and kept for all that are wired alike."""

        def __init__(self, function):
            self.function = function
            self.name = function.__name__
            self.__doc__ = function.__doc__

        def __get__(self, instance, owner=None):
            if instance is None:
                return self
            facts = instance.wiring
            if self.name not in facts:
                facts[self.name] = self.function(instance)
            return facts[self.name]


class LayerFacts:
    """All that can be known of a layer without running it.

    Attributes:
        wiring: the facts so far. Layers that are wired alike, of one signature and fed by layers of the same
            signatures, share them.
    """

    def __init__(
        self,
        model: Model,
        layer: Layer,
        operation: Operation,
        shared: Shared | None = None,
        wiring: dict[str, Any] | None = None,
    ) -> None:
        self.model = model
        self.layer = layer
        self.operation = operation
        self.wiring: dict[str, Any] = {} if wiring is None else wiring
        self._shared = shared or Shared(model)

    @fact
    def sources(self) -> list[tuple[Layer, int] | None]:
        """The layer that feeds each input port and the index of its output; None where nothing that exists does.

        Nor does the layer itself, whose output is not known before its inputs are.
        """
        found = [self.layer.producer(index) for index in range(len(self.layer.inputs))]
        return [None if source is not None and source[0] is self.layer else source for source in found]

    @fact
    def ports(self) -> list[Tensor]:
        """What each input port says by itself."""
        return [self._shared.tensors.of_port(port) for port in self.layer.inputs]

    @fact
    def tensors(self) -> list[Tensor]:
        """What flows into each input port."""
        of_input, followed = self._shared.tensors.of_input, self._shared.followed
        if not followed:
            return [of_input(own, source) for own, source in zip(self.ports, self.sources, strict=True)]
        shapes = [followed_shape(followed, source) for source in self.sources]
        return [of_input(*each) for each in zip(self.ports, self.sources, shapes, strict=True)]

    @fact
    def element_types(self) -> list[ElementType | None]:
        """The element type of each input, None where the file does not say."""
        return [tensor.element_type for tensor in self.tensors]

    @fact
    def batch_dims(self) -> int:
        """The ``batch_dims`` attribute as OpenVINO reads it; 0 where it is absent, unreadable or no attribute here."""
        said = self._attribute("batch_dims")
        if said is None and "batch_dims" not in self.layer.data:
            said = self.model.comments.get("batch_dims")
        return said if said and self.operation.has_batch_dims else 0

    def _attribute(self, name: str) -> int | None:
        text = self.layer.data.get(name)
        return None if text is None else leading_integer(text, sign="-")

    # -- axis ----------------------------------------------------------------------------------------------------

    @property
    def axis(self) -> int | None:
        """The axis as written (it may be negative); None when it is not known."""
        return self._axis[0]

    @property
    def axis_source(self) -> str:
        """``attribute``, ``const``, ``ports``, ``comment`` or ``unknown``."""
        return self._axis[1]

    @fact
    def _axis(self) -> tuple[int | None, str]:
        if self.operation.has_axis and not self.operation.takes_axis:
            if "axis" not in self.layer.data:
                said = self.model.comments.get("axis")
                return (0, "attribute") if said is None else (said, "comment")
            value = self._attribute("axis")
            return value, "unknown" if value is None else "attribute"
        if not self.operation.has_axis:
            return None, "unknown"
        held = self.constant(2)
        values = held.integers(1) if held is not None else None
        if values:
            return values[0] - (1 << 64 if values[0] >= 1 << 63 else 0), "const"
        if "axis" in self.model.comments:
            return self.model.comments["axis"], "comment"
        if len(self.layer.inputs) < 3 or not self._axis_may_come_from_ports:
            return None, "unknown"
        if self.tensors[0].shape.rank == 1:
            return 0, "ports"  # data of rank 1 has no other axis
        fitting = self._check(None).possible_axes
        return (fitting[0], "ports") if fitting is not None and len(fitting) == 1 else (None, "unknown")

    @property
    def _axis_may_come_from_ports(self) -> bool:
        # An axis that is computed may differ from run to run; a constant one, or one of a snippet, cannot.
        source = self.sources[2]
        return self.model.snippet if source is None else source[0].type == "Const" or self.constant(2) is not None

    def constant(self, index: int) -> Constant | None:
        """The constant feeding input ``index``, directly or by way of layers that compute it; None: there is none."""
        name = f"constant {index}"
        if name not in self.wiring:
            self.wiring[name] = self._constant(index)
        constant: Constant | None = self.wiring[name]
        return constant

    def _constant(self, index: int) -> Constant | None:
        source = self.sources[index] if index < len(self.sources) else None
        if source is None:
            return None
        if source[0].type in COMPUTED:
            from ovgather.layers.constant_folding import Chain

            return Chain(self.model.weights).value(source[0])
        return self._shared.constant(source[0])

    # -- shapes --------------------------------------------------------------------------------------------------

    @fact
    def declared(self) -> PartialShape | None:
        """The output port's dims; a dynamic rank when it has none; None when there is no output port."""
        return self._shared.tensors.of_port(self.layer.outputs[0]).shape if self.layer.outputs else None

    def _check(self, axis: int | None) -> ShapeCheck:
        """The check for ``axis``, shared by all layers of the file that look the same."""
        port = self.layer.outputs[0] if self.layer.outputs else None
        # The check keeps what the key names by identity, so none of it can be replaced by another object.
        key = (id(self.operation), axis, self.batch_dims, id(port), *map(id, self.tensors))
        check = self._shared.checks.get(key)
        if check is None:
            check = ShapeCheck(self.operation, self.tensors, self.declared, axis, self.batch_dims)
            self._shared.checks[key] = check
        return check

    @fact
    def check(self) -> ShapeCheck:
        """The inferred output beside the declared one."""
        return self._check(self.axis)

    @property
    def shapes(self) -> list[PartialShape]:
        """See ``ShapeCheck``."""
        return self.check.shapes

    @property
    def errors(self) -> list[ShapeInferenceError]:
        """See ``ShapeCheck``."""
        return self.check.errors

    @property
    def inference(self) -> Inference | None:
        """See ``ShapeCheck``."""
        return self.check.inference

    @property
    def status(self) -> str:
        """``match``, ``refines``, ``mismatch`` or ``unknown``: see ``ShapeCheck``."""
        return self.check.status

    @property
    def output_is_declared(self) -> bool:
        """The axis is unknown, but one that fits the ports gives exactly the declared output."""
        return self.axis is None and self.operation.takes_axis and self.check.declared_by_an_axis

    @property
    def output_type(self) -> ElementType | None:
        """The element type of the output: that of ``data``."""
        return self.tensors[0].element_type if self.tensors else None
