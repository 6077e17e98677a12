"""Windows that slide over the last dims of an input: what convolutions and poolings share.

OpenVINO computes these lengths with its own dimensions: a number that it makes into one is any length where it is -1,
and 0 where it is less. Nothing gets shorter than 0.
"""

from __future__ import annotations

from functools import lru_cache
from operator import add
from typing import NamedTuple

from ovgather.ops.declaration import Attribute, Dims, Node, attribute_text
from ovgather.tensor import interval
from ovgather.tensor.dimension import ANY, LENGTHS, Dimension, exact
from ovgather.tensor.interval import Interval, Item
from ovgather.text import count as counted

STRIDES = Attribute("strides", "integers", (), required=True)
PADS_BEGIN = Attribute("pads_begin", "integers", (), required=True)
PADS_END = Attribute("pads_end", "integers", (), required=True)
DILATIONS = Attribute("dilations", "integers", (), required=True)
AUTO_PAD = Attribute(
    "auto_pad",
    "enum",
    "explicit",
    values=("explicit", "same_lower", "same_upper", "valid"),
)

ANY_LENGTH = Interval(0, None)
_LISTS = ("strides", "pads_begin", "pads_end", "dilations")
_LEAST_RANK, _MOST_RANK = 3, 5
_LONGEST = (1 << 63) - 1


class Windows(NamedTuple):
    """The attributes of a window, one number for each spatial dim; ``pads`` are both ends together."""

    strides: tuple[int, ...]
    dilations: tuple[int, ...]
    pads: tuple[int, ...]


def read_windows(node: Node, count: int) -> Windows:
    """The attributes for ``count`` spatial dims; absent ones are 1, and 0 for pads."""
    values = node.attributes
    texts = [values.get(name) for name in _LISTS]
    if usual := _usual_windows(count, values["auto_pad"], *texts):
        return usual
    ones, zeros = (1,) * count, (0,) * count
    strides = _numbers(node, "strides", count) or ones
    dilations = ones
    if "dilations" in node.attributes:
        dilations = _numbers(node, "dilations", count) or ones
    begins = _numbers(node, "pads_begin", count) or zeros
    ends = _numbers(node, "pads_end", count) or zeros
    for name, numbers in (("strides", strides), ("dilations", dilations)):
        if 0 in numbers:
            node.refuse(
                name,
                f"{name} {attribute_text(numbers)} has a zero; at least 1 is expected",
            )
    pads = [begin + end for begin, end in zip(begins, ends, strict=True)]
    return Windows(
        strides, dilations, tuple(pads) if node["auto_pad"] == "explicit" else zeros
    )


def require_plugin_windows(node: Node, filters: int, ends: bool = True) -> None:
    """Refuse negative attributes, of which the CPU plugin makes no convolution.

    It reads them of known shapes; of open ones it makes some. ``filters`` is the input of the filters; ``ends``: the
    pads at both ends together must not be negative either. Without them it is a convolution backwards, of which the
    attributes are read of any shape.
    """
    stage = "compile"
    for dims in (node.dims(0), node.dims(filters)):
        if dims is None or any([dim.max == 0 for dim in dims]):
            return
        if ends and any([dim.is_dynamic for dim in dims]):
            stage = "chance"
    for name in ("strides", "dilations"):
        if min(node[name], default=1) < 0:
            refuse_negative(node, name, stage)
    if node["auto_pad"] != "explicit":
        return
    begins = node["pads_begin"]
    if min(begins, default=0) < 0:
        refuse_negative(node, "pads_begin", stage)
    pads = map(add, begins or (0,) * len(node["pads_end"]), node["pads_end"])
    if ends and min(pads, default=0) < 0:
        message = f"pads_end {attribute_text(node['pads_end'])} takes away more than pads_begin adds"
        node.refuse_on_compile("pads_end", message, stage)


@lru_cache(1 << 8)
def _usual_windows(
    count: int, auto_pad: str, *lists: tuple[int, ...] | None
) -> Windows | None:
    """What ``read_windows`` makes of lists that all have ``count`` items; few differ: 1 % of the time of a file."""
    strides, begins, ends = lists[:3]
    if lists[3] is None:
        dilations = (1,) * count
    else:
        dilations = lists[3]
    if strides is None or begins is None or ends is None or 0 in (*strides, *dilations):
        return None
    if {*map(len, (strides, begins, ends, dilations))} != {count}:
        return None
    if auto_pad == "explicit":
        pads = tuple(map(add, begins, ends))
    else:
        pads = (0,) * count
    return Windows(strides, dilations, pads)


def _numbers(node: Node, name: str, count: int) -> tuple[int, ...]:
    """An attribute that is empty or has a number for each spatial dim."""
    numbers: tuple[int, ...] = node[name]
    require_size(node, name, len(numbers) or count, count)
    return numbers


def require_size(node: Node, argument: str, size: int, count: int) -> None:
    """Refuse a list that has not one item for each spatial dim."""
    if size != count:
        node.refuse(
            argument,
            f"{argument} has {counted(size, 'item')}, one is expected for each of {count} spatial dims",
        )


def refuse_negative(node: Node, name: str, stage: str, is_certain: bool = True) -> None:
    """The CPU plugin takes no negative number in the list ``name``."""
    message = f"{name} {attribute_text(node[name])} has a negative number"
    node.refuse_on_compile(name, message, stage, is_certain)


def is_same_pad(node: Node) -> bool:
    """The pads are those that keep the lengths, up to the strides."""
    return node["auto_pad"] in ("same_lower", "same_upper")


