"""Discrete Fourier transforms.

Pages: signals/dft-7, signals/idft-7, signals/rdft-9, signals/irdft-9.
"""

from __future__ import annotations

from ovgather.ops.declaration import INT32_64, Declaration, Dims, Input, Node, tensor
from ovgather.ops.declared.algebra._known import (
    require_least_rank,
    require_ranks,
    whole_numbers,
)
from ovgather.ops.declared.common.checks import (
    is_compiled,
    require_constant_for_plugin,
    require_elements_for_plugin,
)
from ovgather.tensor import interval
from ovgather.tensor.dimension import ANY, LENGTHS, Dimension, exact
from ovgather.tensor.interval import UNKNOWN, Interval, Item
from ovgather.tensor.tensor import Tensor
from ovgather.text import elements

DATA_TYPES = frozenset({"f32", "f16", "bf16"})


def _infer_dft(node: Node) -> list[Tensor]:
    _require_types(node)
    dims = node.dims(0)
    axes = _known_axes(node, is_complex=True)
    if dims is None:
        return [tensor(None, node.type(0))]
    if axes is None and node.has(2):
        return [tensor((*(ANY,) * (len(dims) - 1), dims[-1]), node.type(0))]
    return [tensor(_with_sizes(node, dims, axes or []), node.type(0))]


def _infer_rdft(node: Node) -> list[Tensor]:
    _require_types(node)
    _require_known_for_plugin(node)
    dims = node.dims(0)
    axes = _known_axes(node, is_complex=False)
    if dims is None:
        return [tensor(None, node.type(0))]
    if axes is None:
        return [tensor((*(ANY,) * len(dims), LENGTHS[2]), node.type(0))]
    if axes and node.has(2) and node.value(2) is None:
        dims = _replaced(dims, axes[-1], ANY)
    elif axes:
        dims = _with_sizes(node, dims, axes)
        dims = _replaced(dims, axes[-1], _half(dims[axes[-1]]))
    return [tensor((*dims, LENGTHS[2]), node.type(0))]


def _infer_irdft(node: Node) -> list[Tensor]:
    _require_types(node)
    _require_known_for_plugin(node)
    dims = node.dims(0)
    axes = _known_axes(node, is_complex=True)
    if dims is None:
        return [tensor(None, node.type(0))]
    dims = dims[:-1]
    if axes is None:
        return [tensor((ANY,) * len(dims), node.type(0))]
    if axes:
        dims = _inverse_dims(node, dims, axes)
    return [tensor(dims, node.type(0))]


def _inverse_dims(node: Node, dims: Dims, axes: list[int]) -> Dims:
    last = axes[-1]
    if node.has(2) and node.value(2) is None:
        return _replaced(dims, last, ANY)
    doubled = _replaced(dims, last, _double(dims[last]))
    return _with_sizes(node, doubled, axes)


def _half(dim: Dimension) -> Dimension:
    """How many numbers a transform of so many real ones gives: none of none."""
    if dim.max == 0:
        return LENGTHS[0]
    half = interval.to_dimension(
        interval.add(interval.floor_divide(interval.of_dimension(dim), 2), 1)
    )
    if dim.min:
        return half
    return exact(0, half.max, half.symbol)


def _double(dim: Dimension) -> Dimension:
    """How many real numbers have a transform of so many."""
    if dim.max == 0:
        return LENGTHS[0]
    return interval.to_dimension(
        interval.multiply(interval.subtract(interval.of_dimension(dim), 1), 2)
    )


def _replaced(dims: Dims, place: int, dim: Dimension) -> Dims:
    return (*dims[:place], dim, *dims[place + 1 :])


def _require_types(node: Node) -> None:
    node.require_count()
    node.require_types()


def _known_axes(node: Node, is_complex: bool) -> list[int] | None:
    """The axes counted from the front, where all are known; the last dim of complex data is none of them."""
    require_ranks(node, 1, 1)
    require_least_rank(node, 0, 2 if is_complex else 1)
    dims, axes = node.dims(0), whole_numbers(node, 1)
    if dims is not None:
        if is_complex and not dims[-1].compatible(LENGTHS[2]):
            node.refuse("data", f"the last dim of data is {dims[-1]}, but must be 2")
        rank = len(dims) - is_complex
        _require_few_axes(node, rank)
        if axes is not None:
            axes = [node.front_axis("axes", axis, rank) for axis in axes]
            if len(set(axes)) < len(axes):
                node.refuse("axes", "axes must differ")
    require_ranks(node, 2, 1)
    _require_as_many_sizes(node)
    return axes


def _require_known_for_plugin(node: Node) -> None:
    """Refuse on compile what the CPU plugin needs to know where it knows all shapes: axes, lengths but -1."""
    require_elements_for_plugin(node, 1)
    shapes = [each.shape for each in node.inputs]
    if not (all([each.is_static for each in shapes]) and is_compiled(node.inputs[:1])):
        return
    require_constant_for_plugin(node, *range(1, len(node.inputs)))
    if node.has(2) and -1 in (whole_numbers(node, 2) or ()):
        node.refuse_on_compile(
            "signal_size", "signal_size has -1, the CPU plugin needs a length"
        )


def _require_few_axes(node: Node, rank: int) -> None:
    dims = node.dims(1)
    if dims is not None and node.shape(1).is_static and dims[0].min > rank:
        node.refuse(
            "axes", f"axes has {elements(dims[0])}, data has {rank} axes to transform"
        )


def _require_as_many_sizes(node: Node) -> None:
    axes, sizes = node.dims(1), node.dims(2) if node.has(2) else None
    if (
        axes is None
        or sizes is None
        or not (node.shape(1).is_static and node.shape(2).is_static)
    ):
        return
    if axes[0] != sizes[0]:
        node.refuse(
            "signal_size", f"axes has {elements(axes[0])}, signal_size has {sizes[0]}"
        )


def _with_sizes(node: Node, dims: Dims, axes: list[int]) -> Dims:
    """``dims`` with the lengths of ``signal_size``; -1 keeps one, and so may what is not known."""
    if not node.has(2):
        return dims
    sizes = node.value(2) or (UNKNOWN,) * len(axes)
    for axis, size in zip(axes, sizes, strict=False):
        if size != -1:
            dims = _replaced(dims, axis, _sized(dims[axis], size))
    return dims


def _sized(dim: Dimension, size: Item) -> Dimension:
    """The dim of a length that is not -1; OpenVINO takes other negative numbers for 0."""
    length = interval.maximum(size, 0)
    low, _ = interval.bounds(size)
    if isinstance(size, Interval) and (low is None or low < 0):
        length = interval.union(length, interval.of_dimension(dim))
    return interval.to_dimension(length)


INPUTS = (
    Input("data", DATA_TYPES),
    Input("axes", INT32_64),
    Input("signal_size", INT32_64, optional=True),
)
DECLARATIONS = (
    Declaration("DFT", 7, INPUTS, (), _infer_dft, "signals/dft-7"),
    Declaration("IDFT", 7, INPUTS, (), _infer_dft, "signals/idft-7"),
    Declaration("RDFT", 9, INPUTS, (), _infer_rdft, "signals/rdft-9"),
    Declaration("IRDFT", 9, INPUTS, (), _infer_irdft, "signals/irdft-9"),
)
