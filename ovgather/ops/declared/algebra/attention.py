"""ScaledDotProductAttention.

Page: sequence/scaled-dot-product-attention.
"""

from __future__ import annotations

from typing import NamedTuple

from ovgather.ops.declaration import (
    BOOLEAN,
    REALS,
    Attribute,
    Declaration,
    Dims,
    Input,
    Node,
    shape_of,
    tensor,
)
from ovgather.ops.declared.algebra._known import require_least_rank
from ovgather.ops.declared.common.broadcasting import broadcast_dim, broadcast_dims
from ovgather.ops.declared.common.checks import require_rank
from ovgather.tensor.dimension import ANY, LENGTHS, Dimension
from ovgather.tensor.tensor import Tensor


class AttentionSizes(NamedTuple):
    """The dims that the inputs share; ``batch`` is None where its rank is not known."""

    batch: Dims | None
    queries: Dimension
    keys: Dimension
    value_width: Dimension


def _infer(node: Node) -> list[Tensor]:
    node.require_count()
    element_type = _element_type(node)
    sizes = _matrix_sizes(node)
    if node.has(3) and not node["causal"]:
        sizes = _with_mask(node, sizes)
    _require_scale(node)
    _require_sink(node, sizes)
    if sizes.batch is None:
        return [tensor(None, element_type)]
    return [tensor((*sizes.batch, sizes.queries, sizes.value_width), element_type)]


def _element_type(node: Node) -> str:
    """The type that all inputs have; a mask may be boolean instead, and does not count where it is not used."""
    indices = [0, 1, 2, 4, _SINK]
    if node.has(3) and not node["causal"]:
        kind = node.type(3)
        if kind not in REALS and kind not in ("boolean", "dynamic"):
            node.refuse(
                "attention_mask",
                f"attention_mask must be boolean or of a floating-point type, not {kind}",
            )
        if kind != "boolean":
            indices = [0, 1, 2, 3, 4, _SINK]
    element_type = node.same_type(*indices)
    if element_type not in REALS and element_type != "dynamic":
        node.refuse(
            "query", f"the inputs must be of a floating-point type, not {element_type}"
        )
    return element_type


def _matrix_sizes(node: Node) -> AttentionSizes:
    """What query, key and value say."""
    for index in (0, 1, 2):
        require_least_rank(node, index, 3)
    query, key, value = node.dims(0), node.dims(1), node.dims(2)
    if query is None:
        batch, queries, width = (None, ANY, ANY)
    else:
        batch, queries, width = (query[:-2], query[-2], query[-1])
    keys, value_width = ANY, ANY
    if key is not None:
        batch = _joined_batch(node, 1, batch, key[:-2])
        _merged(node, 1, "last dim", width, key[-1])
        keys = key[-2]
    if value is not None:
        batch = _joined_batch(node, 2, batch, value[:-2])
        keys = _merged(node, 2, "dim before the last", keys, value[-2])
        value_width = value[-1]
    if any([dim.max == 0 for dim in batch or ()]):
        message = "the CPU plugin takes no empty batch"
        node.refuse_on_compile("query", message, "sometimes")
    return AttentionSizes(batch, queries, keys, value_width)


def _joined_batch(
    node: Node, index: int, batch: Dims | None, dims: Dims
) -> Dims | None:
    if batch is None:
        return None
    joined = broadcast_dims(batch, dims)
    if joined is None:
        name = node.input_name(index)
        node.refuse(
            name, f"the batch dims of {name} cannot be broadcast to those before it"
        )
    return joined


def _merged(
    node: Node, index: int, place: str, one: Dimension, other: Dimension
) -> Dimension:
    if not one.compatible(other):
        name = node.input_name(index)
        node.refuse(name, f"the {place} of {name} is {other}, but must be {one}")
    return one & other


def _joined(node: Node, place: str, one: Dimension, other: Dimension) -> Dimension:
    joined = broadcast_dim(one, other)
    if joined is None:
        node.refuse(
            "attention_mask",
            f"the {place} of attention_mask is {other}, but must be {one} or 1",
        )
    return joined


def _with_mask(node: Node, sizes: AttentionSizes) -> AttentionSizes:
    """The sizes with what an attention mask adds."""
    mask = node.dims(3)
    if not mask:
        return sizes
    require_least_rank(node, 3, 2)
    queries = _joined(node, "dim before the last", sizes.queries, mask[-2])
    keys = _joined(node, "last dim", sizes.keys, mask[-1])
    batch = _joined_batch(node, 3, sizes.batch, mask[:-2])
    return AttentionSizes(batch, queries, keys, sizes.value_width)


def _require_scale(node: Node) -> None:
    dims = None
    if len(node.inputs) == _SINK:  # OpenVINO does not look at it beside a sink
        dims = node.dims(4)
    if dims and (len(dims) > 1 or not dims[0].compatible(LENGTHS[1])):
        node.refuse(
            "scale",
            f"scale has shape {node.shape(4)}, but must be a scalar or have one element",
        )


def _require_sink(node: Node, sizes: AttentionSizes) -> None:
    """Refuse a sink that cannot be broadcast to one more column of the scores."""
    sink = node.dims(_SINK) if node.has(_SINK) else None
    if sink is None or sizes.batch is None:
        return
    require_rank(node, _SINK, len(sizes.batch) + 2)
    column = (*sizes.batch, sizes.queries, LENGTHS[1])
    joined = broadcast_dims(column, sink)
    if joined is None or not all(map(Dimension.compatible, joined, column)):
        node.refuse(
            "sink",
            f"sink has shape {node.shape(_SINK)}, but must fit {shape_of(column)}",
        )


_SINK = 5
DECLARATIONS = (
    Declaration(
        "ScaledDotProductAttention",
        13,
        (
            Input("query", REALS),
            Input("key", REALS),
            Input("value", REALS),
            Input("attention_mask", REALS | BOOLEAN, optional=True),
            Input("scale", REALS, optional=True),
            Input("sink", REALS, optional=True),
        ),
        (Attribute("causal", "boolean", False),),
        _infer,
        "sequence/scaled-dot-product-attention",
    ),
)
