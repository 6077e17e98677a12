"""What: the dims or the precision of an input port differ from those of the output port that feeds it. This holds for
all layers.
Why: both ports describe one tensor, so the file contradicts itself. Nothing depends on the precision: this is a
warning, as is a dim that only one of them leaves dynamic. If all inputs that take an output contradict it, the finding
is at the output.
OpenVINO: ignores port shapes and precisions.
Bad::
    output port <dim>3</dim> -> input port <dim>9</dim>
Good::
    output port <dim>3</dim> -> input port <dim>3</dim>
"""

from functools import cache, partial

from ovgather.layers.tensors import dims_shape
from ovgather.tensor.element_type import ElementType, contradiction, from_port
from ovgather.tensor.lazy import Table
from ovgather.validation.context import Diagnostic, File, Findings, Fix, Layer, LayerSignature, Port, Rule
from ovgather.validation.facts.edges import doubled_ids

RULE = Rule("OVG206", "input port that contradicts its producer", "error warning", "accepts", "safe")
_EFFECT = "ignores port shapes and precisions: it infers its own"
_End = tuple[Layer, Port, Layer, int, Port]
"""An output, and the input that contradicts it with the index of its port."""


def check(file: File) -> Findings:
    positions = Table(_positions)
    swapped = {gather.layer for gather in file.swapped}
    doubled = cache(doubled_ids)
    outputs: dict[tuple[int, int], list[_End]] = {}
    for _, source, output, target, input_port in file.links.where(_differ):
        if output is None or input_port is None or source is None or target is None or target in swapped:
            continue
        if source is target or source.id in doubled(source.graph):  # OVG304 reports cycles, and OVG109 equal ids
            continue
        if not _is_reported(file, source, output, input_port):
            end = source, output, target, positions[target.signature][id(input_port)], input_port
            outputs.setdefault((source.offset, output.id), []).append(end)
    for ends in outputs.values():
        if len(ends) > 1 and len({(port.dims, port.precision) for *_, port in ends}) == 1:
            yield _producer(file, ends)
        else:
            for end in ends:
                yield from _compare(file, *end)


def _positions(signature: LayerSignature) -> dict[int, int]:
    return {id(port): index for index, port in reversed([*enumerate(signature.inputs)])}


def _producer(file: File, ends: list[_End]) -> Diagnostic:
    """One finding at the output that several inputs contradict in the same way."""
    source, output, _, _, input_port = ends[0]
    number, types = source.outputs.index(output), _types(output, input_port)
    if types is not None and not _differ_in_dims(output, input_port):
        severity, attribute, here, there = "warning", "/precision", types[0].port, types[1].port
    else:
        severity, attribute = _severity(output, input_port), ""
        here, there = str(dims_shape(output.dims)), str(dims_shape(input_port.dims))
    message = f"output {number} is {here}, but the {len(ends)} inputs that take it say {there}"
    related = [
        (f'input {index} of layer {target.id} "{target.name}"', file.place(target, f"input/{index}{attribute}"))
        for _, _, target, index, _ in ends
    ]
    place = f"output/{number}{attribute}"
    return file.report(RULE, message, place, source, effect=_EFFECT, severity=severity, related=related)


def _differ(output: Port | None, input_port: Port | None) -> bool:
    if output is None or input_port is None:
        return False
    return _differ_in_dims(output, input_port) or _types(output, input_port) is not None


def _differ_in_dims(output: Port, input_port: Port) -> bool:
    # A port without dims may be of any rank. OpenVINO writes the same dims at both ends, dynamic ones included.
    return output.dims != input_port.dims and bool(output.dims) and bool(input_port.dims)


def _severity(output: Port, input_port: Port) -> str:
    """A warning where only one of the ports leaves a dim open."""
    return "warning" if dims_shape(output.dims).compatible(dims_shape(input_port.dims)) else "error"


def _types(output: Port, input_port: Port) -> tuple[ElementType, ElementType] | None:
    if output.precision == input_port.precision or not output.precision or not input_port.precision:
        return None
    return contradiction(from_port(output.precision), from_port(input_port.precision))


def _is_reported(file: File, source: Layer, output: Port, input_port: Port) -> bool:
    """Whether OVG203 reports the producer, and its inferred dims fit the input."""
    gather = file.gathers.get(source.offset)
    if gather is None or gather.status == "match" or gather.inference is None or output is not source.outputs[0]:
        return False
    return bool(input_port.dims) and gather.inference.shape.compatible(dims_shape(input_port.dims))


def _compare(file: File, source: Layer, output: Port, target: Layer, index: int, input_port: Port) -> Findings:
    origin, types = f'layer {source.id} "{source.name}"', _types(output, input_port)

    def fix(part: str) -> Fix | None:
        """The producer's port, unless it is known to be wrong itself: then its own fix comes first."""
        if not (file.fixes.takes(target, index) and file.fixes.sound[source]):
            return None
        facts = file.fixes.known(source, "output", source.outputs.index(output))
        if part == "dims":
            shape = dims_shape(output.dims)
            return file.fixes.port_dims(target, "input", index, shape) if facts.shape.compatible(shape) else None
        kind = from_port(output.precision or "-")
        return file.fixes.precision(target, "input", index, kind) if facts.element_type in (None, kind) else None

    if _differ_in_dims(output, input_port):
        message = f"input {index} is {dims_shape(input_port.dims)}, but {origin} gives {dims_shape(output.dims)}"
        dim = help = None
        if len(output.dims) == len(input_port.dims):
            pairs = [pair for pair in enumerate(zip(output.dims, input_port.dims, strict=True)) if len({*pair[1]}) > 1]
            dim = max(pairs, key=lambda pair: min(pair[1]) >= 0)[0]  # a contradiction, else the first that differs
            help = file.votes.of_edge(source, output, target, index, dim)
        place, severity, change = f"input/{index}/dim/{dim}", _severity(output, input_port), partial(fix, "dims")
        yield file.report(RULE, message, place, target, effect=_EFFECT, severity=severity, help=help, fix=change)
    if types is not None:
        message = f"input {index} is {types[1].port}, but {origin} gives {types[0].port}"
        place, change = f"input/{index}/precision", partial(fix, "precision")
        yield file.report(RULE, message, place, target, effect=_EFFECT, severity="warning", fix=change)
