"""declared output dims that the inputs do not give (OVG203)

What: the dims of the output port differ from those inferred from the inputs, the axis and ``batch_dims``.

Why: the file contradicts itself; tools that trust the ports are misled. A dim that is declared dynamic, though a
single length is inferred from the inputs, is a warning, and so is a static dim that the inputs leave dynamic. Dims that
another axis or another ``batch_dims`` gives are reported by OVG112.

OpenVINO: ignores the dims of ports and infers its own.

Bad::

    <output><port id="2"><dim>9</dim><dim>4</dim></port></output>   <!-- indices [2,4] -->

Good::

    <output><port id="2"><dim>2</dim><dim>4</dim></port></output>
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from ovgather.layers.gather_layer import GatherLayer
from ovgather.tensor.shape import PartialShape
from ovgather.validation.context import File
from ovgather.validation.diagnostic import Diagnostic, Fix
from ovgather.validation.facts.axis_evidence import consumers_agree

CODE = "OVG203"
TITLE = "declared output dims that the inputs do not give"
SEVERITIES = ("error", "warning")
VERDICTS = ("accepts",)
_EFFECT = "ignores the dims of ports and infers them anew"


def check(file: File) -> Iterator[Diagnostic]:
    """Declared against inferred output dims."""
    for gather in file.gather_layers_where(_differs):
        status = gather.status
        if len(gather.layer.inputs) != len(gather.operation.inputs):
            continue
        declared, inference = gather.declared, gather.inference
        if declared is None or inference is None:
            continue
        inferred = inference.shape
        if gather.layer.offset in file.axis_doubts:
            continue  # reported by OVG112
        if status == "unknown":
            yield from _closed(file, gather, declared, inferred)
            continue
        if status == "refines":
            yield from _left_open(file, gather, declared, inferred)
            continue
        if declared.rank is None or inferred.rank is None or inferred.compatible(declared):
            yield _no_axis(file, gather)
        elif declared.rank != inferred.rank:
            message = (
                f"the output has rank {declared.rank}, but rank {inferred.rank} is inferred from the inputs: {inferred}"
            )
            yield _found(file, gather, message, None, f"should be {inferred}", fix=partial(_fix, file, gather))
        else:
            yield from _dims(file, gather, declared, inferred)


def _differs(gather: GatherLayer) -> bool:
    return gather.status != "match"


def _closed(file: File, gather: GatherLayer, declared: PartialShape, inferred: PartialShape) -> Iterator[Diagnostic]:
    """Static dims that the inputs leave dynamic; OpenVINO would have written -1."""
    known = inferred.rank is not None and (gather.axis is not None or not gather.operation.has_axis)
    for place, (given, made) in enumerate(zip(declared, inferred, strict=True)) if known else ():
        if given.is_static and made.is_dynamic:
            message = f"output dim {place} is declared {given}, but the inputs leave it dynamic"
            fix = partial(_close, file, gather, place, -1)
            yield _found(file, gather, message, place, f"{made} is inferred from the inputs", "warning", fix)


def _dims(file: File, gather: GatherLayer, declared: PartialShape, inferred: PartialShape) -> Iterator[Diagnostic]:
    for place, (given, made) in enumerate(zip(declared, inferred, strict=True)):
        if not given.compatible(made):
            message = f"output dim {place} is {given}, but {made} is inferred from the inputs"
            help = _odd_input(file, gather, place) or f"should be {made}"
            yield _found(file, gather, message, place, help, fix=partial(_fix, file, gather))


def _odd_input(file: File, gather: GatherLayer, place: int) -> str | None:
    """What to say where it is not the output that is the odd one."""
    odd = file.votes.of_output_dim(gather, place)
    return str(odd) if odd is not None and not odd.is_output else None


def _left_open(file: File, gather: GatherLayer, declared: PartialShape, inferred: PartialShape) -> Iterator[Diagnostic]:
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
    shape = file.fixes.known(gather.layer, "output", 0).shape
    sound = shape is not None and consumers_agree(file, gather.layer, shape) is not None
    return file.fixes.dim(dims[place], length) if sound and place < len(dims) else None


def _no_axis(file: File, gather: GatherLayer) -> Diagnostic:
    data, indices = gather.shapes[:2]
    message = f"no axis makes {gather.declared} of data {data} and indices {indices}, batch_dims {gather.batch_dims}"
    return _found(file, gather, message, None, None)


def _fix(file: File, gather: GatherLayer) -> Fix | None:
    """The inferred dims, unless a consumer contradicts them: then the output is not all that may be wrong."""
    shape = file.fixes.known(gather.layer, "output", 0).shape
    if shape is None or consumers_agree(file, gather.layer, shape) is None:
        return None
    return file.fixes.port_dims(gather.layer, "output", 0, shape)


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
        CODE,
        severity,
        message,
        span,
        layer=gather.layer,
        openvino="accepts",
        effect=_EFFECT,
        help=help,
        origin=("output", gather.layer.offset),
        fix=fix,
    )
