"""A Gather layer of an IR, joined with its operation, and with what the forward pass says of its inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ovgather.errors import InvalidModelError, ShapeInferenceError
from ovgather.forward.run import Forward
from ovgather.ir.constants import Constant
from ovgather.ir.graph import Layer, LayerSignature
from ovgather.ir.model import Model
from ovgather.layers.layer_facts import LayerFacts, Shared
from ovgather.layers.reference import LayerReference, reference
from ovgather.layers.tensors import SCALAR, computed_tensor
from ovgather.ops import openvino as ops
from ovgather.ops.operation import Operation
from ovgather.tensor.element_type import of_dtype
from ovgather.tensor.shape import PartialShape

if TYPE_CHECKING:
    import numpy

    from ovgather.tensor.arrays import Array


def find_operation(
    layer: Layer | LayerSignature, snippet: bool = False
) -> Operation | None:
    """The operation of ``layer``, by type in any case, as in OpenVINO, and opset; without one the newest (snippet)."""
    canonical = _CANONICAL.get(layer.type.lower())
    if canonical is None:
        return None
    if snippet and not layer.version.startswith("opset"):
        return max(
            (op for op in ops.OPERATIONS if op.type == canonical),
            key=lambda op: op.version,
        )
    return ops.find(canonical, layer.version)


_CANONICAL = {name.lower(): name for name in ops.FAMILY}
Only = Callable[[LayerSignature, int], bool]


def is_family_type(type: str) -> bool:
    """Whether a type is Gather, GatherElements or GatherND, in any case."""
    return type.lower() in _CANONICAL


def is_family(layer: Layer | LayerSignature) -> bool:
    return is_family_type(layer.type)


class GatherLayer(LayerFacts):
    """A Gather layer of an IR, as the verbs use it."""

    word = "layer"
    keeps_lengths = False

    @property
    def reference(self) -> LayerReference:
        return reference(self.layer)

    @property
    def seed_path(self) -> tuple[str, ...]:
        """The parts of the seed of its random values."""
        return (*self.layer.body, str(self.layer.id), self.layer.name)

    @property
    def title(self) -> str:
        return self.operation.name

    @property
    def axis_note(self) -> str | None:
        if not self.operation.takes_axis or self.axis is not None:
            return None
        return self.model.unused_weights or self._why_unknown(2)

    def _why_unknown(self, index: int) -> str:
        """Why the value of input ``index`` is not known."""
        source = self.layer.producer(index)
        tensor = computed_tensor(self._shared.forward, source)
        if source is None or tensor is None:
            return "nothing feeds it"
        layer = source[0]
        if tensor.is_constant and self.model.weights is None:
            return "there is no .bin"
        if layer.inputs or not tensor.is_constant:
            return f'{layer.type} {layer.id} "{layer.name}" computes it'
        return f"the constant that feeds it is {tensor.element_type} {tensor.shape}, or is not in the .bin"

    @property
    def type_names(self) -> list[str | None]:
        return [None if kind is None else kind.name for kind in self.element_types]

    @property
    def problem(self) -> str | None:
        if self.errors:
            return str(self.errors[0])
        return None

    def problems(
        self, shapes: Sequence[PartialShape], axis: int | None
    ) -> list[ShapeInferenceError]:
        """The errors of other input shapes, or another axis."""
        return self.operation.check(shapes, axis=axis, batch_dims=self.batch_dims)

    @property
    def is_scalar(self) -> bool:
        """Whether the output, as inferred from certain inputs, is a scalar: what its port without dims does not say."""
        are_certain = all(tensor.certain for tensor in self.tensors[:2])
        return (
            are_certain
            and self.inference is not None
            and self.inference.shape == SCALAR
        )

    def dtype(self, index: int) -> numpy.dtype[Any] | None:
        """The dtype of arrays for an input; None: any."""
        kind = self.element_types[index]
        if kind is None or kind.kind == "dynamic":
            return None
        return kind.dtype

    def takes(self, index: int, dtype: numpy.dtype[Any]) -> bool:
        """Whether an input accepts arrays of ``dtype``: indices may be any integers."""
        return dtype == self.dtype(index) or (index == 1 and dtype.kind in "iu")

    def spelling(self, dtype: numpy.dtype[Any]) -> str:
        return str(of_dtype(dtype))

    def values(self, index: int) -> Array | None:
        """The constant that feeds an input, if its values are known; InvalidModelError if its bytes are too few."""
        kind = self.element_types[index]
        constant = self.constant(index)
        array = None
        if constant is not None and kind is not None:
            array = constant.array()
        if array is not None and kind is not None:
            return array.astype(kind.dtype, copy=False)
        data = None
        if constant is not None:
            data = constant.data
        if (
            constant is not None
            and data is not None
            and data.nbytes < constant.bytes_needed
        ):
            name = ("data", "indices", "axis")[index]
            raise InvalidModelError(
                f"{name} of layer {self.layer.name!r} is a constant of {data.nbytes} bytes, but of shape"
                f" {list(constant.shape)} and type {constant.element_type}, which take {constant.bytes_needed}"
            )
        return None


def gather_layers(
    model: Model,
    constants: Mapping[LayerSignature, Constant] | None = None,
    only: Only | None = None,
) -> Iterator[GatherLayer]:
    """The layers of the family with a known operation, in document order.

    ``constants`` are the known Consts of the model. ``only`` leaves layers, by signature and offset, out.
    """
    shared = Shared(model, constants)
    representatives: dict[tuple[object, ...], GatherLayer] = {}
    for graph in model.graph.graphs():
        family = {
            type
            for type in {signature.type for signature in graph.signatures}
            if is_family_type(type)
        }
        for row, signature in enumerate(graph.signatures if family else ()):
            if signature.type not in family or (
                only is not None and not only(signature, graph.offsets[row])
            ):
                continue
            operation = find_operation(signature, model.snippet)
            if operation is None:
                continue
            layer = graph.layer(row)
            key = _wiring(layer, shared.forward)
            gather = GatherLayer(model, layer, operation, shared)
            gather.representative = representatives.get(key)
            if gather.representative is None:
                representatives[key] = gather
            yield gather


def _wiring(layer: Layer, forward: Forward) -> tuple[object, ...]:
    """The signature of ``layer``, and what flows into its inputs."""
    wiring: list[object] = [layer.signature]
    for source in layer.graph.producers(layer):
        wiring.append(computed_tensor(forward, source))
        if source is not None and source[0].type == "Const":
            wiring.append(source[0].signature)
    return tuple(wiring)
