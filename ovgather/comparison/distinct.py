"""Layers or nodes that are the same to a runtime: alike in operation, types, shapes, axis and constants."""

from collections.abc import Iterable
from hashlib import sha256

from ovgather.errors import InvalidModelError
from ovgather.layers.formats import AnyGather
from ovgather.layers.gather_layer import GatherLayer

_MOST_HASHED = 1 << 20  # bytes of a constant


def key(gather: AnyGather, consumers: Iterable[str] | None = None) -> str:
    """What layers or nodes that are the same to a runtime have in common, wherever they come from.

    ``consumers`` are the types of the layers that read it, where the layers around it matter, too.
    """
    around: object = None if isinstance(gather, GatherLayer) else gather.word
    if consumers is not None and isinstance(gather, GatherLayer):
        around = (
            [source and source[0].type for source in gather.sources],
            sorted(consumers),
        )
    constants = [_constant(gather, index) for index in range(len(gather.shapes))]
    shapes = list(map(str, gather.shapes))
    attributes = (gather.axis, gather.batch_dims)
    parts = gather.title, gather.type_names, shapes, *attributes, constants, around
    return sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _constant(gather: AnyGather, index: int) -> str | None:
    """A hash of a constant that feeds an input; of a large one of an IR, of its ends."""
    if not isinstance(gather, GatherLayer):
        try:
            array = gather.values(index)
        except InvalidModelError:
            return "unknown"
        if array is None:
            return None
        return sha256(array.tobytes()).hexdigest()
    constant = gather.constant(index)
    if constant is None:
        return None
    offset = constant.offset
    size = constant.size
    weights = constant.weights
    half = _MOST_HASHED // 2
    if size <= _MOST_HASHED:
        ends = [(offset, size)]
    else:
        ends = [(offset, half), (offset + size - half, half)]
    digest = sha256(str(size).encode())
    for place, length in ends:  # weights at an address are not read in between
        data = None
        if weights is not None:
            data = weights.read(place, length)
        if data is None:
            return "unknown"
        digest.update(data)
    return digest.hexdigest()
