"""Weights with the layers that decompress them, as one constant: its form, and its values as the layers behind see
them. A Const of another type than its reader wants goes through a Convert, and from integers through zero points,
scales and shapes of groups; in ONNX through a DequantizeLinear."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from hashlib import blake2b
from math import prod
from typing import TYPE_CHECKING, Any

import numpy

from ovgather.tensor import element_type
from ovgather.verbs.network.records import (
    Form,
    ModelNetwork,
    NetworkConstant,
    NetworkNode,
)

if TYPE_CHECKING:
    from ovgather.tensor.arrays import Array


_STARTS = frozenset(
    {"Cast", "Convert", "DequantizeLinear", "Gather", "Reshape", "Transpose"}
)
_OF_ONE_INPUT = frozenset({"Cast", "Convert"})
_GOES_ON = frozenset({"Multiply", "Subtract"})
_REAL = frozenset({"bf16", "f16", "f32", "f64"})
_STORED = {"Gather": 2, "Reshape": 1, "Transpose": 1}
"""How many of the inputs are part of a weight, and not an axis or a shape."""
_NARROW = frozenset({"u1", "u2", "u3", "u4", "u6"})


def fold(network: ModelNetwork) -> frozenset[int]:
    """Make each weight with its decompression one constant, that of the last of its layers; the numbers of the others.

    Nodes with other readers stay as well.
    """
    folded: set[int] = set()
    for number in network.order:
        node = network.nodes[number]
        if node.type not in _STARTS | _GOES_ON or not node.inputs or not node.outputs:
            continue
        feeds = [
            network.nodes[source[0]].constant if source is not None else None
            for source in node.inputs
        ]
        constant = _folded(node, feeds)
        if constant is None:
            continue
        node.constant = constant
        folded.update(source[0] for source in node.inputs if source is not None)
    # The last of a chain stands for it: what nothing but the chain reads is part of it.
    inner = set[int]()
    for number in reversed(network.order):
        readers = network.readers[number]
        if number in folded and all(
            network.nodes[at].constant is not None for at, _ in readers
        ):
            inner.add(number)
    for number in set(range(len(network.nodes))) - inner:
        if network.nodes[number].constant is not None:
            network.nodes[number].inputs = []
    return frozenset(inner)


def _folded(
    node: NetworkNode, feeds: Sequence[NetworkConstant | None]
) -> NetworkConstant | None:
    """What ``node`` makes of constants; None if it is not part of a decompression."""
    data = feeds[0]
    if data is None or any(each is None for each in feeds):
        return None
    if len(feeds) < 2 and node.type not in _OF_ONE_INPUT:
        return None  # an axis or a shape is missing, or stands in an attribute
    # Indices of a codebook, on their way to its Gather.
    is_narrow = data.form.stored in _NARROW
    if node.outputs[0].element_type not in _REAL and not (
        is_narrow and node.type == "Convert"
    ):
        return None
    known = [each for each in feeds if each is not None]
    # Which of two factors is the weight, the form says: it is compressed, and larger.
    if node.type in ("Multiply", "Subtract"):
        data = max(known, key=lambda each: (each.form.is_compressed, each.size))
    starts = node.type in _STARTS and (node.type != "Gather" or _is_codebook(known))
    if not starts and not (node.type in _GOES_ON and data.form.is_compressed):
        return None
    shape = _shape_of(node, known)
    stored = known[: _STORED.get(node.type, len(known))]
    return NetworkConstant(
        _form(node, data, known, shape),
        shape,
        sum(each.size for each in stored),
        partial(_digest, node, known),
        partial(_computed, node, known),
        data.place,
    )


def _digest(node: NetworkNode, known: Sequence[NetworkConstant]) -> bytes | None:
    parts = [each.digest for each in known]
    joined = b"".join(part for part in parts if part)
    if None in parts:
        return None
    return blake2b(joined, digest_size=16, person=node.type[:16].encode()).digest()


def _is_codebook(known: Sequence[NetworkConstant]) -> bool:
    """Whether a Gather looks up short integers in a small table."""
    kind = None
    if len(known) > 1:
        kind = element_type.find(known[1].form.stored)
    return (
        kind is not None
        and kind.is_integral
        and 0 < kind.bits <= 8
        and len(known[0].shape) == 1
    )


def _shape_of(node: NetworkNode, known: Sequence[NetworkConstant]) -> tuple[int, ...]:
    """What the layer gives, whatever its port declares; that, where the constant with the lengths cannot be read."""
    shapes = [each.shape for each in known]
    if node.type == "Gather":
        return shapes[1]
    if node.type in _GOES_ON:
        with suppress(ValueError):
            return numpy.broadcast_shapes(*shapes)
    if node.type not in ("Reshape", "Transpose"):
        return shapes[0]
    numbers = known[1].array
    if numbers is not None:
        # An array without memory: of the shape alone.
        data = numpy.broadcast_to(numpy.int8(0), shapes[0])
        with suppress(ValueError, TypeError, IndexError):
            shape: tuple[int, ...] = _value(node, [data, numbers]).shape
            return shape
    text = node.outputs[0].shape[1:-1]
    if text and text.replace(",", "").isdigit():
        return tuple(map(int, text.split(",")))
    return shapes[0]


def _form(
    node: NetworkNode,
    data: NetworkConstant,
    known: Sequence[NetworkConstant],
    shape: tuple[int, ...],
) -> Form:
    form = data.form._replace(computed=node.outputs[0].element_type)
    other = next((each for each in known if each is not data), None)
    if node.type == "Gather":
        return form._replace(stored=known[1].form.stored, codebook=known[0].shape[0])
    if node.type == "Subtract" and other is not None:
        return form._replace(zero_points=other.form.stored)
    if node.type == "Multiply" and other is not None:
        count = prod(other.shape)
        group = None
        if len(shape) > 2 and count > 1 and shape[-1] > 1 and other.shape[-1:] == (1,):
            group = shape[-1]
        return form._replace(scales=_scales(other, group), group=group)
    if node.type == "DequantizeLinear":
        zero = None
        if len(known) > 2:
            zero = known[2].form.stored
        block = node.attributes.get("block_size")
        group = None
        if isinstance(block, int) and block:
            group = block
        return form._replace(
            scales=_scales(known[1], group), zero_points=zero, group=group
        )
    return form


def _scales(scales: NetworkConstant, group: int | None) -> str:
    if group is not None:
        return scales.form.stored
    return (
        f"{scales.form.stored} per {'channel' if prod(scales.shape) > 1 else 'tensor'}"
    )


def _computed(node: NetworkNode, known: Sequence[NetworkConstant]) -> Array | None:
    arrays = [each.array for each in known]
    if any(array is None for array in arrays):
        return None
    kind = element_type.find(node.outputs[0].element_type)
    assert kind is not None
    with numpy.errstate(all="ignore"):
        try:
            return numpy.asarray(_value(node, arrays), kind.dtype)
        except (ValueError, TypeError, IndexError):  # shapes that do not fit
            return None


def _value(node: NetworkNode, arrays: Sequence[Any]) -> Any:
    data = arrays[0]
    if node.type == "Subtract":
        return data - arrays[1]
    if node.type == "Multiply":
        return data * arrays[1]
    if node.type == "Transpose":
        return data.transpose(arrays[1].tolist())
    if node.type == "Gather":
        return data[arrays[1].astype("i8")]
    if node.type == "Reshape":
        lengths = [
            length if length else data.shape[at]
            for at, length in enumerate(arrays[1].tolist())
        ]
        return data.reshape(
            lengths if node.attributes.get("special_zero") else arrays[1].tolist()
        )
    if node.type == "DequantizeLinear":
        return _dequantized(node, data, *arrays[1:])
    return data


def _dequantized(node: NetworkNode, data: Any, scale: Any, zero: Any = 0) -> Any:
    axis = node.attributes.get("axis", 1)
    block = node.attributes.get("block_size", 0)
    assert isinstance(axis, int)
    assert isinstance(block, int)
    zero = numpy.asarray(zero)
    if block:
        scale = numpy.repeat(scale, block, axis)
        if zero.ndim:
            zero = numpy.repeat(zero, block, axis)
    elif scale.ndim == 1 and scale.size > 1:
        shape = [-1 if at == axis % data.ndim else 1 for at in range(data.ndim)]
        scale = scale.reshape(shape)
        zero = zero.reshape(shape) if zero.size > 1 else zero
    return (data.astype("f4") - zero.astype("f4")) * scale
