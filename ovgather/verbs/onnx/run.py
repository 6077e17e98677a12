"""Run one node of an ONNX file with the reference: on given arrays, the file's constants, or random values."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from ovgather.errors import InvalidModelError
from ovgather.layers.onnx_node import find_node, gather_nodes, missing_operation
from ovgather.tensor.onnx_types import OPENVINO, name_of_dtype
from ovgather.tensor.shape import PartialShape
from ovgather.verbs.run import Argument, Ran

if TYPE_CHECKING:
    import numpy

    from ovgather.layers.onnx_node import GatherNode
    from ovgather.onnx_file.model import OnnxModel
    from ovgather.onnx_file.tensors import Array
    from ovgather.ops.operation import Operation

_DEFAULTS = {"data": "float", "indices": "int64"}
_NAMES = ("data", "indices")
_MOST_MADE = 1 << 26  # elements that values are made up for


class PreparedNode(NamedTuple):
    """A node, what to run it on, and its axis, None where it has none."""

    node: GatherNode
    operation: Operation
    arguments: list[Argument]
    axis: int | None


def run_node(
    model: OnnxModel,
    layer: str | None = None,
    given: Mapping[str, Array] | None = None,
    *,
    axis: int | None = None,
    seed: int = 0,
    strict: bool = False,
    engine: str = "auto",
    threads: int | None = None,
) -> Ran:
    """Evaluate one Gather node by ONNX's document; the arguments are those of ``ovgather.verbs.run.run_layer``.

    Raises:
        InvalidModelError: there is no such node, or an array does not fit it.
        ShapeInferenceError, IndexOutOfRangeError, UnavailableError: as ``ovgather.evaluate``.
    """
    from ovgather.ops.evaluation import evaluate

    node, operation, arguments, known = prepare(model, layer, given, axis=axis, seed=seed)
    data, indices = [argument.array for argument in arguments]
    output = evaluate(
        operation,
        data,
        indices,
        axis=known or 0,
        batch_dims=node.batch_dims,
        strict=strict,
        engine=engine,
        threads=threads,
    )
    return Ran(node.reference, operation.name, arguments, known, node.batch_dims, output)


def prepare(
    model: OnnxModel,
    layer: str | None = None,
    given: Mapping[str, Array] | None = None,
    *,
    axis: int | None = None,
    seed: int = 0,
) -> PreparedNode:
    """One Gather node and what to run it on; arguments and errors are those of ``run_node``."""
    node = _choose(model, layer)
    if node.operation is None:
        raise InvalidModelError(f"node {node.reference.name!r} cannot be run: {missing_operation(node)}")
    if len(node.inputs) < 2:
        raise InvalidModelError(f"node {node.reference.name!r} has {len(node.inputs)} inputs: it cannot be run")
    known = _axis(node, axis)
    return PreparedNode(node, node.operation, arguments_of(node, dict(given or {}), known or 0, seed), known)


def _choose(model: OnnxModel, layer: str | None) -> GatherNode:
    if layer is not None:
        return find_node(model, layer)
    nodes = gather_nodes(model)
    if len(nodes) == 1:
        return nodes[0]
    names = ", ".join(repr(node.reference.name) for node in nodes[:5]) + (", …" if len(nodes) > 5 else "")
    detail = f"{len(nodes)} Gather nodes: say which with --layer: {names}" if nodes else "no Gather node"
    raise InvalidModelError(f"{model.path} has {detail}")


def _axis(node: GatherNode, given: int | None) -> int | None:
    assert node.operation is not None
    name = node.reference.name
    if not node.operation.has_axis:
        if given is not None:
            raise InvalidModelError(f"node {name!r} is a {node.title}, which has no axis")
        return None
    if node.axis is None and given is None:
        raise InvalidModelError(
            f"the axis of node {name!r} is given by the caller of the function: give it with --axis"
        )
    if None not in (given, node.axis) and given != node.axis:
        raise InvalidModelError(f"node {name!r} has axis {node.axis}; it cannot be run with axis {given}")
    return node.axis if node.axis is not None else given


def arguments_of(node: GatherNode, given: dict[str, Array], axis: int, seed: int) -> list[Argument]:
    """What to run a node on; the arrays that are used are taken out of ``given``."""
    found: dict[str, Argument] = {}
    for place, name in enumerate(_NAMES):
        array = given.pop(name, None) if name in given else given.pop(f"in{place}", None)
        if array is not None:
            found[name] = Argument(name, _typed(node, place, array), "given")
        elif (constant := node.constant(place)) is not None:
            found[name] = Argument(name, constant, "constant of the file")
    if given:
        raise InvalidModelError(f"no input is called {', '.join(given)}: {node.title} takes data and indices")
    missing = [name for name in _NAMES if name not in found]
    if missing:
        made = _random(node, found, axis, seed)
        found |= {name: Argument(name, made[name], f"random, seed {seed}") for name in missing}
    return [found[name] for name in _NAMES]


def _typed(node: GatherNode, place: int, array: Array) -> Array:
    import numpy

    from ovgather.files.npy import as_written, dtype_as_written

    value, name = node.inputs[place], _NAMES[place]
    kind = value.element_type
    wanted = _dtype(kind) if kind is not None else array.dtype
    dtype = dtype_as_written(array.dtype, wanted)
    takes = f"node {node.reference.name!r} takes {kind or 'any type'} {value.shape.named}"
    if kind is not None and name_of_dtype(dtype) != kind:
        raise InvalidModelError(f"{name} is {array.dtype}, but {takes}")
    if not value.shape.compatible(PartialShape.of(list(array.shape))):
        raise InvalidModelError(f"{name} has shape {list(array.shape)}, but {takes}")
    return as_written(numpy.asarray(array), wanted)  # only now an array in a file is read


def _dtype(name: str) -> numpy.dtype[Any]:
    import numpy

    known = OPENVINO.get(name)
    if known is not None:
        return known.dtype
    if name.startswith("complex"):
        return numpy.dtype(name)
    raise InvalidModelError(f"there are no arrays of tensor({name})")


def _random(node: GatherNode, found: dict[str, Argument], axis: int, seed: int) -> dict[str, Array]:
    from ovgather.crosscheck.alone.plan import generator
    from ovgather.ops.sampling.shapes import choose, require_arrays
    from ovgather.ops.sampling.values import random_data, random_indices

    operation = node.operation
    assert operation is not None
    shapes = [
        PartialShape.of(list(found[name].array.shape)) if name in found else node.shapes[place]
        for place, name in enumerate(_NAMES)
    ]
    types = [
        name_of_dtype(found[name].array.dtype) if name in found else node.inputs[place].element_type
        for place, name in enumerate(_NAMES)
    ]
    known = axis if operation.has_axis else None
    problems = operation.check(shapes, axis=known, batch_dims=node.batch_dims, element_types=types)
    if problems:
        raise problems[0]
    rng = generator(seed, *node.graph.path, node.reference.name)
    chosen = choose(operation.type, _equal_off_axis(node, shapes), shapes[1], axis, node.batch_dims, rng)
    lengths_of_data = shapes[0].dims or ()
    data = tuple(
        lengths_of_data[at].min if at < len(lengths_of_data) and lengths_of_data[at].is_static else length
        for at, length in enumerate(chosen.data)
    )
    require_arrays(data=data, indices=chosen.indices)
    if "data" not in found and prod(data) > _MOST_MADE:
        raise InvalidModelError(f"node {node.reference.name!r} takes data of {prod(data)} elements: give them")
    sizes = [max(1, size) for size in operation.index_sizes(data, chosen.indices, axis, node.batch_dims)]
    indices_type = OPENVINO[types[1] or _DEFAULTS["indices"]]
    assert indices_type is not None
    data_type = OPENVINO.get(types[0] or _DEFAULTS["data"])
    return {
        "data": random_data(rng, data_type, data)
        if data_type is not None
        else _complex(rng, _dtype(str(types[0])), data),
        "indices": random_indices(rng, indices_type, chosen.indices, sizes, operation.allows_negative_indices),
    }


def _equal_off_axis(node: GatherNode, shapes: list[PartialShape]) -> PartialShape:
    """The shape of data with the dims of indices where they are smaller, which is right off the axis."""
    data, indices = shapes
    if node.proto.op_type != "GatherElements" or data.dims is None or indices.dims is None:
        return data
    return PartialShape(
        tuple([mine if mine.compatible(theirs) else theirs for mine, theirs in zip(data, indices, strict=True)])
    )


def _complex(rng: Any, dtype: numpy.dtype[Any], shape: tuple[int, ...]) -> Array:
    made: Array = (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)).astype(dtype)
    return made
