"""What the rules of detection and recurrent operations check: ranks, lengths, dims that have to be equal."""

from __future__ import annotations

from collections.abc import Sequence

from ovgather.ops.declaration import Node, type_words
from ovgather.tensor import interval
from ovgather.tensor.dimension import ANY, LENGTHS, Dimension, exact
from ovgather.tensor.interval import Item
from ovgather.tensor.tensor import Basis, Tensor

FLOATS_OF_FEW_BITS = frozenset({"f4e2m1", "f8e4m3", "f8e5m2", "f8e8m0"})
LONG = frozenset({"i16", "i32", "i64", "u16", "u32", "u64"})
PACKED = frozenset({"u1", "u2", "u3", "u6"})
"""The types of which the plugin cannot even convert elements."""
WITHOUT_BOUNDS = FLOATS_OF_FEW_BITS | PACKED | {"bf16", "nf4"}
"""The types of which OpenVINO's core computes no maximum and minimum, where axes are not constant for the plugin."""
WITHOUT_MEAN = WITHOUT_BOUNDS | {"i4", "i8", "u4", "u8"}
"""The types of which OpenVINO's core computes no mean, sum or product, where axes are not constant for the plugin."""
_HALF = 1 << 31
_LARGEST = (1 << 63) - 1


def stage_of(type: str) -> str:
    """When a type without a kernel is refused: processors without ``bf16`` and ``f16`` compute those as ``f32``."""
    return "sometimes" if type in ("bf16", "f16") else "compile"


def require_plugin_type(node: Node, types: frozenset[str], *indices: int) -> None:
    """Refuse inputs of an element type that the CPU plugin does not take."""
    for index in indices:
        if node.type(index) not in types and node.type(index) != "dynamic":
            name = node.input_name(index)
            message = f"{name} must be {type_words(types)} for the CPU plugin, not {node.type(index)}"
            node.refuse_on_compile(name, message)


def product(*factors: Dimension | int) -> Dimension:
    """The dim of which the length is the product of all ``factors``."""
    item: Item = 1
    for factor in factors:
        item = interval.multiply(
            item, factor if isinstance(factor, int) else interval.of_dimension(factor)
        )
    return interval.to_dimension(item)


def count_dim(count: int) -> Dimension:
    """A count as a dim: -1 is any length, less than that is 0."""
    if count == -1:
        return ANY
    return LENGTHS[min(max(count, 0), _LARGEST)]


def up_to(dim: Dimension) -> Dimension:
    """The lengths from 0 to the largest that ``dim`` has."""
    if dim.max == 0:
        return LENGTHS[0]
    return exact(0, dim.max, None)


def largest(dim: Dimension) -> Dimension:
    """The largest length of ``dim``; any length if it has no upper end."""
    if dim.max is None:
        return ANY
    return LENGTHS[dim.max]


def first_whole(node: Node, index: int) -> int | None:
    """The first element of an input as a whole number, if it is known."""
    try:
        number = node.integer(index)
    except (ValueError, OverflowError):  # not a number, or infinite
        return None
    if number is None or abs(number) <= _LARGEST:
        return number
    return None


def require_type(
    node: Node, types: frozenset[str], *indices: int, or_dynamic: bool = False
) -> None:
    """Refuse inputs of other element types, and ``dynamic`` ones unless ``or_dynamic``."""
    for index in indices:
        if not node.has(index) or node.type(index) in types:
            continue
        if node.type(index) == "dynamic" and (
            or_dynamic or not is_computed(node, index)
        ):
            continue
        name = node.input_name(index)
        node.refuse(name, f"{name} must be {type_words(types)}, not {node.type(index)}")


def is_computed(node: Node, *indices: int) -> bool:
    """Whether OpenVINO knows no more of these inputs either: what is open in them is open there."""
    return all([node.inputs[index].basis is Basis.COMPUTED for index in indices])


def require_type_of(node: Node, index: int, other: int) -> None:
    """Refuse an input that has not the very element type of another, ``dynamic`` counting as one."""
    if not node.has(index) or node.type(index) == node.type(other):
        return
    if "dynamic" in (node.type(index), node.type(other)) and not is_computed(
        node, index, other
    ):
        return
    name, expected = (
        node.input_name(index),
        f"{node.type(other)} as {node.input_name(other)} is",
    )
    node.refuse(name, f"{name} is {node.type(index)}, but must be {expected}")


