"""String tensors, made of their characters and taken apart.

Pages: type/string-tensor-pack-15, type/string-tensor-unpack-15.
"""

from __future__ import annotations

from itertools import pairwise

from ovgather.ops.declaration import (
    INT32_64,
    Declaration,
    Input,
    Node,
    tensor,
)
from ovgather.ops.declared.common.movement import (
    element_count,
    require_known_types,
    require_rank,
    require_same_shape,
)
from ovgather.tensor.dimension import ANY, LENGTHS
from ovgather.tensor.tensor import Tensor

_SYMBOLS = 2


def _pack(node: Node) -> list[Tensor]:
    node.require_count()
    node.require_types()
    require_known_types(node, 0, 1, _SYMBOLS)
    node.same_type(0, 1)
    require_same_shape(node, 1, 0)
    require_rank(node, _SYMBOLS, 1)
    for index in (0, 1):
        _require_places(node, index)
    return [tensor((node.shape(0) & node.shape(1)).dims, "string")]


def _require_places(node: Node, index: int) -> None:
    """Refuse places that are not in ascending order, or are outside the characters."""
    places, symbols = node.integers(index), node.dims(_SYMBOLS)
    if not places:
        return
    name = node.input_name(index)
    if any([after < before for before, after in pairwise(places)]):
        node.refuse(name, f"{name} are not in ascending order")
    if places[0] < 0:
        node.refuse(name, f"{name} has {places[0]}, at least 0 is expected")
    if (
        symbols is not None
        and symbols[0].min == symbols[0].max
        and places[-1] > symbols[0].min
    ):
        node.refuse(name, f"{name} has {places[-1]}, there are {symbols[0]} symbols")


def _unpack(node: Node) -> list[Tensor]:
    node.require_count()
    node.require_types()
    require_known_types(node, 0)
    places = tensor(node.dims(0), "i32")
    is_empty = element_count(node.shape(0)) == 0
    return [places, places, tensor((LENGTHS[0] if is_empty else ANY,), "u8")]


PACK = Declaration(
    "StringTensorPack",
    15,
    (
        Input("begins", INT32_64),
        Input("ends", INT32_64),
        Input("symbols", frozenset({"u8"})),
    ),
    (),
    _pack,
    "type/string-tensor-pack-15",
    of_plugin=True,
)
UNPACK = Declaration(
    "StringTensorUnpack",
    15,
    (Input("data", frozenset({"string"})),),
    (),
    _unpack,
    "type/string-tensor-unpack-15",
    outputs=("begins", "ends", "symbols"),
)
DECLARATIONS = (PACK, UNPACK)
