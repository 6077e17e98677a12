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
        declared, inference = gather.declared, gather.inference
        if declared is None or inference is None or len(gather.layer.inputs) != len(gather.operation.inputs):
            continue
        inferred = inference.shape
        alternative = _alternative(gather, declared) if gather.status == "mismatch" else None
        help, fix = f"should be {inferred}", partial(_fix, file, gather)
        if gather.status == "refines":
            yield from _left_open(file, gather, declared, inferred)
        elif alternative:
            message = f"the output is declared {declared}, but {inferred} is inferred from the inputs"
            yield _finding(file, gather, message, None, f"{declared} is what {alternative} gives", "note")
        elif declared.rank is None or inferred.rank is None or inferred.compatible(declared):
            data, indices = gather.shapes[:2]
            message = f"no axis makes {declared} of data {data} and indices {indices}, batch_dims {gather.batch_dims}"
            yield _finding(file, gather, message, None, None)
        elif declared.rank != inferred.rank:
            ranks = f"the output has rank {declared.rank}, but rank {inferred.rank} is inferred from the inputs"
            yield _finding(file, gather, f"{ranks}: {inferred}", None, help, fix=fix)
        else:
            for index, (given, computed) in enumerate(zip(declared, inferred, strict=True)):
                if not given.compatible(computed):
                    message = f"output dim {index} is {given}, but {computed} is inferred from the inputs"
                    odd = file.votes.of_output_dim(gather, index)
                    help = str(odd) if odd is not None and not odd.is_output else f"should be {computed}"
                    yield _finding(file, gather, message, index, help, fix=fix)


def _alternative(gather: GatherLayer, declared: PartialShape) -> str | None:
    """The one other axis or batch_dims that gives exactly the declared shape, where all shapes are static."""
    if not gather.operation.takes_axis or gather.axis is None or not declared.is_static:
        return None
    rank = gather.shapes[0].rank or 0
    ways = [(f"axis {axis}", axis, gather.batch_dims) for axis in range(rank) if axis != gather.axis % rank]
    if gather.operation.has_batch_dims:
        ways += [(f"batch_dims {count}", gather.axis, count) for count in range(rank) if count != gather.batch_dims]
    for words, axis, batch_dims in ways:
        try:
            if gather.operation.infer(gather.shapes, axis=axis, batch_dims=batch_dims).shape == declared:
                return words
        except ShapeInferenceError:
            continue
    return None


def _left_open(file: File, gather: GatherLayer, declared: PartialShape, inferred: PartialShape) -> Findings:
    # While the axis is unknown, so is the output that OpenVINO infers.
    known = declared.rank is not None and (gather.axis is not None or not gather.operation.has_axis)
    for index, (given, computed) in enumerate(zip(declared, inferred, strict=True) if known else ()):
        if given.is_dynamic and computed.is_static:
            message = f"output dim {index} is declared dynamic, but {computed} is inferred from the inputs"
            fix = partial(_fix_dim, file, gather, index, computed.length)
            yield _finding(file, gather, message, index, f"should be {computed}", "warning", fix)


def _fix_dim(file: File, gather: GatherLayer, index: int, length: int) -> Fix | None:
    dims = file.element(gather.layer).ports("output")[0].named("dim")
    sound = file.fixes.known(gather.layer, "output", 0).shape is not None
    return file.fixes.dim(dims[index], length) if sound and index < len(dims) else None


def _fix(file: File, gather: GatherLayer) -> Fix | None:
    return file.fixes.port_dims(gather.layer, "output", 0, file.fixes.known(gather.layer, "output", 0).shape)


def _finding(
    file: File,
    gather: GatherLayer,
    message: str,
    dim: int | None,
    help: str | None,
    severity: str = "error",
    fix: Callable[[], Fix | None] | None = None,
) -> Diagnostic:
    span, verdict, layer = file.port_span(gather.layer, "output", 0, dim), "accepts", gather.layer
    return file.report(CODE, severity, message, span, layer=layer, openvino=verdict, effect=_EFFECT, help=help, fix=fix)
