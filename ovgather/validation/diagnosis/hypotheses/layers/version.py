"""What: the opset of a layer is that of another version of its operation, or its type that of another operation.
Why: the other one has the attributes, the inputs and the outputs of this layer.
Bad::
    <layer type="Gather" version="opset1"><data batch_dims="1"/>
Good::
    <layer type="Gather" version="opset8"><data batch_dims="1"/>
"""

from collections.abc import Iterable, Iterator

from ovgather.forward.records import find_declaration
from ovgather.ir import opsets
from ovgather.ir.graph import Layer
from ovgather.layers.gather_layer import is_family
from ovgather.ops import declared
from ovgather.ops.declaration import MISSING, Declaration
from ovgather.ops.openvino import FAMILY
from ovgather.validation.diagnosis.case import Case, called
from ovgather.validation.diagnosis.hypothesis import (
    Hypothesis,
    attribute_change,
)

ORDER = 26
_OPSETS = range(17, 0, -1)
_OTHER_OPSET = 1.5
_MOST_LAYERS = 8
"""So many layers of which other types are tried."""
_MANY = "{count} layers have the version of another operation, or of none"


def propose(case: Case) -> Iterator[Hypothesis]:
    layers = [
        layer
        for layer in case.subjects
        if not layer.version or opsets.is_misspelt(layer.version)
    ]
    for index, layer in enumerate(layers):
        if not layer.type.strip():
            yield from _missing_type(case, layer)
            continue
        own = find_declaration(layer.type, layer.version)
        versions: dict[str, tuple[Declaration, str]] = {}
        for number in _OPSETS:
            other = find_declaration(layer.type, f"opset{number}")
            if other is not None and other is not own:
                versions[other.name] = other, f"opset{other.since}"
        for rank, (other, opset) in enumerate(versions.values()):  # the newest first
            if _suits(layer, other) and not (own is not None and _suits(layer, own)):
                yield _hypothesis(
                    case, layer, other, "version", opset, 1.0 + 0.1 * rank
                )
        if own is None and not any(
            [_suits(layer, other) for other, _ in versions.values()]
        ):
            # An attribute may be wrong as well.
            for other, opset in [*versions.values()][:1]:
                yield _hypothesis(case, layer, other, "version", opset, _OTHER_OPSET)
        if own is None or index >= _MOST_LAYERS:
            continue
        is_suited = _suits(layer, own)
        is_whole = is_suited and _has_all(layer, own)
        if not is_whole or layer.offset in case.refused:
            price = 1.0 + 0.4 * is_suited
            for other in _other_types(case, layer, is_whole):
                if is_whole or not is_suited or _has_all(layer, other):
                    yield _hypothesis(case, layer, other, "type", other.type, price)


def _missing_type(case: Case, layer: Layer) -> Iterator[Hypothesis]:
    """The operation of the opset that has the attributes of the layer, and needs no others. One of several that give
    what the ports say stands in for them, to show what the missing type hides."""
    suited = [
        each
        for each in [find_declaration(name, layer.version) for name in declared.types()]
        if each is not None and _suits(layer, each) and _has_all(layer, each)
    ]
    if not layer.outputs:
        suited = [each for each in suited if each.type == "Result"]
    if len(suited) == 1 and (layer.data or not layer.outputs):
        yield _hypothesis(case, layer, suited[0], "type", suited[0].type, 1.0)
        return
    inputs = case.inputs_of(layer)
    agreeing = [each for each in suited if case.agrees(layer, inputs, {}, each)]
    for each in agreeing[:1]:
        stand_in = _hypothesis(case, layer, each, "type", each.type, 1.0)
        yield stand_in._replace(message="", what="", help=None)


def _has_all(layer: Layer, declaration: Declaration) -> bool:
    """Whether the layer has the attributes that it needs."""
    needed = [
        each
        for each in declaration.attributes
        if each.required or each.default is MISSING
    ]
    return all(each.name in layer.data for each in needed)


def _other_types(case: Case, layer: Layer, is_suited: bool) -> Iterator[Declaration]:
    """The operations of the same opset that take the layer as it is: those like its own, or with its attributes."""
    inputs = case.inputs_of(layer)
    names: Iterable[str] = ()
    if not layer.outputs:
        names = ("Result",)
    elif layer.data and not is_suited:
        names = declared.types()
    elif is_family(layer):
        names = FAMILY
    elif layer.data:  # to import all operations takes longer than to check most files
        names = declared.relatives(layer.type)
    for declaration in [find_declaration(name, layer.version) for name in names]:
        if (
            declaration is None
            or declaration.type == layer.type
            or not _suits(layer, declaration)
        ):
            continue
        if case.agrees(layer, inputs, declaration=declaration):
            yield declaration


def _suits(layer: Layer, declaration: Declaration) -> bool:
    """Whether the layer has no attributes, inputs or outputs but those of ``declaration``."""
    names = {attribute.name for attribute in declaration.attributes}
    return set(layer.data) <= names and declaration.least_inputs <= len(
        layer.inputs
    ) <= len(declaration.inputs)


def _hypothesis(
    case: Case,
    layer: Layer,
    other: Declaration,
    attribute: str,
    text: str,
    price: float,
) -> Hypothesis:
    element = case.element(layer)
    what = f"{attribute} is {text}"
    written = element.attributes.get(attribute, "")
    message = f"{called(layer)} says {written}, but its attributes and ports are those of {other.name}"
    help: str | None = f'set {attribute}="{text}"'
    if not written:
        message = f"{called(layer)} has no {attribute}: its attributes and ports are those of {other.name}"
        if attribute == "version":
            help = None  # the rule tells which version others of its type have
    elif attribute == "version" and find_declaration(layer.type, written) is None:
        message = f"{written} has no {layer.type}: {called(layer)} is {other.name}"
    change = attribute_change(element, attribute, text)
    return case.repair(
        message,
        layer,
        attribute,
        [change],
        what,
        price,
        many=_MANY if attribute == "version" else "",
        help=help,
        is_value=not written
        or (attribute == "version" and opsets.known(layer.type, written) is None),
    )
