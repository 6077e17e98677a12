"""A tensor as far as it is known before anything is computed: shape, element type, elements, and what that rests on."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any

from ovgather.tensor.interval import Interval
from ovgather.tensor.shape import DYNAMIC_RANK, PartialShape, key_of

if TYPE_CHECKING:
    from ovgather.tensor.interval import Items

MOST_ITEMS = 1024
"""The elements of a tensor that may become a shape, an axis or an index: those of larger ones are not followed."""
MOST_DIMS = 32
"""The largest rank that OpenVINO's CPU plugin compiles."""


class Basis(IntEnum):
    """What the facts of a tensor rest on; the weakest of what it is computed from."""

    COMPUTED = 0
    """Parameters and Consts alone: OpenVINO computes the same."""
    PORT = 1
    """A declared port, where something is not known: OpenVINO does not look at ports."""
    UNCHECKED = 2
    """A layer of a type that nobody declares."""


class Tensor:
    """What is known of a tensor.

    Tensors are compared by identity: the forward pass holds equal ones once.

    Attributes:
        shape: the partial shape.
        element_type: OpenVINO's name of it, such as ``f32``; ``dynamic`` where it is not known.
        value: the elements in row-major order, of a static shape of at most ``MOST_ITEMS`` elements; None: not known.
        basis: what these facts rest on.
        is_constant: it depends on no input of the model, so OpenVINO computes it when it compiles.
        is_stored: it is a Const or a Parameter of the model, not computed of others.
        is_unfolded: it is constant, and OpenVINO's core neither reads nor computes it: only the plugin knows its
            elements.
    """

    __slots__ = (
        "basis",
        "element_type",
        "is_constant",
        "is_stored",
        "is_unfolded",
        "shape",
        "value",
    )

    def __init__(
        self,
        shape: PartialShape,
        element_type: str,
        value: Items | None = None,
        basis: Basis = Basis.COMPUTED,
        is_constant: bool = False,
        is_stored: bool = False,
        is_unfolded: bool = False,
    ) -> None:
        self.shape = shape
        self.element_type = element_type
        self.value = value
        self.basis = basis
        self.is_constant = is_constant
        self.is_stored = is_stored
        self.is_unfolded = is_unfolded

    @property
    def is_open(self) -> bool:
        """Whether OpenVINO computes a dynamic rank."""
        return self.shape.rank is None and self.basis is Basis.COMPUTED

    @property
    def is_known(self) -> bool:
        """Whether all elements are known, so that OpenVINO makes a constant of it when it compiles."""
        return self.value is not None and not any(
            [isinstance(item, Interval) for item in self.value]
        )

    @property
    def is_input(self) -> bool:
        """Whether it is a Parameter: nobody knows its elements before the model runs."""
        return self.is_stored and not self.is_constant

    @property
    def is_null(self) -> bool:
        """Whether it is an empty Const of an empty ``.bin``: it has no address that OpenVINO could read."""
        return self.is_stored and self.is_unfolded

    @property
    def is_of_unusual_rank(self) -> bool:
        """Whether OpenVINO computes a dynamic rank, or more dims than the CPU takes when the model runs."""
        dims = self.shape.dims
        if dims is None:
            return self.is_open
        return len(dims) > MOST_DIMS and not (self.basis or self.is_constant)

    def __repr__(self) -> str:
        if self.value is not None:
            value = f", {self.value}"
        else:
            value = ""
        return (
            f"Tensor({self.shape.named}, {self.element_type}{value}, {self.basis.name})"
        )


class Tensors(dict[tuple[Any, ...], Tensor]):
    """The tensors of a pass: those that say the same are one object."""

    def one(
        self,
        shape: PartialShape,
        element_type: str,
        value: Items | None,
        basis: Basis,
        is_constant: bool = False,
        is_stored: bool = False,
        is_unfolded: bool = False,
    ) -> Tensor:
        # 1 and 1.0 are equal.
        types = None if value is None else tuple(map(type, value))
        facts = (element_type, value, basis, is_constant, is_stored, is_unfolded)
        key = (key_of(shape), *facts, types)
        tensor = self.get(key)
        if tensor is None:
            tensor = self[key] = Tensor(shape, *facts)
        return tensor


UNKNOWN_TENSOR = Tensor(DYNAMIC_RANK, "dynamic", basis=Basis.UNCHECKED)
