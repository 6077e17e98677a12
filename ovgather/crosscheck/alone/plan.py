"""A layer on its own: what it is run on, or why it is not run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from numpy.random import Generator

from ovgather.crosscheck.alone.run import TrialRun
from ovgather.crosscheck.in_model.inputs import loaded
from ovgather.crosscheck.options import CrosscheckOptions
from ovgather.errors import InvalidModelError
from ovgather.layers.gather_layer import GatherLayer
from ovgather.ops.sampling.shapes import Chosen, NoShapeError, choose
from ovgather.ops.sampling.values import can_index, generator, random_data, random_indices
from ovgather.runtimes.outcome import Skip
from ovgather.runtimes.trial import UNRUNNABLE, Placement, Trial
from ovgather.tensor.arrays import Array
from ovgather.tensor.element_type import ElementType, named
from ovgather.tensor.shape import PartialShape

if TYPE_CHECKING:
    from ovgather.layers.onnx_node import GatherNode

_MAX_RANK = 32


def form_of(gather: GatherLayer, static: bool) -> Placement:
    """The form in which the layer stands alone: the axis as a Const of the type and rank it has in the file."""
    for tensor in gather.tensors[2:3]:
        if tensor.element_type is not None and can_index(tensor.element_type):
            return Placement(static, axis_type=tensor.element_type.name, axis_rank=int(tensor.shape.rank == 1))
    return Placement(static)


def plan_alone(gather: GatherLayer, options: CrosscheckOptions) -> TrialRun:
    """The layer on its own, on random values or on given ``data`` and ``indices``. Raises Skip, InvalidModelError."""
    types, placement = runnable_types(gather), form_of(gather, options.static)
    run = partial(TrialRun, device=options.device, tolerance=options.tolerance)

    def trial(data: Array, indices: Array) -> Trial:
        axis, batch_dims = gather.axis, gather.batch_dims
        return Trial(gather.operation, gather.layer.version, types, data, indices, axis, batch_dims, placement)

    if options.layer_inputs is not None:
        return run(trial(*given_arrays(gather, types, options.layer_inputs)))
    shapes = legal_shapes(gather, types, generator(options.seed, *gather.seed_path))
    note = f"data cut down to {list(shapes.data)}, indices to {list(shapes.indices)}" if shapes.cut else ""

    def make() -> Trial:
        # The same values each time, so that they need not be kept.
        return trial(*random_pair(gather, types, shapes, generator(options.seed, *gather.seed_path)))

    return run(make, note=note)


def random_pair(
    gather: GatherLayer | GatherNode, types: Sequence[ElementType], shapes: Chosen, rng: Generator
) -> tuple[Array, Array]:
    """Random data, and random indices in range of them."""
    operation = gather.operation
    assert operation is not None
    sizes = operation.index_sizes(shapes.data, shapes.indices, gather.axis or 0, gather.batch_dims)
    limits, data = [max(1, size) for size in sizes], random_data(rng, types[0], shapes.data)
    return data, random_indices(rng, types[1], shapes.indices, limits, operation.allows_negative_indices)


def chosen_shapes(gather: GatherLayer | GatherNode, shapes: Sequence[PartialShape], rng: Generator) -> Chosen:
    """Small static shapes of data and indices. Raises Skip."""
    if gather.errors:
        raise Skip(f"the layer is not valid: {gather.errors[0]}")
    assert gather.operation is not None
    try:
        return choose(gather.operation.type, shapes[0], shapes[1], gather.axis or 0, gather.batch_dims, rng)
    except NoShapeError as error:
        raise Skip(str(error)) from error


def legal_shapes(gather: GatherLayer, types: tuple[ElementType, ElementType], rng: Generator) -> Chosen:
    """Static shapes on which the layer can run. Raises Skip."""
    operation, axis, batch_dims = gather.operation, gather.axis, gather.batch_dims
    shapes = chosen_shapes(gather, gather.shapes, rng)
    static = [PartialShape.of(list(shapes.data)), PartialShape.of(list(shapes.indices))]
    problems = operation.check(static, axis=axis, batch_dims=batch_dims, element_types=types)
    if problems:
        raise Skip(f"the layer is not valid: {problems[0]}")
    if 0 in operation.index_sizes(shapes.data, shapes.indices, axis or 0, batch_dims) and 0 not in shapes.indices:
        raise Skip("the axis has length 0: there is nothing to gather, and OpenVINO's output is left to chance")
    return shapes


def runnable_types(gather: GatherLayer) -> tuple[ElementType, ElementType]:
    """The types of data and indices; f32 and i64 where the file does not say. Raises Skip where they cannot run."""
    if len(gather.tensors) < len(gather.operation.inputs):
        raise Skip(f"the layer has {len(gather.tensors)} inputs, {gather.operation.name} needs more")
    pairs = zip(gather.element_types[:2], ("f32", "i64"), strict=True)
    data, indices = (named(default) if kind is None or kind.kind == "dynamic" else kind for kind, default in pairs)
    reason = data_problem(gather, data)
    if not reason and (not can_index(indices) or (data.name == "string" and indices.bits < 32)):
        reason = f"OpenVINO's CPU plugin does not run data of type {data} with indices of type {indices}"
    if reason:
        raise Skip(reason)
    ranks = [shape.rank for shape in gather.shapes[:2] if shape.rank is not None]
    if max(ranks, default=0) > _MAX_RANK:
        raise Skip(f"OpenVINO's CPU plugin holds at most {_MAX_RANK} dims")
    if gather.operation.has_axis and gather.axis is None:
        raise Skip("the axis is not known" + ("" if gather.model.weights else ": there are no weights"))
    return data, indices


def data_problem(gather: GatherLayer, data: ElementType | None) -> str:
    """Why OpenVINO's CPU plugin cannot run the layer on data of this type; empty when it can."""
    if data is not None and data.name in UNRUNNABLE:
        return f"OpenVINO's CPU plugin does not run data of type {data}: it refuses it, or damages its memory"
    if data is not None and data.name == "string" and not gather.operation.indices_replace_axis:
        return f"OpenVINO's CPU plugin does not run {gather.operation.type} on strings"
    return ""


def given_arrays(
    gather: GatherLayer, types: tuple[ElementType, ElementType], inputs: Mapping[str, Array]
) -> tuple[Array, Array]:
    """``data`` and ``indices`` (or ``in0`` and ``in1``) as the layer takes them. Raises InvalidModelError."""
    arrays = []
    for position, (name, element_type) in enumerate(zip(("data", "indices"), types, strict=True)):
        array = inputs.get(name, inputs.get(f"in{position}"))
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
    data, indices = (loaded(array, kind) for array, kind in zip(arrays, types, strict=True))
    return data, indices
