"""A layer on its own: what it is run on, or why it is not run."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from ovgather.crosscheck import cut, wire
from ovgather.crosscheck.arrays import from_wire
from ovgather.crosscheck.case import UNRUNNABLE, Run, Skip, Text, error_of, request, with_notes
from ovgather.crosscheck.judge import judge
from ovgather.crosscheck.known import Evidence
from ovgather.crosscheck.report import Outcome
from ovgather.crosscheck.shapes import Chosen, NoShapeError, choose
from ovgather.crosscheck.values import can_index, random_data, random_indices
from ovgather.element_type import ALL, ElementType
from ovgather.errors import InvalidModelError
from ovgather.layer import GatherLayer
from ovgather.ops import Operation
from ovgather.shape import PartialShape

if TYPE_CHECKING:
    from numpy.random import Generator

    from ovgather.crosscheck.arrays import Array

_MAX_RANK = 32


def generator(seed: int, *path: str) -> Generator:
    """Random numbers that depend on the seed and on the layer, not on what else is run."""
    import numpy

    return numpy.random.default_rng([seed, zlib.crc32("/".join(path).encode("utf-8", "surrogatepass"))])


class Alone(NamedTuple):
    """One layer as a model of its own. ``values`` makes data and indices of these shapes, the same ones each time."""

    gather: GatherLayer
    element_types: tuple[ElementType, ElementType]
    shapes: tuple[tuple[int, ...], tuple[int, ...]]
    values: Callable[[], tuple[Array, Array]]
    run: Run
    note: str = ""

    def request(self) -> tuple[wire.Header, list[wire.Blob]]:
        """See ``pool.Case``."""
        layer, operation = self.gather.layer, self.gather.operation
        tuples = operation.axis_from is None  # their length must stay static
        feeds = [
            cut.Input("data", self.element_types[0], self._dims(0)),
            cut.Input("indices", self.element_types[1], self._dims(1, kept=int(tuples))),
        ]
        if operation.axis_from == "input":
            feeds.append(_axis(self.gather))
        model = Text(*cut.one_layer(layer.name, operation.type, layer.version, layer.data, feeds))
        inputs = list(zip(self.element_types, self.values(), strict=True))
        return request(model, inputs, [cut.RESULT], self.run.device)

    def answered(self, header: wire.Header, blobs: list[bytearray]) -> list[Outcome]:
        """See ``pool.Case``."""
        if "error" in header:
            return self.failed(*error_of(header))
        got = from_wire(header["outputs"][0], blobs[0])
        gather = self.gather
        evidence = Evidence(gather.operation, *self.values(), gather.axis or 0, gather.batch_dims, got)
        outcome = judge(evidence, self.run.device)
        return [with_notes(outcome, "" if outcome.verdict == "equal" else self._bindings(), self.note)]

    def failed(self, verdict: str, reason: str) -> list[Outcome]:
        """The outcome when there is no output."""
        return [with_notes(Outcome(verdict, reason), self._bindings(), self.note)]

    def _bindings(self) -> str:
        gather = self.gather
        axis = f", axis {gather.axis}" if gather.operation.axis_from else ""
        batch_dims = f", batch_dims {gather.batch_dims}" if gather.batch_dims else ""
        shapes = f"data {list(self.shapes[0])}, indices {list(self.shapes[1])}"
        return f"on {'static' if self.run.static else 'dynamic'} shapes: {shapes}{axis}{batch_dims}"

    def _dims(self, position: int, kept: int = 0) -> list[int]:
        """The shape, every dim dynamic but for the last ``kept`` ones, unless shapes are to be static."""
        shape = list(self.shapes[position])
        free = 0 if self.run.static else len(shape) - kept
        return [-1] * free + shape[free:]


def _axis(gather: GatherLayer) -> cut.Input:
    """The axis as a Const of the type and rank it has in the file."""
    import numpy

    written = gather.tensors[2] if len(gather.tensors) > 2 else None
    element_type = written.element_type if written is not None else None
    if element_type is None or not can_index(element_type):
        element_type = _type("i64")
    value = numpy.asarray(gather.axis, "i8").astype(element_type.dtype).tobytes()
    return cut.Input("axis", element_type, [1] if written is not None and written.shape.rank == 1 else [], value)


def plan_alone(gather: GatherLayer, run: Run, seed: int, given: Mapping[str, Array] | None = None) -> Alone:
    """The layer on its own, on random values or on ``given`` ``data`` and ``indices``.

    Raises:
        Skip: it cannot run.
    """
    types = _runnable_types(gather)
    _known_attributes(gather)
    if given is not None:
        arrays = given_arrays(gather, types, given)
        return Alone(gather, types, (arrays[0].shape, arrays[1].shape), lambda: arrays, run)
    layer, operation = gather.layer, gather.operation
    rng = generator(seed, *layer.body, str(layer.id), layer.name)
    axis, batch_dims = gather.axis or 0, gather.batch_dims
    if gather.errors:
        raise Skip(f"the layer is not valid: {gather.errors[0]}")
    try:
        shapes = choose(operation.type, gather.shapes[0], gather.shapes[1], axis, batch_dims, rng)
    except NoShapeError as error:
        raise Skip(str(error)) from error
    problems = operation.check(
        [PartialShape.of(list(shapes.data)), PartialShape.of(list(shapes.indices))],
        axis=gather.axis,
        batch_dims=batch_dims,
        element_types=types,
    )
    if problems:
        raise Skip(f"the layer is not valid: {problems[0]}")
    sizes = lengths(operation, axis, batch_dims, shapes.data, shapes.indices)
    if 0 in sizes and 0 not in shapes.indices:
        raise Skip("the axis has length 0: there is nothing to gather, and OpenVINO's output is left to chance")
    note = f"data cut down to {list(shapes.data)}, indices to {list(shapes.indices)}" if shapes.cut else ""
    start = (seed, *layer.body, str(layer.id), layer.name)
    values = partial(_random_values, start, types, shapes, [max(1, size) for size in sizes], not _unsigned(gather))
    return Alone(gather, types, (shapes.data, shapes.indices), values, run, note)


def _unsigned(gather: GatherLayer) -> bool:
    """Whether the specification lets no index be negative."""
    return gather.operation.type == "Gather" and gather.operation.version < 8


def _random_values(
    start: tuple[Any, ...], types: tuple[ElementType, ElementType], shapes: Chosen, sizes: list[int], negative: bool
) -> tuple[Array, Array]:
    rng = generator(*start)
    data = random_data(rng, types[0], shapes.data)
    return data, random_indices(rng, types[1], shapes.indices, sizes, negative)


def lengths(
    operation: Operation, axis: int, batch_dims: int, data: tuple[int, ...], indices: tuple[int, ...]
) -> list[int]:
    """How long the axes of ``data`` are that ``indices`` point into: one, or one for each part of a tuple."""
    if operation.axis_from is None:
        return list(data[batch_dims : batch_dims + indices[-1]])
    return [data[axis]]


def _runnable_types(gather: GatherLayer) -> tuple[ElementType, ElementType]:
    """The types of data and indices; f32 and i64 where the file does not say."""
    if len(gather.tensors) < len(gather.operation.inputs):
        raise Skip(f"the layer has {len(gather.tensors)} inputs, {gather.operation.name} needs more")
    found = []
    for given, default in zip(gather.element_types[:2], ("f32", "i64"), strict=True):
        found.append(given if given is not None and given.kind != "dynamic" else _type(default))
    data, indices = found
    reason = data_problem(gather, data)
    if not reason and (not can_index(indices) or (data.name == "string" and indices.bits < 32)):
        reason = f"OpenVINO's CPU plugin does not run data of type {data} with indices of type {indices}"
    if reason:
        raise Skip(reason)
    ranks = [shape.rank for shape in gather.shapes[:2] if shape.rank is not None]
    if max(ranks, default=0) > _MAX_RANK:
        raise Skip(f"OpenVINO's CPU plugin holds at most {_MAX_RANK} dims")
    return data, indices


def _type(name: str) -> ElementType:
    return {element_type.name: element_type for element_type in ALL}[name]


def data_problem(gather: GatherLayer, data: ElementType | None) -> str:
    """Why OpenVINO's CPU plugin cannot run the layer on data of this type; empty when it can."""
    if data is not None and data.name in UNRUNNABLE:
        return f"OpenVINO's CPU plugin does not run data of type {data}: it refuses it, or damages its memory"
    if data is not None and data.name == "string" and gather.operation.type != "Gather":
        return f"OpenVINO's CPU plugin does not run {gather.operation.type} on strings"
    return ""


