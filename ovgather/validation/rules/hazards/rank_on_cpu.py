"""What: a Parameter or another layer whose output has a dynamic rank, such as a GatherND if the last dim of its indices
is not static; or a tensor of more than 32 dims.
Why: the file is valid, but no CPU runs it.
OpenVINO: reads the file, but cannot compile it for the CPU: "CPU plug-in doesn't support Parameter operation with
dynamic rank", or, for more than 32 dims, ``bitset::test: __position (which is 32) >= _Nb (which is 32)``.
Bad::
    <data shape="..." element_type="f32"/>
Good::
    <data shape="?,?,?" element_type="f32"/>
"""

from ovgather.ir.graph import Graph
from ovgather.layers.tensors import parameter_shape
from ovgather.tensor.interval import UNKNOWN, Interval
from ovgather.tensor.tensor import MOST_DIMS
from ovgather.validation.context import Effect, File, Findings, GatherLayer, Layer, Rule
from ovgather.validation.facts.flow import rests_on_ports

RULE = Rule(
    "OVG708", "rank that the CPU does not support", "warning", "rejects_on_compile"
)
_EFFECT = Effect("the CPU rejects it when compiling the model", "rank")
_COMPARISONS = (
    "Equal",
    "NotEqual",
    "Less",
    "LessEqual",
    "Greater",
    "GreaterEqual",
)


def check(file: File) -> Findings:
    if not file.model.snippet:
        for layer in file.layers_of(["Parameter"]):
            shape = None
            if layer.graph.parent is None:
                shape = parameter_shape(layer.data.get("shape"))
            if shape is not None and (shape.rank is None or shape.rank > MOST_DIMS):
                message = f"a Parameter of rank {shape.rank}: the CPU takes at most {MOST_DIMS}"
                help = None
                if shape.rank is None:
                    message = "a Parameter of dynamic rank, which the CPU does not take"
                    help = "give the rank, with ? for each dim: ?,?,?"
                yield file.report(
                    RULE, message, "data/shape", layer, effect=_EFFECT, help=help
                )
    for gather in file.unusual_gathers_where(_has_no_rank):
        if not rests_on_ports(file, gather, 1) and gather.layer.graph.parent is None:
            message = f"the last dim of indices is {gather.shapes[1][-1]}: the output has a dynamic rank"
            help = "make the last dim of indices one length"
            yield file.report(
                RULE, message, "input/1", gather.layer, effect=_EFFECT, help=help
            )
    yield from (
        _others(file)
        if file.forward.has_unusual_rank and not file.model.snippet
        else ()
    )


def _others(file: File) -> Findings:
    """The first layers with an unusual rank."""
    graph = file.model.graph
    outputs_by_offset = file.forward.outputs
    for row, offset in enumerate(graph.offsets):
        outputs = outputs_by_offset[offset]
        unusual = [tensor for tensor in outputs if tensor.is_of_unusual_rank]
        is_parameter = graph.signatures[row].type == "Parameter"
        if not unusual or is_parameter or _may_be_known(file, graph, row):
            continue
        rank = unusual[0].shape.rank
        if rank is None and offset in file.gathers:
            continue  # its indices tell more
        layer = graph.layer(row)
        if layer.type == "Reshape" and _is_undone(file, layer):
            continue
        sources = [source for source in graph.producers(layer) if source is not None]
        if not any(
            [
                outputs_by_offset[source.offset][index].is_of_unusual_rank
                for source, index in sources
            ]
        ):
            message = f"the output has rank {rank}: the CPU takes at most {MOST_DIMS}"
            if rank is None:
                message = "the output has a dynamic rank"
            yield file.report(RULE, message, "output/0", layer, effect=_EFFECT)


def _may_be_known(file: File, graph: Graph, row: int) -> bool:
    """Whether a layer with bodies may give a rank when it runs: an If does not, unless its condition is decided."""
    offset = graph.offsets[row]
    if offset not in graph.bodies:
        return False
    inputs = file.forward.inputs.get(offset)
    if graph.signatures[row].type != "If" or not inputs or inputs[0].is_constant:
        return True
    source = graph.layer(row).producer(0)
    return source is not None and _is_decided(file, source[0])


def _is_decided(file: File, layer: Layer) -> bool:
    """Whether OpenVINO decides a condition when it compiles: a comparison of integers that are the same."""
    inputs = file.forward.inputs.get(layer.offset, ())
    if layer.type not in _COMPARISONS or len(inputs) != 2:
        return False
    if inputs[0].element_type not in ("i32", "i64"):
        return False
    if layer.producer(0) == layer.producer(1):
        return True
    values = [each.value or (UNKNOWN,) for each in inputs]
    is_named = all(
        [not isinstance(item, Interval) or item.symbol for item in values[0]]
    )
    return is_named and values[0] == values[1]


def _is_undone(file: File, layer: Layer) -> bool:
    """Whether only Reshapes read its output: OpenVINO makes one of them."""
    consumers = [*layer.consumers(0)]
    return bool(consumers) and all(
        [consumer.type == "Reshape" for consumer, _ in consumers]
    )


def _has_no_rank(gather: GatherLayer) -> bool:
    """Whether the last dim of the indices of a GatherND may be several lengths."""
    if (
        not gather.operation.indexes_by_tuples
        or len(gather.shapes) < 2
        or gather.errors
    ):
        return False
    return bool(gather.shapes[1].rank) and not gather.shapes[1][-1].is_static
