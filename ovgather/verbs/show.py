"""One Gather layer or node of a file with values for its drawing, and the list of all Gather layers."""

from collections.abc import Iterator

from ovgather.layers.arguments import NAMES, Argument
from ovgather.layers.compression import compression
from ovgather.layers.formats import AnyModel, gathers
from ovgather.layers.gather_layer import GatherLayer
from ovgather.layers.reference import called
from ovgather.ops.sampling.random_layer import counted
from ovgather.tensor.element_type import of_dtype
from ovgather.validation.foreign_weights import with_own_values
from ovgather.verbs.run import Arrays, Prepared, prepare

_MOST_COUNTED = 1 << 16


def show(
    model: AnyModel,
    layer: str | None = None,
    arrays: Arrays = None,
    *,
    axis: int | None = None,
    seed: int = 0,
) -> Prepared:
    """A layer with values: those of ``arrays``, else the file's constants, else examples; see ``run.prepare``."""
    reference, evidence, arguments = prepare(
        model, layer, arrays, axis=axis, seed=seed, examples=True
    )
    data, indices = arguments = [_as_example(argument, seed) for argument in arguments]
    evidence = evidence._replace(data=data.array, indices=indices.array)
    _ = evidence.output_shape  # raises what does not fit together
    return Prepared(reference, evidence, arguments)


def _as_example(argument: Argument, seed: int) -> Argument:
    """The argument to draw with: random bits say nothing to the eye, and data counts its cells instead."""
    if not argument.is_random:
        return argument
    kind = of_dtype(argument.array.dtype)
    if argument.name != "data" or kind is None:
        return argument._replace(origin=f"examples, seed {seed}")
    if argument.array.size > _MOST_COUNTED:
        return argument._replace(origin="examples: only the shape counts")
    return argument._replace(
        array=counted(kind, argument.array.shape), origin="examples: the cells, counted"
    )


def listing(model: AnyModel) -> Iterator[tuple[str, str]]:
    for gather in gathers(with_own_values(model)):
        tensors = zip(NAMES, gather.shapes, gather.type_names, strict=False)
        parts = [f"{name} {shape.named} {kind or '?'}" for name, shape, kind in tensors]
        if gather.operation is not None and gather.operation.has_axis:
            parts.append(f"axis {'not known' if gather.axis is None else gather.axis}")
        if gather.batch_dims:
            parts.append(f"batch_dims {gather.batch_dims}")
        form = None
        if isinstance(gather, GatherLayer):
            form = compression(gather)
        if form is not None:
            parts[0] += f" ({form})"
        output = "nothing: it is not valid"
        if gather.inference is not None:
            output = gather.inference.shape.named
        yield called(gather.reference, gather.title), f"{', '.join(parts)} -> {output}"
