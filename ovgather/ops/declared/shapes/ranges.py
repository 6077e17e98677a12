"""Numbers from a start to a stop.

Pages: generation/range-1, generation/range-4.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, isfinite, trunc

from ovgather.ops.declaration import REALS, Attribute, Declaration, Input, Node, tensor
from ovgather.ops.declared.shapes._arguments import require_rank
from ovgather.tensor import interval
from ovgather.tensor.dimension import ANY, LENGTHS, Dimension, exact
from ovgather.tensor.interval import Interval, Item, Items, to_dimension
from ovgather.tensor.tensor import Tensor

_NAMES = ("start", "stop", "step")
_TOO_SHORT = ("u1", "i4", "u4")


def _element_type_1(node: Node) -> str:
    element_type = node.same_type(0, 1, 2)
    if element_type == "boolean" or element_type in _TOO_SHORT:
        node.refuse("start", f"Range-1 takes no {element_type} inputs")
    return element_type


def _element_type_4(node: Node) -> str:
    element_type: str = node["output_type"]
    if element_type == "boolean":
        node.refuse("output_type", "output_type must be numeric, not boolean")
    for index in range(3):
        if node.type(index) == "boolean":
            node.refuse(_NAMES[index], f"{_NAMES[index]} must be numeric, not boolean")
    return element_type


def _infer(node: Node) -> list[Tensor]:
    node.require_count()
    is_first = node.declaration.since == 1
    if is_first:
        element_type = _element_type_1(node)
    else:
        element_type = _element_type_4(node)
    if is_first and element_type == "dynamic":
        return [tensor((ANY,), element_type)]
    for index in range(3):
        require_rank(node, index, 0)
    # dynamic counts as integers
    is_whole = (node.type(0) if is_first else element_type) not in REALS
    start, stop, step = [_argument(node, index, is_whole) for index in range(3)]
    if element_type == "dynamic" and all([each.is_constant for each in node.inputs]):
        node.refuse_on_compile(
            "output_type", "output_type is dynamic, or absent: the constant has no type"
        )
    return [tensor((_length(start, stop, step),), element_type)]


def _argument(node: Node, index: int, is_whole: bool) -> Item | None:
    """The number that an input says, cut off where the output holds integers."""
    value = node.value(index)
    if not value:
        return None
    item = value[0]
    if isinstance(item, Interval):
        return item
    name = _NAMES[index]
    if not isfinite(item):
        node.refuse(name, f"{name} must be finite, not {item}")
    if name == "step" and item == 0:
        node.refuse(name, "step must not be 0")
    if is_whole:
        return trunc(item)
    return item


def _length(start: Item | None, stop: Item | None, step: Item | None) -> Dimension:
    if start is None or stop is None or step is None or isinstance(step, Interval):
        return ANY
    if not isinstance(start, Interval) and not isinstance(stop, Interval):
        return LENGTHS[_count(start, stop, step)]
    if step == 0 or any(
        [
            isinstance(end, float)
            for end in (step, *interval.bounds(start), *interval.bounds(stop))
        ]
    ):
        return ANY
    if step > 0:
        span = interval.subtract(stop, start)
    else:
        span = interval.subtract(start, stop)
    # OpenVINO asks no bounds here: the length may be any, and has its name.
    length = to_dimension(interval.maximum(interval.ceil_divide(span, abs(step)), 0))
    return exact(0, None, length.symbol)


def _count(start: float, stop: float, step: float) -> int:
    """How many numbers there are, as the core counts: in doubles, and the result in 32 bits."""
    if step == 0 or (step > 0) == (start >= stop):
        return 0
    count = abs(float(stop) - float(start)) / abs(float(step))
    if count < 1 << 63:
        return ceil(count) % (1 << 32)
    return 0


def _value(node: Node, outputs: Sequence[Tensor]) -> list[Items | None]:
    element_type = outputs[0].element_type
    is_whole = element_type not in REALS
    start, step = _argument(node, 0, is_whole), _argument(node, 2, is_whole)
    if start is None or step is None or element_type == "dynamic":
        return [None]
    numbers = [
        interval.add(start, interval.multiply(step, number))
        for number in range(outputs[0].shape[0].min)
    ]
    return [tuple(numbers)]


RANGE_1 = Declaration(
    "Range", 1, tuple(map(Input, _NAMES)), (), _infer, "generation/range-1", _value
)
RANGE_4 = RANGE_1._replace(
    since=4,
    attributes=(Attribute("output_type", "type", "dynamic", required=True),),
    page="generation/range-4",
)

DECLARATIONS = (RANGE_1, RANGE_4)
