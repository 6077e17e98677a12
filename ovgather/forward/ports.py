"""The tensors of outputs: what is computed of them, and what their ports say beside that."""

from __future__ import annotations

from collections.abc import Sequence

from ovgather.forward.records import Outputs
from ovgather.ir.graph import LayerSignature, Port
from ovgather.tensor import element_type
from ovgather.tensor.interval import Items
from ovgather.tensor.shape import DYNAMIC_RANK, PartialShape, key_of, lengths, of_dims
from ovgather.tensor.tensor import Basis, Tensor, Tensors


def port_type(port: Port) -> str:
    kind = None
    if port.precision is not None:
        kind = element_type.from_port(port.precision)
    return "dynamic" if kind is None else kind.name


def port_facts(port: Port) -> tuple[PartialShape, str]:
    if port.dims:
        shape = of_dims(lengths(port.dims))
    else:
        shape = DYNAMIC_RANK
    return shape, port_type(port)


def refined(shape: PartialShape, kind: str, port: Port) -> tuple[PartialShape, str]:
    """Shape and element type with what a port adds to them, if both agree."""
    port_shape, own_type = port_facts(port)
    if (
        not shape.is_static
        and port_shape.dims is not None
        and shape.compatible(port_shape)
    ):
        both = shape & port_shape
        shape = shape if both == shape else both
    return shape, own_type if kind == "dynamic" else kind


def deviates(tensor: Tensor, port: Port) -> bool:
    """Whether a computed tensor contradicts what its port declares."""
    if tensor.basis:
        return False
    dims = tensor.shape.dims
    if dims is not None and port.dims and key_of(tensor.shape) != port.dims:
        if len(dims) != len(port.dims):
            return True
        for dim, length in zip(dims, port.dims, strict=True):
            if length >= 0 and (
                length < dim.min or (dim.max is not None and length > dim.max)
            ):
                return True
    kind = port_type(port)
    return kind != tensor.element_type and "dynamic" not in (kind, tensor.element_type)


class OutputTensors:
    """The tensors of one pass.

    Args:
        before: those of an earlier pass over the same model, of which this one takes what stays.
        has_other_shapes: the inputs of the model have other shapes than the file says, and its ports hold no longer.

    Attributes:
        tensors: all of them; those that say the same are one object.
    """

    def __init__(self, before: OutputTensors | None, has_other_shapes: bool) -> None:
        self.tensors: Tensors = Tensors() if before is None else before.tensors
        self._of_ports: dict[Port, Tensor] = {} if before is None else before._of_ports
        self._usual: dict[Port, Tensor] = {}
        self._has_other_shapes = has_other_shapes

    def of_port(self, port: Port) -> Tensor:
        """What a port declares."""
        tensor = self._of_ports.get(port)
        if tensor is None:
            tensor = self._of_ports[port] = self.tensors.one(
                *port_facts(port), None, Basis.PORT
            )
        return tensor

    def unchecked(self, port: Port, is_assumed: bool = False) -> Tensor:
        """The output of a layer that nobody declares: its port says more where the inputs are those of the file."""
        shape, kind = port_facts(port)
        if self._has_other_shapes:
            shape = DYNAMIC_RANK
        is_known = shape.rank is not None and kind != "dynamic"
        basis = Basis.COMPUTED if is_assumed and is_known else Basis.UNCHECKED
        return self.tensors.one(shape, kind, None, basis)

    def computed(
        self,
        outputs: Sequence[Tensor],
        ports: Sequence[Port],
        is_constant: bool,
    ) -> tuple[Outputs, bool]:
        """The outputs of a layer of which all facts are computed, and whether they contradict its ports.

        Most outputs say what the last one with the same port said: they are found without a key, and do not deviate.
        """
        tensors = []
        is_deviating = False
        for index, each in enumerate(outputs):
            port = None
            if index < len(ports):
                port = ports[index]
            usual = None
            if port is not None and each.value is None and not is_constant:
                usual = self._usual.get(port)
            shape = each.shape
            kind = each.element_type
            if (
                usual is not None
                and usual.element_type == kind
                and usual.shape.dims == shape.dims
                and not shape.symbolic
            ):
                tensors.append(usual)
                continue
            tensor = self.tensors.one(
                shape,
                kind,
                each.value,
                Basis.COMPUTED,
                is_constant,
                is_unfolded=each.is_unfolded,
            )
            tensors.append(tensor)
            if port is not None and deviates(tensor, port):
                is_deviating = True
            elif (
                port is not None
                and each.value is None
                and not is_constant
                and not shape.symbolic
            ):
                self._usual[port] = tensor
        return tuple(tensors), is_deviating

    def with_ports(
        self,
        outputs: Sequence[Tensor],
        signature: LayerSignature,
        basis: Basis,
        is_constant: bool,
    ) -> Outputs:
        """The outputs; what is not known of them for lack of facts is taken from the ports."""
        tensors = []
        for index, tensor in enumerate(outputs):
            shape = tensor.shape
            kind = tensor.element_type
            own_basis = max(basis, tensor.basis)
            if not self._has_other_shapes and index < len(signature.outputs):
                shape, kind = refined(shape, kind, signature.outputs[index])
                if shape is not tensor.shape or kind != tensor.element_type:
                    own_basis = max(own_basis, Basis.PORT)
            tensors.append(
                self.tensors.one(shape, kind, tensor.value, own_basis, is_constant)
            )
        return tuple(tensors)


def with_value(outputs: Outputs, value: Items) -> Outputs:
    """The outputs of a layer of which the elements are known from elsewhere."""
    return tuple(
        [
            Tensor(
                each.shape,
                each.element_type,
                value,
                each.basis,
                is_constant=True,
                is_stored=True,
            )
            for each in outputs
        ]
    )
