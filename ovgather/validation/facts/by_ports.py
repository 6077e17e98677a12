"""Whether the inputs of a layer are wrong by the dims of ports alone, at which OpenVINO does not look."""

from ovgather.ir.graph import Layer
from ovgather.layers.gather_layer import GatherLayer
from ovgather.layers.tensors import IMPLIED, SCALAR, Tensor, dims_shape, flowing_tensor, implied_tensor, port_tensor
from ovgather.tensor.shape import DYNAMIC_RANK, PartialShape
from ovgather.validation.facts.axis_evidence import is_exact
from ovgather.validation.facts.edges import is_fed_as_declared, types_that_differ, upstream
from ovgather.validation.facts.file_facts import FileFacts

_FITS = "ignores port shapes: what it infers for the inputs fits"
_OPEN = "ignores port shapes, which contradict each other: rejects the layer if the shapes that it infers do not fit"


def outcome(facts: FileFacts, gather: GatherLayer, kind: str, verdict: str) -> tuple[str, str]:
    """OpenVINO's verdict on an error of ``kind``, and the effect; ``verdict``: that where ports tell the truth."""
    shapes, errors = _inferred(facts, gather) if verdict == "rejects" else gather.shapes, gather.errors
    if shapes != gather.shapes:
        errors = gather.operation.check(shapes, axis=gather.axis, batch_dims=gather.batch_dims)
    if any(error.kind == kind for error in errors):
        return verdict, ""
    return ("undefined", _OPEN) if errors or any(each.rank is None for each in shapes) else ("accepts", _FITS)


def unfit(facts: FileFacts, parameter: Layer, taken: dict[int, Tensor]) -> Layer | None:
    """The first Gather layer that rejects ``parameter``, if OpenVINO takes it for one of ``taken``, by offsets."""
    for layer in dict.fromkeys([layer for layer, _ in facts.consumers.get((parameter.offset, 0), ())]):
        gather = facts.gathers.get(layer.offset) if facts.is_built(layer) else None
        if gather is not None:
            shapes, types = _inferred(facts, gather), [*gather.element_types]
            for index, source in enumerate(layer.graph.producers(layer)[: len(shapes)]):
                if source is not None and source[0].offset in taken:
                    shapes[index], _, types[index] = taken[source[0].offset]
            errors, _ = gather.operation.check_and_infer(shapes, gather.axis, gather.batch_dims, types)
            if any(verdict_on_inputs(gather, error.kind) == "rejects" for error in errors):
                return layer
    return None


def _inferred(facts: FileFacts, gather: GatherLayer) -> list[PartialShape]:
    """The input shapes that OpenVINO infers; of dynamic rank where only ports tell, and these contradict each other."""
    sure, shapes = facts.followed, [*gather.shapes]
    for index, source in enumerate(gather.layer.graph.producers(gather.layer)[: len(shapes)]):
        if source is not None:
            before = upstream(source[0], lambda layer: (layer.offset, 0) not in sure)
            inputs = [(each, at) for each in before if (each.offset, 0) not in sure for at in range(len(each.inputs))]
            ends = [(port_tensor(each.inputs[at]), each.producer(at)) for each, at in [(gather.layer, index), *inputs]]
            if (known := sure.get((source[0].offset, source[1]))) is not None:
                shapes[index] = known.shape
            elif any(not port.shape.compatible(flowing_tensor(port, end, sure).shape) for port, end in ends):
                shapes[index] = DYNAMIC_RANK
    return shapes


def is_type_doubtful(gather: GatherLayer, index: int) -> bool:
    """Whether only the producer's port says which type input ``index`` takes, and the port of the input another."""
    source = gather.layer.graph.producers(gather.layer)[index]
    if source is None or types_that_differ(source[0].outputs[source[1]], gather.layer.inputs[index]) is None:
        return False
    form = source[0].signature
    return form.type not in IMPLIED or implied_tensor(form).element_type != gather.element_types[index]


def is_misfed(gather: GatherLayer) -> bool:
    """Whether the ports of a layer fit each other, and one contradicts what feeds it: OVG206 reports that."""
    ports = *gather.layer.inputs, *gather.layer.outputs[:1]
    if is_fed_as_declared(gather.layer) or types_that_differ(ports[-1], ports[0]) is not None:
        return False
    *inputs, output = [dims_shape(port.dims) if port.dims else SCALAR for port in ports]
    _, inferred = gather.operation.check_and_infer(inputs, gather.axis, gather.batch_dims)
    return inferred is not None and is_exact(inferred.shape, output)


def verdict_on_inputs(gather: GatherLayer, kind: str) -> str:
    """The verdict of OpenVINO on an error of ``kind``."""
    # OpenVINO looks at a Gather's data, or at the tuples of a GatherND, only once it knows enough of the rest.
    indices = gather.shapes[1]
    if gather.operation.indices_replace_axis and kind == "data_rank":
        return "accepts" if gather.axis is None or indices.rank is None else "rejects"
    if gather.operation.indexes_by_tuples and kind == "dims_mismatch":
        return "rejects_on_compile" if indices.rank is None or not indices[-1].is_static else "rejects"
    return "rejects"
