"""Segments of rows, and sparse tensors whose empty rows are filled.

Pages: reduction/segment-max-16, sparse/sparse-fill-empty-rows-16.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

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
    dims_of_value,
    is_certain,
    require_known_types,
    require_least_rank,
    require_rank,
)
from ovgather.tensor import interval
from ovgather.tensor.dimension import ANY, LENGTHS, Dimension
from ovgather.tensor.tensor import Tensor
from ovgather.text import elements

_PAIR = LENGTHS[2]


def _segment_max(node: Node) -> list[Tensor]:
    node.require_count()
    node.require_types()
    require_least_rank(node, 0, 1)
    require_rank(node, 1, 1)
    require_rank(node, 2, 0)
    dims, id_dims = node.dims(0), node.dims(1)
    if dims is not None and id_dims is not None and not dims[0].compatible(id_dims[0]):
        node.refuse(
            "segment_ids",
            f"segment_ids has {elements(id_dims[0])}, dim 0 of data is {dims[0]}",
        )
    ids = node.integers(1)
    if ids and any([after < before for before, after in pairwise(ids)]):
        node.refuse("segment_ids", "segment_ids are not in ascending order")
    if dims is None:
        return [tensor(None, node.type(0))]
    return [tensor((_segment_count(node, ids), *dims[1:]), node.type(0))]


def _segment_count(node: Node, ids: Sequence[int] | None) -> Dimension:
    if node.has(2):
        return dim_of_value(node, 2)
    if ids:
        return interval.to_dimension(ids[-1] + 1)
    return ANY


def _fill_empty_rows(node: Node) -> list[Tensor]:
    node.require_count()
    node.require_types()
    index_type = node.same_type(1, 2)
    if index_type == "dynamic":
        require_known_types(node, 1, 2)
    value_type = node.type(0)
    require_rank(node, 0, 1)
    _require_pair(node, 1, 1)
    _require_pair(node, 2, 2)
    values, indices = node.dims(0), node.dims(2)
    if (
        values is not None
        and indices is not None
        and not values[0].compatible(indices[0])
    ):
        node.refuse(
            "indices",
            f"indices has {indices[0]} rows, values has {elements(values[0])}",
        )
    require_rank(node, 3, 0)
    dense = dims_of_value(node, 1)
    rows = dense[0] if dense else ANY
    index_count = value_count = ANY
    places = node.integers(2)
    if (
        dense is not None
        and len(dense) == 2
        and places is not None
        and rows.min == rows.max
    ):
        if values is None and is_certain(node, 0):
            node.refuse(
                "values",
                "values has dynamic rank, while dense_shape and indices are known",
            )
        empty = rows.min - len(_rows(node, places, rows.min, dense[1].max))
        index_count = _longer(ANY if indices is None else indices[0], empty)
        value_count = _longer(ANY if values is None else values[0], empty)
    return [
        tensor((index_count, _PAIR), node.type(2)),
        tensor((value_count,), value_type),
        tensor((rows,), "boolean"),
    ]


def _require_pair(node: Node, index: int, rank: int) -> None:
    """Refuse an input of another rank, or whose last dim is not 2."""
    require_rank(node, index, rank)
    dims = node.dims(index)
    if dims is not None and not dims[-1].compatible(_PAIR):
        name = node.input_name(index)
        node.refuse(name, f"the last dim of {name} is {dims[-1]}, 2 is expected")


def _rows(
    node: Node, places: Sequence[int], rows: int, columns: int | None
) -> set[int]:
    """The rows that have an element."""
    for row, column in zip(places[::2], places[1::2], strict=False):
        if not 0 <= row < rows:
            node.refuse("indices", f"row {row} is out of range [0, {rows - 1}]")
        if column < 0 or (columns is not None and column >= columns):
            last = "" if columns is None else columns - 1
            node.refuse("indices", f"column {column} is out of range [0, {last}]")
    return set(places[::2])


def _longer(dim: Dimension, count: int) -> Dimension:
    return interval.to_dimension(interval.add(interval.of_dimension(dim), count))


SEGMENT_MAX = Declaration(
    "SegmentMax",
    16,
    (
        Input("data"),
        Input("segment_ids", INT32_64),
        Input("num_segments", INT32_64, optional=True),
    ),
    (Attribute("fill_mode", "enum", "zero", required=True, values=("zero", "lowest")),),
    _segment_max,
    "reduction/segment-max-16",
    of_plugin=True,
)
SPARSE_FILL_EMPTY_ROWS = Declaration(
    "SparseFillEmptyRows",
    16,
    (
        Input("values"),
        Input("dense_shape", INT32_64),
        Input("indices", INT32_64),
        Input("default_value"),
    ),
    (),
    _fill_empty_rows,
    "sparse/sparse-fill-empty-rows-16",
    outputs=("output_indices", "output_values", "empty_row_indicator"),
)
DECLARATIONS = (SEGMENT_MAX, SPARSE_FILL_EMPTY_ROWS)
