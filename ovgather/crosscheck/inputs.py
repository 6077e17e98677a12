"""The inputs of a whole model: given ones matched to its Parameters, or seeded random ones."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple
from zipfile import BadZipFile

from ovgather.crosscheck.case import UNRUNNABLE, Skip
from ovgather.crosscheck.values import random_data
from ovgather.element_type import ElementType
from ovgather.errors import InvalidModelError
from ovgather.ir.model import Layer, Model
from ovgather.ir.positions import element_of, split_names
from ovgather.layer import GatherLayer, gather_layers
from ovgather.ports import output_tensor
from ovgather.shape import Dimension, PartialShape

if TYPE_CHECKING:
    from numpy.random import Generator

    from ovgather.crosscheck.arrays import Array

_IMAGE = 64  # an open height or width: less than this is often too little for a backbone
_SMALL = (2, 5)
_ELEMENTS = 1 << 27
_MAX_RANK = 32
_MOVES = frozenset({"Convert", "Reshape", "Squeeze", "Unsqueeze", "Transpose", "Broadcast", "Tile"})


class InputsError(InvalidModelError):
    """The inputs given are not those that the model takes; the message lists what it takes."""


class Wanted(NamedTuple):
    """One input of a model: a Parameter, under all the names it answers to."""

    layer: Layer
    position: int
    names: tuple[str, ...]
    element_type: ElementType
    shape: PartialShape

    def __str__(self) -> str:
        names = " or ".join(dict.fromkeys([*self.names, f"in{self.position}"]))
        return f"{names}: {self.element_type} {self.shape}"


def load_inputs(path: str) -> dict[str, Array]:
    """The arrays of an ``.npz`` file.

    Raises:
        InputsError: it is none, or holds something else than plain arrays.
    """
    import numpy

    try:
        with numpy.load(path, allow_pickle=False) as held:
            return {name: held[name] for name in held.files}
    except (OSError, ValueError, AttributeError, TypeError, EOFError, BadZipFile) as error:
        raise InputsError(f"{path} is no .npz of plain arrays: {error}") from error


def wanted_inputs(model: Model) -> list[Wanted]:
    """The inputs of ``model`` in the order of its Parameters.

    Raises:
        Skip: a Parameter does not say its element type, or has one that cannot be fed.
    """
    found: list[Wanted] = []
    for layer in model.graph.layers:
        if layer.type != "Parameter" or not layer.outputs:
            continue
        tensor = output_tensor(layer, 0)
        if tensor.element_type is None or tensor.element_type.kind == "dynamic":
            raise Skip(f"Parameter {layer.name!r} has no element type")
        if tensor.element_type.name in UNRUNNABLE:
            raise Skip(f"OpenVINO's CPU plugin does not run inputs of type {tensor.element_type}")
        names = (layer.name, *_tensor_names(model, layer))
        found.append(Wanted(layer, len(found), names, tensor.element_type, tensor.shape))
    return found


def given_inputs(model: Model, wanted: list[Wanted], given: Mapping[str, Array]) -> list[Array]:
    """The arrays of ``given`` in the order of the Parameters; names that no Parameter has are passed over.

    Raises:
        InputsError: one is missing, or has the wrong shape or dtype.
    """
    arrays, problems = [], []
    for want in wanted:
        name = next((name for name in (*want.names, f"in{want.position}") if name in given), None)
        if name is None:
            problems.append(f"there is none for {want.names[0]!r}")
            continue
        array, problem = _fitted(given[name], want)
        arrays.append(array)
        if problem:
            problems.append(f"{name!r} {problem}")
    if problems:
        takes = "\n  ".join(str(want) for want in wanted)
        offered = ", ".join(f"{name}: {array.dtype}{list(array.shape)}" for name, array in given.items())
        raise InputsError(
            f"the inputs do not fit {model.path}: {'; '.join(problems)}\n"
            f"the model takes\n  {takes}\ngiven are {offered or 'none'}"
        )
    return arrays


def random_inputs(model: Model, wanted: list[Wanted], rng: Generator) -> list[Array]:
    """Small inputs: dims left open are equal at equal places, integers that index something are in range.

    Raises:
        Skip: the file asks for more than can be made up.
    """
    import numpy

    lengths = [2, *rng.integers(3, _SMALL[1] + 1, 40).tolist()]
    limits = _index_limits(model)
    arrays = []
    for want in wanted:
        shape = _chosen(want, wanted, lengths)
        if len(shape) > _MAX_RANK or math.prod(shape) > _ELEMENTS:
            raise Skip(f"no random values for Parameter {want.layer.name!r} of shape {want.shape}: give some")
        element_type = want.element_type
        if element_type.is_integral and element_type.bits >= 8:
            limit = limits.get(want.layer.id, 2)
            arrays.append(rng.integers(0, _fits(limit, element_type), shape).astype(element_type.dtype))
        elif element_type.is_real and element_type.bits >= 16:
            values = numpy.asarray(rng.uniform(-1, 1, shape), "f4")
            arrays.append(values.astype(element_type.dtype))
        else:
            arrays.append(random_data(rng, element_type, shape))
    return arrays


def _chosen(want: Wanted, wanted: list[Wanted], lengths: list[int]) -> list[int]:
    """Lengths for one input; where another one of its rank has a static dim, that one's."""
    dims = want.shape.dims if want.shape.dims is not None else (Dimension(0, None),) * 2
    shape = []
    for place, dim in enumerate(dims):
        preferred = _IMAGE if len(dims) >= 4 and place >= 2 else lengths[place % len(lengths)]
        others = (other.shape[place] for other in wanted if other.shape.rank == len(dims))
        fixed = next((other.min for other in others if other.is_static and dim.compatible(other)), preferred)
        shape.append(_length(dim, fixed))
    return shape


