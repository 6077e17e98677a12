"""What: the dims of the output port differ from the dims inferred from the inputs, the axis and ``batch_dims``.
Why: the file contradicts itself, and tools that trust the ports are misled. A dim that is declared
dynamic but inferred as a single length is a warning, and so is a static dim that the inputs leave dynamic. OVG112
reports dims that another axis or another ``batch_dims`` gives.
OpenVINO: ignores the dims of ports and infers its own.
Bad::
    <output><port id="2"><dim>9</dim><dim>4</dim></port></output>   <!-- indices [2,4] -->
Good::
    <output><port id="2"><dim>2</dim><dim>4</dim></port></output>
"""

from collections.abc import Callable
from functools import partial

from ovgather.validation.context import Diagnostic, File, Findings, Fix, GatherLayer, PartialShape, Rule
from ovgather.validation.facts.axis_evidence import consumers_agree

RULE = Rule("OVG203", "declared output dims that differ from the inferred ones", "error warning", "accepts", "safe")
_EFFECT = "ignores the dims of ports and infers them anew"


def check(file: File) -> Findings:
    for gather in file.gather_layers_where(lambda gather: gather.status != "match"):
        declared, inference = gather.declared, gather.inference
        if declared is None or inference is None or len(gather.layer.inputs) != len(gather.operation.inputs):
            continue
        if gather.layer.offset in file.axis_doubts:  # OVG112 reports it
            continue
        inferred, fix = inference.shape, partial(_fix, file, gather)
        if gather.status in ("refines", "unknown"):
            yield from _less_or_more(file, gather, declared, inferred)
        elif declared.rank is None or inferred.rank is None or inferred.compatible(declared):
            data, indices = gather.shapes[:2]
            message = f"no axis makes {declared} of data {data} and indices {indices}, batch_dims {gather.batch_dims}"
            yield _finding(file, gather, message)
        elif declared.rank != inferred.rank:
            ranks = f"the output has rank {declared.rank}, but rank {inferred.rank} is inferred from the inputs"
            yield _finding(file, gather, f"{ranks}: {inferred}", None, f"should be {inferred}", fix)
        else:
            for index, (dim, computed) in enumerate(zip(declared, inferred, strict=True)):
                if not dim.compatible(computed):
                    message = f"output dim {index} is {dim}, but {computed} is inferred from the inputs"
                    help = file.votes.of_output_dim(gather, index) or f"should be {computed}"
                    yield _finding(file, gather, message, index, help, fix)


def _less_or_more(file: File, gather: GatherLayer, declared: PartialShape, inferred: PartialShape) -> Findings:
    """Dims that are declared dynamic but inferred static, or the reverse."""
    # While the axis is unknown, so is the output that OpenVINO infers.
    is_certain = gather.axis is not None or not gather.operation.has_axis
    if not is_certain or declared.rank is None or inferred.rank is None:
        return
    for index, (dim, computed) in enumerate(zip(declared, inferred, strict=True)):
        if dim.is_static == computed.is_static:
            continue
        message = f"output dim {index} is declared {dim}, but the inputs leave it dynamic"
        help, length = f"{computed} is inferred from the inputs", -1
        if computed.is_static:
            message = f"output dim {index} is declared dynamic, but {computed} is inferred from the inputs"
            help, length = f"should be {computed}", computed.length
        yield _finding(file, gather, message, index, help, partial(_fix, file, gather, index, length), "warning")


def _fix(file: File, gather: GatherLayer, index: int | None = None, length: int = -1) -> Fix | None:
    """The inferred shape or one dim of it, unless a consumer contradicts it: then more than the output may be wrong."""
    shape = file.fixes.known(gather.layer, "output", 0).shape
    if shape is None or consumers_agree(file, gather.layer, shape) is None:
        return None
    if index is None:
        return file.fixes.port_dims(gather.layer, "output", 0, shape)
    dims = file.element(gather.layer).ports("output")[0].named("dim")
    return file.fixes.dim(dims[index], length) if index < len(dims) else None


def _finding(
    file: File,
    gather: GatherLayer,
    message: str,
    dim: int | None = None,
    help: str | None = None,
    fix: Callable[[], Fix | None] | None = None,
    severity: str = "error",
) -> Diagnostic:
    layer, span = gather.layer, file.port_span(gather.layer, "output", 0, dim)
    origin = ("output", layer.offset)
    return file.report(RULE, message, span, layer, effect=_EFFECT, severity=severity, help=help, fix=fix, origin=origin)
