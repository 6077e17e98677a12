"""What: the shape, the element type, the offset or the size of a Const is wrong.
Why: its port, its bytes and the layers that take it agree on another one.
Bad::
    <data element_type="f32" shape="4,3" offset="0" size="48"/>   <!-- and a port [3,4] -->
Good::
    <data element_type="f32" shape="3,4" offset="0" size="48"/>
"""

from collections.abc import Iterator

from ovgather.ir.constants import Constant, parse_shape, sized
from ovgather.ir.edit.layer_text import dims_text
from ovgather.ir.graph import Layer
from ovgather.ir.numbers import read_id
from ovgather.layers.tensors import dims_shape
from ovgather.tensor import element_type
from ovgather.tensor.shape import PartialShape
from ovgather.validation.diagnosis.case import Case
from ovgather.validation.diagnosis.hypothesis import Hypothesis

ORDER = 11
_LARGEST = 1 << 63
_MOST_ABOVE = 4
_MANY = "{name} of {{count}} Consts and Parameters is wrong"


def propose(case: Case) -> Iterator[Hypothesis]:
    for layer in dict.fromkeys((*case.nearby, *case.everyone)):
        const = case.constant(layer)
        if layer.type == "Const" and const is not None and len(layer.outputs) == 1:
            for name, text, price in _changes(case, layer, const):
                if text != layer.data.get(name, "").replace(" ", ""):
                    yield from _hypothesis(case, layer, name, text, price)
        elif len(layer.outputs) == 1 and (
            layer.type == "Const"
            or (layer.type == "Parameter" and layer.outputs[0].dims)
        ):
            if layer.type == "Const":
                yield from _place(case, layer)
            dims = dims_text(layer.outputs[0].dims)
            written = layer.data.get("shape", "")
            if dims and "shape" in layer.data and not _is_shape_of(layer, written):
                yield from _hypothesis(case, layer, "shape", dims, 1.0)
            port_type = element_type.from_port(layer.outputs[0].precision or "")
            type_name = layer.data.get("element_type")
            if port_type is not None and type_name not in (None, port_type.name):
                yield from _hypothesis(case, layer, "element_type", port_type.name, 1.0)


def _place(case: Case, layer: Layer) -> Iterator[Hypothesis]:
    """A size or an offset in place of one that cannot be read."""
    data = {**layer.data}
    if read_id(data.get("size", "")) is None:
        data["size"] = "0"
    const = sized(data)
    if const is not None and 0 < const.bytes_needed < _LARGEST:
        if data["size"] != layer.data.get("size"):
            yield from _hypothesis(case, layer, "size", str(const.bytes_needed), 1.0)
        elif (gap := _gap(case, layer, const)) is not None:
            yield from _hypothesis(case, layer, "offset", str(gap), 1.0)


def _is_shape_of(layer: Layer, text: str) -> bool:
    """Whether ``text`` is a shape, and the port does not contradict it."""
    if layer.type == "Const":
        return parse_shape(text) == layer.outputs[0].dims
    try:
        return PartialShape.parse(text).compatible(dims_shape(layer.outputs[0].dims))
    except ValueError:
        return False


def _changes(
    case: Case, layer: Layer, const: Constant
) -> Iterator[tuple[str, str, float]]:
    """Other values of the attributes."""
    port = layer.outputs[0]
    kind = const.element_type
    yield "shape", ",".join(map(str, port.dims)), 1.0
    port_type = element_type.from_port(port.precision or "")
    if port_type is not None:
        yield "element_type", port_type.name, 1.0
    if const.size != const.bytes_needed < _LARGEST:
        yield "size", str(const.bytes_needed), 1.0
        count = const.elements
        for other in element_type.ALL:
            if (
                count
                and other.bits * count == 8 * const.size
                and other.name[0] == kind.name[0]
            ):
                yield "element_type", other.name, 1.2
    gap = _gap(case, layer, const)
    if gap is not None and gap != const.offset:
        yield "offset", str(gap), 1.0


def _gap(case: Case, layer: Layer, const: Constant) -> int | None:
    """The one place in the ``.bin`` that no other Const takes, of the size of this one; of several that behind the last
    Const above this one, as converters write them."""
    weights = case.file.model.weights
    size = const.bytes_needed
    if weights is None or not size:
        return None
    spans = sorted(
        {
            (each.offset, each.offset + each.size)
            for each in case.file.declared.values()
            if each != const
        }
    )
    gaps = []
    end = 0
    for begin, stop in [*spans, (weights.size, weights.size)]:
        if begin - end >= size:
            gaps.append(end)
        end = max(end, stop)
    if len(gaps) == 1:
        return gaps[0]
    above = case.file.layers[: case.rows[layer.offset]]
    others = [case.constant(each) for each in reversed(above) if each.type == "Const"]
    ends = [
        each.offset + each.size for each in others[:_MOST_ABOVE] if each is not None
    ]
    return next((end for end in ends if end in gaps), None)


def _hypothesis(
    case: Case, layer: Layer, name: str, text: str, price: float
) -> Iterator[Hypothesis]:
    what = f"{name} is {text}"
    fixes = case.file.fixes
    fix = fixes.value(case.element(layer).first("data"), name, text, what, False)
    if fix is not None:
        edits = fix.edits
        agreeing = "port"
        help = f'set {name}="{text}"'
        kind = element_type.find_data(text) if name == "element_type" else None
        port = layer.outputs[0].precision
        if kind is not None and port and element_type.from_port(port) != kind:
            other = fixes.precision(layer, "output", 0, kind)
            if other is not None:
                edits += other.edits
                agreeing = "size"
                help += f', and the precision of its port to "{kind.port}"'
        written = layer.data.get(name, "").replace(" ", "")
        message = f"{name} of the {layer.type} is {written}, but its {agreeing} and its consumers need {text}"
        if name == "offset":
            message = f"the bytes of the {layer.type} at {written} do not fit its consumers; those at {text} do"
        yield Hypothesis(
            message,
            layer,
            f"data/{name}",
            edits,
            what,
            price,
            help=help,
            many=_MANY.format(name=name),
            is_value=True,
        )
