"""Short-time Fourier transforms.

Pages: signals/stft-15, signals/istft-16.
"""

from __future__ import annotations

from ovgather.ops.declaration import (
    INT32_64,
    REALS,
    Attribute,
    Declaration,
    Dims,
    Input,
    Node,
    tensor,
)
from ovgather.ops.declared.algebra._known import first_number, require_ranks
from ovgather.ops.declared.common.movement import dim_of_value
from ovgather.tensor import interval
from ovgather.tensor.dimension import ANY, LENGTHS, Dimension
from ovgather.tensor.interval import Interval, Item
from ovgather.tensor.tensor import Tensor
from ovgather.text import elements


def _infer_stft(node: Node) -> list[Tensor]:
    node.require_count()
    node.require_types()
    element_type = node.same_type(0, 1)
    require_ranks(node, 0, 1, 2)
    _require_frame_ranks(node)
    return [tensor(_stft_dims(node), element_type)]


def _require_frame_ranks(node: Node) -> None:
    require_ranks(node, 1, 1)
    require_ranks(node, 2, 0)
    require_ranks(node, 3, 0)


def _stft_dims(node: Node) -> Dims | None:
    dims = node.dims(0)
    size, step = first_number(node, 2), first_number(node, 3)
    if dims is None:
        return None
    batch = dims[:-1]
    if size is None or step is None:
        return (*batch, ANY, ANY, LENGTHS[2])
    longest = dims[-1].max
    if size <= 0 or (longest is not None and size > longest):
        node.refuse("frame_size", f"frame_size {size} is out of range [1, {dims[-1]}]")
    _require_step(node, step)
    _require_window(node, size)
    samples = interval.to_dimension(size // 2 + 1)
    frames = _frame_count(dims[-1], size, step)
    if node["transpose_frames"]:
        return (*batch, samples, frames, LENGTHS[2])
    return (*batch, frames, samples, LENGTHS[2])


def _frame_count(signal: Dimension, size: int, step: int) -> Dimension:
    """How many frames begin in a signal."""
    rest = _at_least_zero(interval.subtract(interval.of_dimension(signal), size))
    return interval.to_dimension(interval.add(interval.floor_divide(rest, step), 1))


def _at_least_zero(item: Item) -> Item:
    """A difference of lengths, of which OpenVINO leaves out the negative ones."""
    if not isinstance(item, Interval):
        return max(item, 0)
    return interval.between(max(item.low or 0, 0), item.high, item.symbol)


def _require_step(node: Node, step: int) -> None:
    if step <= 0:
        node.refuse("frame_step", f"frame_step is {step}, but must be positive")


def _require_window(node: Node, size: int) -> None:
    dims = node.dims(1)
    if dims is not None and node.shape(1).is_static and not 0 < dims[0].min <= size:
        node.refuse(
            "window",
            f"window has {elements(dims[0])}, but must have 1 to {size}, as frame_size says",
        )


def _infer_istft(node: Node) -> list[Tensor]:
    node.require_count()
    node.require_types()
    element_type = node.same_type(0, 1)
    require_ranks(node, 0, 3, 4)
    _require_frame_ranks(node)
    size, step = first_number(node, 2), first_number(node, 3)
    dims = node.dims(0)
    if size is not None:
        _require_frame_size(node, size)
    if step is not None:
        _require_step(node, step)
    if dims is None:
        return [tensor(None, element_type)]
    if node.has(4):
        length = _given_length(node)
    else:
        length = _signal_length(node, dims[-2], size, step)
    return [tensor((*dims[:-3], length), element_type)]


def _given_length(node: Node) -> Dimension:
    """What ``signal_length`` says."""
    dims = node.dims(4)
    if dims and (len(dims) > 1 or not dims[0].compatible(LENGTHS[1])):
        node.refuse(
            "signal_length",
            f"signal_length has shape {node.shape(4)}, but must have one element",
        )
    return dim_of_value(node, 4)


def _require_frame_size(node: Node, size: int) -> None:
    if size <= 0:
        node.refuse("frame_size", f"frame_size is {size}, but must be positive")
    _require_window(node, size)
    dims = node.dims(0)
    if dims is not None and node.shape(0).is_static and dims[-3].min != size // 2 + 1:
        node.refuse(
            "data",
            f"data has {dims[-3]} samples of each frame, frame_size {size} gives {size // 2 + 1}",
        )


def _signal_length(
    node: Node, frames: Dimension, size: int | None, step: int | None
) -> Dimension:
    """The length of the signal that has so many frames."""
    if size is None or step is None:
        return ANY
    steps = _at_least_zero(interval.subtract(interval.of_dimension(frames), 1))
    if node["center"]:
        rest = size % 2
    else:
        rest = size
    return interval.to_dimension(interval.add(interval.multiply(steps, step), rest))


FRAMES = (
    Input("window", REALS),
    Input("frame_size", INT32_64),
    Input("frame_step", INT32_64),
)
DECLARATIONS = (
    Declaration(
        "STFT",
        15,
        (Input("signal", REALS), *FRAMES),
        (Attribute("transpose_frames", "boolean", False, required=True),),
        _infer_stft,
        "signals/stft-15",
    ),
    Declaration(
        "ISTFT",
        16,
        (
            Input("data", REALS),
            *FRAMES,
            Input("signal_length", INT32_64, optional=True),
        ),
        (
            Attribute("center", "boolean", False, required=True),
            Attribute("normalized", "boolean", False, required=True),
        ),
        _infer_istft,
        "signals/istft-16",
    ),
)
