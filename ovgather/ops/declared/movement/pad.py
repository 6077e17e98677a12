"""Padding of a tensor's ends.

Pages: movement/pad-1, movement/pad-12.
"""

from __future__ import annotations

from collections.abc import Sequence

from ovgather.ops.declaration import (
    INTEGERS,
    Attribute,
    Declaration,
    Dims,
    Input,
    Node,
    tensor,
)
from ovgather.ops.declared.common.movement import (
    require_known_types,
    require_rank,
)
from ovgather.tensor import interval
from ovgather.tensor.dimension import Dimension
from ovgather.tensor.interval import UNKNOWN, Interval, Item, Items
from ovgather.tensor.tensor import MOST_ITEMS, Tensor
from ovgather.text import elements

_PAD_VALUE = 3


def _infer(node: Node) -> list[Tensor]:
    node.require_count()
    is_constant = node["pad_mode"] == "constant"
    if node.type(0) == "string" and not is_constant:
        node.refuse(
            "pad_mode", f"pad_mode must be constant for strings, not {node['pad_mode']}"
        )
    if is_constant:
        element_type = node.same_type(0, _PAD_VALUE)
    else:
        element_type = node.type(0)
    node.require_types()
    if not node.has(_PAD_VALUE):
        require_known_types(node, 0)  # OpenVINO adds a zero of this type
    if is_constant:
        require_rank(node, _PAD_VALUE, 0)
    require_rank(node, 1, 1)
    require_rank(node, 2, 1)
    dims = node.dims(0)
    begins, ends = node.value(1), node.value(2)
    if dims == () and not node.inputs[0].is_constant:
        node.refuse_on_compile("data", "the CPU plugin pads no scalar")
    if dims is None:
        return [tensor(None, element_type)]
    if begins is None or ends is None:
        _require_at_most(node, len(dims))
        return [tensor([interval.to_dimension(UNKNOWN)] * len(dims), element_type)]
    return [tensor(_padded(node, dims, begins, ends), element_type)]


def _require_at_most(node: Node, rank: int) -> None:
    """Refuse more pads than data has dims, where their values are not known."""
    for index in (1, 2):
        dims = node.dims(index)
        if dims is not None and dims[0].min > rank:
            name = node.input_name(index)
            node.refuse(name, f"{name} has {elements(dims[0])}, data has rank {rank}")


def _padded(node: Node, dims: Dims, begins: Items, ends: Items) -> list[Dimension]:
    for name, pads in (("pads_begin", begins), ("pads_end", ends)):
        if len(pads) != len(dims):
            node.refuse(
                name, f"{name} has {elements(len(pads))}, data has rank {len(dims)}"
            )
    padded = []
    # Of dynamic shapes the CPU plugin makes its kernel when the model runs.
    stage = "compile" if all([dim.is_static for dim in dims]) else "run"
    for place, dim in enumerate(dims):
        if dim.is_static:
            _require_room(node, place, dim.min, begins[place], ends[place])
        length = interval.add(
            interval.add(interval.of_dimension(dim), begins[place]), ends[place]
        )
        if (
            not isinstance(length, Interval)
            and length < 0
            and not node.inputs[0].is_constant
        ):
            if (interval.bounds(begins[place])[0] or 0) < 0:
                name = "pads_begin"
            else:
                name = "pads_end"
            node.refuse_on_compile(
                name,
                f"the pads leave {elements(length)} of dim {place}, which is {dim}",
                stage,
            )
        padded.append(interval.to_dimension(length))
    return padded


def _require_room(node: Node, place: int, length: int, begin: Item, end: Item) -> None:
    """Refuse pads that a mode cannot take from a dim of ``length``."""
    mode = node["pad_mode"]
    least = {"edge": 1, "reflect": 2}.get(mode, 0)
    most = {"reflect": length - 1, "symmetric": length}.get(mode)
    for name, pad in (("pads_begin", begin), ("pads_end", end)):
        low = interval.bounds(pad)[0]
        if low is None:
            continue
        if low > 0 and length < least:
            node.refuse(
                "data",
                f"pad_mode {mode} needs a length of at least {least}, dim {place} is {length}",
            )
        if most is not None and low > most:
            node.refuse(
                name,
                f"{name} is {low} for dim {place}, pad_mode {mode} allows at most {most}",
            )


def _value(node: Node, outputs: Sequence[Tensor]) -> list[Items | None]:
    """The elements of padded data of one dim."""
    data, begins, ends = node.value(0), node.integers(1), node.integers(2)
    if data is None or node.rank(0) != 1 or not begins or not ends:
        return [None]
    begin, end = begins[0], ends[0]
    if max(abs(begin), abs(end)) > MOST_ITEMS:
        return [None]
    if node["pad_mode"] == "constant":
        filler = _filler(node)
        return [
            (filler,) * begin
            + data[max(0, -begin) : len(data) + min(0, end)]
            + (filler,) * end
        ]
    places = [
        _source(node["pad_mode"], place, len(data))
        for place in range(-begin, len(data) + end)
    ]
    if not data or not all([0 <= place < len(data) for place in places]):
        return [None]
    return [tuple([data[place] for place in places])]


def _filler(node: Node) -> Item:
    if not node.has(_PAD_VALUE):
        return 0
    value = node.value(_PAD_VALUE)
    if value:
        return value[0]
    return Interval(None, None)


def _source(mode: str, place: int, length: int) -> int:
    """The place of data from which the element at ``place`` comes."""
    if 0 <= place < length:
        return place
    if mode == "edge":
        if place < 0:
            return 0
        return length - 1
    shift = 1 if mode == "symmetric" else 0
    if place < 0:
        return -place - shift
    return 2 * (length - 1) - place + shift


_INPUTS = (
    Input("data"),
    Input("pads_begin", INTEGERS),
    Input("pads_end", INTEGERS),
    Input("pad_value", optional=True),
)
_PAD_MODE = Attribute(
    "pad_mode",
    "enum",
    "constant",
    required=True,
    values=("constant", "edge", "reflect", "symmetric"),
)
PAD_1 = Declaration("Pad", 1, _INPUTS, (_PAD_MODE,), _infer, "movement/pad-1", _value)
DECLARATIONS = (PAD_1, PAD_1._replace(since=12, page="movement/pad-12"))
