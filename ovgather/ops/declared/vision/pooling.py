"""The mean or the maximum of a window that slides over the last dims.

Pages: pooling/avg-pool-1, avg-pool-14, avg-pool-16, max-pool-1, max-pool-8, max-pool-14.
"""

from __future__ import annotations

from ovgather.ops.declaration import (
    Attribute,
    Declaration,
    Input,
    Node,
    attribute_text,
    tensor,
)
from ovgather.ops.declared.common.checks import FLOATS_OF_FEW_BITS, stage_of
from ovgather.ops.declared.vision._windows import (
    ANY_LENGTH,
    AUTO_PAD,
    DILATIONS,
    PADS_BEGIN,
    PADS_END,
    STRIDES,
    is_same_pad,
    not_negative,
    number_length,
    quotient,
    refuse_negative,
    require_image,
    require_size,
)
from ovgather.tensor import interval
from ovgather.tensor.dimension import ANY, Dimension
from ovgather.tensor.interval import Interval, Item
from ovgather.tensor.tensor import Tensor

_NO_WINDOW = -1
"""The reach of a kernel of 0, and of -1 without a dilation: OpenVINO compiles no other length with it."""
_LISTS = ("strides", "dilations", "pads_begin", "pads_end")


class _Window:
    """The window along one spatial dim, and its place; ``reach``: its length with the gaps of a dilation."""

    def __init__(self, node: Node, place: int) -> None:
        self.node = node
        self.place = place
        kernel, dilation = node["kernel"][place], _at(node, "dilations", place, 1)
        if kernel:
            self.reach = _signed(dilation * (kernel - 1) + 1)
        else:
            self.reach = _NO_WINDOW
        self.stride = _at(node, "strides", place, 1)
        is_explicit = node["auto_pad"] == "explicit"
        if is_explicit:
            self.pad_begin = _at(node, "pads_begin", place, 0)
        else:
            self.pad_begin = 0
        if is_explicit:
            self.pad_end = _at(node, "pads_end", place, 0)
        else:
            self.pad_end = 0

    def pad_alike(self, length: int) -> None:
        """Take the pads that keep a length, up to the stride."""
        steps = 0
        if self.stride > 0:
            steps = int(quotient(length, self.stride, round_up=True))  # type: ignore[arg-type]
        total = max(0, (steps - 1) * self.stride + self.reach - length)
        less, more = total // 2, total - total // 2
        is_upper = self.node["auto_pad"] == "same_upper"
        if is_upper:
            self.pad_begin, self.pad_end = (less, more)
        else:
            self.pad_begin, self.pad_end = (more, less)

    def check(self, room: Item) -> None:
        """Refuse a window that does not fit into a known length with its pads, and one that may see pads only."""
        name = f"spatial dim {self.place}"
        if isinstance(room, Interval):
            self.node.refuse(
                "pads_begin",
                f"the pads of {name} are {self.pad_begin} and {self.pad_end}",
            )
        if not 0 < self.reach <= room:
            self.node.refuse(
                "kernel",
                f"the window of {self.reach} does not fit into {name} with its pads, {room}",
            )
        message = self._sees_pads_only()
        if message:
            self.node.refuse("pads_begin", message)

    def _sees_pads_only(self) -> str:
        """What is wrong where a window may see pads only, and these do not count."""
        largest = max(_unsigned(self.pad_begin), _unsigned(self.pad_end))
        if not self.node.attributes.get("exclude-pad") or largest < self.reach:
            return ""
        pads = f"{self.pad_begin} and {self.pad_end}"
        return f"the window of {self.reach} may see pads only in spatial dim {self.place}: they are {pads}"

    def count(self, length: Item) -> Item:
        """How often the window fits."""
        is_known = not isinstance(length, Interval)
        if self.reach == _NO_WINDOW and not is_known:
            kernel = self.node["kernel"][self.place]
            message = f"kernel is {kernel} in spatial dim {self.place}, at least 1 is expected"
            self.node.refuse_on_compile("kernel", message)
        if is_same_pad(self.node):
            if isinstance(length, Interval):
                return ANY_LENGTH
            self.pad_alike(int(length))
        room = interval.add(length, number_length(self.pad_begin + self.pad_end))
        if is_known:
            self.check(room)
        elif message := self._sees_pads_only():
            self.node.refuse_on_compile("pads_begin", message)
        rest = not_negative(interval.subtract(room, number_length(self.reach)))
        rounding = self.node["rounding_type"]
        windows = interval.add(quotient(rest, self.stride, rounding != "floor"), 1)
        if rounding == "ceil_torch":
            return self._inside(windows, length)
        return windows

    def _inside(self, windows: Item, length: Item) -> Item:
        """Leave out a last window that begins in the pads at the end."""
        (least, most), (low, high) = interval.bounds(windows), interval.bounds(length)
        fewest = self._begun(least, low)
        largest = self._begun(most, high)
        if (fewest, largest) == (least, most):
            return windows
        return interval.between(fewest, largest)

    def _begun(self, windows: float | None, length: float | None) -> float | None:
        if windows is None or length is None:
            return windows
        end = length + self.pad_begin
        if 0 < end <= (windows - 1) * self.stride:
            return windows - 1
        return windows


def _at(node: Node, name: str, place: int, default: int) -> int:
    numbers: tuple[int, ...] = node.attributes.get(name, ())
    if numbers:
        return numbers[place]
    return default


def _signed(number: int) -> int:
    return (number + (1 << 63)) % (1 << 64) - (1 << 63)


def _unsigned(number: int) -> int:
    return number % (1 << 64)