def _length(dim: Dimension, preferred: int) -> int:
    return max(dim.min, preferred if dim.max is None else min(preferred, dim.max))


def _fits(limit: int, element_type: ElementType) -> int:
    import numpy

    return max(1, min(limit, int(numpy.iinfo(str(element_type.dtype)).max)))


def _index_limits(model: Model) -> dict[int, int]:
    """For each Parameter whose values become indices: the length of the shortest axis they index."""
    limits: dict[int, int] = {}
    for gather in gather_layers(model):
        source = None if gather.layer.body else gather.layer.producer(1)
        while source is not None and source[0].type in _MOVES:
            source = source[0].producer(0)
        if source is not None and source[0].type == "Parameter":
            number = source[0].id
            limits[number] = min(limits.get(number, 1 << 31), _table_length(gather))
    return limits


def _table_length(gather: GatherLayer) -> int:
    """The least length that an axis which ``gather`` indexes can have, but at least 1."""
    dims = gather.tensors[0].shape.dims
    if dims is None:
        return 1
    if gather.operation.axis_from is None:
        indexed = list(dims[gather.batch_dims :])
    elif gather.axis is None or not -len(dims) <= gather.axis < len(dims):
        indexed = list(dims)
    else:
        indexed = [dims[gather.axis]]
    return max(1, min((dim.min for dim in indexed), default=1))


def _fitted(array: Array, want: Wanted) -> tuple[Array, str]:
    """``array`` as the Parameter takes it, and what is wrong with it."""
    import numpy

    dtype = want.element_type.dtype
    # A file cannot name the dtypes that NumPy lacks: their bytes come as void or as unsigned integers.
    raw = dtype.kind == "V" and array.dtype.kind in "Vu" and array.dtype.itemsize == dtype.itemsize
    if array.dtype != dtype and raw:
        array = array.view(dtype)
    if want.element_type.name == "string" and array.dtype.kind in "OUST":
        array = array.astype(object)
    if array.dtype != dtype:
        return array, f"has dtype {array.dtype}, not {dtype}"
    dims = want.shape.dims
    fits = dims is None or (
        len(dims) == array.ndim
        and all(dim.compatible(Dimension(size)) for dim, size in zip(dims, array.shape, strict=True))
    )
    return numpy.asarray(array), "" if fits else f"has shape {list(array.shape)}, not {want.shape}"


def _tensor_names(model: Model, layer: Layer) -> tuple[str, ...]:
    """The names of a Parameter's tensor."""
    ports = element_of(model.source, layer).ports("output")
    return split_names(ports[0].attributes.get("names", "")) if ports else ()
