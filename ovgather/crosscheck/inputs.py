"""The inputs that a whole model takes, and given arrays matched to them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple
from zipfile import BadZipFile

from ovgather.crosscheck.case import UNRUNNABLE, Skip
from ovgather.element_type import ElementType
from ovgather.errors import InvalidModelError
from ovgather.ir.model import Layer, Model
from ovgather.ir.positions import element_of, split_names
from ovgather.ports import output_tensor
from ovgather.shape import Dimension, PartialShape

if TYPE_CHECKING:
    from ovgather.crosscheck.arrays import Array


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


def _fitted(array: Array, want: Wanted) -> tuple[Array, str]:
    """``array`` as the Parameter takes it, and what is wrong with it."""
    import numpy

    dtype = want.element_type.dtype
    # A file cannot name the dtypes that NumPy lacks: their bytes come as void or as unsigned integers.
    raw = dtype.isbuiltin != 1 and array.dtype.kind in "Vu" and array.dtype.itemsize == dtype.itemsize
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