def _output_dims(node: Node) -> list[Dimension]:
    data, count = node.dims(0), len(node["kernel"])
    require_image(node, data)
    for name in _LISTS:
        numbers: tuple[int, ...] = node.attributes.get(name, ())
        if numbers or name == "strides":
            require_size(node, name, len(numbers), count)
        if 0 in numbers and name in ("strides", "dilations"):
            node.refuse(
                name,
                f"{name} {attribute_text(numbers)} has a zero; at least 1 is expected",
            )
    if data is None:
        return [ANY] * (count + 2)
    require_size(node, "kernel", count, len(data) - 2)
    _require_plugin_windows(node)
    for dim, name in zip(data[:2], ("batch", "number of channels"), strict=True):
        if dim.max == 0:
            node.refuse("data", f"the {name} of data is 0, at least 1 is expected")
    lengths = [
        _Window(node, place).count(interval.of_dimension(dim))
        for place, dim in enumerate(data[2:])
    ]
    _doubt_negative(node)
    return [*data[:2], *map(interval.to_dimension, lengths)]


def _require_plugin_windows(node: Node) -> None:
    """Refuse what the CPU plugin takes of a MaxPool with indices only: a MaxPool-8 or -14 of which they are read."""
    is_certain = node.declaration.type == "AvgPool" or node.declaration.since == 1
    for name in ("strides", "dilations", "pads_begin"):
        numbers: tuple[int, ...] = node.attributes.get(name, ())
        if min(numbers, default=0) < 0 and (
            name != "pads_begin" or node["auto_pad"] == "explicit"
        ):
            refuse_negative(node, name, "compile", is_certain)
    for name in ("pads_begin", "pads_end"):
        if max(node[name], default=0) >= _MOST_PAD and node["auto_pad"] == "explicit":
            message = f"{name} {attribute_text(node[name])} is beyond 31 bits"
            node.refuse_on_compile(name, message, is_certain=is_certain)
    if is_certain and node.attributes.get("dilations") == ():
        node.refuse_on_compile(
            "dilations", "dilations is empty: the CPU plugin crashes"
        )


def _doubt_negative(node: Node) -> None:
    """Of open dims the CPU plugin may refuse other negative numbers."""
    if node.compile_error is not None or node.shape(0).is_static:
        return
    if min(node["kernel"], default=0) < 0:
        refuse_negative(node, "kernel", "chance")
    if min(node["pads_end"], default=0) < 0 and node["auto_pad"] == "explicit":
        refuse_negative(node, "pads_end", "chance")


def _pool(node: Node) -> list[Tensor]:
    node.require_count()
    return [tensor(_output_dims(node), node.type(0))]


def _pool_with_indices(node: Node) -> list[Tensor]:
    node.require_count()
    if node.dims(0) is not None:
        node.front_axis("axis", node["axis"], len(node.shape(0)))
    kind = node.type(0)
    if kind in _WITHOUT_PLACES:
        message = f"data is {kind}, of which the CPU plugin gives no indices"
        node.refuse_on_compile("data", message, stage_of(kind), is_certain=False)
    dims = _output_dims(node)
    return [tensor(dims, kind), tensor(dims, node["index_element_type"])]


_MOST_PAD = (1 << 31) - 1
_WITHOUT_PLACES = FLOATS_OF_FEW_BITS | {"bf16", "nf4", "u2"}
_DATA = (Input("data"),)
_KERNEL = Attribute("kernel", "integers", (), required=True)
_EXCLUDE_PAD = Attribute("exclude-pad", "boolean", True, required=True)
_ROUNDING = Attribute("rounding_type", "enum", "floor", values=("ceil", "floor"))
_TORCH_ROUNDING = _ROUNDING._replace(values=("ceil", "ceil_torch", "floor"))
_ATTRIBUTES = (_KERNEL, STRIDES, PADS_BEGIN, PADS_END, AUTO_PAD)
_DILATIONS = DILATIONS._replace(required=False)
_INDICES = (
    _DILATIONS,
    Attribute("index_element_type", "type", "i64"),
    Attribute("axis", default=0),
)

_AVERAGE_1 = Declaration(
    "AvgPool",
    1,
    _DATA,
    (*_ATTRIBUTES, _EXCLUDE_PAD, _ROUNDING),
    _pool,
    "pooling/avg-pool-1",
)
_AVERAGE_14 = _AVERAGE_1._replace(
    since=14,
    attributes=(*_ATTRIBUTES, _EXCLUDE_PAD, _TORCH_ROUNDING),
    page="pooling/avg-pool-14",
)
_MAXIMUM_8 = Declaration(
    "MaxPool",
    8,
    _DATA,
    (*_ATTRIBUTES, _ROUNDING, *_INDICES),
    _pool_with_indices,
    "pooling/max-pool-8",
    outputs=("output", "indices"),
)

DECLARATIONS = (
    _AVERAGE_1,
    _AVERAGE_14,
    _AVERAGE_14._replace(
        since=16,
        attributes=(*_AVERAGE_14.attributes, _DILATIONS),
        page="pooling/avg-pool-16",
    ),
    Declaration(
        "MaxPool",
        1,
        _DATA,
        (*_ATTRIBUTES, _ROUNDING),
        _pool,
        "pooling/max-pool-1",
        extra_inputs=True,
    ),
    _MAXIMUM_8,
    _MAXIMUM_8._replace(
        since=14,
        attributes=(*_ATTRIBUTES, _TORCH_ROUNDING, *_INDICES),
        page="pooling/max-pool-14",
    ),
)
