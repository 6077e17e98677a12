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

from collections.abc import Hashable, Iterator
from functools import partial

from ovgather.validation.context import File, Findings, Fix, GatherLayer, Layer, PartialShape, Rule
from ovgather.validation.facts.axis_evidence import consumers_agree
from ovgather.validation.facts.edges import is_fed_as_declared
from ovgather.validation.facts.flow import is_fed_exactly, is_misfed

RULE = Rule("OVG203", "declared output dims that differ from the inferred ones", "error warning", "accepts", "safe")
_EFFECT = "ignores the dims of ports and infers them anew"
_Problems = Iterator[tuple[str, "int | None", "str | None", "partial[Fix | None] | None"]]  # message, dim, help, fix


def check(file: File) -> Findings:
    for gather in file.gather_layers_where(lambda gather: gather.status != "match"):
        declared, inference, layer = gather.declared, gather.inference, gather.layer
        if declared is None or inference is None or len(layer.inputs) != len(gather.operation.inputs):
            continue
        if layer.offset in file.axis_doubts or is_misfed(file, gather):  # OVG112 or OVG206 reports it
            continue
        find, severity, origin = _contradictions, "error", _origin(file, layer)
        if _is_axis_concluded(gather):
            find, severity = _other_dims_of_axis, "warning" if gather.check.possible_axes else "error"
        elif gather.status in ("refines", "unknown"):
            if not is_fed_exactly(gather):  # the difference comes from before
                continue
            find, severity = _less_or_more, "warning"
        for message, dim, help, fix in find(file, gather, declared, inference.shape):
            place = f"output/0/dim/{dim}"
            yield file.report(
                RULE, message, place, layer, effect=_EFFECT, severity=severity, help=help, fix=fix, origin=origin
            )


def _origin(file: File, layer: Layer) -> Hashable:
    """An edge that comes from a wrong layer, or leads into a port that has one, if there is such; else the output."""
    for edge, (unfed, _) in file.links.meant.items():
        if edge.to_layer == layer.id and unfed.graph is layer.graph and edge not in file.links.astray:
            return layer.offset, edge.to_port  # the origin that OVG303 gives
    inputs = [(layer, index) for index in range(len(layer.inputs))] if is_fed_as_declared(layer) else []
    doubtful = [file.links.doubtful[input] for input in inputs if input in file.links.doubtful]
    return doubtful[0] if doubtful else ("output", layer.offset)


def _is_axis_concluded(gather: GatherLayer) -> bool:
    """Whether only the declared dims tell of a constant axis, as in a file without its weights."""
    source = gather.sources[2] if len(gather.sources) > 2 else None
    is_constant = source is not None and source[0].type == "Const"
    rank = gather.shapes[0].rank if gather.shapes else None
    return gather.axis_source in ("ports", "unknown") and is_constant and rank is not None and rank > 1


def _other_dims_of_axis(file: File, gather: GatherLayer, declared: PartialShape, inferred: PartialShape) -> _Problems:
    """The dims that the nearest axis does not give; there is no fix, since these dims tell of the axis."""
    if gather.check.declaring_axes or gather.check.possible_axes is None:
        return
    if gather.check.nearest_axis is None:
        if not gather.check.possible_axes:
            yield from _contradictions(file, gather, declared, inferred)
        return
    axis, shape = gather.check.nearest_axis
    for index, (dim, computed) in enumerate(zip(declared, shape, strict=True)):
        if dim != computed:
            nearest = f"the axis is not known; the nearest, axis {axis}, gives {shape}"
            help = file.votes.of_output_dim(gather, index) or nearest
            yield f"output dim {index} is {dim}, and no axis gives {declared}", index, help, None


def _contradictions(file: File, gather: GatherLayer, declared: PartialShape, inferred: PartialShape) -> _Problems:
    fix = partial(_fix, file, gather)
    if declared.rank is None or inferred.rank is None or inferred.compatible(declared):
        data, indices = gather.shapes[:2]
        message = f"no axis makes {declared} of data {data} and indices {indices}, batch_dims {gather.batch_dims}"
        yield message, None, None, None
    elif declared.rank != inferred.rank:
        ranks = f"the output has rank {declared.rank}, but rank {inferred.rank} is inferred from the inputs"
        yield f"{ranks}: {inferred}", None, f"should be {inferred}", fix
    else:
        for index, (dim, computed) in enumerate(zip(declared, inferred, strict=True)):
            if not dim.compatible(computed):
                message = f"output dim {index} is {dim}, but {computed} is inferred from the inputs"
                yield message, index, file.votes.of_output_dim(gather, index) or f"should be {computed}", fix


def _less_or_more(file: File, gather: GatherLayer, declared: PartialShape, inferred: PartialShape) -> _Problems:
    """Dims that are declared dynamic but inferred static, or the reverse."""
    # While the axis is unknown, so is the output that OpenVINO infers.
    is_certain = gather.axis is not None or not gather.operation.has_axis
    if not is_certain or declared.rank is None or inferred.rank is None:
        return
    for index, (dim, computed) in enumerate(zip(declared, inferred, strict=True)):
        message = f"output dim {index} is declared {dim}, but the inputs leave it dynamic"
        help, length = f"{computed} is inferred from the inputs", -1
        if computed.is_static:
            message = f"output dim {index} is declared dynamic, but {computed} is inferred from the inputs"
            help, length = f"should be {computed}", computed.length
        if dim.is_static != computed.is_static:
            yield message, index, help, partial(_fix, file, gather, index, length)


def _fix(file: File, gather: GatherLayer, index: int | None = None, length: int = -1) -> Fix | None:
    """The inferred shape or one dim of it, unless a consumer contradicts it: then more than the output may be wrong."""
    shape = file.fixes.known(gather.layer, "output", 0).shape
    if shape.rank is None or consumers_agree(file, gather.layer, shape) is None:
        return None
    if index is None:
        return file.fixes.port_dims(gather.layer, "output", 0, shape)
    dims = file.element(gather.layer).ports("output")[0].named("dim")
    return file.fixes.dim(dims[index], length) if index < len(dims) else None