def _known_attributes(gather: GatherLayer) -> None:
    if gather.operation.axis_from is not None and gather.axis is None:
        raise Skip("the axis is not known" + ("" if gather.model.weights else ": there are no weights"))


def given_arrays(
    gather: GatherLayer, types: tuple[ElementType, ElementType], given: Mapping[str, Array]
) -> tuple[Array, Array]:
    """``data`` and ``indices`` (or ``in0`` and ``in1``) as the layer takes them.

    Raises:
        InvalidModelError: one is missing, or they do not fit.
    """
    arrays = []
    for position, (name, element_type) in enumerate(zip(("data", "indices"), types, strict=True)):
        array = given.get(name, given.get(f"in{position}"))
        if array is None or array.dtype != element_type.dtype:
            what = "is missing" if array is None else f"has dtype {array.dtype}, not {element_type.dtype}"
            raise InvalidModelError(
                f"input {name!r} {what}: layer {gather.layer.name!r} takes data: {types[0]}"
                f" {gather.shapes[0]}, indices: {types[1]} {gather.shapes[1]}"
            )
        arrays.append(array)
    shapes = [PartialShape.of(list(array.shape)) for array in arrays]
    problems = gather.operation.check(shapes, axis=gather.axis, batch_dims=gather.batch_dims)
    if problems:
        raise InvalidModelError(f"the inputs do not fit layer {gather.layer.name!r}: {problems[0]}")
    return arrays[0], arrays[1]
