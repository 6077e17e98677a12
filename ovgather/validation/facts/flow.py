"""What flows into a Gather layer, whether a layer before it is refused, and what OpenVINO does with it: asked of the
forward pass."""

from ovgather.ir.graph import Layer
from ovgather.layers.gather_layer import GatherLayer
from ovgather.layers.tensors import computed_tensor, is_exact
from ovgather.tensor.tensor import Basis
from ovgather.validation.facts.file_facts import FileFacts

IGNORES_PORTS = "ignores ports, and infers shapes and types anew"
_FITS = f"{IGNORES_PORTS}: these fit"
_OPEN = f"{IGNORES_PORTS}: if these do not fit, it rejects the layer"


def outcome(facts: FileFacts, gather: GatherLayer, verdict: str) -> tuple[str, str]:
    """OpenVINO's verdict on an error, and the effect; ``verdict``: that where the inputs are as they are declared."""
    if (
        verdict != "rejects"
        or gather.layer.offset in facts.refused
        or not facts.is_built(gather.layer)
    ):
        return verdict, ""
    if any(
        rests_on_ports(facts, gather, index)
        for index in range(len(gather.layer.inputs))
    ):
        return "undefined", _OPEN
    return "accepts", _FITS


def refused_behind(facts: FileFacts, layer: Layer) -> Layer | None:
    """The first layer that OpenVINO refuses of those that take output 0 of ``layer``."""
    consumers = {target.offset for target, _ in layer.consumers(0)}
    refusals = [refusal.layer for refusal in facts.forward.refusals]
    return next(
        (
            each
            for each in refusals
            if each.offset in consumers and facts.is_built(each)
        ),
        None,
    )


def may_wait(facts: FileFacts, parameter: Layer) -> bool:
    """Whether the CPU may make the kernels behind a Parameter of dynamic type when the model runs, or only copies."""
    shapes = [tensor.shape for tensor in facts.forward.outputs[parameter.offset]]
    is_static = all([shape.is_static for shape in shapes])
    is_empty = any([dim.max == 0 for shape in shapes for dim in shape.dims or ()])
    readers = [reader.type for reader, _ in parameter.consumers(0)]
    return "Concat" in readers or is_empty or not is_static


def rests_on_ports(facts: FileFacts, gather: GatherLayer, index: int) -> bool:
    """Whether only ports tell what flows into input ``index``: OpenVINO may compute something else."""
    tensor = computed_tensor(facts.forward, gather.layer.producer(index))
    return tensor is not None and tensor.basis is not Basis.COMPUTED


def is_fed_exactly(gather: GatherLayer) -> bool:
    """Whether OpenVINO would write the input ports as they are: with the dims that flow in, open ones included."""
    pairs = zip(gather.tensors, gather.ports, strict=True)
    return all(
        is_exact(tensor.shape, port.shape) for tensor, port in pairs if port.certain
    )


def verdict_on_inputs(gather: GatherLayer, kind: str) -> str:
    """The verdict of OpenVINO on an error of ``kind``."""
    # OpenVINO looks at a Gather's data, or at the tuples of a GatherND, only once it knows enough of the rest.
    indices = gather.shapes[1]
    if gather.operation.indices_replace_axis and kind == "data_rank":
        if gather.axis is None or indices.rank is None:
            return "accepts"
        return "rejects"
    if gather.operation.indexes_by_tuples and kind == "dims_mismatch":
        if indices.rank is None or not indices[-1].is_static:
            return "rejects_on_compile"
        return "rejects"
    return "rejects"
