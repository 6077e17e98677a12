"""One type of Gather in terms of another, in layers of IR."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from ovgather.errors import IndexOutOfRangeError, InvalidModelError
from ovgather.ir.writer import Flow, WrittenTensor
from ovgather.layers.gather_layer import GatherLayer
from ovgather.ops import openvino as ops
from ovgather.tensor.arrays import Array
from ovgather.tensor.element_type import named
from ovgather.tensor.shape import Dimension, PartialShape
from ovgather.verbs.convert.layers import VERSIONS, LayerBuilder, orders


class Last(NamedTuple):
    """The layer that takes the place of a Gather layer, behind those that were added."""

    type: str
    version: str
    data: dict[str, str]
    inputs: list[Flow]


def rewritten(
    layers: LayerBuilder,
    gather: GatherLayer,
    to: str,
    inputs: Sequence[Flow],
    constant: Array | None,
    notes: list[str],
) -> Last:
    """The layers of ``gather`` as ``to``: data whose axis follows the batch dims, and a Transpose behind if needed.

    ``constant``: the values of the indices. Raises InvalidModelError: there is no such form.
    """
    data, indices = inputs
    _require_same(gather, to, data, constant, notes)
    rank = data.tensor.shape.rank
    index_rank = indices.tensor.shape.rank
    kind = gather.operation.type
    if rank is None or index_rank is None:
        raise InvalidModelError("the rank of data or indices is not known")
    batch = gather.batch_dims + (index_rank if gather.batch_dims < 0 else 0)
    back: list[int] = []
    if kind == "GatherND":
        layers.argument = "indices"
        data, indices = _single(layers, data, indices, batch, constant)
    else:
        if gather.axis is None:
            raise InvalidModelError("its axis is not known")
        axis = gather.axis % rank
        if kind == "GatherElements":
            batch = rank - 1
            order = [*[dim for dim in range(rank) if dim != axis], axis]
            layers.argument = "indices"
            indices = _transposed(layers, indices, order)
            back = [order.index(dim) for dim in range(rank)]
        else:
            order, back = orders(rank, index_rank, axis, batch)
        layers.argument = "data"
        data = _transposed(layers, data, order)
    if (
        to == "Gather"
        and batch
        and all(dim.min <= 1 for dim in (data.tensor.shape.dims or ())[:batch])
    ):
        notes.append(
            "OpenVINO's CPU plugin can die of a Gather with batch_dims where the batch dims are 1"
        )
    layers.argument = "indices"
    last = _along_batch(layers, to, data, indices, batch)
    if back == sorted(back):
        return last
    layers.argument = "output"
    dims = [
        *(data.tensor.shape.dims or ())[:batch],
        *(indices.tensor.shape.dims or ())[batch:],
    ]
    dims += (data.tensor.shape.dims or ())[batch + 1 :]
    output = WrittenTensor(data.tensor.element_type, PartialShape(tuple(dims)))
    gathered = layers.add(last.type, last.version, last.inputs, output, **last.data)
    return Last("Transpose", "opset1", {}, [gathered, layers.integers(back)])


def _require_same(
    gather: GatherLayer, to: str, data: Flow, constant: Array | None, notes: list[str]
) -> None:
    """Refuse what would be another value; InvalidModelError says why."""
    from ovgather.ops.kernels import require_inside

    old = gather.operation
    new = ops.find(to, VERSIONS[to])
    assert new is not None
    if old.joins_batch_dims and gather.batch_dims > 1:
        raise InvalidModelError(
            f"{old.name} makes one dim of its {gather.batch_dims} batch dims"
        )
    if constant is None:
        if old.out_of_range not in ("undefined", new.out_of_range):
            results = {
                "zeros": "gives zeros",
                "error": "is an error",
                "undefined": "reads what it should not",
            }
            notes.append(
                f"an index outside, which {results[old.out_of_range]} in {old.name}, {results[new.out_of_range]} in"
                f" {new.name}"
            )
        return
    dims = [dim.min for dim in data.tensor.shape.dims or ()]
    sizes = []
    if dims:
        sizes = old.index_sizes(dims, constant.shape, gather.axis, gather.batch_dims)
    try:
        require_inside(
            constant, [(-size, size - 1) for size in sizes], f"data {data.tensor.shape}"
        )
    except IndexOutOfRangeError as error:
        raise InvalidModelError(str(error)) from None


def _transposed(layers: LayerBuilder, flow: Flow, order: list[int]) -> Flow:
    dims = flow.tensor.shape.dims
    if order == sorted(order) or dims is None:
        return flow
    output = WrittenTensor(
        flow.tensor.element_type, PartialShape(tuple([dims[place] for place in order]))
    )
    return layers.add("Transpose", "opset1", [flow, layers.integers(order)], output)


def _along_batch(
    layers: LayerBuilder, to: str, data: Flow, indices: Flow, batch: int
) -> Last:
    """Slices of data along the dim after the batch dims."""
    kind = indices.tensor.element_type
    dims = indices.tensor.shape.dims or ()
    if to == "Gather":
        return Last(
            to,
            "opset8",
            {"batch_dims": str(batch)},
            [data, indices, layers.integers([batch])],
        )
    if to == "GatherND":
        tensor = WrittenTensor(kind, PartialShape((*dims, Dimension(1))))
        tuples = layers.add(
            "Unsqueeze", "opset1", [indices, layers.integers([len(dims)])], tensor
        )
        return Last(to, "opset8", {"batch_dims": str(batch)}, [data, tuples])
    if not data.tensor.shape.rank == len(dims) == batch + 1:
        raise InvalidModelError(
            "GatherElements takes single elements, and as many dims of indices as of data"
        )
    if kind.name not in ("i32", "i64"):
        indices = layers.convert(indices, named("i64"))
    return Last(to, "opset6", {"axis": str(batch)}, [data, indices])


def _single(
    layers: LayerBuilder, data: Flow, indices: Flow, batch: int, constant: Array | None
) -> tuple[Flow, Flow]:
    """Data and indices with one index in the place of a tuple."""
    dims = data.tensor.shape.dims or ()
    own = indices.tensor.shape.dims or ()
    if not own[-1].is_static:
        raise InvalidModelError("how long its index tuples are is not known")
    length = own[-1].min
    kind = data.tensor.element_type
    if length == 1:
        tensor = WrittenTensor(indices.tensor.element_type, PartialShape(own[:-1]))
        return data, layers.add(
            "Squeeze", "opset1", [indices, layers.integers([len(own) - 1])], tensor
        )
    sizes = dims[batch : batch + length]
    rest = dims[batch + length :]
    if constant is None or not length or not all(size.is_static for size in sizes):
        raise InvalidModelError(
            "its index tuples can be one index only where they and the lengths are constants"
        )
    if sum(dim.is_dynamic for dim in rest) > 1:
        raise InvalidModelError("more than one length of its slices is not known")
    import numpy

    lengths = [size.min for size in sizes]
    places = numpy.zeros(constant.shape[:-1], "i8")
    for part, size in enumerate(lengths):
        places = places * size + constant[..., part].astype("i8") % size
    flat = layers.integers(places)
    whole = Dimension(prod(lengths))
    layers.argument = "data"
    pattern = layers.integers(
        [*[0] * batch, whole.min, *[-1 if dim.is_dynamic else dim.min for dim in rest]]
    )
    output = WrittenTensor(kind, PartialShape((*dims[:batch], whole, *rest)))
    return layers.add(
        "Reshape", "opset1", [data, pattern], output, special_zero="true"
    ), flat
