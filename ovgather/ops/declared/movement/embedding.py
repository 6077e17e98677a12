"""Rows of a table, joined bag by bag.

Pages: sparse/embedding-bag-offsets-sum-3, sparse/embedding-bag-offsets-15, sparse/embedding-bag-packed-sum-3,
sparse/embedding-bag-packed-15, sparse/embedding-segments-sum-3.
"""

from __future__ import annotations

from ovgather.ops.declaration import (
    INT32_64,
    Attribute,
    Declaration,
    Input,
    Node,
    tensor,
)
from ovgather.ops.declared.common.movement import (
    dim_of_value,
    is_certain,
    require_known_types,
    require_least_rank,
    require_rank,
    require_same_shape,
)
from ovgather.tensor.dimension import ANY, Dimension
from ovgather.tensor.tensor import Tensor

_TABLE, _INDICES = range(2)


def _require_weights(node: Node, index: int, rank: int) -> None:
    """Refuse weights that differ from the table in type, or from the indices in shape."""
    if not node.has(index):
        return
    name = node.input_name(index)
    node.same_type(_TABLE, index)
    require_rank(node, index, rank)
    require_same_shape(node, index, _INDICES)
    if node.attributes.get("reduction") == "mean":
        node.refuse(name, f"{name} are given, which reduction mean does not allow")


def _require_static_weights(node: Node, index: int) -> None:
    """The CPU takes weights of a static shape only."""
    for place in (_INDICES, index):
        if (
            node.has(index)
            and not node.shape(place).is_static
            and is_certain(node, place)
        ):
            name = node.input_name(place)
            node.refuse_on_compile(
                name, f"{name} has shape {node.shape(place)}, weights need a static one"
            )


def _require_integers(node: Node, *indices: int) -> None:
    """Refuse indices of a type that is not known, or of more than one."""
    node.require_types()
    require_known_types(node, *indices)
    node.same_type(*indices)


def _require_rows(node: Node, rows: Dimension) -> None:
    """Refuse on compile constant indices that a constant table does not have."""
    if not rows.is_static or not all([each.is_constant for each in node.inputs]):
        return
    for index in node.integers(_INDICES) or ():
        if not 0 <= index < rows.min:
            node.refuse_on_compile(
                "indices", f"index {index} is out of range [0, {rows.min - 1}]"
            )


def _output(node: Node, first: Dimension) -> list[Tensor]:
    """The table, with another first dim."""
    require_least_rank(node, _TABLE, 1)
    dims = node.dims(_TABLE)
    if dims is not None:
        _require_rows(node, dims[0])
    return [tensor(None if dims is None else (first, *dims[1:]), node.type(_TABLE))]


def _offsets(node: Node) -> list[Tensor]:
    node.require_count()
    _require_integers(node, 1, 2, 3)
    require_rank(node, 1, 1)
    require_rank(node, 2, 1)
    require_rank(node, 3, 0)
    _require_weights(node, 4, 1)
    offsets = node.dims(2)
    outputs = _output(node, ANY if offsets is None else offsets[0])
    _require_static_weights(node, 4)
    return outputs


def _packed(node: Node) -> list[Tensor]:
    node.require_count()
    _require_integers(node, 1)
    require_rank(node, 1, 2)
    _require_weights(node, 2, 2)
    indices = node.dims(1)
    weights = None
    if node.has(2):
        weights = node.dims(2)
    if indices is None:
        first = ANY
    else:
        first = indices[0]
    outputs = _output(node, first if weights is None else first & weights[0])
    _require_static_weights(node, 2)
    return outputs


def _segments(node: Node) -> list[Tensor]:
    node.require_count()
    _require_integers(node, 1, 2, 3, 4)
    require_rank(node, 1, 1)
    require_rank(node, 2, 1)
    require_same_shape(node, 2, 1)
    require_rank(node, 3, 0)
    require_rank(node, 4, 0)
    _require_weights(node, 5, 1)
    outputs = _output(node, dim_of_value(node, 3))
    _require_static_weights(node, 5)
    return outputs


_TABLE_INPUT = Input("emb_table")
_INDICES_INPUT = Input("indices", INT32_64)
_DEFAULT_INDEX = Input("default_index", INT32_64, optional=True)
_WEIGHTS = Input("per_sample_weights", optional=True)
_REDUCTION = Attribute("reduction", "enum", "sum", values=("sum", "mean"))

OFFSETS_SUM = Declaration(
    "EmbeddingBagOffsetsSum",
    3,
    (
        _TABLE_INPUT,
        _INDICES_INPUT,
        Input("offsets", INT32_64),
        _DEFAULT_INDEX,
        _WEIGHTS,
    ),
    (),
    _offsets,
    "sparse/embedding-bag-offsets-sum-3",
)
OFFSETS = OFFSETS_SUM._replace(
    type="EmbeddingBagOffsets",
    since=15,
    attributes=(_REDUCTION,),
    page="sparse/embedding-bag-offsets-15",
)
PACKED_SUM = Declaration(
    "EmbeddingBagPackedSum",
    3,
    (_TABLE_INPUT, _INDICES_INPUT, _WEIGHTS),
    (),
    _packed,
    "sparse/embedding-bag-packed-sum-3",
)
PACKED = PACKED_SUM._replace(
    type="EmbeddingBagPacked",
    since=15,
    attributes=(_REDUCTION,),
    page="sparse/embedding-bag-packed-15",
)
SEGMENTS_SUM = Declaration(
    "EmbeddingSegmentsSum",
    3,
    (
        _TABLE_INPUT,
        _INDICES_INPUT,
        Input("segment_ids", INT32_64),
        Input("num_segments", INT32_64),
        _DEFAULT_INDEX,
        _WEIGHTS,
    ),
    (),
    _segments,
    "sparse/embedding-segments-sum-3",
)
DECLARATIONS = (OFFSETS_SUM, OFFSETS, PACKED_SUM, PACKED, SEGMENTS_SUM)
