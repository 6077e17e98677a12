"""What: the dims of the output port differ from the dims inferred from the inputs, the axis and ``batch_dims``.
Why: the file contradicts itself, and tools that trust the ports are misled. A dim that is declared
dynamic but inferred as a single length is a warning, and so is a static dim that the inputs leave dynamic.
OpenVINO: ignores ports, and infers shapes and types anew.
Bad::
    <output><port id="2"><dim>9</dim><dim>4</dim></port></output>   <!-- indices [2,4] -->
Good::
    <output><port id="2"><dim>2</dim><dim>4</dim></port></output>
"""

from collections.abc import Iterator
from functools import partial

from ovgather.validation.context import (
    File,
    Findings,
    Fix,
    GatherLayer,
    PartialShape,
    Rule,
)
from ovgather.validation.facts.flow import IGNORES_PORTS, is_fed_exactly

RULE = Rule(
    "OVG203",
    "declared output dims that differ from the inferred ones",
    "error warning",
    "accepts",
    "safe",
    needs="alike",
)
_Problems = Iterator[tuple[str, "int | None", "str | None"]]  # message, dim, help


def check(file: File) -> Findings:
    for gather in file.unusual_gathers_where(lambda gather: gather.status != "match"):
        declared = gather.declared
        inference = gather.inference
        layer = gather.layer
        if (
            declared is None
            or inference is None
            or len(layer.inputs) != len(gather.operation.inputs)
        ):
            continue
        if file.deviations.is_behind(
            layer
        ):  # the finding is at the first layer that deviates
            continue
        find = _contradictions
        severity = "error"
        if _is_axis_concluded(gather):
            find = _other_dims_of_axis
            severity = "warning" if gather.check.possible_axes else "error"
        elif gather.status in ("refines", "unknown"):
            if not is_fed_exactly(gather):  # the difference comes from before
                continue
            find = _less_or_more
            severity = "warning"
        for message, dim, help in find(gather, declared, inference.shape):
            place = f"output/0/dim/{dim}"
            fix = None
            if severity == "warning" and dim is not None:
                fix = partial(_fix, file, gather, dim, inference.shape)
            yield file.report(
                RULE,
                message,
                place,
                layer,
                effect=IGNORES_PORTS,
                severity=severity,
                help=help,
                fix=fix,
            )


def _is_axis_concluded(gather: GatherLayer) -> bool:
    """Whether only the declared dims tell of a constant axis, as in a file without its weights."""
    source = None
    if len(gather.sources) > 2:
        source = gather.sources[2]
    is_constant = source is not None and source[0].type == "Const"
    rank = None
    if gather.shapes:
        rank = gather.shapes[0].rank
    return (
        gather.axis_source in ("ports", "unknown")
        and is_constant
        and rank is not None
        and rank > 1
    )


def _other_dims_of_axis(
    gather: GatherLayer, declared: PartialShape, inferred: PartialShape
) -> _Problems:
    """The dims that the nearest axis does not give."""
    if gather.check.declaring_axes or gather.check.possible_axes is None:
        return
    if gather.check.nearest_axis is None:
        if not gather.check.possible_axes:
            yield from _contradictions(gather, declared, inferred)
        return
    axis, shape = gather.check.nearest_axis
    for index, (dim, computed) in enumerate(zip(declared, shape, strict=True)):
        if dim != computed:
            help = f"the axis is not known; the nearest, axis {axis}, gives {shape}"
            yield (
                f"output dim {index} is {dim}, and no axis gives {declared}",
                index,
                help,
            )


def _contradictions(
    gather: GatherLayer, declared: PartialShape, inferred: PartialShape
) -> _Problems:
    if declared.rank is None or inferred.rank is None or inferred.compatible(declared):
        data, indices = gather.shapes[:2]
        message = f"no axis makes {declared} of data {data} and indices {indices}, batch_dims {gather.batch_dims}"
        yield message, None, None
    elif declared.rank != inferred.rank:
        ranks = f"the output has rank {declared.rank}, but rank {inferred.rank} is inferred from the inputs"
        yield f"{ranks}: {inferred}", None, f"should be {inferred}"
    else:
        for index, (dim, computed) in enumerate(zip(declared, inferred, strict=True)):
            if not dim.compatible(computed):
                message = f"output dim {index} is {dim}, but {computed} is inferred from the inputs"
                yield message, index, f"should be {computed}"


def _less_or_more(
    gather: GatherLayer, declared: PartialShape, inferred: PartialShape
) -> _Problems:
    """Dims that are declared dynamic but inferred static, or the reverse."""
    # While the axis is unknown, so is the output that OpenVINO infers.
    is_certain = gather.axis is not None or not gather.operation.has_axis
    if not is_certain or declared.rank is None or inferred.rank is None:
        return
    for index, (dim, computed) in enumerate(zip(declared, inferred, strict=True)):
        message = (
            f"output dim {index} is declared {dim}, but the inputs leave it dynamic"
        )
        help = f"{computed} is inferred from the inputs"
        if computed.is_static:
            message = f"output dim {index} is declared dynamic, but {computed} is inferred from the inputs"
            help = f"should be {computed}"
        if dim.is_static != computed.is_static:
            yield message, index, help


def _fix(
    file: File, gather: GatherLayer, index: int, shape: PartialShape
) -> Fix | None:
    """One dim of the inferred shape."""
    dims = file.element(gather.layer).ports("output")[0].named("dim")
    length = file.fixes.dims(shape)
    if length is not None and index < len(dims):
        return file.fixes.dim(dims[index], length[index])
    return None
