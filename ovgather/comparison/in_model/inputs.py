"""The inputs that a whole model takes, and given arrays matched to them."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy

from ovgather.errors import InvalidModelError
from ovgather.ir.model import Model
from ovgather.layers.inputs import parameters
from ovgather.layers.tensors import output_tensor
from ovgather.runtimes.outcome import Skip
from ovgather.runtimes.trial import UNRUNNABLE
from ovgather.tensor.arrays import Array
from ovgather.tensor.element_type import ElementType, named
from ovgather.tensor.onnx_types import name_of_dtype
from ovgather.tensor.shape import PartialShape

Round = Sequence[Array]
"""The arrays of the inputs of a model for one inference."""


class ModelInput(NamedTuple):
    """One input of a model of either format.

    ``key`` is the id of its Parameter, or its name in an ONNX file; ``kind`` is None where OpenVINO has no such type.
    """

    key: Any
    position: int
    names: tuple[str, ...]
    type_name: str
    kind: ElementType | None
    shape: PartialShape
    widened: bool = False
    """Whether the layers behind it see f16: its values must be some."""

    def seen(self, array: Array) -> Array:
        """The values of an array that the layers behind the input see."""
        if self.widened:
            return array.astype("f2").astype("f4")
        return array

    def misfit(self, array: Array) -> str:
        """What is wrong with an array, as far as its dtype and its shape tell."""
        kind = self.kind
        name = self.type_name
        if (
            not _is_of(array, kind)
            if kind is not None
            else name and name_of_dtype(array.dtype) != name
        ):
            return (
                f"has dtype {array.dtype}, not {name if kind is None else kind.dtype}"
            )
        fits = self.shape.compatible(PartialShape.of(array.shape))
        if fits:
            return ""
        return f"has shape {list(array.shape)}, not {self.shape.named}"

    def __str__(self) -> str:
        names = " or ".join(dict.fromkeys([*self.names, f"in{self.position}"]))
        return f"{names}: {self.type_name or '?'} {self.shape.named}"


def wanted_inputs(model: Model) -> list[ModelInput]:
    """The inputs of ``model`` in the order of its Parameters. Raises Skip."""
    inputs: list[ModelInput] = []
    for layer in parameters(model):
        tensor = output_tensor(layer, 0)
        if tensor.element_type is None or tensor.element_type.kind == "dynamic":
            raise Skip(f"Parameter {layer.name!r} has no element type")
        if tensor.element_type.name in UNRUNNABLE:
            raise Skip(
                f"OpenVINO's CPU plugin does not run inputs of type {tensor.element_type}"
            )
        # OpenVINO loads an IR of version 10 with f32 in place of f16, and converts behind the Parameter.
        widened = model.ir_version == 10 and tensor.element_type.name == "f16"
        kind = named("f32") if widened else tensor.element_type
        names = (layer.name, *model.tensor_names(layer))
        inputs.append(
            ModelInput(
                layer.id, len(inputs), names, kind.name, kind, tensor.shape, widened
            )
        )
    return inputs


def given_inputs(
    path: str, inputs: Sequence[ModelInput], arrays: Mapping[str, Array]
) -> list[Array]:
    """The ``arrays`` in the order of ``inputs``; names that no input has are ignored."""
    values: list[Array] = []
    problems = []
    for want in inputs:
        name = next(
            (name for name in (*want.names, f"in{want.position}") if name in arrays),
            None,
        )
        if name is None:
            problems.append(f"there is none for {want.names[0]!r}")
            continue
        values.append(arrays[name])
        if problem := want.misfit(arrays[name]):
            problems.append(f"{name!r} {problem}")
    if problems:
        takes = "\n  ".join(str(want) for want in inputs)
        offered = ", ".join(
            f"{name}: {array.dtype}{list(array.shape)}"
            for name, array in arrays.items()
        )
        raise InvalidModelError(
            f"the inputs do not fit {path}: {'; '.join(problems)}\n"
            f"the model takes\n  {takes}\ngiven are {offered or 'none'}"
        )
    return [
        want.seen(loaded(array, want.kind))
        for array, want in zip(values, inputs, strict=True)
    ]


def given_rounds(
    path: str, wanted: list[ModelInput], arrays: Mapping[str, Array], repeat: int
) -> list[Round]:
    """Inferences on given inputs; every second one has the real numbers of each in reverse order."""
    first = given_inputs(path, wanted, arrays)
    # Integers may be indices or lengths, which must stay where they are.
    reverse = [
        array.ravel()[::-1].reshape(array.shape) if array.dtype.kind in "fV" else array
        for array in first
    ]
    return [reverse if number % 2 else first for number in range(repeat)]


def loaded(array: Array, kind: ElementType | None) -> Array:
    """An array that fits ``kind``, as a runtime takes it: the elements of one in a file are read now."""
    plain: Array = numpy.asarray(array)
    if kind is None or plain.dtype == kind.dtype:
        return plain
    if kind.name == "string":
        return plain.astype(object)
    return plain.view(kind.dtype)


def _is_of(array: Array, kind: ElementType) -> bool:
    """Whether the dtype of an array is that of ``kind``, or what a file has in its place."""
    own = array.dtype
    dtype = kind.dtype
    if kind.name == "string":
        return own.kind in "OUST"
    # A file cannot name the dtypes that NumPy lacks: their bytes come as void or as unsigned integers.
    return own == dtype or (
        dtype.isbuiltin != 1 and own.kind in "Vu" and own.itemsize == dtype.itemsize
    )
