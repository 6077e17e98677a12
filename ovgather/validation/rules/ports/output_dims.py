"""What: the dims of the output port differ from the dims inferred from the inputs, the axis and ``batch_dims``.

Why: the file contradicts itself, and tools that trust the ports are misled. If another axis or another ``batch_dims``
gives exactly the declared dims, the finding is a note that names this value: the layer runs, but perhaps not as
intended. A dim that is declared dynamic but inferred as a single length is a warning.

OpenVINO: ignores the dims of ports and infers its own.

Bad::

    <output><port id="2"><dim>9</dim><dim>4</dim></port></output>   <!-- indices [2,4] -->

Good::

    <output><port id="2"><dim>2</dim><dim>4</dim></port></output>
"""

from collections.abc import Callable
from functools import partial

from ovgather.errors import ShapeInferenceError
from ovgather.layers.gather_layer import GatherLayer
from ovgather.tensor.shape import PartialShape
from ovgather.validation.context import File, Findings
from ovgather.validation.diagnostic import Diagnostic, Fix

CODE = "OVG203"
TITLE = "declared output dims that differ from the inferred ones"
SEVERITIES = ("error", "warning", "note")
VERDICTS = ("accepts",)
_EFFECT = "ignores the dims of ports and infers them anew"


def check(file: File) -> Findings:
    """Declared against inferred output dims."""
    for gather in file.gather_layers_where(lambda gather: gather.status in ("mismatch", "refines")):
        status = gather.status
        if len(gather.layer.inputs) != len(gather.operation.inputs):
            continue
        declared, inference = gather.declared, gather.inference
        if declared is None or inference is None:
            continue
        inferred = inference.shape
        if status == "refines":
            yield from _left_open(file, gather, declared, inferred)
            continue
        meant = _meant(gather, declared)
        if meant:
            message = f"the output is declared {declared}, but {inferred} is inferred from the inputs"
            yield _found(file, gather, message, None, f"{declared} is what {meant} gives", "note")
        elif declared.rank is None or inferred.rank is None or inferred.compatible(declared):
            yield _no_axis(file, gather)
        elif declared.rank != inferred.rank:
            message = (
                f"the output has rank {declared.rank}, but rank {inferred.rank} is inferred from the inputs: {inferred}"
            )
            yield _found(file, gather, message, None, f"should be {inferred}", fix=partial(_fix, file, gather))
        else:
            yield from _dims(file, gather, declared, inferred)


def _meant(gather: GatherLayer, declared: PartialShape) -> str | None:
    """The one other axis or batch_dims that gives exactly the declared shape, where all shapes are static."""
    if not gather.operation.takes_axis or gather.axis is None or not declared.is_static:
        return None
    rank = gather.shapes[0].rank or 0
    ways = [(f"axis {axis}", axis, gather.batch_dims) for axis in range(rank) if axis != gather.axis % rank]
    if gather.operation.has_batch_dims:
        ways += [(f"batch_dims {count}", gather.axis, count) for count in range(rank) if count != gather.batch_dims]
    for words, axis, batch_dims in ways:
        try:
            shape = gather.operation.infer(gather.shapes, axis=axis, batch_dims=batch_dims).shape
        except ShapeInferenceError:
            continue
        if shape == declared:
            return words
    return None


def _dims(file: File, gather: GatherLayer, declared: PartialShape, inferred: PartialShape) -> Findings:
    for place, (given, made) in enumerate(zip(declared, inferred, strict=True)):
        if not given.compatible(made):
            message = f"output dim {place} is {given}, but {made} is inferred from the inputs"
            help = _odd_input(file, gather, place) or f"should be {made}"
            yield _found(file, gather, message, place, help, fix=partial(_fix, file, gather))


def _odd_input(file: File, gather: GatherLayer, place: int) -> str | None:
    """What to say where it is not the output that is the odd one."""
    odd = file.votes.of_output_dim(gather, place)
    return str(odd) if odd is not None and not odd.is_output else None


def _left_open(file: File, gather: GatherLayer, declared: PartialShape, inferred: PartialShape) -> Findings:
    # While the axis is not known, nor is what OpenVINO makes of the layer.
    known = declared.rank is not None and (gather.axis is not None or not gather.operation.has_axis)
    pairs = zip(declared, inferred, strict=True) if known else ()
    for place, (given, made) in enumerate(pairs):
        if given.is_dynamic and made.is_static:
            message = f"output dim {place} is declared dynamic, but {made} is inferred from the inputs"
            help = f"should be {made}"
            yield _found(
                file, gather, message, place, help, "warning", partial(_close, file, gather, place, made.length)
            )


def _close(file: File, gather: GatherLayer, place: int, length: int) -> Fix | None:
    dims = file.element(gather.layer).ports("output")[0].named("dim")
    sound = file.fixes.known(gather.layer, "output", 0).shape is not None
    return file.fixes.dim(dims[place], length) if sound and place < len(dims) else None


def _no_axis(file: File, gather: GatherLayer) -> Diagnostic:
    data, indices = gather.shapes[:2]
    message = f"no axis makes {gather.declared} of data {data} and indices {indices}, batch_dims {gather.batch_dims}"
    return _found(file, gather, message, None, None)


def _fix(file: File, gather: GatherLayer) -> Fix | None:
    return file.fixes.port_dims(gather.layer, "output", 0, file.fixes.known(gather.layer, "output", 0).shape)


def _found(
    file: File,
    gather: GatherLayer,
    message: str,
    place: int | None,
    help: str | None,
    severity: str = "error",
    fix: Callable[[], Fix | None] | None = None,
) -> Diagnostic:
    span = file.port_span(gather.layer, "output", 0, place)
    return file.report(
        CODE, severity, message, span, layer=gather.layer, openvino="accepts", effect=_EFFECT, help=help, fix=fix
    )
