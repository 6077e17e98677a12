"""What: the axis of a Gather with static ``data`` and ``indices`` is computed when the model runs.
Why: the specification allows it. The CPU allows it only if a dim is dynamic.
OpenVINO: a Gather-7 or -8 fails to compile ("axis value is not set"). A Gather-1 kills the process (SIGSEGV) when it
runs.
Bad::
    <layer id="2" name="axis" type="Parameter" version="opset1">
Good::
    <layer id="2" name="axis" type="Const" version="opset1">
"""

from functools import cache
from itertools import islice

from ovgather.validation.context import Effect, File, Findings, GatherLayer, Layer, Rule
from ovgather.validation.facts.edges import upstream

RULE = Rule(
    "OVG703",
    "axis that is not constant",
    "warning",
    "rejects_on_compile crashes",
    stage="chance",
    needs="alike",
)
_STATIC_WHERE_SHAPES_ARE = frozenset({"ShapeOf", "Shape"})
_MOST = 1000
_EFFECTS = {
    "crashes": Effect(
        "the process dies when it runs the layer on the CPU", "axis-of-gather-1"
    ),
    "rejects_on_compile": Effect(
        'the CPU rejects it when compiling: "axis value is not set"', "axis-computed"
    ),
}
_HELP = "make the axis a Const, or give a dim of data as ? in the Parameter"


def check(file: File) -> Findings:
    origin_of = cache(_origin)  # many Gathers may share an axis
    for gather in file.unusual_gathers_where(_is_computed):
        source = gather.layer.producer(2)
        if gather.layer.offset in file.refused or source is None:
            continue  # what is refused comes before
        if not _is_certain(file, gather):
            continue
        if gather.operation.version == 1:
            # It is read from memory without a value; the CPU refuses it if that is no axis, and dies later if it is.
            verdict, stage = "crashes", "chance"
            # With an axis of unknown shape, OpenVINO does not choose the kernel of a Gather-1 for one shape.
            if not gather.shapes[2].is_static:
                continue
        else:
            verdict, stage = "rejects_on_compile", "load"
        origin = origin_of(source[0])
        who = f'is computed by {source[0].type} {source[0].id} "{source[0].name}"'
        if origin is not None:
            relation = "is" if origin is source[0] else "depends on"
            who = f'{relation} {origin.type} {origin.id} "{origin.name}"'
        message = f"the axis {who}, while data and indices are static"
        effect = _EFFECTS[verdict]
        yield file.report(
            RULE,
            message,
            "input/2",
            gather.layer,
            verdict,
            effect,
            help=_HELP,
            stage=stage,
        )


def _is_certain(file: File, gather: GatherLayer) -> bool:
    """Whether OpenVINO knows the shapes, and makes no constant of the axis; a body is compiled in another way."""
    data, indices, axis = file.forward.inputs[gather.layer.offset]
    return not (
        data.basis
        or indices.basis
        or axis.basis
        or axis.is_constant
        or axis.is_known
        or gather.layer.graph.parent is not None
    )


def _is_computed(gather: GatherLayer) -> bool:
    is_known = (
        not gather.operation.takes_axis
        or len(gather.shapes) != 3
        or gather.axis is not None
    )
    return not is_known and all(shape.is_static for shape in gather.shapes[:2])


def _origin(layer: Layer) -> Layer | None:
    """The input of the model whose values reach ``layer``; None when there is none."""
    sources = upstream(layer, lambda each: each.type not in _STATIC_WHERE_SHAPES_ARE)
    parameters = (each for each in islice(sources, _MOST) if each.type == "Parameter")
    return next(parameters, None)
