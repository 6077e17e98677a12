"""Whether the inputs of a layer are wrong by the dims of ports alone, at which OpenVINO does not look."""

from ovgather.ir.graph import Layer
from ovgather.layers.gather_layer import GatherLayer
from ovgather.layers.tensors import IMPLIED, SCALAR, Followed, dims_shape, implied_tensor
from ovgather.validation.facts.axis_evidence import is_exact
from ovgather.validation.facts.edges import is_fed_as_declared, types_that_differ
from ovgather.validation.facts.file_facts import FileFacts

_EFFECT = "ignores port shapes: what it infers for the inputs fits, or is unknown"


def outcome(facts: FileFacts, gather: GatherLayer, kind: str, verdict: str) -> tuple[str, str]:
    """OpenVINO's verdict on an error of ``kind``, and the effect; ``verdict``: that where ports tell the truth."""
    return ("accepts", _EFFECT) if verdict == "rejects" and _only_by_ports(facts, gather, kind) else (verdict, "")


def _only_by_ports(facts: FileFacts, gather: GatherLayer, kind: str) -> bool:
    """Whether an error of ``kind`` follows from ports that contradict what flows into them, or may do so."""
    followed = facts.followed
    sources = gather.layer.graph.producers(gather.layer)[: len(gather.shapes)]
    inputs = [followed.get((source[0].offset, source[1])) if source is not None else None for source in sources]
    sure = [each is not None and each.sure for each in inputs[:2]]
    if all(sure):
        shapes = [shape if each is None else each.shape for each, shape in zip(inputs, gather.shapes, strict=True)]
        errors = gather.operation.check(shapes, axis=gather.axis, batch_dims=gather.batch_dims)
        return all(error.kind != kind for error in errors)
    doubtful = [source[0] for source, certain in zip(sources, sure, strict=False) if source is not None and not certain]
    return any(_is_fed_by_contradictions(layer, followed) for layer in [gather.layer, *doubtful])


def _is_fed_by_contradictions(layer: Layer, followed: Followed) -> bool:
    """Whether ports on the way to ``layer`` contradict each other, up to layers whose output is known."""
    waiting, seen = [layer], {layer.offset}
    while waiting:
        target = waiting.pop()
        for index, port in enumerate(target.inputs):
            source = target.producer(index)
            if source is None:
                continue
            sure = followed.get((source[0].offset, source[1]))
            inferred = sure.shape if sure is not None and sure.sure else dims_shape(source[0].outputs[source[1]].dims)
            if not dims_shape(port.dims).compatible(inferred):
                return True
            if source[0].offset not in seen and not (sure is not None and sure.sure):
                seen.add(source[0].offset)
                waiting.append(source[0])
    return False


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
