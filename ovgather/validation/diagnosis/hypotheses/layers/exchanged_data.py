"""What: the attributes or the types of two layers are swapped, or the values of two attributes of one layer.
Why: with each other's values the layers compute what their ports declare.
Bad::
    <data element_type="1,3" shape="f32"/>
Good::
    <data element_type="f32" shape="1,3"/>
"""

from collections.abc import Iterator
from itertools import combinations

from ovgather.forward.attributes import is_read_whole
from ovgather.forward.records import find_declaration
from ovgather.ir.graph import Layer
from ovgather.ir.positions import Span
from ovgather.validation.context import Place
from ovgather.validation.diagnosis.case import Case, called
from ovgather.validation.diagnosis.hypothesis import Hypothesis

ORDER = 24
_MOST_LAYERS = 12
_MOST_ATTRIBUTES = 8
_MANY = "the values of {name} and {other} of {{count}} layers are swapped"


def propose(case: Case) -> Iterator[Hypothesis]:
    layers = [layer for layer in case.subjects if layer.data][:_MOST_LAYERS]
    for layer in layers:
        if not _agrees(case, layer, layer.data):
            yield from _in_one(case, layer)
    for layer, other in combinations(layers, 2):
        if (
            layer.data != other.data
            and _agrees(case, layer, other.data)
            and _agrees(case, other, layer.data)
        ):
            yield _of_two(case, layer, other)
    for layer, other in combinations(case.subjects[:_MOST_LAYERS], 2):
        if _suits(layer, other) and _suits(other, layer) and layer.type != other.type:
            yield _types(case, layer, other)


def _agrees(case: Case, layer: Layer, data: dict[str, str]) -> bool:
    """Whether ``data`` has attributes of ``layer`` only, and it computes with them what its ports declare."""
    declaration = find_declaration(layer.type, layer.version)
    if declaration is None:
        return False
    attributes = {each.name: each for each in declaration.attributes}
    are_read = all(
        name in attributes and is_read_whole(text, attributes[name])
        for name, text in data.items()
    )
    return are_read and case.agrees(layer, case.inputs_of(layer), data)


def _suits(layer: Layer, other: Layer) -> bool:
    """Whether the type of ``other`` takes as many inputs as ``layer`` has, its attributes, and not those of its own."""
    declaration = find_declaration(other.type, layer.version)
    if declaration is None:
        return False
    names = {attribute.name for attribute in declaration.attributes}
    return (
        {*layer.data} <= names
        and {*other.data} & names <= {*layer.data}
        and declaration.least_inputs <= len(layer.inputs) <= len(declaration.inputs)
    )


def _types(case: Case, layer: Layer, other: Layer) -> Hypothesis:
    spans = [case.element(each).attribute_span("type") for each in (layer, other)]
    message = f"the types of {called(layer)} and {called(other)} are swapped"
    changes = [(spans[0], other.type), (spans[1], layer.type)]
    what = "they change their types"
    swap = _hypothesis(case, layer, "type", changes, message, what)
    return swap._replace(reach=case.reach(layer, other))


def _in_one(case: Case, layer: Layer) -> Iterator[Hypothesis]:
    element = case.element(layer).first("data")
    for name, other in combinations([*layer.data][:_MOST_ATTRIBUTES], 2):
        swapped = {**layer.data, name: layer.data[other], other: layer.data[name]}
        if element is None or not _agrees(case, layer, swapped):
            continue
        spans = element.attribute_span(name), element.attribute_span(other)
        message = f"the values of {name} and {other} of {called(layer)} are swapped"
        changes = [(spans[0], swapped[name]), (spans[1], swapped[other])]
        what = f"{name} and {other} change their values"
        swap = _hypothesis(case, layer, spans[0], changes, message, what)
        yield swap._replace(many=_MANY.format(name=name, other=other))


def _of_two(case: Case, layer: Layer, other: Layer) -> Hypothesis:
    """``<data>`` of each of two layers stands in the other one."""
    elements = [case.element(each).first("data") for each in (layer, other)]
    spans = [each.tag_span for each in elements if each is not None]
    texts = [case.source.data[slice(*span)] for span in spans]
    message = f"the attributes of {called(layer)} and {called(other)} are swapped"
    changes = list(zip(spans, texts[::-1], strict=True))
    what = "they change places"
    swap = _hypothesis(case, layer, "data", changes, message, what)
    return swap._replace(reach=case.reach(layer, other))


def _hypothesis(
    case: Case,
    layer: Layer,
    place: Place,
    changes: list[tuple[Span, str]] | list[tuple[Span, bytes]],
    message: str,
    what: str,
) -> Hypothesis:
    return case.repair(
        message,
        layer,
        place,
        changes,
        what,
        1.2,
        help="swap them",
        is_one=True,
    )