def require_image(node: Node, dims: Dims | None) -> None:
    """Refuse data that is not of batch, channels, and one to three spatial dims."""
    if dims is not None and not _LEAST_RANK <= len(dims) <= _MOST_RANK:
        node.refuse("data", f"data must have 3 to 5 dims, not {len(dims)}")


def spatial_lengths(dims: Dims | None, count: int) -> list[Item]:
    """The last ``count`` lengths of a shape; where there are none, any."""
    if dims is None or len(dims) < count:
        return [ANY_LENGTH] * count
    return [interval.of_dimension(dim) for dim in dims[len(dims) - count :]]


# Lengths --------------------------------------------------------------------------------------------------------------


def number_length(number: int) -> Item:
    """The length that OpenVINO makes of a number."""
    if number == -1:
        return ANY_LENGTH
    return max(number, 0)


def not_negative(item: Item) -> Item:
    """A length that is at least 0."""
    if not isinstance(item, Interval):
        return max(item, 0)
    if item.high is not None and item.high <= 0:
        return 0
    return Interval(max(item.low or 0, 0), item.high, item.symbol)


def dilated(length: Item, dilation: int) -> Item:
    """How far a window of ``length`` reaches, with gaps between its elements."""
    gaps = not_negative(interval.subtract(length, 1))
    return interval.add(interval.multiply(gaps, number_length(dilation)), 1)


def quotient(length: Item, stride: int, round_up: bool = False) -> Item:
    """A length divided by the stride, which a file may state to be negative."""
    if stride > 0:
        if round_up:
            return interval.ceil_divide(length, stride)
        return interval.floor_divide(length, stride)
    if isinstance(length, Interval):
        return ANY_LENGTH
    if not round_up:
        return number_length(-(int(length) // -stride))
    return number_length(1 + _truncated(int(length) - 1, stride) if length else 0)


def _truncated(number: int, divisor: int) -> int:
    whole = abs(number) // abs(divisor)
    if (number < 0) == (divisor < 0):
        return whole
    return -whole


def padded(length: Item, pad: int) -> Item:
    """A length with ``pad`` added; any length where that is less than 0."""
    total = interval.add(length, pad)
    if not isinstance(total, Interval):
        return total if total >= 0 else ANY_LENGTH
    if total.high is not None and total.high < 0:
        return ANY_LENGTH
    if total.high != 0:
        return not_negative(total)
    return Interval(0, 0)


def window_count(
    node: Node, data: Item, kernel: Item, pad: int, stride: int, place: int
) -> Item:
    """How often a dilated kernel fits into padded data; refuses one that does not fit."""
    room = interval.add(data, number_length(pad))
    if (
        not isinstance(room, Interval)
        and not isinstance(kernel, Interval)
        and kernel > room
    ):
        node.refuse(
            node.input_name(0),
            f"the window of {kernel} is longer than spatial dim {place} with its pads, {room}",
        )
    return interval.add(
        quotient(not_negative(interval.subtract(room, kernel)), stride), 1
    )


def forward_dims(
    node: Node, data: Dims | None, filters: Dims | None, windows: Windows
) -> list[Dimension]:
    """The spatial dims of the output of a convolution."""
    count = len(windows.strides)
    usual = None
    if node["auto_pad"] in ("explicit", "valid"):
        usual = _usual_dims(data, filters, windows)
    if usual is not None:
        return usual
    lengths = spatial_lengths(data, count)
    if is_same_pad(node):
        pairs = zip(lengths, windows.strides, strict=True)
        return [
            interval.to_dimension(quotient(length, stride, round_up=True))
            for length, stride in pairs
        ]
    dims = []
    for place, kernel in enumerate(spatial_lengths(filters, count)):
        reach = dilated(kernel, windows.dilations[place])
        length = window_count(
            node,
            lengths[place],
            reach,
            windows.pads[place],
            windows.strides[place],
            place,
        )
        dims.append(interval.to_dimension(length))
    return dims


def _usual_dims(
    data: Dims | None, filters: Dims | None, windows: Windows
) -> list[Dimension] | None:
    """What ``forward_dims`` gives for known lengths and kernels that fit; in numbers it takes a third of the time."""
    count = len(windows.strides)
    if data is None or filters is None or len(data) <= count or len(filters) <= count:
        return None
    dims = []
    for dim, kernel, stride, dilation, pad in zip(
        data[-count:], filters[-count:], *windows, strict=True
    ):
        if (
            dim.min != dim.max
            or kernel.min != kernel.max
            or min(stride, dilation, kernel.min) < 1
            or pad < 0
        ):
            return None
        room = dim.min + pad - (kernel.min - 1) * dilation - 1
        if room < 0 or dim.min + pad > _LONGEST:
            return None
        dims.append(LENGTHS[room // stride + 1])
    return dims


def divide_evenly(dim: Dimension, divisor: int) -> Dimension | None:
    """The dim that ``divisor`` (at least 0) times makes ``dim``; None: there is none. OpenVINO makes 0 of ``5 / 0``."""
    if divisor == 1 or dim == ANY:
        return dim if divisor == 1 else ANY
    if divisor == 0:
        return LENGTHS[0]
    low = -(-dim.min // divisor)
    if dim.max is None:
        high = int(float(_LONGEST) / divisor)
    else:
        high = dim.max // divisor
    if low > high:
        return None
    if low == high:
        return LENGTHS[low]
    return exact(low, high, _quotient_symbol(dim, divisor))


def _quotient_symbol(dim: Dimension, divisor: int) -> str | None:
    item = interval.floor_divide(interval.of_dimension(dim), divisor)
    if isinstance(item, Interval):
        return item.symbol
    return None