def require_rank(node: Node, index: int, *ranks: int) -> None:
    """Refuse an input that is known to have another rank."""
    rank = None
    if node.has(index):
        rank = node.rank(index)
    if rank is not None and rank not in ranks:
        words = " or ".join(map(str, ranks))
        name = node.input_name(index)
        node.refuse(name, f"{name} has rank {rank}, but must have rank {words}")


def require_length(node: Node, index: int, place: int, *lengths: int) -> None:
    """Refuse an input whose dim ``place`` can have none of ``lengths``."""
    dims = node.dims(index)
    if dims is not None and not any([holds(dims[place], length) for length in lengths]):
        words = " or ".join(map(str, lengths))
        name = node.input_name(index)
        node.refuse(
            name, f"dim {place} of {name} is {dims[place]}, but must be {words}"
        )


def holds(dim: Dimension, length: int) -> bool:
    """Whether ``dim`` may have ``length``."""
    return dim.min <= length and (dim.max is None or length <= dim.max)


def require_equal(node: Node, one: tuple[int, int], other: tuple[int, int]) -> None:
    """Refuse two inputs whose dims, given as (input, place), cannot be equal."""
    one_dims, other_dims = node.dims(one[0]), node.dims(other[0])
    if one_dims is None or other_dims is None:
        return
    mine, theirs = one_dims[one[1]], other_dims[other[1]]
    if not mine.compatible(theirs):
        names = f"dim {one[1]} of {node.input_name(one[0])} is {mine}"
        name = node.input_name(other[0])
        node.refuse(
            name, f"{names}, dim {other[1]} of {name} is {theirs}: they must be equal"
        )


def merged(
    node: Node, what: str, places: Sequence[tuple[int, int]], start: Dimension = ANY
) -> Dimension:
    """The dim that all inputs have at these (input, place); refuses dims that cannot be equal.

    Inputs of unknown rank are passed over. ``what`` names the dim in the message.
    """
    dim = start
    for index, place in places:
        dims = node.dims(index)
        if dims is None:
            continue
        if not dim.compatible(dims[place]):
            name = node.input_name(index)
            node.refuse(
                name,
                f"{what} is {dim}, dim {place} of {name} is {dims[place]}: they must be equal",
            )
        dim = dim & dims[place]
    return dim


def is_compiled(outputs: Sequence[Tensor]) -> bool:
    """Whether the CPU plugin sees the layer: one whose output is empty is taken out before."""
    return not any(
        [dim.max == 0 for output in outputs for dim in output.shape.dims or ()]
    )


def require_static_for_plugin(node: Node, index: int, *places: int) -> None:
    """Refuse on compile an input of which dims are open that the CPU plugin needs: all, or those at ``places``."""
    dims = node.dims(index) if node.has(index) else None
    if dims is None or not is_computed(node, index):
        return
    needed = [dims[place] for place in places] or dims
    if any([dim.is_dynamic for dim in needed]):
        name = node.input_name(index)
        node.refuse_on_compile(
            name, f"{name} is {node.shape(index)}, the CPU plugin takes no open dims"
        )


def require_elements_for_plugin(
    node: Node, *indices: int, stage: str = "compile"
) -> None:
    """Refuse on compile inputs without elements: oneDNN makes no product of them, or the CPU plugin crashes."""
    for index in indices:
        dims = node.dims(index) if node.has(index) else None
        if dims is not None and any([dim.max == 0 for dim in dims]):
            name = node.input_name(index)
            node.refuse_on_compile(
                name,
                f"{name} is {node.shape(index)}, the CPU plugin takes no empty one",
                stage,
            )


def require_constant_for_plugin(
    node: Node, *indices: int, stage: str = "compile"
) -> None:
    """Refuse on compile inputs that are not constant, where the CPU plugin needs them."""
    for index in indices:
        each = node.inputs[index]
        if each.value is None and not each.is_constant and is_computed(node, index):
            name = node.input_name(index)
            message = f"{name} must be constant for the CPU plugin"
            node.refuse_on_compile(name, message, stage)


def int32(value: int) -> int:
    """What an integer becomes in OpenVINO's attributes of 32 bits: what lies beyond them is cut off."""
    return (value + _HALF) % (2 * _HALF) - _HALF


def require_int32(node: Node, name: str) -> None:
    """Refuse a list of integers that do not fit into 32 bits, where OpenVINO reads it into such."""
    for value in node[name]:
        if int32(value) != value:
            node.refuse(
                name, f"{name} holds {value}, which is out of range [-2^31, 2^31-1]"
            )
