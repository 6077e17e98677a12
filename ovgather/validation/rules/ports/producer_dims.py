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

from functools import partial
from typing import NamedTuple

from ovgather.ir.graph import Layer, Port
from ovgather.layers.tensors import dims_shape
from ovgather.tensor import element_type
from ovgather.tensor.element_type import ElementType
from ovgather.validation.context import File, Findings
from ovgather.validation.diagnostic import Diagnostic, Fix
from ovgather.validation.facts.duplicate_ids import doubled_ids

CODE = "OVG206"
TITLE = "input port that contradicts its producer"
SEVERITIES = ("error", "warning")
VERDICTS = ("accepts",)
FIXES = ("safe",)
_EFFECT = "ignores port shapes and precisions: it infers its own"


def check(file: File) -> Findings:
    """Both ends of every edge."""
    positions: dict[int, dict[int, int]] = {}
    swapped = {gather.layer for gather in file.swapped}
    doubles: dict[int, set[int]] = {}
    outputs: dict[tuple[int, int], list[_End]] = {}
    for _, source, given, target, taken in file.links.where(_differ):
        if given is None or taken is None or source is None or target is None or target in swapped:
            continue
        if source is target or _is_reported(file, source, given, taken):  # OVG304 reports cycles
            continue
        if id(source.graph) not in doubles:
            doubles[id(source.graph)] = doubled_ids(source.graph)
        if source.id in doubles[id(source.graph)]:
            continue
        if id(target.inputs) not in positions:
            positions[id(target.inputs)] = {id(port): index for index, port in reversed([*enumerate(target.inputs)])}
        index = positions[id(target.inputs)][id(taken)]
        outputs.setdefault((source.offset, given.id), []).append(_End(source, given, target, index))
    for ends in outputs.values():
        if len(ends) > 1 and len({(end.taken.dims, end.taken.precision) for end in ends}) == 1:
            yield _producer(file, ends)
        else:
            for end in ends:
                yield from _compare(file, *end)


class _End(NamedTuple):
    """An input that contradicts the output that feeds it."""

    source: Layer
    given: Port
    target: Layer
    number: int

    @property
    def taken(self) -> Port:
        return self.target.inputs[self.number]


def _producer(file: File, ends: list[_End]) -> Diagnostic:
    """One finding at the output that several inputs contradict in the same way."""
    source, given, _, _ = ends[0]
    taken, number, types = ends[0].taken, source.outputs.index(given), _types(given, ends[0].taken)
    if types is not None and not _differ_in_dims(given, taken):
        severity, attribute, here, there = "warning", "precision", types[0].port, types[1].port
    else:
        severity, attribute = _severity(given, taken), None
        here, there = str(dims_shape(given.dims)), str(dims_shape(taken.dims))
    message = f"output {number} is {here}, but the {len(ends)} inputs that take it say {there}"
    span = file.port_span(source, "output", number, attribute=attribute)
    related = [
        (
            f'input {end.number} of layer {end.target.id} "{end.target.name}"',
            file.port_span(end.target, "input", end.number, attribute=attribute),
        )
        for end in ends
    ]
    return file.report(CODE, severity, message, span, layer=source, openvino="accepts", effect=_EFFECT, related=related)


def _differ(given: Port | None, taken: Port | None) -> bool:
    """Whether the ends of an edge contradict each other."""
    return given is not None and taken is not None and (_differ_in_dims(given, taken) or bool(_types(given, taken)))


def _differ_in_dims(given: Port, taken: Port) -> bool:
    # A port without dims may be of any rank. OpenVINO writes the same dims at both ends, dynamic ones included.
    return given.dims != taken.dims and bool(given.dims) and bool(taken.dims)


def _severity(given: Port, taken: Port) -> str:
    """A warning where only one of the ports leaves a dim open."""
    return "warning" if dims_shape(given.dims).compatible(dims_shape(taken.dims)) else "error"


def _types(given: Port, taken: Port) -> tuple[ElementType, ElementType] | None:
    """The element types of the ends of an edge where they differ."""
    if given.precision == taken.precision or not given.precision or not taken.precision:
        return None
    left, right = element_type.from_port(given.precision), element_type.from_port(taken.precision)
    if left is None or right is None or left == right or "dynamic" in (left.name, right.name):
        return None
    return left, right


def _is_reported(file: File, source: Layer, given: Port, taken: Port) -> bool:
    """Whether OVG203 reports the producer, and its inferred dims fit the input."""
    gather = file.gathers.get(source.offset)
    if gather is None or gather.status == "match" or gather.inference is None or given is not source.outputs[0]:
        return False
    return bool(taken.dims) and gather.inference.shape.compatible(dims_shape(taken.dims))


def _compare(file: File, source: Layer, given: Port, target: Layer, index: int) -> Findings:
    taken, types = target.inputs[index], _types(given, target.inputs[index])
    origin, verdict = f'layer {source.id} "{source.name}"', "accepts"
    if _differ_in_dims(given, taken):
        message = f"input {index} is {dims_shape(taken.dims)}, but {origin} gives {dims_shape(given.dims)}"
        dim = odd = None
        if len(given.dims) == len(taken.dims):
            pairs = [pair for pair in enumerate(zip(given.dims, taken.dims, strict=True)) if len({*pair[1]}) > 1]
            dim = max(pairs, key=lambda pair: min(pair[1]) >= 0)[0]  # a contradiction, else the first that differs
            odd = file.votes.of_edge(source, given, target, index, dim)
        span, help = file.port_span(target, "input", index, dim), str(odd) if odd is not None else None
        fix = partial(_fix, file, source, given, target, index, "dims")
        severity = _severity(given, taken)
        yield file.report(
            CODE, severity, message, span, layer=target, openvino=verdict, effect=_EFFECT, help=help, fix=fix
        )
    if types is not None:
        message = f"input {index} is {types[1].port}, but {origin} gives {types[0].port}"
        span = file.port_span(target, "input", index, attribute="precision")
        fix = partial(_fix, file, source, given, target, index, "precision")
        yield file.report(CODE, "warning", message, span, layer=target, openvino=verdict, effect=_EFFECT, fix=fix)


def _fix(file: File, source: Layer, given: Port, target: Layer, index: int, part: str) -> Fix | None:
    """The producer's port, unless it is known to be wrong itself: then its own fix comes first."""
    if not (file.fixes.takes(target, index) and file.fixes.is_sound(source)):
        return None
    known = file.fixes.known(source, "output", source.outputs.index(given))
    if part == "dims":
        shape = dims_shape(given.dims)
        right = known.shape is None or known.shape.compatible(shape)
        return file.fixes.port_dims(target, "input", index, shape) if right else None
    kind = element_type.from_port(given.precision or "-")
    right = known.element_type is None or known.element_type == kind
    return file.fixes.precision(target, "input", index, kind) if right and kind else None
